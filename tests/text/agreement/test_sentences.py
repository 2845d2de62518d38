"""Tests of the sentences of a Markdown text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.text.agreement.sentences import sentences

MARKDOWN = st.lists(
    st.sampled_from(
        ["# ", "- ", "1. ", "> ", "```", "~~~", "| a | b |", "|---|", "\n", "\n\n", "    ", ". ", "! ", "…", "。",
         "e.g. ", "3.14 ", "Word ", "word ", "**", "_", "`", "=", "---", "\\\n", "\r\n", "é", "😀", "山", "\x00"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


def texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith met Mr. J. Doe at 3 p.m. on Monday.", ["Dr. Smith met Mr. J. Doe at 3 p.m. on Monday."]),
        ("Use a list, e.g. Python's. It works.", ["Use a list, e.g. Python's.", "It works."]),
        ("Pi is 3.14. That is enough.", ["Pi is 3.14.", "That is enough."]),
        ("Version 2.0.1 is out. Get it.", ["Version 2.0.1 is out.", "Get it."]),
        ("Well … perhaps. Or not... Who knows?", ["Well … perhaps.", "Or not...", "Who knows?"]),
        ("Am 3. Oktober ist frei. Das gilt z. B. hier.", ["Am 3. Oktober ist frei.", "Das gilt z. B. hier."]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("这是第一句。这是第二句！还有一句？", ["这是第一句。", "这是第二句！", "还有一句？"]),
        ("C'est M. Dupont. Il est là.", ["C'est M. Dupont.", "Il est là."]),
        ("Fish, chips, etc. The end.", ["Fish, chips, etc.", "The end."]),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_headings_items_rows_and_code_are_units() -> None:
    text = (
        "# A heading. With a stop\n\nText here. More.\n\n- one item\n- another. With two\n  lines\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1. \ny = 2\n```\nAfter.\n\n> quoted words\n"
    )
    assert [(span.form, text[span.start : span.end]) for span in sentences(text)] == [
        ("heading", "A heading. With a stop"),
        ("prose", "Text here."),
        ("prose", "More."),
        ("item", "one item"),
        ("item", "another."),
        ("item", "With two\n  lines"),
        ("row", "a | b"),
        ("row", "1 | 2"),
        ("code", "```py\nx = 1. \ny = 2\n```"),
        ("prose", "After."),
        ("prose", "quoted words"),
    ]


def test_no_sentence_crosses_a_paragraph() -> None:
    assert texts("no stop here\n\nnor there") == ["no stop here", "nor there"]


def test_a_wrapped_line_is_one_sentence_and_a_short_line_its_own() -> None:
    wrapped = "This sentence is long enough that somebody wrapped it at seventy-two\nCharacters or so."
    assert len(texts(wrapped)) == 1
    assert texts("Name: Ada\nBorn: 1815") == ["Name: Ada", "Born: 1815"]


def test_code_that_is_never_closed_reaches_to_the_end() -> None:
    assert texts("Look.\n```\na. B. c") == ["Look.", "```\na. B. c"]


def test_offsets_are_code_points() -> None:
    text = "😀 Eins. 👍🏽 Zwei."
    assert texts(text) == ["😀 Eins.", "👍🏽 Zwei."]


@settings(max_examples=100)
@given(st.one_of(st.text(max_size=200), MARKDOWN))
def test_spans_are_in_order_inside_the_text_and_apart(text: str) -> None:
    end = 0
    for span in sentences(text):
        assert end <= span.start < span.end <= len(text)
        part = text[span.start : span.end]
        assert part == part.strip()
        assert any(map(str.isalnum, part))
        end = span.end


@settings(max_examples=100)
@given(MARKDOWN)
def test_no_letter_of_a_plain_text_is_lost(text: str) -> None:
    plain = "".join(part for part in text if part.isalpha() or part in " .!\n")
    kept = sum(map(str.isalpha, "".join(texts(plain))))
    assert kept == sum(map(str.isalpha, plain))
