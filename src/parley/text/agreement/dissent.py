"""The sentences of the answers that an arbiter's dissent is about."""

import re
from collections.abc import Mapping, Sequence

from parley.text.agreement.statements import Statement, statements_of

NAMED = 0.55
"""The share of a sentence's concepts, by weight, that one sentence of the dissent must have."""
LONGEST_DISSENT, MOST_REMARKS = 20_000, 40
"""Code points and sentences of the dissent that are read."""

_AGREED = re.compile(
    r"\b(?:all (?:\w+ ){0,3}agree|agree(?:s|d)? (?:that|on)|no (?:\w+ )?(?:dissent|disagreements?|contradictions?)|"
    r"consensus|consistent|unanim\w+|einig\w*|übereinstimm\w*|unanimes?|d'accord)\b",
    re.IGNORECASE,
)
_DISAGREED = re.compile(
    r"\b(?:but|however|except|disagree\w*|differs?|whereas|while|aber|jedoch|uneinig|mais|cependant)\b",
    re.IGNORECASE,
)


def named_in(dissent: str, by_seat: Mapping[str, Sequence[Statement]]) -> set[int]:
    """Return the identities of the statements that a dissent refers to, at most one per seat and remark.

    A remark that the answers agree refers to nothing.
    """
    remarks = [
        remark
        for remark in statements_of({"": dissent[:LONGEST_DISSENT]})[""][:MOST_REMARKS]
        if not _AGREED.search(remark.key) or _DISAGREED.search(remark.key)
    ]
    named: set[int] = set()
    for remark in remarks:
        for some in by_seat.values():
            best = max(some, key=lambda statement: _held(statement, remark), default=None)
            if best is not None and _held(best, remark) >= NAMED:
                named.add(id(best))
    return named


def _held(statement: Statement, remark: Statement) -> float:
    """Return how much of a statement a remark repeats: 0 to 1."""
    if statement.span.form == "code" or len(statement.concepts) < 2:
        return 0.0
    shared = len(statement.concepts & remark.concepts)
    return shared / len(statement.concepts) if shared > 1 else 0.0
