"""Tests of a reply's looks: what is counted, and that no text makes counting slow."""

import pytest

from parley.text.style import style_of


def test_headers_lists_and_bold_are_counted_outside_of_code() -> None:
    text = "# One\n\n- **a**\n- b\n\n  1. c\n\n```\n# no\n- no\n**no**\n```\n"
    assert style_of(text)[1:] == (1, 3, 1)


@pytest.mark.parametrize("piece", ["\n", "\n \n", " ", "* ", "**", "**a", "__a", "```", "1", "# ", "1. "])
def test_a_text_that_repeats_anything_is_counted_at_once(piece: str) -> None:
    style_of(piece * (200_000 // len(piece)))  # hours, if its time were quadratic
