"""A quantity, and when two of them can be equal."""

import msgspec

from parley.text.agreement.dates import Date, compatible

EXACT = 1e-9
"""Figures are equal if their relative difference is smaller."""


class Quantity(msgspec.Struct, frozen=True):
    """A number or a range, and what it measures; a number can be read in several ways.

    `dimension` is `date`, `clock`, `choice` (the answer B), `count` or a dimension of units.UNITS.
    `readings` are in the dimension's base unit.
    """

    dimension: str
    readings: tuple[tuple[float, float], ...] = ()
    step: float = 1.0
    size: float = 1.0
    """Of its unit: where two differ, one was converted and may be rounded."""
    about: bool = False
    """“About”, “more than”, “up to”."""
    weak: bool = False
    """“One”, which is an article more often than a number."""
    nouns: frozenset[str] = frozenset()
    """Stems of the words after it: what is counted."""
    dates: tuple[Date, ...] = ()
    start: int = 0
    end: int = 0


def same(left: Quantity, right: Quantity) -> bool:
    """Return whether two quantities of one dimension can be equal at their written precision."""
    if left.dimension == "date":
        return any(compatible(a, b) for a in left.dates for b in right.dates)
    return any(_same(a, b, left, right) for a in left.readings for b in right.readings)


def rounded(left: Quantity, right: Quantity) -> bool:
    """Return whether two quantities of one dimension can be equal only because one is rounded, converted or “about”."""
    if left.dimension == "date" or not same(left, right):
        return False
    return not any(_exactly(a, b) for a in left.readings for b in right.readings)


def _exactly(ours: tuple[float, float], theirs: tuple[float, float]) -> bool:
    if (ours[0] != ours[1]) != (theirs[0] != theirs[1]):
        return True  # a range holds a number, or does not
    return all(abs(a - b) <= EXACT * max(abs(a), abs(b)) for a, b in zip(ours, theirs, strict=True))


def _same(ours: tuple[float, float], theirs: tuple[float, float], left: Quantity, right: Quantity) -> bool:
    is_range, other_is_range = ours[0] != ours[1], theirs[0] != theirs[1]
    if is_range != other_is_range:
        (low, high), value = (ours, theirs[0]) if is_range else (theirs, ours[0])
        return low <= value <= high
    return all(_near(a, b, left, right) for a, b in zip(ours, theirs, strict=True))


def _near(a: float, b: float, left: Quantity, right: Quantity) -> bool:
    gap, size = abs(a - b), max(abs(a), abs(b))
    if gap <= EXACT * size:
        return True
    if left.about or right.about:
        return gap <= 0.05 * size
    if left.size != right.size:
        return gap <= 0.02 * size
    coarse = max(left.step, right.step)
    if left.step == right.step or gap > coarse / 2 * (1 + 1e-9):
        return False
    return gap <= 0.002 * size or coarse < left.size
