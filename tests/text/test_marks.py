"""Tests of the marks of Markdown: what a text is without them."""

import time

import pytest

from parley.text.marks import searchable, without_marks


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**Bold** words, *slanted* ones, ~~gone~~ and `code`", "Bold words, slanted ones, gone and code"),
        ("__Bold__ words and _slanted_ ones", "Bold words and slanted ones"),
        ("snake_case, a__b and 2 * 3 = 6", "snake_case, a__b and 2 * 3 = 6"),
        (r"5 \* 6, a\_b and \# no heading", "5 * 6, a_b and # no heading"),
        ("[Paris](https://paris.example/a_(b)) is nice", "Paris is nice"),
        ('![A map](map.png) and [one](x "title") more', "A map and one more"),
        ("[no link] (here), f[0](x y)", "[no link] (here), f[0](x y)"),
        ("# Head\n\n- one\n  * two\n> + three\n4 > 3 - 2", "Head one two three 4 > 3 - 2"),
        ("| a | b |\n|:--|---|\n| 1 | 2 |", "a b 1 2"),
        (" kept at **both** ends ", " kept at both ends "),
        ("**", ""),
    ],
)
def test_only_the_words_stay(text: str, plain: str) -> None:
    assert without_marks(text) == plain


def test_search_finds_where_links_lead() -> None:
    assert searchable("Look [there](https://a.example/b_c).") == "Look there. https://a.example/b_c"


@pytest.mark.parametrize("part", ["[", "![x](", "](", "*", "_", "\\", "\n> ", "(((", "|-", "`"])
def test_many_marks_take_no_longer_than_other_text(part: str) -> None:
    begun = time.process_time()
    searchable(part * 50_000)
    searchable("[x](" + part * 50_000)
    assert time.process_time() - begun < 5  # hours, where each mark is looked for to the end of the text
