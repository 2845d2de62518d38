"""A short glossary: about seventy terms of models, statistics and programming, written by hand."""

import random
import re

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.term import Term
from parley.connectors.demo.skills.terms_models import MODEL_TERMS
from parley.connectors.demo.skills.terms_programming import PROGRAMMING_TERMS
from parley.connectors.demo.skills.terms_statistics import STATISTICS_TERMS

TERMS: tuple[Term, ...] = (*MODEL_TERMS, *STATISTICS_TERMS, *PROGRAMMING_TERMS)

_ASKS = re.compile(
    r"\b(what|whats|who|explain|define|definition|describe|meaning|mean|tell me|how (do|does|is|are|to)|why|when|should|purpose|difference|about)\b",
    re.IGNORECASE,
)  # fmt: skip
_PATTERNS = tuple(
    (
        term,
        re.compile(
            "|".join(rf"\b{re.escape(name)}(?:e?s)?\b" for name in (term.name, *term.aliases)), re.IGNORECASE
        ),
    )
    for term in TERMS
)


def glossary(question: Question, rng: random.Random) -> Finding | None:
    """Explain the term that a question is about."""
    del rng
    text = question.instruction
    found = terms_in(text) if len(text) <= 300 else []
    if not found:
        return None
    if not _ASKS.search(text) and len(text.split()) > 5:
        return None
    return explain(found[0])


def terms_in(text: str) -> list[Term]:
    """Return the terms that a text names, the longest name first."""
    hits: list[tuple[int, int, Term]] = []
    for term, pattern in _PATTERNS:
        if match := pattern.search(text):
            hits.append((-len(match.group()), match.start(), term))
    return [term for _, _, term in sorted(hits, key=lambda hit: hit[:2])]


def explain(term: Term) -> Finding:
    """Return what the glossary says of a term."""
    first = re.split(r"(?<=[.;:]) ", term.meaning, maxsplit=1)[0].rstrip(".;:")
    return Finding(
        topic=term.name,
        answer=f"{term.meaning}",
        rough=f"{first}.",
        points=term.points,
        example=term.example,
        caveat=term.caveat,
        check=term.check,
        related=term.related,
        method=f"I looked up “{term.name}” in a short glossary.",
    )
