"""Measures: what can be asked about the use of Parley, each one query in its own room."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import msgspec

from parley.storage.database import Transaction

HOUR_S, DAY_S, WEEK_S = 3_600, 86_400, 604_800
MONDAY_S = 4 * DAY_S
"""The first Monday after the epoch."""

PERIODS = ("hour", "day", "week")


def period_of(by: Sequence[str], time: datetime) -> int | None:
    """Return the beginning of a time's week or day, UTC, in seconds since the epoch; None if there are no periods."""
    seconds = int(time.timestamp())
    if "week" in by:
        return (seconds - MONDAY_S) // WEEK_S * WEEK_S + MONDAY_S
    return seconds // DAY_S * DAY_S if "day" in by else None


def month_of(start: int) -> tuple[int, int]:
    """Return the beginning of a time's month, UTC, and that of the next one, in seconds since the epoch."""
    first = datetime.fromtimestamp(start, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return int(first.timestamp()), int((first + timedelta(days=32)).replace(day=1).timestamp())


Cell: TypeAlias = str | int | float | None
Line: TypeAlias = tuple[Cell, ...]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a measure: a range of seconds since the epoch, groups, and conditions by dimension.

    `owner_id` and `space_id` limit it to one person or one workspace, empty for everybody.
    """

    start: int
    end: int
    by: tuple[str, ...] = ()
    where: Mapping[str, tuple[str, ...]] = {}
    owner_id: str = ""
    space_id: str = ""


class Value(msgspec.Struct, frozen=True):
    """A column of figures. `unit`: count, tokens, micros (of a dollar), ms, share (0 to 1), per (a ratio)."""

    name: str
    title: str
    unit: str


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A question that has a name. `read` returns one line per group: its keys, then the values, in their order.

    `by` and `where` are the dimensions it can be grouped and filtered by. `needs` says where its figures come from.
    `own`: only a person's own figures exist, since votes are nobody else's business.
    """

    name: str
    title: str
    needs: str
    values: tuple[Value, ...]
    by: tuple[str, ...]
    where: tuple[str, ...]
    read: Callable[[Transaction, Question], Sequence[Line]]
    own: bool = False
