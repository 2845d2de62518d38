"""Tests of LMArena's columns: cells that hold JSON, and what they may take of memory."""

import math
import tracemalloc
from collections.abc import Callable, Sequence

import msgspec
import pytest
from msgspec import Raw

from parley.features.vote_files.line_decoder import LineDecoder
from parley.features.vote_files.lmarena import json_cell, lmarena_categories, prompts_of, style_of_row

TALK = '[{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]'


@pytest.mark.parametrize(
    ("cell", "stands_for"),
    [
        ('{"a": [1, 2]}', {"a": [1, 2]}),
        ("[true]", [True]),
        ('{"a": ', '{"a": '),
        ("[" * 100_000, "[" * 100_000),
        ("plain words", "plain words"),
        (None, None),
        (7, 7),
    ],
)
def test_a_cell_that_holds_json_is_what_it_stands_for(cell: object, stands_for: object) -> None:
    assert json_cell(cell) == stands_for


@pytest.mark.parametrize("words", ["Why?", "Why? " * 10_000])
def test_prompts_are_read_from_cells_of_any_length(words: str) -> None:
    talk = [{"role": "user", "content": words}, {"role": "assistant", "content": "So."}]
    encoded = msgspec.json.encode(talk).decode()
    for cell in (talk, encoded, f"\n  {encoded}"):
        assert prompts_of({"conversation_a": cell}) == [words]
    for broken in (encoded[:-1], '"no list"', '{"role": "user"}', "words", ""):
        assert prompts_of({"conversation_a": broken}) is None


@pytest.mark.parametrize(
    ("turns", "several"),
    [
        *((2, True), ("3", True), (2.0, True), (1, False), ("1.0", False), (0, False), ("", False)),
        *((None, False), (math.nan, False), ("nan", False), ("two", False), (-3, False)),
    ],
)
def test_only_a_number_above_one_makes_several_turns(turns: object, several: bool) -> None:
    assert (lmarena_categories({"turn": turns}) == {"multi-turn"}) == several


COUNTS = [
    {"sum_assistant_a_tokens": 3, "header_count_a": {"h1": 1, "h2": 2}, "bold_count_b": {"**": 3, "__": 0}},
    {"sum_assistant_a_tokens": {"x": 2}, "list_count_b": None, "turns": 2, "other": [1, {"a": 2}]},
    {"sum_assistant_a_tokens": 2.5, "header_count_a": {"h1": 0.5}},
    {"sum_assistant_a_tokens": True},
    {"sum_assistant_a_tokens": None, "list_count_a": 4},
    {"sum_assistant_a_tokens": -1},
    {"sum_assistant_a_tokens": 1, "header_count_b": {"h1": -1}},
    {"sum_assistant_a_tokens": "1"},
    {"sum_assistant_a_tokens": 1 << 60},
    {"list_count_a": 4},
    {},
    [],
    None,
]


def attempted(make: Callable[[], object]) -> object:
    try:
        return make()
    except (ValueError, OverflowError) as error:
        return type(error)


@pytest.mark.parametrize("counts", COUNTS)
def test_counts_that_are_still_json_mean_the_same(counts: object) -> None:
    row = {"conversation_a": "Yes, *so*.", "conversation_b": "No."}
    for given in (row, {}):
        cell = Raw(msgspec.json.encode(counts))
        assert attempted(lambda given=given, cell=cell: style_of_row(given, cell)) == attempted(
            lambda given=given: style_of_row(given, counts)
        )


@pytest.mark.parametrize(
    "tags",
    [
        {"math_v0.1": {"math": True}, "criteria_v0.1": dict.fromkeys("abcdef", True)},
        {"if_v0.1": {"if": 1}, "creative_writing_v0.1": {"creative_writing": True}, "padding": "x" * 2_000},
        {"math_v0.1": None},
        [],
        None,
    ],
)
def test_tags_that_are_still_json_mean_the_same(tags: object) -> None:
    row = {"language": "German", "turn": 2}
    found = lmarena_categories({**row, "category_tag": Raw(msgspec.json.encode(tags))})
    assert found == lmarena_categories({**row, "category_tag": tags})


def lines_of(rows: Sequence[object]) -> list[bytes]:
    return msgspec.json.Encoder().encode_lines(rows).splitlines(keepends=True)


def test_lines_are_the_same_rows_however_many_of_their_cells_stay_json() -> None:
    first = {"model_a": "ada", "conv_metadata": {"a": 1}, "note": [1], "turn": 2}
    rows = [first, {**first, "turn": None}, {"model_a": "bob"}, {**first, "x": 1}, {**first, "note": "ä"}, {}]
    decode = LineDecoder()
    found = [decode(line) for line in lines_of(rows)]
    assert any(isinstance(value, Raw) for row in found for value in row.values())
    assert [tuple(row) for row in found] == [tuple(row) for row in rows]
    assert [{name: json_cell(value) for name, value in row.items()} for row in found] == rows


def test_names_with_quotation_marks_are_columns_too() -> None:
    decode, rows = LineDecoder(), [{'a "b"': 1, "conv_metadata": {}}] * 2
    assert [decode(line) for line in lines_of(rows)] == rows


@pytest.mark.parametrize("line", [b'{"note": "\xff"}', b'{"note": {]}', b'[{"note": 1}]', b'{"note": 1} x'])
def test_a_line_that_is_no_object_is_refused_whatever_came_before(line: bytes) -> None:
    decode = LineDecoder()
    decode(b'{"note": {"a": 1}}')
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        decode(line)


def test_long_cells_are_not_kept() -> None:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(64):
            padding = " " * 256_000
            assert json_cell(f'{{"number": {number}}}{padding}') == {"number": number}
            assert prompts_of({"conversation_a": f"{TALK}{padding}{' ' * number}"}) == ["Why?"]
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000, "32 MB have passed, and nothing of them stays"
