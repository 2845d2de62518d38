"""The turn log: implements the kernel's port `TurnLog` on the tables of conversations."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

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
from parley.storage.database import Database
from parley.storage.dialects import insert_into
from parley.storage.scripts import read_script
from parley.storage.tables.bookkeeping import LedgerEntry
from parley.storage.tables.conversations import Match, Reply, Turn, TurnEvent

_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
"""The escape of NUL, not preceded by an odd number of backslashes."""


class SqlTurnLog:
    """Records turns in the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn. Raises NotFound."""
        async with self._database.read() as session:
            return await read_script(session, turn_id)

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that were running when the process ended, oldest first."""
        async with self._database.read() as session:
            query = select(Turn.id).where(Turn.status == "running").order_by(Turn.created_at, Turn.id)
            return (await session.scalars(query)).all()

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store the entries in order, in one transaction; all or nothing. Raises Unavailable."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        async with self._database.write() as session:
            for kind, group in _runs(entries):
                await _WRITERS[kind](session, group, now)


def _runs(entries: Sequence[LogEntry]) -> list[tuple[type, list[Any]]]:
    """Group neighbours of one kind, so that each group is one statement."""
    runs: list[tuple[type, list[Any]]] = []
    for entry in entries:
        if runs and runs[-1][0] is type(entry):
            runs[-1][1].append(entry)
        else:
            runs.append((type(entry), [entry]))
    return runs


async def _write_begun(session: AsyncSession, entries: list[TurnBegun], _: datetime) -> None:
    for entry in entries:
        await session.execute(
            update(Turn)
            .where(Turn.id == entry.turn_id)
            .values(status="running", play=entry.play, error=None, released=None)
        )


async def _write_opened(session: AsyncSession, entries: list[ReplyOpened], _: datetime) -> None:
    fresh = {"status": "waiting", "text": "", "reasoning": "", "timeline": None, "text_sha256": None}
    cleared = {"finish_reason": None, "metrics": None, "error": None}
    for entry in entries:
        row = {
            "id": entry.reply_id,
            "turn_id": entry.turn_id,
            "parent_reply_id": entry.parent_reply_id,
            "path": entry.path,
            "round": entry.round,
            "seat": entry.seat,
            "purpose": entry.purpose,
            "model_id": entry.model_id,
            "attempt": entry.attempt,
            "messages_sha256": entry.messages_sha256,
        }
        statement = insert_into(session, Reply).values(**row, **fresh)
        renewed = {key: row[key] for key in ("attempt", "model_id", "messages_sha256")}
        again = {**renewed, **fresh, **cleared}
        await session.execute(statement.on_conflict_do_update(index_elements=[Reply.id], set_=again))


async def _write_text(session: AsyncSession, entries: list[ReplyText], _: datetime) -> None:
    for entry in entries:
        await session.execute(
            update(Reply)
            .where(Reply.id == entry.reply_id, Reply.attempt == entry.attempt)
            .values(status="streaming", text=_storable(entry.text), reasoning=_storable(entry.reasoning))
        )


async def _write_ended(session: AsyncSession, entries: list[ReplyEnded], _: datetime) -> None:
    for entry in entries:
        text = _storable(entry.text)
        await session.execute(
            update(Reply)
            .where(Reply.id == entry.reply_id, Reply.attempt == entry.attempt)
            .values(
                status=entry.status,
                text=text,
                reasoning=_storable(entry.reasoning),
                text_sha256=sha256_text(text),
                finish_reason=entry.finish_reason,
                metrics=_document(entry.metrics),
                error=_document(entry.error),
                timeline=entry.timeline,
            )
        )


async def _write_spent(session: AsyncSession, entries: list[Spent], now: datetime) -> None:
    rows = [{**msgspec.structs.asdict(entry), "id": ordered_id(), "created_at": now} for entry in entries]
    await session.execute(insert(LedgerEntry), rows)


async def _write_events(session: AsyncSession, entries: list[EventLogged], _: datetime) -> None:
    rows = [
        {
            "turn_id": entry.turn_id,
            "seq": entry.seq,
            "kind": entry.kind,
            "version": 1,
            "data": msgspec.json.decode(_without_nul(entry.data)),
        }
        for entry in entries
    ]
    await session.execute(insert(TurnEvent), rows)


async def _write_turn_ended(session: AsyncSession, entries: list[TurnEnded], _: datetime) -> None:
    for entry in entries:
        await session.execute(
            update(Turn)
            .where(Turn.id == entry.turn_id)
            .values(status=entry.status, error=_document(entry.error), released=entry.released)
        )
        if entry.void is not None:
            await session.execute(
                update(Match)
                .where(Match.id == entry.match_id, Match.status == "open")
                .values(status="void", void=_document(entry.void))
            )


def _storable(text: str) -> str:
    """PostgreSQL cannot hold NUL in a text, and no database a lone surrogate; U+FFFD stands for them."""
    return mend_surrogates(text).replace("\x00", "\ufffd")


def _document(value: msgspec.Struct | None) -> Any:
    """Return a value as a JSON column takes it."""
    return msgspec.json.decode(_without_nul(msgspec.json.encode(value)))


def _without_nul(data: bytes) -> bytes:
    """Do the same in JSON, where NUL is always written as an escape."""
    return _NUL.sub(rb"\1\\ufffd", data) if b"\\u0000" in data else data


_WRITERS: dict[type, Callable[[AsyncSession, list[Any], datetime], Any]] = {
    TurnBegun: _write_begun,
    ReplyOpened: _write_opened,
    ReplyText: _write_text,
    ReplyEnded: _write_ended,
    Spent: _write_spent,
    EventLogged: _write_events,
    TurnEnded: _write_turn_ended,
}
