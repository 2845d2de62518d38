"""The one query over usage by the hour."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, true

from parley.features.usage.histogram import BUCKETS, percentile
from parley.features.usage.measure import (
    DAY_S,
    HOUR_S,
    MONDAY_S,
    PERIODS,
    WEEK_S,
    Cell,
    Line,
    Question,
    month_of,
)
from parley.features.usage.tables import DAY, HOUR, MON, WHO, UsageRow
from parley.storage.database import Transaction

_USAGE = UsageRow.c

COLUMNS: dict[str, ColumnElement[Any]] = {
    "model": _USAGE.model,
    "provider": _USAGE.provider,
    "mode": _USAGE.mode,
    "purpose": _USAGE.purpose,
    "status": _USAGE.status,
    "person": _USAGE.owner_id,
    "workspace": _USAGE.space_id,
    "key": _USAGE.key_id,
    "payer": _USAGE.payer,
}
DIMENSIONS = tuple(COLUMNS)
PERSONAL = frozenset({"person", "workspace", "key"})
OF_PEOPLE = PERSONAL | {"status"}
"""The dimensions of the days of each person."""


def read_sums(transaction: Transaction, question: Question, names: Sequence[str]) -> Sequence[Line]:
    """Return, per group, its keys and the sums of some columns."""
    sums = [func.coalesce(func.sum(UsageRow.table.c[name]), 0) for name in names]
    return [
        tuple(_plain(value) for value in row)
        for row in transaction.execute(_grouped(transaction, question, sums)).all()
    ]


def read_percentiles(
    transaction: Transaction, question: Question, histogram: str, shares: Sequence[float]
) -> Sequence[Line]:
    """Return, per group, its keys, the percentiles of a time in milliseconds, and how many times were counted."""
    names = [f"{histogram}_{number}" for number in range(BUCKETS)]
    lines: list[Line] = []
    for line in read_sums(transaction, question, names):
        keys, counts = line[: len(question.by)], [int(each or 0) for each in line[len(question.by) :]]
        if total := sum(counts):
            times = (percentile(counts, share) for share in shares)
            lines.append((*keys, *(None if each is None else round(each, 1) for each in times), total))
    return lines


def period_of(name: str, start: ColumnElement[int]) -> ColumnElement[int]:
    """Return the beginning of the hour, day or week (of Monday, UTC) of a time in seconds."""
    if name == "week":
        return (start - MONDAY_S) // WEEK_S * WEEK_S + MONDAY_S
    return start // (DAY_S if name == "day" else HOUR_S) * (DAY_S if name == "day" else HOUR_S)


def _grouped(transaction: Transaction, question: Question, sums: Sequence[ColumnElement[Any]]) -> Any:
    # As expressions: SQLite would walk the index of persons through all grains to have them in order.
    keys = [
        period_of(name, _USAGE.start) if name in PERIODS else func.coalesce(COLUMNS[name], "")
        for name in question.by
    ]
    named = [key.label(f"key_{number}") for number, key in enumerate(keys)]
    query = select(*named, *sums).where(_rows_of(transaction, question), *_conditions(question))
    return query.group_by(*named).order_by(*named) if named else query


def _rows_of(transaction: Transaction, question: Question) -> ColumnElement[bool]:
    """Return the condition of the rows to sum: those of people by whole months, unless by days or not folded yet."""
    grain, used, begin = grain_of(question), list[int](), question.start
    days: list[ColumnElement[bool]] = []
    if grain == WHO and not {*question.by} & set(PERIODS):
        within = _USAGE.start >= question.start, _USAGE.start < question.end
        months = select(_USAGE.start).where(_USAGE.grain == MON, _USAGE.seq == 1, *within)
        for month in transaction.scalars(months.order_by(_USAGE.start)):
            _, end = month_of(month)
            if end <= question.end:
                used.append(month)
                days += [_span(grain, begin, month)] if begin < month else []
                begin = end
    days += [_span(grain, begin, question.end)] if begin < question.end or not used else []
    return or_(and_(_USAGE.grain == MON, _USAGE.start.in_(used)), *days) if used else days[0]


def _span(grain: str, start: int, end: int) -> ColumnElement[bool]:
    return and_(_USAGE.grain == grain, _USAGE.start >= start, _USAGE.start < end)


def grain_of(question: Question) -> str:
    """Return the grain with the fewest rows that can answer: `day` and `who` have whole days, with fewer dimensions."""
    named = {*question.by, *question.where} - set(PERIODS)
    if "hour" in question.by or question.start % DAY_S or question.end % DAY_S:
        return HOUR
    if not (question.owner_id or question.space_id or PERSONAL & named):
        return DAY
    return WHO if named <= OF_PEOPLE else HOUR


def _conditions(question: Question) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        COLUMNS[name].in_(values) for name, values in question.where.items()
    ]
    conditions.append(_USAGE.owner_id == question.owner_id if question.owner_id else true())
    conditions.append(_USAGE.space_id == question.space_id if question.space_id else true())
    return conditions


def _plain(value: Any) -> Cell:
    return value if value is None or isinstance(value, str | int | float) else int(value)
