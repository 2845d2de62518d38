"""The turn log: implements the kernel's port `TurnLog` on the tables of conversations."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import bindparam, delete, exists, insert, select, update

from parley.kernel.calls import CallEnded
from parley.kernel.ids import ordered_id
from parley.kernel.messages import mend_surrogates, sha256_text
from parley.kernel.ports import (
    Beside,
    Clock,
    EventLogged,
    LogEntry,
    ReplyEnded,
    ReplyOpened,
    ReplyText,
    TurnBegun,
    TurnEnded,
    TurnScript,
)
from parley.kernel.replicas import TurnsLost
from parley.storage.database import Database, Transaction
from parley.storage.dialects import insert_or_replace
from parley.storage.replica_store import lost_turns
from parley.storage.scripts import read_script
from parley.storage.tables.assets import EndedTurnRow
from parley.storage.tables.attachments import AttachmentRow, TurnAttachmentRow
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import AttemptRow, MatchRow, ReplyRow, TurnEventRow, TurnRow

Values: TypeAlias = dict[str, Any]

_MATCH, _REPLY, _TURN = MatchRow.table, ReplyRow.table, TurnRow.table
_FRESH: Values = {
    "status": "waiting",
    "text": "",
    "released": None,
    "reasoning": "",
    "timeline": None,
    "text_sha256": None,
    "finish_reason": None,
    "metrics": None,
    "error": None,
    "parts": None,
}
_RENEWED = ("order", "attempt", "model_id", "messages_sha256", *_FRESH)
"""The changes of a new attempt in its reply's row."""

# Statements are created once, since each caches how it is compiled, and take many rows at a time.
_THIS_TURN = update(_TURN).where(_TURN.c.id == bindparam("this"))
_BEGIN_TURN = _THIS_TURN.values(status="running", play=bindparam("to_play"), error=None, searchable=False)
_END_TURN = _THIS_TURN.values(
    status=bindparam("to_status"),
    error=bindparam("to_error"),
    ended_at=bindparam("to_ended_at"),
)
_VOID_MATCH = (
    update(_MATCH)
    .where(_MATCH.c.id == bindparam("this"), _MATCH.c.status == "open")
    .values(status="void", void=bindparam("to_void"))
)
_THIS_ATTEMPT = update(_REPLY).where(
    _REPLY.c.id == bindparam("this"), _REPLY.c.attempt == bindparam("this_attempt")
)
_CHECKPOINT = _THIS_ATTEMPT.values(
    status="streaming", text=bindparam("to_text"), reasoning=bindparam("to_reasoning")
)
_ENDING = (
    "status",
    "text",
    "reasoning",
    "text_sha256",
    "finish_reason",
    "metrics",
    "error",
    "timeline",
    "parts",
)
_END_REPLY = _THIS_ATTEMPT.values({column: bindparam(f"to_{column}") for column in _ENDING})
_SHOW_NONE = update(_REPLY).where(_REPLY.c.turn_id == bindparam("this")).values(released=None)
_SHOW_REPLY = update(_REPLY).where(_REPLY.c.id == bindparam("this")).values(released=bindparam("to_released"))
_DROP_REPLY = delete(_REPLY).where(_REPLY.c.id == bindparam("this"))
_KEPT = tuple(column.name for column in AttemptRow.table.columns if column.name != "reply_id")
_KEEP_ATTEMPT = insert(AttemptRow.table).from_select(
    ("reply_id", *_KEPT),
    # An attempt that ended has its digest; one that a crash interrupted is not kept.
    select(_REPLY.c.id, *(_REPLY.c[name] for name in _KEPT)).where(
        _REPLY.c.id == bindparam("this"), _REPLY.c.text_sha256.is_not(None)
    ),
)
_ATTACHED, _HAVING = AttachmentRow.c, TurnAttachmentRow.c
_ATTACH = insert(TurnAttachmentRow.table).from_select(
    ("turn_id", "sha256", "owner_id"),
    select(_TURN.c.id, _ATTACHED.sha256, _ATTACHED.owner_id)
    .join_from(_TURN, AttachmentRow.table, _ATTACHED.owner_id == _TURN.c.owner_id)
    .where(
        _TURN.c.id == bindparam("this"),
        _ATTACHED.sha256 == bindparam("this_sha256"),
        ~exists().where(_HAVING.turn_id == _TURN.c.id, _HAVING.sha256 == _ATTACHED.sha256),
    ),
)
_OWNER = select(_TURN.c.owner_id).where(_TURN.c.id == bindparam("this")).scalar_subquery()
_KEEP_WITH_TURNS = (
    update(AttachmentRow.table)
    .where(_ATTACHED.owner_id == _OWNER, _ATTACHED.sha256 == bindparam("this_sha256"))
    .values(kept_until=bindparam("now"))
)
_RECORD_CALL = insert(CallRow.table)
_LOG_EVENT = insert(TurnEventRow.table)
_FOR_LIBRARY = insert(EndedTurnRow.table)


_OF_TURN = TurnBegun | ReplyOpened | ReplyEnded | EventLogged | TurnEnded


class SqlTurnLog:
    """Records turns in the database; with a `replica_id`, only those that this replica owns."""

    def __init__(self, database: Database, clock: Clock, replica_id: str | None = None) -> None:
        self._database = database
        self._clock = clock
        self._replica_id = replica_id

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn. Raises NotFound."""
        return await self._database.read(lambda transaction: read_script(transaction, turn_id))

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that were running when the process ended, oldest first."""
        query = (
            select(TurnRow.c.id)
            .where(TurnRow.c.status == "running")
            .order_by(TurnRow.c.created_at, TurnRow.c.id)
        )
        return await self._database.read(lambda transaction: transaction.scalars(query))

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store the entries in one transaction; all or nothing. Raises Unavailable, TurnsLost."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        if self._replica_id is None:
            await self._database.write(lambda transaction: _store(transaction, entries, now))
        else:
            await self._write_own(entries, now, self._replica_id)

    async def _write_own(self, entries: Sequence[LogEntry], now: datetime, replica_id: str) -> None:
        """Leave out what belongs to turns of another replica, but never a call: it was made, and costs."""
        turns = {entry.turn_id for entry in entries if isinstance(entry, _OF_TURN)}

        def store(transaction: Transaction) -> frozenset[str]:
            lost = lost_turns(transaction, turns, replica_id)
            own = [each for each in entries if not (isinstance(each, _OF_TURN) and each.turn_id in lost)]
            _store(transaction, own, now)
            return lost

        if lost := await self._database.write(store):
            raise TurnsLost(lost)


def _store(transaction: Transaction, entries: Sequence[LogEntry], now: datetime) -> None:
    """Store the entries kind by kind, so that each finds the rows it changes.

    Entries of one kind for the same turn or reply keep their order, and no batch has more than one play of a turn: a
    turn's end is stored before it is played again.
    """
    kinds: dict[type, list[Any]] = {}
    for entry in entries:
        kinds.setdefault(type(entry), []).append(entry)
    for kind, write in _WRITERS.items():
        if kind in kinds:
            write(transaction, kinds[kind], now)


def _write_begun(transaction: Transaction, entries: list[TurnBegun], _: datetime) -> None:
    transaction.run(_BEGIN_TURN, [{"this": entry.turn_id, "to_play": entry.play} for entry in entries])


def _write_opened(transaction: Transaction, entries: list[ReplyOpened], _: datetime) -> None:
    rows = [
        {
            "id": entry.reply_id,
            "turn_id": entry.turn_id,
            "parent_reply_id": entry.parent_reply_id,
            "path": entry.path,
            "round": entry.round,
            "seat": entry.seat,
            "purpose": entry.purpose,
            "order": entry.order,
            "model_id": entry.model_id,
            "attempt": entry.attempt,
            "messages_sha256": entry.messages_sha256,
            **_FRESH,
        }
        for entry in entries
    ]
    again = [{"this": entry.reply_id} for entry in entries if entry.attempt > 1]
    if again:
        transaction.run(_KEEP_ATTEMPT, again)
    transaction.run(insert_or_replace(transaction, ReplyRow, "id", _RENEWED), rows)


def _write_text(transaction: Transaction, entries: list[ReplyText], _: datetime) -> None:
    rows = [
        {
            "this": entry.reply_id,
            "this_attempt": entry.attempt,
            "to_text": _storable(entry.text),
            "to_reasoning": _storable(entry.reasoning),
        }
        for entry in entries
    ]
    transaction.run(_CHECKPOINT, rows)


def _write_ended(transaction: Transaction, entries: list[ReplyEnded], now: datetime) -> None:
    rows: list[Values] = []
    for entry in entries:
        text = _storable(entry.text)
        rows.append(
            {
                "this": entry.reply_id,
                "this_attempt": entry.attempt,
                "to_status": entry.status,
                "to_text": text,
                "to_reasoning": _storable(entry.reasoning),
                "to_text_sha256": sha256_text(text),
                "to_finish_reason": entry.finish_reason,
                "to_metrics": entry.metrics,
                "to_error": entry.error,
                "to_timeline": entry.timeline,
                "to_parts": entry.parts or None,
            }
        )
    transaction.run(_END_REPLY, rows)
    attached = [
        {"this": entry.turn_id, "this_sha256": part.attached.sha256}
        for entry in entries
        for part in entry.parts
    ]
    if attached:
        transaction.run(_ATTACH, attached)
        transaction.run(_KEEP_WITH_TURNS, [{**each, "now": now} for each in attached])


def _write_calls(transaction: Transaction, entries: list[CallEnded], _: datetime) -> None:
    rows = [
        {
            **msgspec.structs.asdict(entry),
            "id": ordered_id(),
            "started_at": datetime.fromtimestamp(entry.started_at, UTC),
            # A model that is not in the catalog may have any name.
            "model_id": _storable(entry.model_id)[:64],
        }
        for entry in entries
    ]
    transaction.run(_RECORD_CALL, rows)


def _write_beside(transaction: Transaction, entries: list[Beside], _: datetime) -> None:
    for entry in entries:
        entry.write(transaction)


def _write_events(transaction: Transaction, entries: list[EventLogged], _: datetime) -> None:
    rows = [
        {
            "turn_id": entry.turn_id,
            "seq": entry.seq,
            "kind": entry.kind,
            "version": 1,
            "data": msgspec.Raw(entry.data),
        }
        for entry in entries
    ]
    transaction.run(_LOG_EVENT, rows)


def _write_turn_ended(transaction: Transaction, entries: list[TurnEnded], now: datetime) -> None:
    ended = [
        {
            "this": entry.turn_id,
            "to_status": entry.status,
            "to_error": entry.error,
            "to_ended_at": now,
        }
        for entry in entries
    ]
    transaction.run(_END_TURN, ended)
    transaction.run(_FOR_LIBRARY, [{"turn_id": entry.turn_id} for entry in entries])
    _write_released(
        transaction, {entry.turn_id: entry.released for entry in entries if entry.released is not None}
    )
    dropped = [{"this": reply_id} for entry in entries for reply_id in entry.dropped]
    if dropped:
        transaction.run(_DROP_REPLY, dropped)
    void = [{"this": entry.match_id, "to_void": entry.void} for entry in entries if entry.void is not None]
    if void:
        transaction.run(_VOID_MATCH, void)


def _write_released(transaction: Transaction, turns: dict[str, dict[str, int]]) -> None:
    """Store what blind viewers have seen of turns; other replies are unknown to them."""
    if turns:
        transaction.run(_SHOW_NONE, [{"this": turn_id} for turn_id in turns])
    shown = [
        {"this": reply_id, "to_released": end} for seen in turns.values() for reply_id, end in seen.items()
    ]
    if shown:
        transaction.run(_SHOW_REPLY, shown)


def _storable(text: str) -> str:
    """Return a text with U+FFFD for NUL and lone surrogates, which databases can't store."""
    return mend_surrogates(text).replace("\x00", "\ufffd")


_WRITERS: dict[type, Callable[[Transaction, list[Any], datetime], None]] = {
    TurnBegun: _write_begun,
    ReplyOpened: _write_opened,
    ReplyText: _write_text,
    ReplyEnded: _write_ended,
    CallEnded: _write_calls,
    EventLogged: _write_events,
    TurnEnded: _write_turn_ended,
    Beside: _write_beside,
}
"""In this order: see `_store`."""
