"""The bar: what was measured, held against what must be and what would be better."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Verdict = Literal["stretch", "ok", "missed", "skipped", "–"]


class Row(msgspec.Struct, kw_only=True):
    """One line of the table. A verdict of “–” is a figure without a bar."""

    what: str
    figure: str
    must: str = ""
    stretch: str = ""
    verdict: Verdict = "–"


def judged(
    what: str,
    figure: str,
    values: Sequence[float],
    *,
    must: Sequence[float],
    stretch: Sequence[float] = (),
    unit: str = "",
    least: bool = False,
) -> Row:
    """Return a row whose values must all be at most `must`, or at least where `least` says so."""
    sign = "≥" if least else "≤"
    return Row(
        what=what,
        figure=figure,
        must=_words(sign, must, unit),
        stretch=_words(sign, stretch, unit) if stretch else "",
        verdict=_verdict(values, must, stretch, least=least),
    )


def failed(what: str, why: str) -> Row:
    """Return a row for a run that did not bring what it must: it counts as missed."""
    return Row(what=what, figure=f"failed: {why}", verdict="missed")


def skipped(what: str, why: str) -> Row:
    """Return a row for what was not measured, and why."""
    return Row(what=what, figure=why, verdict="skipped")


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies; infinite where there are none."""
    if not values:
        return float("inf")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return quantile(values, 0.5)


def _verdict(
    values: Sequence[float], must: Sequence[float], stretch: Sequence[float], *, least: bool
) -> Verdict:
    def holds(limits: Sequence[float]) -> bool:
        pairs = zip(values, limits, strict=True)
        return all(value >= limit if least else value <= limit for value, limit in pairs)

    if stretch and holds(stretch):
        return "stretch"
    return "ok" if holds(must) else "missed"


def _words(sign: str, limits: Sequence[float], unit: str) -> str:
    return f"{sign} {' / '.join(f'{limit:g}' for limit in limits)} {unit}".rstrip()
