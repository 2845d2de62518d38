"""The queries of how people use Parley."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, and_, cast, distinct, func, select

from parley.features.usage.hours.repository import period_of
from parley.features.usage.measure import Line, Question
from parley.storage.database import Transaction
from parley.storage.tables.conversations import MatchRow, SeatRow, SessionRow, TurnRow

_TURN, _MATCH, _SEAT, _SESSION = TurnRow.c, MatchRow.c, SeatRow.c, SessionRow.c

PERSONAL_KEYS = {"mode": _MATCH.mode, "person": _TURN.author_id}


def read_turns(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return turns, people and sessions."""
    keys = _keys(transaction, question)
    query = select(
        *keys, func.count(), func.count(distinct(_TURN.author_id)), func.count(distinct(_TURN.session_id))
    ).select_from(_played())
    return _rows(transaction, query.where(*_conditions(question)), keys)


def read_engagement(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return people, sessions, turns a session, votes a battle, and sessions with more than one open model."""
    keys = _keys(transaction, question)
    sessions = _sessions(transaction, question, keys)
    groups: list[ColumnElement[Any]] = [sessions.c[key.name] for key in keys]
    figures = select(
        *groups,
        func.count(),
        func.sum(sessions.c.turns),
        func.sum(sessions.c.last - sessions.c.first),
        func.sum(func.coalesce(cast(sessions.c.models > 1, Integer), 0)),
    )
    people = {line[: len(keys)]: line for line in read_turns(transaction, question)}
    battles = _battles(transaction, question)
    lines: list[Line] = []
    for line in _rows(transaction, figures, groups):
        group, (count, turns, length, switched) = line[: len(keys)], line[len(keys) :]
        known = people.get(group)
        if not count or known is None:
            continue
        total = int(count)
        seconds = float(length or 0) / total
        lines.append(
            (
                *group,
                known[len(keys) + 1],
                total,
                float(turns or 0) / total,
                round(seconds * 1000),
                battles.get(group),
                float(switched or 0) / total,
            )
        )
    return lines


def _sessions(transaction: Transaction, question: Question, keys: Sequence[Any]) -> Any:
    """Return the query of sessions with their turns, their length and the models of their chats."""
    return (
        select(
            *keys,
            _TURN.session_id.label("session"),
            func.count(distinct(_TURN.id)).label("turns"),
            func.max(_seconds(transaction, _TURN.created_at)).label("last"),
            func.min(_seconds(transaction, _TURN.created_at)).label("first"),
            func.count(distinct(_SEAT.model_id)).label("models"),
        )
        .select_from(_played().outerjoin(SeatRow.table, _open_seat()))
        .where(*_conditions(question))
        .group_by(*keys, _TURN.session_id)
        .subquery()
    )


def _battles(transaction: Transaction, question: Question) -> dict[Line, float | None]:
    """Return the share of battles with a vote, per group."""
    keys = _keys(transaction, question)
    query = (
        select(
            *keys,
            func.count(distinct(_MATCH.id)),
            func.count(distinct(_MATCH.id)).filter(_MATCH.status == "voted"),
        )
        .select_from(_played())
        .where(_MATCH.blind.is_(True), *_conditions(question))
    )
    lines = _rows(transaction, query, keys)
    return {line[:-2]: int(line[-1] or 0) / int(line[-2]) for line in lines if line[-2]}


def _played() -> Any:
    return TurnRow.table.join(MatchRow.table, _MATCH.id == _TURN.match_id).join(
        SessionRow.table, _SESSION.id == _TURN.session_id
    )


def _open_seat() -> ColumnElement[bool]:
    """Return the condition of a seat of a chat: elsewhere several models are the point."""
    return and_(_SEAT.match_id == _MATCH.id, _MATCH.mode == "chat")


def _keys(transaction: Transaction, question: Question) -> list[Any]:
    seconds = _seconds(transaction, _TURN.created_at)
    columns: list[ColumnElement[Any]] = [
        PERSONAL_KEYS[name] if name in PERSONAL_KEYS else period_of(name, seconds) for name in question.by
    ]
    return [column.label(f"key_{number}") for number, column in enumerate(columns)]


def _conditions(question: Question) -> list[ColumnElement[bool]]:
    conditions = [_TURN.created_at >= _time(question.start), _TURN.created_at < _time(question.end)]
    conditions += [PERSONAL_KEYS[name].in_(values) for name, values in question.where.items()]
    if question.owner_id:
        conditions.append(_TURN.author_id == question.owner_id)
    if question.space_id:
        conditions.append(_SESSION.space_id == question.space_id)
    return conditions


def _rows(transaction: Transaction, query: Any, keys: Sequence[Any]) -> list[Line]:
    ordered = query.group_by(*keys).order_by(*keys) if keys else query
    return [tuple(_plain(value) for value in row) for row in transaction.execute(ordered)]


def _seconds(transaction: Transaction, time: ColumnElement[Any]) -> ColumnElement[int]:
    """Return a time as seconds since the epoch."""
    if transaction.dialect == "sqlite":
        return cast(func.strftime("%s", time), Integer)
    return cast(func.trunc(func.extract("epoch", time)), Integer)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float) else float(value)


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
