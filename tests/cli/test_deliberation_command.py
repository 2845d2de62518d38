"""`parley deliberation run` as a person runs it: checks, a judge, resuming, a cap, bad lines."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.deliberation_questions import Question
from tests.fakes.commands import ctrl_c
from tests.fakes.upstream import ScriptedUpstream

SUM = {"question": "What is 2 + 2?", "answer": 4}
OPEN = {"question": "Tabs or spaces?"}
Run = Callable[..., Any]


def ask_file(*questions: object) -> str:
    Path("q.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, questions)))
    return "q.jsonl"


def measured(run: Run, *more: str, status: int = 0) -> Any:
    return run("deliberation", "run", "q.jsonl", "--yes", *more, status=status)


def test_a_team_is_measured_against_its_members_and_nothing_is_asked_twice(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("It is four.\nAnswer: **4**", model="ada").reply("Answer: 5", model="bob")
    run("team", "save", "board", "-m", "ada", "-m", "bob", "--rounds", "1", "--contestant")
    ask_file(
        SUM, {"question": "Name a prime.", "answer": "4"}, {"question": "Odd?", "contains": ["FOUR", "is"]}
    )
    report = measured(run, "-m", "board", "--json")
    assert (report["questions"], report["left_out"], report["lines"][0]["wins"]) == (3, 0, None)
    team, best, other = report["lines"]
    assert [line["model"] for line in report["lines"]] == ["board-r1", "ada", "bob"]
    assert (team["right"], best["right"], other["right"]) == (1.0, 1.0, 0.0)
    assert (team["calls"], best["calls"], other["lead"]["points"]) == (3.0, 1.0, 100.0)
    assert other["lead"]["ci_lower"] < 100
    assert (report["best"], report["lead"]["points"]) == ("ada", 0.0)
    assert report["factors"]["cost"] == pytest.approx(team["cost_usd"] / best["cost_usd"])
    assert report["factors"]["cost"] == pytest.approx(3, rel=0.3)
    assert "Not settled: Team: board is level with Ada alone (" in report["conclusion"]
    asked = len(upstream.chats)
    assert asked == 3 * (3 + 1 + 1)
    assert "Ada (best)" in measured(run, "-m", "Team: board")
    assert len(upstream.chats) == asked
    assert "No sessions" in run("sessions", "list")
    assert upstream.chats[0].json["messages"][-1]["content"].count("End with a line that says only") == 1


def test_a_judge_hears_both_orders_and_no_names(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Ada's view", model="ada").reply("Tabs", model="bob")
    upstream.reply("Fine.\n**Better: 1**", model="cleo").reply("Better: Answer 2", model="cleo")
    upstream.reply("Better: 1", model="cleo")
    ask_file(OPEN, {"question": "vi or emacs?"})
    report = measured(run, "-m", "ada", "--against", "bob", "--judge", "cleo", "--json")
    assert [line["wins"] for line in report["lines"]] == [0.75, 0.25]  # a win, then the first place twice
    assert (report["lead"]["points"], report["questions"]) == (50.0, 2)
    prompts = [chat.json["messages"][-1]["content"] for chat in upstream.chats if chat.model == "cleo"]
    assert [prompt.index("Ada's view") < prompt.index("Tabs\n") for prompt in prompts] == [True, False] * 2
    for prompt in prompts:
        assert "bob" not in prompt.lower()
        assert prompt.lower().count("ada") == 1


def test_a_judge_with_a_favourite_place_prefers_nobody(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Better: 1", model="cleo")
    ask_file(OPEN)
    report = measured(run, "-m", "ada", "--against", "bob", "--judge", "cleo", "--json")
    assert (report["lead"]["points"], report["lines"][0]["wins"], report["unread"]) == (0.0, 0.5, 0)
    upstream.drop("cleo")
    upstream.reply("Both have merits.", model="cleo")
    report = measured(
        run, "-m", "ada", "--against", "bob", "--judge", "cleo", "--json", "--out", "other.jsonl"
    )
    assert (report["lead"]["points"], report["unread"]) == (0.0, 2)


def test_a_rerun_continues_where_it_ended(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Answer: 4", model="ada")
    upstream.reply("Answer: 4", model="bob").reply("Answer: ", "5", model="bob", hold_after=1)
    ask_file(SUM, {"question": "And 3 + 1?", "answer": 4})
    with ctrl_c(lambda: len(upstream.chats) == 4):
        said = measured(run, "-m", "ada", "--against", "bob", status=130)
    assert "Replies so far are in q.deliberation.jsonl" in said
    out = Path("q.deliberation.jsonl")
    assert len(out.read_bytes().splitlines()) == 3
    with out.open("ab") as file:
        file.write(b'{"asked":"0123')
    upstream.release()
    upstream.forget()
    upstream.reply("Answer: 5", model="bob")
    report = measured(run, "-m", "ada", "--against", "bob", "--json")
    assert [chat.model for chat in upstream.chats] == ["bob"]
    assert (report["questions"], report["lead"]["points"]) == (2, 50.0)
    assert len(out.read_bytes().splitlines()) == 4


def test_the_cap_stops_before_a_call_that_would_exceed_it(run: Run, upstream: ScriptedUpstream) -> None:
    used = {"prompt_tokens": 7, "completion_tokens": 600, "total_tokens": 607}
    upstream.reply("Answer: 4", usage=used)
    ask_file(SUM, {"question": "And 3 + 1?", "answer": 4})
    arguments = ("-m", "ada", "--against", "bob", "--max-cost-usd")
    # A reply costs $0.001207 and is expected to cost about $0.001.
    said = measured(run, *arguments, "0.004", status=1)
    assert len(upstream.chats) == 3
    assert "Stopped at the cap: $0.0036 of $0.0040 are spent." in said
    assert "1 of 2 questions still lack an answer." in said
    assert measured(run, *arguments, "0.01", "--json")["questions"] == 2
    assert len(upstream.chats) == 4


def test_a_combination_with_a_model_without_a_price_counts_towards_the_cap(
    run: Run, upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    listed = msgspec.json.decode((tmp_path / "models.yaml").read_bytes())
    del listed["models"][1]["prices"]
    (tmp_path / "models.yaml").write_bytes(msgspec.json.encode(listed))
    upstream.reply("Answer: 4")
    run("team", "save", "board", "-m", "ada", "-m", "bob", "--rounds", "1", "--contestant")
    ask_file(SUM)
    said = measured(run, "-m", "board", "--against", "ada", "--max-cost-usd", "1")
    assert "--max-cost-usd does not count bob (no prices)." in said
    assert "times the tokens" in said
    team, alone = (
        msgspec.json.decode(line) for line in Path("q.deliberation.jsonl").read_bytes().splitlines()
    )
    assert "cost_micros" not in team
    assert team["paid_micros"] == 2 * alone["cost_micros"] == 2 * alone["paid_micros"] == 18


def test_the_conclusion_names_the_lead_and_the_price(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Answer: 4", model="ada").reply("Answer: 5", model="bob")
    ask_file(*({"question": f"What is 4 + 0 × {number}?", "answer": 4} for number in range(12)))
    said = concluded(run, "-m", "ada", "--against", "bob")
    assert "Ada is better than Bob alone by 100 points (70 to 100) on 12 questions, at 1.0 times" in said
    said = concluded(run, "-m", "bob", "--against", "ada")
    assert "Bob is worse than Ada alone by 100 points (70 to 100) on 12 questions, at 1.0 times" in said


def concluded(run: Run, *arguments: str) -> str:
    """Return what is concluded, with 70 for where its interval begins."""
    return re.sub(r"\(\d+ to", "(70 to", " ".join(measured(run, *arguments).split()))


def test_questions_without_all_answers_are_left_out_and_asked_again(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("Answer: 4").fail(400, "no such thing", model="bob")
    upstream.reply("Answer: 4", model="bob")
    ask_file(SUM, {"question": "And 3 + 1?", "answer": 4})
    said = measured(run, "-m", "ada", "--against", "bob", status=1)
    assert "Question 1 is left out: " in said
    assert "no such thing" in said
    assert "1 of 2 questions still lack an answer." in said
    assert measured(run, "-m", "ada", "--against", "bob", "--json")["questions"] == 2
    assert [chat.model for chat in upstream.chats] == ["ada", "bob", "ada", "bob", "bob"]


def test_three_failures_in_a_row_stop_the_command(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.fail(400, "no such thing", model="bob")
    ask_file(*({"question": f"{number}?", "answer": 4} for number in range(5)))
    said = measured(run, "-m", "ada", "--against", "bob", status=2)
    assert "3 questions in a row lack an answer." in said
    assert len(upstream.chats) == 6


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2: is not a JSON object"),
        ('{"answer": 4}', "line 2: question is required"),
        ('{"question": "x", "answer": [4]}', "line 2: answer must be text"),
        ('{"question": "x", "anwser": 4}', "line 2: anwser is not a known field (did you mean “answer”?)"),
        ('{"question": " ", "answer": 4}', "line 2: question must not be empty"),
        ('{"question": "x", "pattern": "("}', "line 2: pattern is not a regular expression"),
        ('{"question": "x", "contains": []}', "line 2: contains"),
        ('{"question": "x"}', "line 2: answer, contains or pattern is required without --judge"),
        ('{"question": "What is 2 + 2?", "answer": 5}', "line 2: question is in an earlier line too"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_asked(
    run: Run, upstream: ScriptedUpstream, line: str, fault: str
) -> None:
    Path("q.jsonl").write_text(msgspec.json.encode(SUM).decode() + f"\n{line}\n")
    said = measured(run, "-m", "ada", "--against", "bob", status=2)
    assert f"q.jsonl, {fault}" in said
    assert "Nothing was asked." in said
    assert not upstream.chats


def test_lines_beyond_the_limit_are_not_read(run: Run) -> None:
    Path("q.jsonl").write_text(msgspec.json.encode(SUM).decode() + "\n{\n")
    assert "1 question" in measured(run, "-m", "ada", "--against", "bob", "--limit", "1")


def test_what_cannot_be_measured_is_reported(run: Run, upstream: ScriptedUpstream) -> None:
    run("team", "save", "board", "-m", "ada", "-m", "bob")
    ask_file(SUM)
    assert "no contestant" in measured(run, "-m", "board", status=2)
    assert "add --against MODEL" in measured(run, "-m", "ada", status=2)
    assert "no model “nobody”" in measured(run, "-m", "nobody", status=2)
    other = ("-m", "ada", "--against", "bob")
    assert "Add --yes to start." in run("deliberation", "run", "q.jsonl", *other, status=2)
    said = measured(run, *other, "--out", "q.jsonl", status=2)
    assert "q.jsonl, line 1 is not a result of this command." in said
    assert msgspec.json.decode(Path("q.jsonl").read_bytes()) == SUM
    assert "Can't read none.jsonl" in run("deliberation", "run", "none.jsonl", *other, status=2)
    assert not upstream.chats


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (
            {"answer": "B"},
            [
                "Answer: B",
                "**Answer:** (b) Paris",
                "so the answer is B.",
                "x\n- Answer: B [1.2 Critic]",
                "B)",
                "Option B",
                r"Answer: $\boxed{\text{B}}$",
                "Answer: B – Paris",
                "__B__ it is",
            ],
            ["Answer: C", "Answer: Because", "B\nAnswer: A", "", "Answer: none", "Answer: b hat", "b's"],
        ),
        (
            {"answer": 1200},
            ["Answer: 1,200", "Answer: $1200.00.", "[2.1 Critic] says\nThe answer is 1.2e3 [1.1 Judge]"],
            ["Answer: 120", "Answer: many", "1200 or so\nAnswer: 7"],
        ),
        ({"answer": -0.5}, ["Answer: −0.5", "-.5"], ["Answer: 0.5"]),
        (
            {"answer": "New York"},
            ["Answer: new  york.", "answer: “NEW YORK”", "Answer: New York, since 1624"],
            ["Answer: New York City", "Answer: not New York"],
        ),
        ({"answer": "York"}, ["The final answer is: *York*"], ["Answer: Yorkshire"]),
        ({"contains": "Straße"}, ["in der STRASSE"], ["in der Gasse"]),
        ({"pattern": r"^\d+$", "contains": "42"}, ["so\n42\n"], ["so 42", "41"]),
    ],
)
def test_a_reply_is_checked(check: dict[str, Any], right: list[str], wrong: list[str]) -> None:
    question = Question.model_validate({"question": "?", **check})
    assert [reply for reply in right if not question.is_right(reply)] == []
    assert [reply for reply in wrong if question.is_right(reply)] == []
