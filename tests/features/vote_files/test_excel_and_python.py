"""Tests of vote files as Excel and pandas write them: other separators, UTF-16, Python's text for conversations."""

import csv
import io
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from parley.features.vote_files.columns import NEEDED, needed_columns
from parley.features.vote_files.formats import format_of
from parley.features.vote_files.lmarena import PythonText, json_cell, prompts_of, style_of_row
from parley.features.vote_files.python_text import json_of_python
from parley.features.vote_files.rows import VoteRows
from parley.features.vote_files.text_rows import NumberedRow
from parley.features.vote_files.validators import flag, seconds
from parley.kernel.errors import Invalid

HEADER = ("model_a", "model_b", "winner", "judge", "tstamp")
VOTES = (
    ("alpha", "beta", "model_a", "Żółw, Łódź", "1700000000"),
    ("beta", "gamma", "tie", "j;2", "1700000001"),
)


def table(separator: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows((HEADER, *VOTES))
    return out.getvalue()


def rows(folder: Path, content: bytes, name: str = "votes.csv") -> list[NumberedRow]:
    path = folder / name
    path.write_bytes(content)
    return list(VoteRows(path, format_of(name), needed_columns(NEEDED)))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be-marked"])
@pytest.mark.parametrize("stated", [False, True])
def test_votes_are_read_as_excel_saves_them(
    tmp_path: Path, separator: str, encoding: str, stated: bool
) -> None:
    text = (f"sep={separator}\r\n" if stated else "") + table(separator)
    content = b"\xfe\xff" + text.encode("utf-16-be") if encoding.endswith("marked") else text.encode(encoding)
    read = rows(tmp_path, content)
    assert [row for _, row in read] == [dict(zip(HEADER, vote, strict=True)) for vote in VOTES]
    assert [line for line, _ in read] == [2 + stated, 3 + stated], "as an editor counts"


def test_json_lines_in_utf_16_are_read(tmp_path: Path) -> None:
    line = '{"model_a": "a", "model_b": "b", "winner": "tie", "judge": "Łódź"}\n'
    read = rows(tmp_path, (line * 30_000).encode("utf-16"), "votes.jsonl")
    assert len(read) == 30_000
    assert read[-1] == (30_000, {"model_a": "a", "model_b": "b", "winner": "tie", "judge": "Łódź"})


def test_damaged_utf_16_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="damaged UTF-16"):
        rows(tmp_path, table(",").encode("utf-16")[:-1])


def test_numbers_and_booleans_of_other_regions_are_read() -> None:
    assert seconds("1700000000,5") == 1700000000.5
    assert (flag("WAHR"), flag("FALSCH"), flag("Faux")) == (True, False, False)
    with pytest.raises(ValueError, match="time"):
        seconds("1,700,000,000")


ASKED = 'It\'s "late"'
PYTHON = [
    f"[{{'role': 'user', 'content': {ASKED!r}}}, {{'role': 'assistant', 'content': 'ok'}}]",
    f"[{{'role': 'user', 'content': {ASKED!r}}}\n {{'role': 'assistant', 'content': 'ok'}}]",
    (
        f"array([{{'role': 'user', 'content': {ASKED!r}}},\n       {{'role': 'assistant', 'content': 'ok'}}],\n"
        "      dtype=object)"
    ),
    f"({{'content': {ASKED!r}, 'role': 'user'}}, {{'content': 'ok', 'role': 'assistant', 'num': None}})",
    (
        f"[{{'role': 'user', 'content': array([{{'type': 'text', 'text': {ASKED!r}, 'image': None}}], dtype=object)}}"
        " {'role': 'assistant', 'content': [{'type': 'text', 'text': 'ok', 'ok': True}]}]"
    ),
]


@pytest.mark.parametrize("cell", PYTHON)
def test_a_conversation_in_pythons_text_is_read(cell: str) -> None:
    row = {"conversation_a": cell, "conversation_b": cell}
    assert prompts_of(row) == [ASKED]
    json_row = dict.fromkeys(
        row, '[{"role": "user", "content": "x"}, {"role": "assistant", "content": "ok"}]'
    )
    assert style_of_row(row, None) == style_of_row(json_row, None)


@pytest.mark.parametrize("cell", [PYTHON[0][:-1], PYTHON[1].replace("\n", " ...\n"), PYTHON[2][:-20]])
def test_one_that_is_cut_short_is_refused(cell: str) -> None:
    with pytest.raises(PythonText):
        style_of_row({"conversation_a": cell, "conversation_b": cell}, None)


@pytest.mark.parametrize(
    "cell", ["[Scene: a door]", "[1] Knuth says so.", "(aside) no", "{x} is a set", "f(x) = 1"]
)
def test_a_plain_reply_that_begins_with_a_bracket_stays_one(cell: str) -> None:
    assert json_cell(cell) == cell


@pytest.mark.parametrize(
    ("python", "value"),
    [
        (
            "{'a': 1, 'b': -2.5, 'c': None, 'd': True, 'e': nan}",
            '{"a":1,"b":-2.5,"c":null,"d":true,"e":null}',
        ),
        ("['a' \"b\"]", '["a","b"]'),
        ("('a',)", '["a"]'),
        (r"['l1\nl2\t\'q\' \xe9 \u0142 \\ \ud800']", "[\"l1\\nl2\\t'q' é ł \\\\ \ufffd\"]"),
    ],
)
def test_pythons_values_become_json(python: str, value: str) -> None:
    assert json_of_python(python) == value


@pytest.mark.parametrize("piece", ["'", "[", "a(", ", a=", "'\\", "\\'", "a", "{'", "[1,"])
def test_python_text_is_read_in_time_in_proportion(piece: str) -> None:
    read: Callable[[], object] = lambda: json_cell("[" + piece * (1_000_000 // len(piece)))  # noqa: E731
    begun = time.process_time()
    read()
    assert time.process_time() - begun < 8
