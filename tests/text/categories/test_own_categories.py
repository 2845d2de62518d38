"""Tests of an operator's own categories: whole words, stars, and no slow patterns."""

import pytest

from parley.text.categories.categorise import Categories
from parley.text.categories.own import OwnCategory

TAX = OwnCategory("tax", "Tax", "", any=("tax*", "Finanzamt"), all=())
BOTH = OwnCategory("fees", "Fees", "", any=("fee", "fees"), all=("bank", "2024"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How are TAXES computed?", ("taxes",)),
        ("Das Finanzamt schreibt mir.", ("finanzamt",)),
        ("A syntax error", ()),
        ("Call a taxi", ("taxi",)),
    ],
)
def test_words_are_whole_whatever_their_case_and_a_star_stands_for_the_rest(
    text: str, found: tuple[str, ...]
) -> None:
    assert TAX.match(text) == found


def test_all_words_must_be_there_besides_any() -> None:
    assert BOTH.match("Bank fees in 2024") == ("fees", "bank", "2024")
    assert BOTH.match("Bank fees in 2023") == ()
    assert BOTH.match("The bank of 2024") == ()
    assert OwnCategory("x", "X", "", all=("bank",)).match("The bank") == ("bank",)


def test_scripts_without_spaces_and_marks_of_patterns_are_taken_as_they_are() -> None:
    assert OwnCategory("x", "X", "", any=("税",)).match("所得税法について") == ("税",)
    assert OwnCategory("x", "X", "", any=("c++", "(a+)+")).match("About C++ here") == ("c++",)


@pytest.mark.parametrize("word", ["a*a*a*a*a*b", "*" * 40 + "x", "aa* aa* aa*"])
def test_no_word_makes_a_slow_pattern(word: str) -> None:
    OwnCategory("x", "X", "", any=(word,)).match("a" * 12_000 + " aaaa" * 400)


def test_a_prompt_is_put_into_own_categories_with_the_reason() -> None:
    categories = Categories((TAX,))
    assert "tax" in categories.categorise(["How do taxes work?"])
    assert ("tax", "taxes") in {
        (it.category, it.matched) for it in categories.explain(["How do taxes work?"])
    }
    assert categories.all[-1].kind == "operator"
    assert categories.get("tax") == categories.all[-1]
