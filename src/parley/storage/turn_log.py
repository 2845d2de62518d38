"""The turn log: implements the kernel's port `TurnLog` on the tables of conversations."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from parley.kernel.ids import ordered_id
from parley.kernel.messages import mend_surrogates, sha256_text
from parley.kernel.ports import (
    Clock,
    EventLogged,
    LogEntry,
    ReplyEnded,
    ReplyOpened,
    ReplyText,
    Spent,
    TurnBegun,
    TurnEnded,
    TurnScript,
)
from parley.storage.database import Database, Transaction
from parley.storage.dialects import insert_or_replace
from parley.storage.scripts import read_script
from parley.storage.tables.bookkeeping import LedgerEntry
from parley.storage.tables.conversations import Match, Reply, ReplyAttempt, Turn, TurnEvent
from parley.storage.tables.declared import core

Row: TypeAlias = dict[str, Any]

_MATCH, _REPLY, _TURN = core(Match), core(Reply), core(Turn)
_FRESH: Row = {
    "status": "waiting",
    "text": "",
    "released": None,
    "reasoning": "",
    "timeline": None,
    "text_sha256": None,
    "finish_reason": None,
    "metrics": None,
    "error": None,
}
_RENEWED = ("order", "attempt", "model_id", "messages_sha256", *_FRESH)
"""What a new attempt changes in its reply's row."""

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
_ENDING = ("status", "text", "reasoning", "text_sha256", "finish_reason", "metrics", "error", "timeline")
_END_REPLY = _THIS_ATTEMPT.values({column: bindparam(f"to_{column}") for column in _ENDING})
_SHOW_NONE = update(_REPLY).where(_REPLY.c.turn_id == bindparam("this")).values(released=None)
_SHOW_REPLY = update(_REPLY).where(_REPLY.c.id == bindparam("this")).values(released=bindparam("to_released"))
_DROP_REPLY = delete(_REPLY).where(_REPLY.c.id == bindparam("this"))
_KEPT = tuple(column.name for column in core(ReplyAttempt).columns if column.name != "reply_id")
_KEEP_ATTEMPT = insert(core(ReplyAttempt)).from_select(
    ("reply_id", *_KEPT),
    # An attempt that ended has its digest; one that a crash interrupted is not kept.
    select(_REPLY.c.id, *(_REPLY.c[name] for name in _KEPT)).where(
        _REPLY.c.id == bindparam("this"), _REPLY.c.text_sha256.is_not(None)
    ),
)
_SPEND = insert(core(LedgerEntry))
_LOG_EVENT = insert(core(TurnEvent))


class SqlTurnLog:
    """Records turns in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn. Raises NotFound."""
        return await self._database.read(lambda transaction: read_script(transaction, turn_id))

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that were running when the process ended, oldest first."""
        query = select(Turn.id).where(Turn.status == "running").order_by(Turn.created_at, Turn.id)
        return await self._database.read(lambda transaction: transaction.scalars(query).all())

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store the entries in one transaction; all or nothing. Raises Unavailable."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        await self._database.write(lambda transaction: _store(transaction, entries, now))


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
    transaction.run(insert_or_replace(transaction, Reply, "id", _RENEWED), rows)


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


def _write_ended(transaction: Transaction, entries: list[ReplyEnded], _: datetime) -> None:
    rows: list[Row] = []
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
            }
        )
    transaction.run(_END_REPLY, rows)


def _write_spent(transaction: Transaction, entries: list[Spent], now: datetime) -> None:
    rows = [{**msgspec.structs.asdict(entry), "id": ordered_id(), "created_at": now} for entry in entries]
    transaction.run(_SPEND, rows)


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
    Spent: _write_spent,
    EventLogged: _write_events,
    TurnEnded: _write_turn_ended,
}
"""In this order: see `_store`."""
