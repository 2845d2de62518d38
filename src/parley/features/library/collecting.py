"""Collecting: pictures, files and named code blocks of ended turns come into the library."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime

import msgspec

from parley.engine.loop import Loop
from parley.features.library.code_blocks import code_blocks
from parley.features.library.collecting_repository import CollectingRepository, EndedTurn
from parley.kernel.ids import ordered_id
from parley.kernel.messages import ReplyPart, sha256_text
from parley.kernel.tools import last_steps
from parley.storage.database import Database, Transaction
from parley.storage.tables.assets import AssetRow
from parley.storage.tables.conversations import ReplyRow
from parley.text.folding import folded
from parley.text.titles import title_of

EVERY_S = 5.0
BATCH = 8
RUN_S = 1.0
WORDS = 600
"""The characters of a prompt by which search finds what it made."""


class Collecting:
    """Brings ended turns into the library soon after they end, and immediately before it is listed."""

    def __init__(self, database: Database, leads: Callable[[], bool] = lambda: True) -> None:
        self._database = database
        self._loop = Loop("parley-library", self._run, every_s=EVERY_S, soon_s=0.0, leads=leads)

    def start(self) -> None:
        """Start to collect; needs a running loop."""
        self._loop.start()

    async def close(self) -> None:
        """Stop; the remaining turns are collected after the next start."""
        await self._loop.close()

    async def catch_up(self) -> int:
        """Collect the latest ended turns; return how many. Raises DatabaseBusy."""
        collected = await self._database.read(_read)
        if collected:
            await self._database.write(lambda transaction: _store(transaction, collected))
        return len(collected)

    async def _run(self, _due: bool) -> float | None:
        began = before = time.monotonic()
        while before - began < RUN_S:
            if await self.catch_up() < BATCH:
                return None
            # Votes and turns also write: they get most of the time.
            await asyncio.sleep(3 * (time.monotonic() - before))
            before = time.monotonic()
        return 0.0


def _read(transaction: Transaction) -> list[tuple[EndedTurn, list[AssetRow]]]:
    repository = CollectingRepository(transaction)
    return [(each, _made(each, repository.prompts(each.turn))) for each in repository.waiting(BATCH)]


def _store(transaction: Transaction, collected: list[tuple[EndedTurn, list[AssetRow]]]) -> None:
    repository = CollectingRepository(transaction)
    for ended, rows in collected:
        repository.store(ended, rows)


def _made(ended: EndedTurn, prompt: str) -> list[AssetRow]:
    """Return what the replies of a turn have made."""
    if ended.turn.status == "running" or (ended.match.blind and ended.turn.status != "completed"):
        return []
    return [
        row
        for reply in last_steps(ended.replies)
        for row in (*_parts(ended, reply, prompt), *_code(ended, reply, prompt))
    ]


def _parts(ended: EndedTurn, reply: ReplyRow, prompt: str) -> list[AssetRow]:
    rows: list[AssetRow] = []
    for number, part in enumerate(msgspec.convert(reply.parts or [], list[ReplyPart])):
        file = part.attached
        picture = file.media_type.startswith("image/")
        row = asset_of(ended, reply, "picture" if picture else "file", number)
        row.title = title_of(prompt) or file.name if picture else file.name
        row.words = folded(f"{row.title} {prompt[:WORDS]}")
        row.media_type, row.size, row.sha256 = file.media_type, file.size, file.sha256
        row.width, row.height = file.width, file.height
        rows.append(row)
    return rows


def _code(ended: EndedTurn, reply: ReplyRow, prompt: str) -> list[AssetRow]:
    rows: list[AssetRow] = []
    for block in code_blocks(reply.text) if reply.status == "completed" else ():
        row = asset_of(ended, reply, block.kind, block.number)
        row.title = block.name
        row.words = folded(f"{block.name} {prompt[:WORDS]}")
        row.size, row.sha256 = len(block.text.encode("utf-8", "replace")), sha256_text(block.text)
        rows.append(row)
    return rows


def asset_of(ended: EndedTurn, reply: ReplyRow, kind: str, part: int | None) -> AssetRow:
    """Return the row of something in a reply, to be completed."""
    return AssetRow(
        id=ordered_id(),
        owner_id=ended.turn.owner_id,
        space_id=ended.turn.owner_id,
        origin="reply",
        kind=kind,
        title="",
        words="",
        media_type="text/plain",
        size=0,
        sha256="",
        created_at=_ended_at(ended),
        session_id=ended.turn.session_id,
        match_id=ended.match.id,
        turn_id=ended.turn.id,
        reply_id=reply.id,
        part=part,
        model_id=reply.model_id,
        veiled=ended.match.blind,
    )


def _ended_at(ended: EndedTurn) -> datetime:
    return ended.turn.ended_at or ended.turn.created_at
