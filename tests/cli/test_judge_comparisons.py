"""What a judge reads of a file of votes, and what its passport makes of verdicts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.judge_comparisons import Comparison, ComparisonSet, comparison_of, read_comparisons
from parley.cli.judge_passport import Passport, make_passport
from parley.cli.judge_report import position_lines, rate_lines
from parley.cli.judge_run import ORDERS, make_plan
from parley.cli.measuring_record import MeasuredReply, Record, key_of
from parley.features.vote_files.lmarena import Texts
from parley.kernel.errors import Invalid
from parley.ratings.outcomes import Outcome
from parley.text.verdicts import read_verdict

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
PAIR = {"model_a": "ada", "model_b": "bob"}


def read(tmp_path: Path, *rows: dict[str, Any]) -> ComparisonSet:
    path = tmp_path / "votes.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(PAIR | row) for row in rows))
    return read_comparisons(path)


def test_conversations_of_several_turns_are_read_with_their_numbers(tmp_path: Path) -> None:
    more = [{"role": "user", "content": [{"type": "text", "text": "And?"}]}]
    left = [*TALK, *more, {"role": "assistant", "content": "So"}]
    right = [TALK[0], {"role": "assistant", "content": "Hey"}, *more, {"role": "assistant", "content": "No"}]
    row = {"conversation_a": left, "conversation_b": right, "winner": "tie (bothbad)", "judge": 7}
    found = read(tmp_path, row | {"language": "German", "turn": 2})
    (only,) = found.comparisons
    assert only.question == "[Turn 1]\nHi\n\n[Turn 2]\nAnd?"
    assert only.right == "[Turn 1]\nHey\n\n[Turn 2]\nNo"
    assert (only.outcome, only.voter, only.prompt) == (Outcome.BOTH_BAD, "7", "hi")
    assert only.categories == ("language-de", "multi-turn")


def test_kaggles_columns_are_read(tmp_path: Path) -> None:
    path = tmp_path / "train.csv"
    header = "model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\n"
    rows = [
        'ada,bob,"[""Hi""]","[""Hello""]","[""Hey""]",0,1,0',
        'ada,bob,"[""Ho""]","[""x""]","[""y""]",0,0,1',
    ]
    path.write_text(header + "\n".join(rows) + "\n")
    won, tied = read_comparisons(path).comparisons
    assert (won.question, won.left, won.right, won.outcome) == ("Hi", "Hello", "Hey", Outcome.LOSS)
    assert tied.outcome == Outcome.TIE


def test_parquet_is_read(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    row = {**PAIR, "winner": "model_a", "prompt": "Hi", "response_a": "Hello", "response_b": "Hey"}
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "votes.parquet")
    (only,) = read_comparisons(tmp_path / "votes.parquet").comparisons
    assert (only.left, only.outcome, only.voter) == ("Hello", Outcome.WIN, None)


def test_only_votes_that_stand_are_read(tmp_path: Path) -> None:
    texts = {"prompt": "Hi", "response_a": "Hello", "response_b": "Hey", "winner": "model_a"}
    found = read(
        tmp_path,
        texts | {"parley_counted": True, "parley_kind": "blind"},
        texts | {"parley_counted": False, "parley_kind": "open", "parley_reason": "open"},
        texts | {"parley_counted": False, "parley_kind": "blind", "parley_reason": "too_fast"},
        texts | {"parley_counted": True, "parley_kind": "blind", "parley_excluded": "withdrawn"},
        texts | {"parley_categories": ["vision"]},
        texts | {"model_b": "ada"},
        texts | {"response_a": "long " * 10_000},
        texts | {"winner": None},
    )
    assert [each.outcome for each in found.comparisons] == [Outcome.WIN, Outcome.WIN, None]
    assert found.left_out == {
        "its vote does not count": 2,
        "it has a picture": 1,
        "it does not name two models": 1,
        "its texts have more than 30,000 characters together": 1,
    }


def test_a_file_without_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="has no texts to judge"):
        read(tmp_path, {"winner": "tie", "conversation_a": TALK})


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Better: 1\nNo, Better: 2", "second"),
        ("**Better:** Answer 1", "first"),
        ("better： tie", "tie"),
        ("Better: 12", None),
        ("Both are fine.", None),
    ],
)
def test_a_verdict_is_the_last_that_is_said(text: str, verdict: str | None) -> None:
    assert read_verdict(text) == verdict


def compared(
    number: int, outcome: Outcome | None, voter: str | None = None, *, turned: bool = False
) -> Comparison:
    answers = (f"A{number}", f"B{number}")
    left, right = reversed(answers) if turned else answers
    models = ("bob", "ada") if turned else ("ada", "bob")
    made = comparison_of(
        Texts((f"Q{number}",), (left,), (right,)),
        left_model=models[0],
        right_model=models[1],
        outcome=outcome,
        voter=voter,
    )
    assert isinstance(made, Comparison)
    return made


def passport(tmp_path: Path, comparisons: Sequence[Comparison], *said: str) -> Passport:
    """Return the passport of a judge that says the same of each comparison: of A before B, and of B before A."""
    plan = make_plan("cleo", ComparisonSet(tuple(comparisons), {}), {}, limit=None, unvoted=None)
    record = Record(tmp_path / "judge.jsonl")
    for each in plan.distinct:
        for shown, text in zip(ORDERS, said, strict=True):
            record.add(MeasuredReply(question=key_of(each.key), model="cleo", shown=shown, text=text))
    found = make_passport(plan, record)
    assert found is not None
    return found


def test_a_vote_on_turned_sides_is_compared_with_the_verdict_on_the_same_answer(tmp_path: Path) -> None:
    votes = [compared(number, Outcome.WIN, turned=False) for number in range(10)]
    votes += [compared(number, Outcome.LOSS, turned=True) for number in range(10, 20)]
    found = passport(tmp_path, votes, "Better: 1", "Better: 2")
    assert found.agreement[0].agreement.share.value == 1.0
    assert found.position is not None
    assert (found.position.flipped.value, found.position.lean.value) == (0.0, 0.0)
    votes = [compared(0, Outcome.LOSS), compared(1, Outcome.WIN, turned=True)]
    (tmp_path / "against").mkdir()
    against = passport(tmp_path / "against", votes, "Better: 1", "Better: 2")
    assert against.agreement[0].agreement.share.value == 0.0


def test_people_are_compared_where_two_voted_on_the_same_answers(tmp_path: Path) -> None:
    votes = [
        compared(1, Outcome.WIN, "p"),
        compared(1, Outcome.LOSS, "q", turned=True),
        compared(2, Outcome.TIE, "p"),
        compared(2, Outcome.BOTH_BAD, "q"),
        compared(3, Outcome.WIN, "p"),
        compared(3, Outcome.LOSS, "q"),
        compared(4, Outcome.WIN, "p"),
        compared(4, Outcome.WIN, "p"),
        compared(5, Outcome.WIN),
    ]
    people = passport(tmp_path, votes, "Better: 1", "Better: 2").people
    assert people is not None
    assert (people.votes, people.agreement.share.value) == (6, pytest.approx(2 / 3))


def test_the_second_place_and_unlike_comparisons_are_named(tmp_path: Path) -> None:
    votes = [compared(number, Outcome(number % 2)) for number in range(20)]
    found = passport(tmp_path, votes, "Better: 2", "Better: 2")
    assert "prefers the second place" in position_lines(found)[1]
    waiting = [compared(number, None) for number in range(100, 160)]
    chosen = [compared(number, Outcome.WIN) for number in range(20)]
    plan = make_plan("cleo", ComparisonSet((*chosen, *waiting), {}), {}, limit=None, unvoted=None)
    record = Record(tmp_path / "unlike.jsonl")
    for each in plan.distinct:
        last = each.outcome is None or int(each.question[1:]) % 4 == 0
        for shown, text in zip(
            ORDERS, ("Better: 2", "Better: 1") if last else ("Better: 1", "Better: 2"), strict=True
        ):
            record.add(MeasuredReply(question=key_of(each.key), model="cleo", shown=shown, text=text))
    unlike = make_passport(plan, record)
    assert unlike is not None
    assert "Do not trust the correction of" in rate_lines(unlike.models)[-1]
