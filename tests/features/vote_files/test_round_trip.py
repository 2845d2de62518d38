"""Properties of vote files: what is written is read again as the same, in every format."""

import tempfile
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.features.imports.reader import Seen
from parley.features.vote_files.columns import EXPORTED, TEXTS, needed_columns
from parley.features.vote_files.csv_cells import escape_formula, unescape_formula
from parley.features.vote_files.formats import Format
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.parsing import FileVote, RowParser, Voters
from parley.features.vote_files.rows import VoteRows
from parley.features.vote_files.validators import BadRow
from parley.features.vote_files.writers import writer_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
IDS = st.text("0123456789abcdef", min_size=32, max_size=32)
NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=30)
WORDS = st.from_regex(r"[a-z0-9][a-z0-9_]{0,20}", fullmatch=True)
CATEGORIES = st.lists(
    st.from_regex(r"[a-z0-9]{1,9}(-[a-z0-9]{1,9})?", fullmatch=True), unique=True, max_size=5
)
SPOKEN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
COUNTS = st.integers(0, 10_000)


@st.composite
def exported(draw: st.DrawFn) -> dict[str, Any]:
    """A row as exports have it."""
    left = draw(NAMES)
    right = draw(NAMES)
    right = f"{right}2" if right == left else right
    categories = sorted(set(draw(CATEGORIES)) - {"overall", "math"})
    counted = draw(st.booleans())
    seconds = draw(st.integers(0, 4_000_000_000_000_000)) / 1e6
    style = st.none() | st.fixed_dictionaries(
        {
            f"{name}_{side}" if "tokens" not in name else f"sum_assistant_{side}_tokens": COUNTS
            for name in ("tokens", "header_count", "list_count", "bold_count")
            for side in "ab"
        }
    )
    described = {"name": left, "organization": "Us", "license": "MIT"}
    values: dict[str, Any] = {
        "question_id": draw(IDS),
        "model_a": left,
        "model_b": right,
        "winner": draw(st.sampled_from(["model_a", "model_b", "tie", "tie (bothbad)"])),
        "judge": draw(IDS),
        "turn": draw(st.none() | st.integers(1, 9)),
        "tstamp": datetime.fromtimestamp(seconds, UTC).timestamp(),
        "category": categories,
        "conv_metadata": draw(style),
        "parley_kind": (kind := draw(st.sampled_from(["blind", "open"]))),
        "anony": kind == "blind",
        "parley_counted": counted,
        "parley_reason": None if counted else draw(WORDS),
        "parley_excluded": draw(st.none() | WORDS),
        "parley_propensity": draw(st.none() | st.floats(0, 1)),
        "parley_categories": categories,
        "parley_categories_by": draw(st.sampled_from(["rules", "model", "person"])),
        "parley_read_ms": draw(st.none() | st.integers(0, 10**12)),
        "parley_model_a": described,
        "parley_model_b": described,
        "parley_comment": draw(st.none() | SPOKEN),
    }
    return {name: values.get(name) for name in (*EXPORTED, *TEXTS)}


def written(kind: Format, rows: list[dict[str, Any]]) -> bytes:
    writer = writer_of(kind, texts=True)
    return writer.start() + writer.rows(rows) + writer.end()


def parser() -> RowParser:
    voters = Voters(b"salt", {})
    return RowParser(models=ModelNames({}), voters=voters, categorise=lambda _: ())


def read(kind: Format, data: bytes) -> list[FileVote]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"votes.{kind}"
        path.write_bytes(data)
        parsing = parser()
        rows = VoteRows(path, kind, needed_columns(("model_a",)))
        return [parsing.parse(cast("Any", row)) for _, row in rows]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
@settings(max_examples=6)
@given(rows=st.lists(exported(), min_size=1, max_size=8))
def test_rows_are_read_as_they_were_written(kind: Format, rows: list[dict[str, Any]]) -> None:
    votes = read(kind, written(kind, rows))
    plain = parser()
    assert votes == [plain.parse(row) for row in rows]
    for vote, row in zip(votes, rows, strict=True):
        assert vote.source == row["question_id"]
        assert row["parley_counted"] or vote.reason == (row["parley_reason"] or "not_counted")
        assert (vote.categories, vote.propensity) == (row["parley_categories"], row["parley_propensity"])
        assert vote.seconds == row["tstamp"]
        assert (vote.style is None) == (row["conv_metadata"] is None)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_an_id_with_every_kind_of_quotes_comes_back(kind: Format) -> None:
    row: dict[str, Any] = dict.fromkeys((*EXPORTED, *TEXTS))
    row |= {"model_a": "[a]", "model_b": "{b}", "winner": "tie", "parley_counted": True}
    ids = ['"', '""', "a,b", " x ", "[1]", "'"]
    votes = read(kind, written(kind, [{**row, "question_id": each} for each in ids]))
    assert [vote.source for vote in votes] == ids


def is_formula(cell: str) -> bool:
    """Whether a program that passes over what cannot be seen, and takes wide for narrow, would calculate."""
    seen = [
        it for it in cell if not (it.isspace() or unicodedata.category(it) in ("Cc", "Cf", "Zs", "Zl", "Zp"))
    ]
    return unicodedata.normalize("NFKC", "".join(seen))[:1] in ("=", "+", "-", "@") or cell[:1] in (
        "\t",
        "\r",
        "\n",
    )


FORMULAS = st.builds(
    "{}{}{}".format,
    st.text(
        st.sampled_from("'' \t\r\n\v\f\x00\x1f\x7f\x85\xa0\u200b\u200e\u2028\u202e\u2060\u3000\ufeff"),
        max_size=4,
    ),
    st.sampled_from(["", *"=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋"]),
    st.text(max_size=5),
)


@settings(max_examples=300)
@given(FORMULAS | st.text())
def test_a_guarded_cell_is_no_formula_and_comes_back(text: str) -> None:
    assert not is_formula(escape_formula(text))
    assert unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize(
    "text",
    ["\n=1+1", " =1+1", "\xa0=1+1", "\u200b=1+1", "＝1+1", " ＠sum(1)", "\ufeff-1", "−1", "\v+1"],
)
def test_what_stands_before_a_formula_does_not_hide_it(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
    row: dict[str, Any] = dict.fromkeys((*EXPORTED, *TEXTS))
    row |= {"question_id": "1", "model_a": "a", "model_b": "b", "winner": "tie", "parley_counted": True}
    row["parley_comment"] = text
    assert f"'{text}".encode() in written("csv", [row])


@pytest.mark.parametrize("text", ["a = b", " well", "\u200bwell", "1-1", "“=”", ""])
def test_a_text_that_is_no_formula_is_written_as_it_is(text: str) -> None:
    assert escape_formula(text) == text


@settings(max_examples=50)
@given(
    st.dictionaries(
        st.sampled_from([*EXPORTED, *TEXTS, "id", "timestamp", "is_code", "category_tag"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        ),
    )
)
def test_whatever_a_row_holds_it_is_a_vote_or_refused_with_a_reason(row: dict[str, Any]) -> None:
    sound = {"model_a": "one", "model_b": "two", "winner": "tie"}
    for given_row in (row, {**row, **sound}):
        try:
            vote = parser().parse(given_row)
        except BadRow as bad:
            assert bad.field in {*EXPORTED, *TEXTS, "id", "timestamp", "judge_hash"}
        else:
            assert vote.left != vote.right


def test_a_number_beyond_all_floats_is_reported_with_its_column() -> None:
    row = {"model_a": "one", "model_b": "two", "winner": "tie", "parley_counted": True}
    with pytest.raises(BadRow, match="parley_propensity is not a number from 0 to 1"):
        parser().parse({**row, "parley_propensity": 10**400})


def test_a_conversation_of_too_many_brackets_is_a_plain_text() -> None:
    deep = "[" * 100_000
    row = {"model_a": "one", "model_b": "two", "winner": "tie"}
    vote = parser().parse({**row, "conversation_a": deep, "conversation_b": deep})
    assert vote.style is not None
    assert vote.prompt_sha256 is None


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=40), max_size=12))
def test_numbers_are_new_once(batches: list[list[int]]) -> None:
    seen, known = Seen(), set[int]()
    for batch in batches:
        expected = []
        for number in batch:
            expected.append(number not in known)
            known.add(number)
        assert seen.new(np.array(batch, dtype=np.int64)).tolist() == expected


def test_a_taken_id_gets_digits_and_a_name_in_another_script_is_an_id_too() -> None:
    names = ModelNames({"gpt-4": ["GPT-4"]})
    assert names.resolve("GPT-4") == "gpt-4"
    assert names.resolve("gpt 4").startswith("gpt-4-")
    assert names.resolve("яндекс").isalnum()
    assert names.resolve("x" * 200) != names.resolve("x" * 199)
    with pytest.raises(ValueError, match="the limit is 200"):
        names.resolve("x" * 201)


@pytest.mark.parametrize("word", ["both bad", "tie(bothbad)", "Tie (Both Bad)", "BOTHBAD", "both-bad"])
def test_the_winner_is_read_in_other_spellings(word: str) -> None:
    row = {"model_a": "a", "model_b": "b", "winner": word}
    assert parser().parse(cast("Any", row)).choice == "both_bad"
