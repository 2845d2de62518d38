"""The queries of where questions went that were left to Auto."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select

from parley.features.auto.kinds import NEEDS_TOOLS
from parley.features.auto.tables import AutoDecisionRow
from parley.features.usage.measure import Line, Question, period_of
from parley.storage.database import Transaction
from parley.storage.tables.conversations import SessionRow, TurnRow

_IT = AutoDecisionRow.c


def read_routing(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return how many questions were routed, and their shares: tool work and data, blind battles, other chats."""
    start, end = (datetime.fromtimestamp(seconds, UTC) for seconds in (question.start, question.end))
    query = (
        select(_IT.created_at, _IT.kind, _IT.target)
        .join(TurnRow.table, TurnRow.c.id == _IT.turn_id)
        .join(SessionRow.table, SessionRow.c.id == TurnRow.c.session_id)
        .where(_IT.created_at >= start, _IT.created_at < end)
    )
    if question.owner_id:
        query = query.where(TurnRow.c.author_id == question.owner_id)
    if question.space_id:
        query = query.where(SessionRow.c.space_id == question.space_id)
    groups: dict[int | None, list[str]] = {}
    for row in transaction.execute(query):
        place = "tools" if row.kind in NEEDS_TOOLS else "arena" if row.target is None else "other"
        groups.setdefault(period_of(question.by, row.created_at), []).append(place)
    return [
        (
            *((period,) if question.by else ()),
            len(places),
            *(places.count(place) / len(places) for place in ("tools", "arena", "other")),
        )
        for period, places in sorted(groups.items(), key=lambda item: item[0] or 0)
    ]
