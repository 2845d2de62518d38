"""Loads a file into an import that nobody sees yet."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from parley.features.imports.repository import ImportsRepository
from parley.features.imports.schemas import ImportProgress, ImportReport, ImportView
from parley.features.vote_files.columns import READ
from parley.features.vote_files.parsing import FileVote
from parley.storage.database import Database
from parley.storage.tables.imports import ImportRow
from parley.storage.transaction import Transaction

if TYPE_CHECKING:  # it loads NumPy, which a server need not load to start
    from parley.features.imports.reader import VoteFileReader

BATCH_VOTES = 4_000
"""Votes in one transaction: about fifty milliseconds, for which others wait."""

READING_SHARE = 0.95


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of an import. `skip_bad` imports the good rows although others are bad; `preview` stores nothing."""

    skip_bad: bool = False
    preview: bool = False
    bad_file: Path | None = None


class Load:
    """Reads a file into an import that is not complete; a preview stores nothing."""

    def __init__(
        self, database: Database, reader: "VoteFileReader", row: ImportRow, options: ImportOptions
    ) -> None:
        self._database, self._reader, self._row, self._options = database, reader, row, options
        self._imported = self._not_counted = self._here = 0

    async def run(self) -> AsyncGenerator[ImportProgress]:
        """Read and store to the end, the next batch while one is stored. Raises Invalid."""
        reader = self._reader
        has_cast_here = await self._database.read(lambda it: ImportsRepository(it).has_cast_here())
        following = asyncio.ensure_future(asyncio.to_thread(reader.take, BATCH_VOTES))
        try:
            ended = False
            while not ended:
                await asyncio.wait([following])
                votes, ended = following.result(), reader.ended
                progress = self._progress()
                if not ended:
                    following = asyncio.ensure_future(asyncio.to_thread(reader.take, BATCH_VOTES))
                await self._add(await self._new(votes) if has_cast_here else votes)
                yield progress
        finally:
            reader.stop()
            await asyncio.wait([following])
            if not following.cancelled():
                following.exception()  # whoever ends early does not ask for it
            reader.close()

    def report(self, earlier: ImportView | None) -> ImportReport:
        """Return what the file held."""
        reader = self._reader
        return ImportReport(
            read=reader.read,
            imported=self._imported,
            not_counted=self._not_counted,
            duplicates=reader.duplicates + self._here,
            bad=reader.bad,
            bad_rows=reader.bad_rows,
            models=reader.models,
            preview=self._options.preview,
            columns=[it for it in reader.columns if it in READ],
            ignored=[it for it in reader.columns if it not in READ],
            categories=reader.categories,
            first_rows=reader.first_rows,
            earlier=earlier,
        )

    async def _new(self, votes: list[FileVote]) -> list[FileVote]:
        ids = [vote.source for vote in votes if vote.source and _is_id(vote.source)]
        if not ids:
            return votes
        here = await self._database.read(lambda it: ImportsRepository(it).cast_here(ids))
        self._here += sum(vote.source in here for vote in votes)
        return [vote for vote in votes if vote.source not in here]

    async def _add(self, votes: list[FileVote]) -> None:
        row, first = self._row, self._imported + 1
        self._imported += len(votes)
        self._not_counted += sum(vote.reason is not None or vote.kind != "blind" for vote in votes)
        row.duplicates, row.bad_rows = self._reader.duplicates + self._here, self._reader.bad
        # Nothing will be imported once a row is bad, unless it may be skipped.
        if not votes or self._options.preview or (row.bad_rows and not self._options.skip_bad):
            return
        is_new, row.votes = row.votes == 0, self._imported

        def store(transaction: Transaction) -> None:
            repository = ImportsRepository(transaction)
            if is_new:
                repository.begin(row)
            repository.load(row.id, first, votes, row.created_at)

        await self._database.write(store)

    def _progress(self) -> ImportProgress:
        reader = self._reader
        return ImportProgress(
            read=reader.read,
            imported=self._imported,
            duplicates=reader.duplicates + self._here,
            bad=reader.bad,
            total=reader.total,
            done=round(reader.share() * READING_SHARE, 4),
        )


def _is_id(text: str) -> bool:
    return len(text) == 32 and not text.strip("0123456789abcdef")
