"""The queries of exports: everybody's, and nothing of a blind match before its vote."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import and_, exists, not_, select

from parley.features.exports.layout import Record
from parley.features.sessions.readable import readable
from parley.storage.database import Transaction
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnRow, UserRow
from parley.storage.tables.votes import VoteRow

_SESSION, _TURN, _MATCH, _REPLY, _VOTE, _CALL = (
    kind.c for kind in (SessionRow, TurnRow, MatchRow, ReplyRow, VoteRow, CallRow)
)
_HIDDEN = and_(_MATCH.blind, _MATCH.status != "voted")
"""Blind matches without a vote, void ones too: nobody may know who sat where."""
_SHOWN = and_(_SESSION.deleted_at.is_(None), not_(_HIDDEN))


class ExportsRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def voters(self) -> Mapping[str, str]:
        """Return the id of each person by the pseudonym of their votes."""
        return {row.voter_id: row.id for row in self._db.execute(select(UserRow.c.voter_id, UserRow.c.id))}

    def session_ids(self) -> Sequence[str]:
        """Return all sessions that are neither deleted nor sealed, oldest first."""
        query = select(_SESSION.id).where(_SESSION.deleted_at.is_(None), ~_SESSION.sealed)
        return self._db.scalars(query.order_by(_SESSION.created_at, _SESSION.id))

    def vote_numbers(self) -> Sequence[int]:
        """Return all votes that were cast here, oldest first."""
        return self._db.scalars(select(_VOTE.seq).where(_VOTE.origin == "here").order_by(_VOTE.seq))

    def call_ids(self) -> Sequence[str]:
        """Return all calls but those of matches that may not be shown, oldest first."""
        matches = TurnRow.table.join(MatchRow.table, _MATCH.id == _TURN.match_id)
        hidden = exists().select_from(matches).where(_TURN.id == _CALL.turn_id, _HIDDEN)
        return self._db.scalars(select(_CALL.id).where(~hidden).order_by(_CALL.started_at, _CALL.id))

    def sessions(self, ids: Sequence[str]) -> list[Record]:
        """Return sessions."""
        columns = (_SESSION.id, _SESSION.owner_id, _SESSION.mode, _SESSION.title, _SESSION.created_at)
        rows = self._db.execute(select(*columns).where(_SESSION.id.in_(ids)))
        return [
            {
                "id": row.id,
                "person": row.owner_id,
                "mode": row.mode,
                "title": row.title,
                "created": _time(row.created_at),
            }
            for row in rows
        ]

    def turns(self, session_ids: Sequence[str]) -> list[Record]:
        """Return the turns of sessions, in their order."""
        columns = (TurnRow.table, _TURN.index.label("number"), _MATCH.mode, _MATCH.blind)
        rows = self._db.execute(self._of_sessions(session_ids, *columns))
        return [
            {
                "id": row.id,
                "session_id": row.session_id,
                "match_id": row.match_id,
                "mode": row.mode,
                "blind": row.blind,
                "number": row.number,
                "prompt": str(row.input.get("text") or ""),
                "status": row.status,
                "created": _time(row.created_at),
            }
            for row in rows
        ]

    def replies(self, session_ids: Sequence[str]) -> list[Record]:
        """Return the replies of sessions' turns, without those within ensembles."""
        columns = (ReplyRow.table, _TURN.status.label("turn_status"), _MATCH.blind)
        query = self._of_sessions(session_ids, *columns).join(ReplyRow.table, _REPLY.turn_id == _TURN.id)
        rows = self._db.execute(query.where(_REPLY.parent_reply_id.is_(None)).order_by(_REPLY.order))
        return [_reply(row) for row in rows]

    def votes(self, numbers: Sequence[int]) -> list[Record]:
        """Return votes."""
        rows = self._db.execute(select(VoteRow.table).where(_VOTE.seq.in_(numbers)))
        return [
            {
                "id": row.id,
                "session_id": row.session_id,
                "match_id": row.match_id,
                "turn_id": row.turn_id,
                "person": row.voter_id,
                "kind": row.kind,
                "choice": row.choice,
                "left_model": row.left_model_id,
                "right_model": row.right_model_id,
                "counted": row.counted,
                "excluded_reason": row.excluded_reason,
                "categories": ", ".join(row.categories),
                "reason": row.reason,
                "created": _time(row.created_at),
            }
            for row in rows
        ]

    def calls(self, ids: Sequence[str]) -> list[Record]:
        """Return calls."""
        rows = self._db.execute(select(CallRow.table).where(_CALL.id.in_(ids)))
        same = ("id", "turn_id", "reply_id", "purpose", "mode", "outcome", "code", "first_token_ms")
        numbers = ("duration_ms", "input_tokens", "output_tokens")
        return [
            {
                **{name: getattr(row, name) for name in (*same, *numbers)},
                "person": row.owner_id,
                "model": row.model_id,
                "provider": row.provider_id,
                "cost_usd": None if row.cost_micros is None else row.cost_micros / 1_000_000,
                "created": _time(row.started_at),
            }
            for row in rows
        ]

    def _of_sessions(self, session_ids: Sequence[str], *columns: Any) -> Any:
        return (
            select(*columns)
            .select_from(TurnRow.table)
            .join(MatchRow.table, _MATCH.id == _TURN.match_id)
            .join(SessionRow.table, _SESSION.id == _TURN.session_id)
            .where(_TURN.session_id.in_(session_ids), _SHOWN)
            .order_by(_TURN.session_id, _MATCH.index, _TURN.index)
        )


def _reply(row: Any) -> Record:
    metrics = cast("dict[str, int]", row.metrics or {})
    return {
        "id": row.id,
        "turn_id": row.turn_id,
        "seat": row.seat,
        "round": row.round,
        "purpose": row.purpose,
        "model": row.model_id,
        "text": readable(row.text, row.released, row.turn_status, blind=row.blind),
        "status": row.status,
        "finish_reason": row.finish_reason,
        "input_tokens": metrics.get("input_tokens"),
        "output_tokens": metrics.get("output_tokens"),
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
