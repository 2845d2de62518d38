"""Tests of LMArena's columns: cells that hold JSON, and what they may take of memory."""

import math
import tracemalloc

import msgspec
import pytest

from parley.workspace.vote_files.lmarena import json_cell, lmarena_categories, prompts_of

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
