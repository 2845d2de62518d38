"""The queries that fold calls into hours and days.

An hour is always folded as a whole, from the ledger: folding it twice changes nothing.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, insert, literal, or_, select, update

from parley.features.usage.histogram import BUCKETS, EDGES
from parley.features.usage.measure import DAY_S, HOUR_S, month_of
from parley.features.usage.tables import DAY, HOUR, MON, TIMES, WHO, UsageCursorRow, UsageRow, UsageStaleRow
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import MatchRow, TurnRow

_CALL, _USAGE, _STALE, _MATCH, _TURN = CallRow.c, UsageRow.c, UsageStaleRow.c, MatchRow.c, TurnRow.c

DIMENSIONS = ("model", "provider", "mode", "purpose", "owner_id", "space_id", "key_id", "status", "payer")
PERSONAL = ("owner_id", "space_id", "key_id")
KEPT = {
    HOUR: DIMENSIONS,
    DAY: tuple(name for name in DIMENSIONS if name not in PERSONAL),
    WHO: (*PERSONAL, "status"),
    MON: (*PERSONAL, "status"),
}
"""The dimensions that the rows of a grain tell apart."""
SUMS = (
    "calls",
    "from_cache",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost_micros",
    "unpriced",
)
HISTOGRAMS = tuple(f"{name}_{number}" for name in TIMES.values() for number in range(BUCKETS))

LATE_S = 120
"""A call may become visible so long after one with a later id: several processes write at once."""

VEILED_S = DAY_S
"""The calls of a blind match that nobody voted on are counted so long after they began, without their models."""

PAGE = 20_000


class FoldingRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def position(self) -> str:
        """Return the id of the latest folded call; empty before the first one."""
        return self._db.scalar(select(UsageCursorRow.c.call_id)) or ""

    def lock(self) -> None:
        """Let no other process fold until this transaction ends."""
        self._db.execute(
            insert_or_ignore(self._db, UsageCursorRow).values(id=1, call_id=""),
        )
        self._db.execute(update(UsageCursorRow.table).values(id=1))

    def move(self, position: str) -> None:
        """Store the id of the latest folded call; it never goes back."""
        self._db.execute(
            update(UsageCursorRow.table).where(UsageCursorRow.c.call_id < position).values(call_id=position)
        )

    def hours_after(self, position: str) -> tuple[set[int], str, bool]:
        """Return the hours of the calls after an id, the last one's id, and whether there may be more."""
        query = select(_CALL.id, _CALL.started_at).where(_CALL.id > position).order_by(_CALL.id).limit(PAGE)
        rows = self._db.execute(query).all()
        hours = {int(row.started_at.timestamp()) // HOUR_S * HOUR_S for row in rows}
        return hours, rows[-1].id if rows else position, len(rows) == PAGE

    def stale_hours(self, now: int) -> set[int]:
        """Return the hours that must be folded again, since their matches were voted on or are a day old."""
        query = (
            select(_STALE.start)
            .outerjoin(MatchRow.table, _MATCH.id == _STALE.match_id)
            .where(
                or_(
                    _MATCH.id.is_(None),
                    ~_hidden(now),
                    and_(_STALE.veiled.is_(False), _STALE.start < now - VEILED_S),
                )
            )
        )
        return set(self._db.scalars(query.distinct()))

    def fold_hour(self, start: int, now: int) -> None:
        """Replace an hour's rows by sums over the ledger."""
        turn_of_call = CallRow.table.outerjoin(TurnRow.table, _TURN.id == _CALL.turn_id).outerjoin(
            MatchRow.table, _MATCH.id == _TURN.match_id
        )
        within = and_(_CALL.started_at >= _time(start), _CALL.started_at < _time(start + HOUR_S))
        self._db.execute(delete(UsageRow.table).where(_USAGE.grain == HOUR, _USAGE.start == start))
        self._db.execute(delete(UsageStaleRow.table).where(_STALE.start == start))
        veiled = start < now - VEILED_S
        hidden = func.coalesce(_hidden_since(start, now), False)
        self._db.execute(
            insert(UsageStaleRow.table).from_select(
                ["start", "match_id", "veiled"],
                select(literal(start), _MATCH.id, literal(veiled))
                .select_from(turn_of_call)
                .where(within, hidden)
                .distinct(),
            )
        )
        rows = (
            select(*(each.label(name) for name, each in _read_calls(hidden).items()))
            .select_from(turn_of_call)
            .where(within, True if veiled else ~hidden)
            .subquery()
        )
        self._insert(HOUR, start, rows.c)

    def fold_day(self, start: int) -> None:
        """Replace a day's rows by sums over its hours: those of everybody, and those of each person.

        The sums of its month are deleted, since they are wrong until it is folded again.
        """
        self._db.execute(delete(UsageRow.table).where(_USAGE.grain.in_((DAY, WHO)), _USAGE.start == start))
        month, _ = month_of(start)
        self._db.execute(delete(UsageRow.table).where(_USAGE.grain == MON, _USAGE.start == month))
        rows = (
            select(UsageRow.table)
            .where(_USAGE.grain == HOUR, _USAGE.start >= start, _USAGE.start < start + DAY_S)
            .subquery()
        )
        self._insert(DAY, start, rows.c)
        self._insert(WHO, start, rows.c)

    def fold_month(self, start: int, end: int) -> None:
        """Replace a month's rows by sums over its days of people."""
        self._db.execute(delete(UsageRow.table).where(_USAGE.grain == MON, _USAGE.start == start))
        within = _USAGE.start >= start, _USAGE.start < end
        rows = select(UsageRow.table).where(_USAGE.grain == WHO, *within).subquery()
        self._insert(MON, start, rows.c)

    def months_to_fold(self, now: int) -> set[int]:
        """Return the months that are over and have days of people, but no sums of them yet."""
        first = select(_USAGE.start).where(_USAGE.seq == 1, _USAGE.start < month_of(now)[0])
        days = self._db.scalars(first.where(_USAGE.grain == WHO))
        return {month_of(day)[0] for day in days} - set(self._db.scalars(first.where(_USAGE.grain == MON)))

    def days_without_people(self) -> set[int]:
        """Return the days that an earlier version has folded for everybody alone."""
        first = select(_USAGE.start).where(_USAGE.seq == 1)
        days = set(self._db.scalars(first.where(_USAGE.grain == DAY)))
        return days - set(self._db.scalars(first.where(_USAGE.grain == WHO)))

    def _insert(self, grain: str, start: int, source: Any) -> None:
        """Insert one row per group of a source with the columns of usage."""
        groups = [source[name] for name in KEPT[grain]]
        keys = {name: source[name] if name in KEPT[grain] else literal("") for name in DIMENSIONS}
        self._db.execute(
            insert(UsageRow.table).from_select(
                ["grain", "start", "seq", *keys, *SUMS, *HISTOGRAMS],
                select(
                    literal(grain),
                    literal(start),
                    func.row_number().over(order_by=groups),
                    *keys.values(),
                    *(func.coalesce(func.sum(source[name]), 0) for name in (*SUMS, *HISTOGRAMS)),
                ).group_by(*groups),
                include_defaults=False,
            )
        )

    def forget(self, person_id: str) -> int:
        """Take a person from the ledger and the hours, whose sums stay; return the hours that were theirs."""
        mine = or_(_USAGE.owner_id == person_id, _USAGE.space_id == person_id)
        hours: Collection[int] = self._db.scalars(
            select(_USAGE.start).where(_USAGE.grain == HOUR, mine).distinct()
        )
        self._db.execute(
            update(CallRow.table)
            .where(_CALL.owner_id == person_id)
            .values(owner_id="", space_id="", key_id=None, turn_id=None, reply_id=None)
        )
        self._db.execute(update(CallRow.table).where(_CALL.payer_id == person_id).values(payer_id=""))
        self._db.execute(update(UsageRow.table).where(mine).values(owner_id="", space_id="", key_id=""))
        self._db.execute(delete(UsageStaleRow.table).where(_STALE.start.in_(hours), _STALE.match_id == ""))
        self._db.insert(*(UsageStaleRow(start, "", False) for start in hours))
        return len(hours)

    def count(self, person_id: str) -> int:
        """Return how many rows of hours are a person's."""
        query = select(func.count()).where(_USAGE.grain == HOUR, _USAGE.owner_id == person_id)
        return self._db.scalar(query) or 0


def _read_calls(hidden: ColumnElement[bool]) -> dict[str, ColumnElement[Any]]:
    """Return the columns of usage as one call has them; one of a hidden match tells no model and no person."""
    author, by_person = func.coalesce(_TURN.author_id, _CALL.owner_id), _CALL.payer == "person"
    answered = and_(_CALL.outcome == "completed", _CALL.from_cache.is_(False), ~hidden)
    plain: dict[str, ColumnElement[Any]] = {
        "model": _veiled(hidden, _CALL.model_id),
        "provider": _veiled(hidden, func.coalesce(_CALL.provider_id, "")),
        "mode": func.coalesce(_CALL.mode, ""),
        "purpose": _CALL.purpose,
        "owner_id": _veiled(hidden, case((by_person, _CALL.payer_id), else_=author)),
        "space_id": _veiled(hidden, _CALL.space_id),
        "key_id": _veiled(hidden, func.coalesce(_CALL.key_id, "")),
        "status": _veiled(hidden, _CALL.outcome),
        "payer": _veiled(hidden, _CALL.payer),
        "calls": literal(1),
        "from_cache": case((_CALL.from_cache, 1), else_=0),
        "input_tokens": _CALL.input_tokens,
        "cached_tokens": _CALL.cached_tokens,
        "output_tokens": _CALL.output_tokens,
        "reasoning_tokens": _CALL.reasoning_tokens,
        "cost_micros": func.coalesce(_CALL.cost_micros, 0),
        "unpriced": case((_CALL.cost_micros.is_(None), 1), else_=0),
    }
    for column, name in TIMES.items():
        for number in range(BUCKETS):
            within = [answered, _CALL[column].is_not(None)]
            if number:
                within.append(_CALL[column] >= EDGES[number - 1])
            if number < len(EDGES):
                within.append(_CALL[column] < EDGES[number])
            plain[f"{name}_{number}"] = case((and_(*within), 1), else_=0)
    return plain


def _veiled(hidden: ColumnElement[bool], column: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((hidden, ""), else_=column)


def _hidden(now: int) -> ColumnElement[bool]:
    """Return the condition of a stale hour's match that still hides who sits where."""
    ended = and_(_MATCH.void.is_not(None), _STALE.start < now - VEILED_S)
    return and_(_MATCH.blind.is_(True), _MATCH.status != "voted", ~ended)


def _hidden_since(start: int, now: int) -> ColumnElement[bool]:
    """Return the condition of a match of an hour that still hides who sits where."""
    hidden = and_(_MATCH.blind.is_(True), _MATCH.status != "voted")
    return and_(hidden, _MATCH.void.is_(None)) if start < now - VEILED_S else hidden


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
