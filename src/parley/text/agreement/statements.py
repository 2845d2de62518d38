"""Sentences in comparable form: what each one is about, affirms, denies and counts."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from parley.text.agreement.opposites import OPPOSITE
from parley.text.agreement.polarity import denials, marks_of_negation, polarity
from parley.text.agreement.quantities import quantities
from parley.text.agreement.quantity import Quantity
from parley.text.agreement.sentences import Span, sentences
from parley.text.agreement.stop_words import ENGLISH, EVERY_STOP_WORD, FRENCH, GERMAN, stop_words_of
from parley.text.agreement.words import Word, stem, words

MOST_SENTENCES = 1_500
"""How many sentences of all answers together are compared; later ones are not."""
LONGEST = 600
"""Code points of a sentence that are read."""
MOST_WORDS = 80
LOOKED_AT, FEW, KNOWN_SHARE = 2_000, 8, 0.08
"""Code points whose script is looked at; words that are too few to tell a language; its share of stop words."""

_KNOWN_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2}")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0530-\u1fff]{2}")


class Voice(NamedTuple):
    """The seat, whether its language's negations are known, its stop words, and the names in its answer."""

    seat: str
    sure: bool
    stops: frozenset[str]
    names: frozenset[str]


class Statement(msgspec.Struct, frozen=True):
    """A sentence of one seat's answer: its place, and what it says about which concepts."""

    seat: str
    span: Span
    key: str
    """The sentence in lower case with single spaces: two that have the same key are the same."""
    polarity: Mapping[str, int]
    quantities: tuple[Quantity, ...]
    concepts: frozenset[str]
    """The concepts of `polarity`, and `#dimension` for each quantity."""
    sure: bool = True
    """Whether the negations of its language are known."""
    last: str = ""
    """The last of its concepts, not counting quantities and opposites."""
    names: frozenset[str] = frozenset()
    """Stems of words that are written with a capital wherever they stand, in languages where that means a name."""
    denied: frozenset[str] = frozenset()
    """Concepts of the clauses with a negation."""
    marks: int = 0
    """Characters that may negate, in scripts whose words are not split."""


def statements(
    answers: Mapping[str, str], spans: Mapping[str, Sequence[Span]]
) -> dict[str, tuple[Statement, ...]]:
    """Return the statements of each answer, in the order of its text, seats in the order of their names.

    `spans` are the sentences of each answer. At most MOST_SENTENCES are taken in all, as many from each answer as
    from any other.
    """
    share = max(1, MOST_SENTENCES // max(1, len(answers)))
    taken = {seat: spans[seat][:share] for seat in sorted(answers)}
    tokens = {seat: [_tokens(answers[seat], span) for span in some] for seat, some in taken.items()}
    stops = stop_words_of([word.text for per in tokens.values() for sentence in per for word in sentence])
    sure = {seat: _is_known(answers[seat], some) for seat, some in tokens.items()}
    names = _names(answers, taken, tokens)
    return {
        seat: tuple(
            _statement(answers[seat], span, found, Voice(seat, sure[seat], stops, names))
            for span, found in zip(some, tokens[seat], strict=True)
        )
        for seat, some in taken.items()
    }


def statements_of(answers: Mapping[str, str]) -> dict[str, tuple[Statement, ...]]:
    """Split answers into sentences and return the statements of each."""
    return statements(answers, {seat: sentences(text) for seat, text in answers.items()})


def _is_known(text: str, tokens: Sequence[Sequence[Word]]) -> bool:
    """Return whether the negations of a text's language are known, by its script or by its stop words."""
    if _KNOWN_SCRIPT.search(text[:LOOKED_AT]):
        return True
    found = [word.text for sentence in tokens for word in sentence]
    if not text[:LOOKED_AT].isascii() and _OTHER_SCRIPT.search(text[:LOOKED_AT]):
        return False
    return len(found) < FEW or sum(word in EVERY_STOP_WORD for word in found) >= KNOWN_SHARE * len(found)


def _tokens(text: str, span: Span) -> list[Word]:
    end = min(span.end, span.start + LONGEST)
    found: list[Word] = []
    for word in words(text[span.start : end]):
        found.append(word)
        if len(found) == MOST_WORDS:
            break
    return found


def _statement(text: str, span: Span, tokens: list[Word], voice: Voice) -> Statement:
    part = text[span.start : min(span.end, span.start + LONGEST)]
    key = " ".join(text[span.start : span.end].lower().split())
    if span.form == "code":
        names = dict.fromkeys((word.text for word in tokens), 1)
        return Statement(voice.seat, span, key, names, (), frozenset(names))
    counted = quantities(part)
    taken = [(one.start, one.end) for one in counted]
    left = [word for word in tokens if not any(start <= word.start < end for start, end in taken)]
    said = polarity(part, left, voice.stops)
    concepts = frozenset(said) | {f"#{one.dimension}" for one in counted if not one.weak}
    return Statement(
        seat=voice.seat,
        span=span,
        key=key,
        polarity=said,
        quantities=counted,
        concepts=concepts,
        sure=voice.sure,
        names=frozenset(stem(word.text) for word in left if word.text in voice.names) & concepts,
        last=next((name for name in reversed(said) if not name.startswith(OPPOSITE)), ""),
        denied=denials(part, left, voice.stops),
        marks=marks_of_negation(part),
    )


def _names(
    answers: Mapping[str, str],
    spans: Mapping[str, Sequence[Span]],
    tokens: Mapping[str, Sequence[Sequence[Word]]],
) -> frozenset[str]:
    """Return the words of prose that have a capital inside sentences, and never a small letter.

    None in German, where every noun has one.
    """
    capital: set[str] = set()
    small: set[str] = set()
    for seat, some in spans.items():
        for span, found in zip(some, tokens[seat], strict=True):
            if span.form in ("prose", "item"):
                for word in found[1:]:
                    letter = answers[seat][span.start + word.start]
                    (capital if letter.isupper() else small).add(word.text)
    if sum(word in GERMAN for word in small) > sum(word in ENGLISH or word in FRENCH for word in small):
        return frozenset()
    return frozenset(capital - small - EVERY_STOP_WORD)
