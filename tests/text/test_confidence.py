"""A confidence is understood in the ways that models write it, and never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.text.confidence import read_confidence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("0.85", 0.85), (" 0.85 (quite sure)", 0.85), ("0,85", 0.85), (".9", 0.9), ("0", 0.0), ("1", 1.0)],
        *[("85%", 0.85), ("85 %", 0.85), ("0.5 %", 0.005), ("100%", 1.0), ("85 percent", 0.85)],
        *[("8/10", 0.8), ("8.5/10", 0.85), ("85/100", 0.85), ("9 out of 10", 0.9), ("0.9/1", 0.9)],
        *[("2", 0.02), ("85", 0.85), ("100", 1.0), ("1e-1", 0.1), ("Confidence: 0.7", 0.7), ("**0.7**", 0.7)],
        *[
            ("", None),
            ("high", None),
            ("-0.5", None),
            ("−0.5", None),
            ("1.5", None),
            ("85.5", None),
            ("101", None),
        ],
        *[("150%", None), ("11/10", None), ("4/5", None), ("4 out of 5", None), ("8/0", None), ("nan", None)],
        *[
            ("8-9/10", 0.8),
            ("80–90 %", 0.8),
            ("0.8 to 0.9", 0.8),
            ("8 to 9 out of 10", 0.8),
            ("-0.5 to 0.5", None),
        ],
        *[("on a scale from 0 to 1: 0.9", 0.9), ("0-10: 8", 0.8), ("(1–10) 8", 0.8), ("(0 to 100) 85", 0.85)],
        *[("0 to 1", None), ("0-10: 85 %", 0.85), ("0-10: 11", None), ("0.9 (of 0 to 1)", 0.9)],
        ("9" * 400, None),
    ],
)
def test_what_is_understood(text: str, expected: float | None) -> None:
    assert read_confidence(text) == expected


@given(st.text())
def test_any_text_gives_a_share_or_nothing(text: str) -> None:
    found = read_confidence(text)
    assert found is None or 0 <= found <= 1


@given(st.integers(2, 100))
def test_whole_numbers_are_percentages(number: int) -> None:
    assert read_confidence(str(number)) == read_confidence(f"{number}%") == number / 100
