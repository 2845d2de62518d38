"""Tests of the words that each answer uses most."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.text.agreement.word_counts import MOST_WORDS, count_words


def test_words_are_counted_without_stop_words_code_and_addresses() -> None:
    text = "The tower is tall. The TOWER stands.\n```py\nsecret = 1\n```\nSee https://tower.example/tower and `code`."
    counted = count_words({"a": text}, {})["a"]
    assert counted[0].word == "tower"
    assert counted[0].count == 2
    assert {one.word for one in counted} == {"tower", "tall", "stands", "see"}


def test_the_weight_grows_with_the_confidence() -> None:
    counted = count_words(
        {"a": "apple apple", "b": "pear pear", "c": "plum"}, {"a": 1.0, "b": 0.5, "c": None}
    )
    assert [one.weight for one in (*counted["a"], *counted["b"], *counted["c"])] == [1.0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der Turm und die Stadt sind nicht so alt wie der Fluss", {"turm", "stadt", "alt", "fluss"}),
        ("La tour est plus haute que les maisons de la ville", {"tour", "haute", "maisons", "ville"}),
        ("El río es más largo que los otros ríos del país", {"río", "largo", "ríos", "país"}),
        ("They die when they pour the son a drink", {"die", "pour", "son", "drink"}),
    ],
)
def test_stop_words_are_those_of_the_text_s_own_language(text: str, expected: set[str]) -> None:
    assert {one.word for one in count_words({"a": text}, {})["a"]} == expected


def test_a_seat_has_at_most_forty_words() -> None:
    text = " ".join(f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300))
    assert len(count_words({"a": text}, {})["a"]) == MOST_WORDS == 40


def test_no_confidence_at_all_gives_no_weight_but_keeps_the_words() -> None:
    assert count_words({"a": "tree", "b": ""}, {"a": 0.0})["a"][0].weight == 0.0


@settings(max_examples=60)
@given(
    st.dictionaries(st.sampled_from("abc"), st.text(max_size=120)),
    st.dictionaries(st.sampled_from("abc"), st.one_of(st.none(), st.floats(0, 1))),
)
def test_any_text_can_be_counted(answers: dict[str, str], confidences: dict[str, float | None]) -> None:
    counted = count_words(answers, confidences)
    assert counted.keys() == answers.keys()
    for some in counted.values():
        assert len(some) <= MOST_WORDS
        assert all(one.count > 0 and 0 <= one.weight <= 1 for one in some)
