"""Tests of blankness: what a reader would see nothing of."""

import pytest

from parley.text.blankness import is_blank


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\r\n\v\f",
        "\u00a0\u2003\u3000\u2028",
        "\u200b\u200c\u200d\u2060\ufeff",
        "\u00ad\u061c\u180e",
        "\u202e\u2066\u2069",
        "\ufe0f\u034f\U000e0100",
        "\U000e0041\U000e007f",
        "\u115f\u1160\u3164\uffa0\u2800",
        "\x00\x07\x1b",
        "\ufffd\ufffc",
        "\u0301\u20dd",
        "&nbsp; &#8203;&ZeroWidthSpace;",
        " \n" * 50_000,
    ],
    ids=ascii,
)
def test_what_nobody_can_see_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize(
    "text", [".", "0", " \u200b!", "…", "👍🏽", "字", "\u0915\u093f", "&amp;", "\u200bé"]
)
def test_a_single_sign_is_something(text: str) -> None:
    assert not is_blank(text)
