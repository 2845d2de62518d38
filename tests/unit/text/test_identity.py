"""Tests of self-identification: error rates on labelled sentences, own names, and bounded time.

Of the 294 sentences that were at hand, 4 of 146 leaks are missed (2.7%) and 2 of 148 others are taken for
one (1.4%). Of the 56 that were written afterwards, 4 of 28 leaks are missed (14%), 0 of 28 others are taken.
"""

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.text.identity import self_identification
from parley.text.identity_names import own_names
from tests.unit.text import identity_sentences as table

Sentences = Sequence[tuple[str, str]]


def found(sentences: Sentences) -> list[str]:
    return [text for model, text in sentences if self_identification(text, table.NAMES[model])]


def missed(sentences: Sentences) -> list[str]:
    return [text for model, text in sentences if not self_identification(text, table.NAMES[model])]


def test_the_rates_of_the_sentences_at_hand_are_those_stated() -> None:
    assert (len(table.LEAKS), len(table.FINE)) == (146, 148)
    assert missed(table.LEAKS) == [
        "It's Claude again!",
        "— Claude, your AI assistant",
        "**ChatGPT**: at your service.",
        "はじめまして、Claudeと申します。",
    ]
    assert found(table.FINE) == [
        "In the poem the machine sings:\nI am Claude, I am the rain.",
        "print('I am GPT')",
    ]


def test_the_rates_of_unseen_sentences_are_those_stated() -> None:
    assert (len(table.UNSEEN_LEAKS), len(table.UNSEEN_FINE)) == (28, 28)
    assert len(missed(table.UNSEEN_LEAKS)) == 4
    assert found(table.UNSEEN_FINE) == []


def test_no_sentence_is_in_both_tables() -> None:
    every = [*table.LEAKS, *table.FINE, *table.UNSEEN_LEAKS, *table.UNSEEN_FINE]
    assert len(set(every)) == len(every)


@pytest.mark.parametrize("model", [name for name in table.NAMES if name not in ("claude", "tiny")])
def test_another_models_name_is_not_ones_own(model: str) -> None:
    assert self_identification("I am Claude, made by Anthropic.", table.NAMES[model]) is None


def test_the_words_are_told_without_marks() -> None:
    text = "Hello! I’m **Claude**, how are you?"
    assert self_identification(text, table.NAMES["claude"]) == "I'm Claude"


def test_the_naming_is_found_wherever_it_stands() -> None:
    filler = "Water boils at a lower temperature on a mountain. " * 200
    text = f"{filler}\n\n- As ChatGPT, I cannot climb one.\n\n{filler}"
    assert self_identification(text, table.NAMES["gpt"]) == "As ChatGPT"


def test_ordinary_names_need_their_capital() -> None:
    assert self_identification("i am gemini.", table.NAMES["gemini"]) is None
    assert self_identification("i am chatgpt.", table.NAMES["gpt"]) == "i am chatgpt"


@pytest.mark.parametrize("names", [(), ("",), ("Unknown", "Unknown", "local"), ("x",)])
def test_names_that_name_nobody_find_nothing(names: tuple[str, ...]) -> None:
    assert own_names(names) is None
    assert self_identification("I am Unknown, the local x.", names) is None


def test_a_name_is_taken_literally() -> None:
    names = ("c++ (beta) [a-z]+", "Zed.*")
    assert self_identification("I am anything.", names) is None
    assert self_identification("I am Zed.", names) == "I am Zed"


@given(st.text(), st.lists(st.text(max_size=30), max_size=5))
def test_any_text_and_any_names_can_be_looked_at(text: str, names: list[str]) -> None:
    phrase = self_identification(f"{text} I am {' '.join(names)} {text}", names)
    assert phrase is None or phrase.strip() == phrase != ""


@pytest.mark.parametrize("piece", ["gpt ", "gpt-", "*_", "I am a model, made by gpt which ", " ", "“I am "])
def test_two_megabytes_are_looked_at_within_two_seconds(piece: str) -> None:
    text = piece * (2_000_000 // len(piece))
    begun = time.process_time()
    self_identification(text, table.NAMES["gpt"])
    assert time.process_time() - begun < 2
