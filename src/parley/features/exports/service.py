"""Use cases of exports: everybody's sessions and votes as one file, page after page."""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from parley import __version__
from parley.features.accounts.service import AccountsService
from parley.features.exports.anonymising import GUARANTEES, Anonymiser
from parley.features.exports.cleaning import Cleaner
from parley.features.exports.layout import NOUNS, ExportPlan, Record, TableName
from parley.features.exports.repository import ExportsRepository
from parley.features.exports.writers import ExportWriter, writer_of
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction

log = logging.getLogger(__name__)

KeyT = TypeVar("KeyT", str, int)

PAGE, PAGE_OF_SESSIONS = 2_000, 50
"""Records, or sessions with their texts, in memory at a time."""

Change = Callable[[str, Record], Record]


class Exports:
    """Writes sessions, turns, replies and votes of everybody; nothing of a blind match before its vote."""

    def __init__(self, database: Database, clock: Clock, card: Callable[[str], ModelCard]) -> None:
        self._database = database
        self._clock = clock
        self._card = card

    async def write(
        self, caller: Caller, plan: ExportPlan, written: Callable[[int, int], None] = lambda _done, _of: None
    ) -> AsyncGenerator[bytes]:
        """Yield the file's bytes; `written` gets the number of sessions, votes and calls so far, and of all."""
        log.info(
            "%s exports everything as %s%s", caller, plan.kind, ", anonymised" if plan.anonymised else ""
        )
        writer = writer_of(plan)
        about = self._about(plan)
        if start := writer.start(about):
            yield start
        records: dict[str, int] = dict.fromkeys(plan.tables, 0)
        change = await self._anonymising() if plan.anonymised else _unchanged
        keys = await self._database.read(lambda transaction: _keys(transaction, plan))
        total, done = sum(map(len, keys.values())), 0
        for table, of_table in keys.items():
            if plan.anonymised:
                random.SystemRandom().shuffle(of_table)
            size = PAGE_OF_SESSIONS if table == "sessions" else PAGE
            for page in (of_table[start : start + size] for start in range(0, len(of_table), size)):
                read = await self._database.read(
                    lambda transaction, table=table, page=page: _read(transaction, plan, table, page)
                )
                data = await asyncio.to_thread(_add, writer, plan, read, change)
                for name, of_page in read.items():
                    records[name] += len(of_page)
                if data:
                    yield data
                done += len(page)
                written(done, total)
        yield await asyncio.to_thread(writer.end, {**about, "records": records})

    async def _anonymising(self) -> Change:
        names = await self._database.read(AccountsService.names_of_everybody)
        voters = await self._database.read(lambda transaction: ExportsRepository(transaction).voters())
        return Anonymiser(Cleaner(names), voters, self._is_single).change

    def _is_single(self, model_id: str) -> bool:
        """Return whether a model is no ensemble: those have names that people gave them."""
        try:
            return self._card(model_id).kind == "single"
        except NotFound:
            return False

    def _about(self, plan: ExportPlan) -> dict[str, object]:
        day = datetime.fromtimestamp(self._clock.now(), UTC).date().isoformat()
        guarantees = {"guarantees": GUARANTEES} if plan.anonymised else {}
        made_by = {"made_by": f"Parley {__version__}", "day": day}
        return {**made_by, "anonymised": plan.anonymised, "votes_only": plan.votes_only, **guarantees}


def _unchanged(noun: str, record: Record) -> Record:  # noqa: ARG001 - as an anonymiser takes it
    return record


def _keys(transaction: Transaction, plan: ExportPlan) -> dict[TableName, list[str] | list[int]]:
    """Return the keys of what is read page by page, by table."""
    repository = ExportsRepository(transaction)
    keys: dict[TableName, list[str] | list[int]] = {}
    if "sessions" in plan.tables:
        keys["sessions"] = list(repository.session_ids())
    keys["votes"] = list(repository.vote_numbers())
    if "calls" in plan.tables:
        keys["calls"] = list(repository.call_ids())
    return keys


def _read(
    transaction: Transaction, plan: ExportPlan, table: TableName, keys: Sequence[str] | Sequence[int]
) -> Mapping[TableName, list[Record]]:
    """Return the records of a page, by table; sessions come with their turns and replies."""
    repository = ExportsRepository(transaction)
    if table == "votes":
        records = repository.votes([int(key) for key in keys])
        shown = plan.tables["votes"]
        return {"votes": [{name: record[name] for name in shown} for record in records]}
    ids = [str(key) for key in keys]
    if table == "calls":
        return {"calls": repository.calls(ids)}
    return {
        "sessions": repository.sessions(ids),
        "turns": repository.turns(ids),
        "replies": repository.replies(ids),
    }


def _add(
    writer: ExportWriter, plan: ExportPlan, read: Mapping[TableName, list[Record]], change: Change
) -> bytes:
    """Write a page. Runs in a thread: cleaning texts takes longer than other requests can wait."""
    rng = random.SystemRandom()
    parts: list[bytes] = []
    for table, records in read.items():
        changed = [change(NOUNS[table], record) for record in records]
        if plan.anonymised:
            rng.shuffle(changed)
        parts.append(writer.add(table, changed))
    return b"".join(parts)
