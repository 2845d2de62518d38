"""Comparisons: two terms of the glossary side by side."""

import random
import re

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.glossary import terms_in

_ASKS = re.compile(
    r"\b(vs\.?|versus|compared? (?:to|with)?|differences?|differ|better|or|instead of|rather than)\b",
    re.IGNORECASE,
)


def comparison(question: Question, rng: random.Random) -> Finding | None:
    """Set two terms against each other, where the question names two that are known."""
    del rng
    text = question.instruction
    if len(text) > 200 or not _ASKS.search(text):
        return None
    found = terms_in(text)
    if len(found) < 2:
        return None
    left, right = sorted(found[:2], key=lambda term: _place(text, (term.name, *term.aliases)))
    return Finding(
        topic=f"{left.name} and {right.name}",
        answer=f"**{left.name}**: {_lower(left.meaning)} **{right.name}**: {_lower(right.meaning)}",
        rough=f"{left.name}: {_first(left.meaning)}; {right.name}: {_first(right.meaning)}.",
        points=(*(f"{left.name}: {_lower(point)}" for point in left.points[:1]), *(f"{right.name}: {_lower(point)}" for point in right.points[:1])),
        table=Table(
            ("", left.name, right.name),
            (
                ("what it is", _first(left.meaning), _first(right.meaning)),
                ("example", left.example.rstrip("."), right.example.rstrip(".")),
                ("beware", left.caveat.rstrip("."), right.caveat.rstrip(".")),
            ),
        ),
        example=f"{left.example} {right.example}",
        caveat=f"{left.caveat} {right.caveat}",
        check=f"In which case of yours would {left.name} and {right.name} lead to different decisions?",
        method="I set two entries of a short glossary side by side.",
        related=tuple(dict.fromkeys((*left.related[:1], *right.related[:1]))),
    )  # fmt: skip


def _place(text: str, names: tuple[str, ...]) -> int:
    found = [text.lower().find(name.lower()) for name in names]
    return min((place for place in found if place >= 0), default=len(text))


def _lower(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def _first(text: str) -> str:
    return _lower(re.split(r"(?<=[.;:]) ", text, maxsplit=1)[0].rstrip(".;:"))
