"""Tests of folding: what search takes for the same."""

import sys
import time
import unicodedata

import pytest

from parley.text.folding import folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Why?", "WHY?"),
        ("Äpfel", "äPFEL"),
        ("A\u0308pfel", "Äpfel"),
        ("Straße", "STRASSE"),
        ("ﬁn", "FIN"),
        ("Ｐａｒｌｅｙ", "parley"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("İstanbul", "istanbul"),
        ("a \n\t b ", " A\u00a0B"),
    ],
)
def test_texts_that_differ_in_case_spacing_or_composition_are_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_letters_of_their_own_stay_apart() -> None:
    assert folded("Apfel") != folded("Äpfel")
    assert folded("中文") == "中文"


def test_folding_twice_changes_nothing() -> None:
    for number in range(sys.maxunicode + 1):
        once = folded(chr(number))
        assert folded(once) == once, f"U+{number:04X} {unicodedata.name(chr(number), '')}"


def test_letters_with_very_many_marks_take_no_longer_than_other_text() -> None:
    begun = time.process_time()
    found = folded("a" + "\u0315\u0300" * 100_000)
    assert time.process_time() - begun < 5  # minutes, where all marks are put in order together
    assert found == folded(found)
