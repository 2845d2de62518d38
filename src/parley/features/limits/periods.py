"""Periods of allowances: days and months, in UTC."""

from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

PeriodKind: TypeAlias = Literal["day", "month"]


class Period(NamedTuple):
    """A day or a month. `start` is its first day, as in “2026-11-28”; `ends_at` is when the next one begins."""

    start: str
    ends_at: datetime


def period_at(kind: str, now: datetime) -> Period:
    """Return the period that a time is in."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if kind == "day":
        return Period(day.date().isoformat(), day + timedelta(days=1))
    first = day.replace(day=1)
    return Period(first.date().isoformat(), (first + timedelta(days=32)).replace(day=1))
