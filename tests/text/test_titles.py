"""Tests of titles: the first line of a prompt, without Markdown's marks, shortened at a word."""

import pytest

from parley.text.titles import TITLE_CHARS, clean_title, title_of


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Why is the sky blue?", "Why is the sky blue?"),
        ("\n\n  ## Why   is **the** sky `blue`?\nMore", "Why is the sky blue?"),
        ("> - 1. quoted", "quoted"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("---\nA document", "A document"),
        ("See [the page](https://example.org/a_b) and ![it](x.png)", "See the page and it"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("C# or F#?", "C# or F#?"),
        ("???", "???"),
        ("A\u202ebad \x1b[2Jtitle", "A bad [2Jtitle"),
        ("```", "```"),
        ("", ""),
        ("为什么天空是蓝色的？", "为什么天空是蓝色的？"),
    ],
)
def test_a_title_is_the_first_line_without_marks(prompt: str, title: str) -> None:
    assert title_of(prompt) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = title_of("seven, " * 40)
    assert title.endswith("seven…")
    assert len(title) <= TITLE_CHARS + 1
    assert len(title_of("x" * 5_000)) == TITLE_CHARS + 1


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Colours of the sky", "Colours of the sky"),
        ("\n  “Colours of the sky.”\n\nI hope that helps!", "Colours of the sky"),
        ('**Title:** "Colours of the sky".', "Colours of the sky"),
        ("Title: 'Colours of the sky'", "Colours of the sky"),
        ("„Farben des Himmels“", "Farben des Himmels"),
        ("「空の色」。", "空の色"),
        ("```\nColours\n```", "Colours"),
        ("Why blue?", "Why blue?"),
        ('"Dune" and "Emma"', '"Dune" and "Emma"'),
        ("Sky\x00 \u202eblue\x1b", "Sky blue"),
        ('"..."', ""),
        ("Title:", ""),
        ("", ""),
    ],
)
def test_a_model_s_title_is_its_first_line_without_quotes_and_period(answer: str, title: str) -> None:
    assert clean_title(answer) == title


def test_a_model_s_long_title_is_cut() -> None:
    for answer in ("seven, " * 40, "x" * 5_000, '"' + "x" * 5_000):
        assert len(clean_title(answer)) <= TITLE_CHARS
