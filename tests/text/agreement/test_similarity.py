"""Tests of how much two answers say the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.text.agreement.similarity import groups, similarity, strip_preamble

TOWER = "The Eiffel Tower stands in Paris and is 330 metres tall."
TOWER_TOO = "Sure! In Paris stands the Eiffel Tower, which is 330 m tall."
TEA = "Green tea should be brewed with water that does not boil."


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("Sure! Paris.", "Paris."),
        ("Certainly, here is the list:\n\n- a", "- a"),
        ("Great question! Of course. It is blue.", "It is blue."),
        ("Hier ist die Antwort:\n\nJa.", "Ja."),
        ("Bien sûr ! Paris.", "Paris."),
        ("Here is why I disagree with you.", "Here is why I disagree with you."),
        ("Surely it rains.", "Surely it rains."),
        ("Sure!", "Sure!"),
        ("Here's the code:\n```\nx\n```", "```\nx\n```"),
    ],
)
def test_a_preamble_is_stripped_and_matter_is_not(text: str, matter: str) -> None:
    assert strip_preamble(text) == matter


def test_the_same_in_other_words_is_similar_and_another_matter_is_not() -> None:
    assert similarity(TOWER, TOWER) == 1.0
    assert similarity(TOWER, TOWER_TOO) > 0.8
    assert similarity(TOWER, TEA) < 0.3
    assert similarity(TOWER, "") == similarity("", "") == 0.0


def test_one_word_that_turns_the_meaning_takes_the_similarity_away() -> None:
    assert similarity("The answer is 42.", "The answer is 42") == 1.0
    assert similarity("The answer is 42.", "The answer is 41.") < 0.3
    assert similarity("Vitamin C prevents colds.", "Vitamin C does not prevent colds.") < 0.3


def test_the_largest_group_comes_first() -> None:
    assert groups({"a": TEA, "b": TOWER, "c": TOWER_TOO, "d": ""}) == (("b", "c"), ("a",), ("d",))


def test_of_equal_groups_the_first_seat_s_comes_first() -> None:
    assert groups({"b": "42", "a": "41", "c": "7"}) == (("a",), ("b",), ("c",))
    assert groups({}) == ()


def test_a_threshold_of_one_keeps_only_equal_answers_together() -> None:
    assert groups({"a": TOWER, "b": TOWER, "c": TOWER + " It is old."}, threshold=1.0)[0] == ("a", "b")


@settings(max_examples=60)
@given(st.text(max_size=120), st.text(max_size=120))
def test_similarity_is_symmetric_and_between_zero_and_one(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == similarity(b, a)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from("abcd"), st.sampled_from([TOWER, TOWER_TOO, TEA, "", "42", "41"])))
def test_groups_part_the_seats_whatever_their_order(answers: dict[str, str]) -> None:
    found = groups(answers)
    assert sorted(seat for group in found for seat in group) == sorted(answers)
    assert groups(dict(reversed(answers.items()))) == found
