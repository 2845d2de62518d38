"""Sentences in comparable form: the concepts that each one names, and its numbers."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from parley.text.agreement.sentences import Span, sentences
from parley.text.agreement.stop_words import LANGUAGES, NEGATIONS, languages_of
from parley.text.agreement.words import stem, words

MOST_SENTENCES = 1_500
"""The most sentences of all answers together that are compared; later ones are not."""
LONGEST, MOST_WORDS = 600, 80
"""Code points and words of a sentence that are read."""
NUMBER = "#"
"""The concept of every sentence with a number."""

_NUMBER = re.compile(r"\d+(?:[.,'’ \u00a0\u202f]\d+)*")
_GROUPING = re.compile(r"[.,'’ \u00a0\u202f](?=\d{3}(?:\D|\Z))")


class Statement(msgspec.Struct, frozen=True):
    """A sentence of one seat's answer: its place, its concepts, its numbers, and whether it has a negation."""

    seat: str
    span: Span
    key: str
    """The sentence in lower case with single spaces: two that have the same key are the same."""
    concepts: frozenset[str]
    """Stems of its words without the stop words, and NUMBER."""
    numbers: frozenset[str] = frozenset()
    """Its numbers as strings of digits, without signs that group them."""
    negated: bool = False


def statements(
    answers: Mapping[str, str], spans: Mapping[str, Sequence[Span]]
) -> dict[str, tuple[Statement, ...]]:
    """Return the statements of each answer, in the order of its text, seats in the order of their names.

    `spans` are the sentences of each answer. At most MOST_SENTENCES are taken in all, as many from each answer as
    from any other.
    """
    share = max(1, MOST_SENTENCES // max(1, len(answers)))
    tokens = {
        seat: [(span, _tokens(answers[seat], span)) for span in spans[seat][:share]]
        for seat in sorted(answers)
    }
    languages = languages_of([word for some in tokens.values() for _, per in some for word in per])
    negations = frozenset[str]().union(*(NEGATIONS[code] for code in languages))
    stops = negations.union(*(LANGUAGES[code] for code in languages))
    return {
        seat: tuple(_statement(seat, answers[seat], span, per, stops, negations) for span, per in some)
        for seat, some in tokens.items()
    }


def statements_of(answers: Mapping[str, str]) -> dict[str, tuple[Statement, ...]]:
    """Split answers into sentences and return the statements of each."""
    return statements(answers, {seat: sentences(text) for seat, text in answers.items()})


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of a text as strings of digits: “1,500” is “1500”, “3.50” is “3.5”."""
    return frozenset(_digits(match[0]) for match in _NUMBER.finditer(text))


def _digits(number: str) -> str:
    whole = _GROUPING.sub("", number).replace(",", ".")
    return whole.rstrip("0").rstrip(".") if whole.count(".") == 1 else whole


def _tokens(text: str, span: Span) -> list[str]:
    part = text[span.start : min(span.end, span.start + LONGEST)]
    return [word.text for word, _ in zip(words(part), range(MOST_WORDS), strict=False)]


def _statement(
    seat: str, text: str, span: Span, tokens: list[str], stops: frozenset[str], negations: frozenset[str]
) -> Statement:
    key = " ".join(text[span.start : span.end].lower().split())
    if span.form == "code":
        return Statement(seat, span, key, frozenset(tokens))
    numbers = numbers_of(text[span.start : min(span.end, span.start + LONGEST)])
    concepts = {stem(word) for word in tokens if word not in stops and not word[0].isdigit()}
    if numbers:
        concepts.add(NUMBER)
    return Statement(seat, span, key, frozenset(concepts), numbers, not negations.isdisjoint(tokens))
