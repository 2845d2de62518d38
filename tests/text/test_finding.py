"""Tests of finding: a folded phrase is found where it was written, whatever its letters fold to."""

import random
import unicodedata

import pytest

from parley.text import finding
from parley.text.finding import find_folded
from parley.text.folding import folded

SIGNS = (
    "ß",
    "ﬁ",
    "İ",
    "ﷺ",
    "…",
    "é",
    "e\u0301",
    "한",
    unicodedata.normalize("NFD", "한글"),
    "ｶﾞ",
    "Σ",
    "漢",
    "a",
    "B",
)


@pytest.mark.parametrize(
    ("text", "phrase", "shown"),
    [
        ("Die Straße ist lang", "STRASSE", "Straße"),
        ("ß" * 5000 + " the walrus sings", "walrus", "walrus"),
        ("İ" * 5000 + "walrus" + "ﬁ" * 5000, "walrus", "walrus"),
        ("ﬁ" * 3000 + "漢" * 3000 + "walrus", "walrus", "walrus"),
        ("… wait … " * 600 + "ﬁnd ﬁsh", "find fish", "ﬁnd ﬁsh"),
        (
            unicodedata.normalize("NFD", "가나다 " * 900 + "한글 바다"),
            "한글",
            unicodedata.normalize("NFD", "한글"),
        ),
        ("a" * 999 + "bcd" + "e" * 2000, "abcde", "abcde"),
        ("x " * 700 + "one two", "x one two", "x one two"),
        ("ﬁsh", "i", "ﬁ"),
    ],
)
def test_a_phrase_is_found_where_it_was_written(text: str, phrase: str, shown: str) -> None:
    at = find_folded(text, folded(phrase))
    assert at is not None
    assert text[slice(*at)] == shown


def test_what_is_not_there_is_not_found() -> None:
    assert find_folded("ß" * 10_000, "walrus") is None
    assert find_folded("", "walrus") is None


def test_random_texts_have_the_phrase_where_it_is_said_to_be() -> None:
    chance = random.Random(5)
    for _ in range(300):
        words = [
            "".join(chance.choices(SIGNS, k=chance.randint(1, 40))) for _ in range(chance.randint(1, 120))
        ]
        text = " ".join(words)
        start = chance.randrange(len(words))
        phrase = folded(" ".join(words[start : start + 3]))
        at = find_folded(text, phrase)
        assert at is not None
        assert phrase in folded(text[slice(*at)])
        assert len(text[slice(*at)]) <= len(" ".join(words[start : start + 3])) + 2


def test_a_long_text_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    def counted(text: str) -> str:
        nonlocal read
        read += len(text)
        return folded(text)

    monkeypatch.setattr(finding, "folded", counted)
    text = "Straße ﬁsh İ " * 40_000 + "walrus"
    assert find_folded(text, "walrus") is not None
    assert read < len(text) + 10_000
