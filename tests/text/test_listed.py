"""Lists of words and patterns, found in texts."""

import pytest

from parley.text.listed import BadPattern, Listed

WORDS = Listed(["Bomb", "c++", "hot dog", "Straße", "炸弹"], patterns=False)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("A BOMB!", "Bomb"),
        ("bo\u200bmb", "Bomb"),
        ("ｂｏｍｂ", "Bomb"),
        ("用bomb吗", "Bomb"),
        ("in c++17, or c++", "c++"),
        ("a hot\n dog", "hot dog"),
        ("STRASSE", "Straße"),
        ("做炸弹吗", "炸弹"),
        ("bombs, xbomb, пbomb, c++x, hotdog", None),
        ("", None),
    ],
)
def test_whole_words_are_found_in_any_case_width_and_script(text: str, term: str | None) -> None:
    assert WORDS.first_in(text) == term


def test_a_pattern_is_searched_as_it_is_written() -> None:
    listed = Listed(["sk-[a-z]{3}", "(?i)^top|secret$"], patterns=True)
    assert listed.first_in("key sk-abc") == "sk-[a-z]{3}"
    assert listed.first_in("a SECRET") == "(?i)^top|secret$"
    assert listed.first_in("SK-ABC, secrets") is None


@pytest.mark.parametrize(
    ("pattern", "why", "character"),
    [
        ("(ab[c", "unclosed character class", 4),
        ("a(?=b)", "look-around, including look-ahead and look-behind, is not supported", 2),
        (r"(a)\1", "backreferences are not supported", 4),
        ("a{2000}{2000}{2000}", "it takes too much memory", None),
        ("a)|(b", "unopened group", 2),
    ],
)
def test_a_bad_pattern_is_named_with_its_place(pattern: str, why: str, character: int | None) -> None:
    with pytest.raises(BadPattern) as raised:
        Listed(["fine", pattern], patterns=True)
    assert (raised.value.index, raised.value.why, raised.value.character) == (1, why, character)
