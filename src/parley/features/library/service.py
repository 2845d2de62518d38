"""Use cases of the library: list, look up, keep, export, upload, change, delete with undo."""

import asyncio
import base64
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from parley.features.attachments.service import AttachmentsService, Served
from parley.features.catalog.memory import ModelMemory
from parley.features.library.assets import file_row, kept_trial_row, made_row, row_of_reply, trial_rows
from parley.features.library.collecting import Collecting
from parley.features.library.reading import AssetReading
from parley.features.library.repository import LibraryRepository
from parley.features.library.schemas import (
    AssetCard,
    AssetFilter,
    AssetMade,
    AssetOrigin,
    AssetPage,
    AssetView,
    ChangeAsset,
    KeepExport,
    KindCount,
    LibraryChoices,
    SessionChoice,
)
from parley.features.library.trials import MadeText, TrialReader
from parley.features.session_files.schemas import ExportSessions
from parley.features.session_files.service import SessionFiles
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.messages import Attached
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.tables.assets import AssetRow
from parley.text.folding import folded

ALIKE = 8
SESSIONS = 200
RESTORABLE = timedelta(days=7)


class LibraryService:
    """The things that a person, or a workspace, has made; read where they were made."""

    def __init__(
        self,
        *,
        database: Database,
        collecting: Collecting,
        attachments: AttachmentsService,
        files: SessionFiles,
        memory: ModelMemory,
        clock: Clock,
    ) -> None:
        self._database = database
        self._collecting = collecting
        self._attachments = attachments
        self._files = files
        self._reading = AssetReading(memory)
        self._clock = clock

    async def page(self, caller: Caller, wanted: AssetFilter, *, limit: int, cursor: str | None) -> AssetPage:
        """Return a page of the library, with the counts over all of it. Raises Invalid for a foreign cursor."""
        await self._collecting.catch_up()
        after = _decode(cursor) if cursor else None
        wanted = msgspec.structs.replace(wanted, search=folded(wanted.search))

        def read(transaction: Transaction) -> AssetPage:
            repository = LibraryRepository(transaction)
            rows = repository.page(caller.person_id, wanted, limit=limit, after=after)
            page = AssetPage(
                assets=self._reading.cards(transaction, rows),
                total=None,
                size=None,
                kinds=[],
                next_cursor=_encode(rows[-1]) if len(rows) == limit else None,
            )
            if after is not None:
                return page
            counts = repository.counts(caller.person_id, wanted, rows if len(rows) < limit else None)
            return _counted(page, counts, wanted.kind)

        look = self._database.search if wanted.search else self._database.read
        return await look(read)

    async def choices(self, caller: Caller) -> LibraryChoices:
        """Return what the library can be filtered by."""

        def read(transaction: Transaction) -> LibraryChoices:
            models, tags, sessions = LibraryRepository(transaction).choices(caller.person_id, SESSIONS)
            return LibraryChoices(
                models=models, tags=tags, sessions=[SessionChoice(*each) for each in sessions]
            )

        return await self._database.read(read)

    async def view(self, caller: Caller, asset_id: str) -> AssetView:
        """Return something with its source as it is now. Raises NotFound."""

        def read(transaction: Transaction) -> AssetView:
            repository = LibraryRepository(transaction)
            row = repository.get(caller.person_id, asset_id)
            origin = repository.origin(row)
            cards = self._reading.cards(transaction, [row, *(repository.alike(row, ALIKE) if origin else ())])
            return AssetView(
                asset=cards[0],
                tags=repository.tags(row.id),
                source=self._reading.source(transaction, row, origin),
                alike=cards[1:],
            )

        return await self._database.read(read)

    async def content(self, caller: Caller, asset_id: str) -> Served | tuple[str, bytes]:
        """Return a file, or a text's name and bytes. Raises NotFound."""

        def read(transaction: Transaction) -> tuple[AssetRow, str | None]:
            repository = LibraryRepository(transaction)
            row = repository.get(caller.person_id, asset_id)
            return row, self._reading.text(transaction, row)

        row, text = await self._database.read(read)
        if text is not None:
            return f"{row.title}.md" if row.kind == "text" else row.title, text.encode("utf-8", "replace")
        return await self._attachments.find(caller, row.sha256)

    async def keep(self, caller: Caller, reply_id: str) -> AssetCard:
        """Keep a whole reply. Raises NotFound, and Conflict while it is incomplete or blind."""

        def store(transaction: Transaction) -> AssetCard:
            repository = LibraryRepository(transaction)
            reply, turn, match = repository.own_reply(caller.person_id, reply_id)
            if reply.status != "completed" or (match.blind and match.status == "open"):
                raise Conflict(
                    "This reply can't be kept yet.",
                    "Wait until it is complete. In a battle, vote first.",
                    code="reply_not_complete",
                )
            row = repository.add(row_of_reply(reply, turn, match, self._now()))
            return self._reading.cards(transaction, [row])[0]

        return await self._database.write(store)

    async def export(self, caller: Caller, request: KeepExport) -> AssetCard:
        """Export a session into the library. Raises NotFound."""
        wanted = ExportSessions(ids=[request.session_id], format=request.format)
        name, content = await self._files.export(caller, wanted)
        attached = await self._attachments.store(caller.person_id, content, name)
        return await self._add(file_row(caller, attached, "export", self._now(), request.session_id))

    async def upload(
        self,
        caller: Caller,
        path: Path,
        name: str,
        origin: AssetOrigin = "upload",
        session_id: str | None = None,
    ) -> AssetCard:
        """Add an uploaded file, or an export of a session that the client has written. Raises Invalid, Unavailable."""
        attached = await self._attachments.add(caller, path, name)
        return await self._add(file_row(caller, attached, origin, self._now(), session_id))

    async def add_made(self, caller: Caller, attached: Attached, made: AssetMade) -> AssetCard:
        """Add something that a program had made and that is stored already."""
        return await self._add(made_row(caller, attached, made, self._now()))

    def read_trials(self, trials: TrialReader) -> None:
        """Read the answers of trials there."""
        self._reading.trials = trials

    def collect(self, transaction: Transaction, made: MadeText) -> None:
        """Add the named code of a trial's answer."""
        repository = LibraryRepository(transaction)
        for row in trial_rows(made):
            repository.add(row)

    def keep_trial(self, transaction: Transaction, made: MadeText) -> AssetCard:
        """Keep a trial's whole answer."""
        row = LibraryRepository(transaction).add(kept_trial_row(made))
        return self._reading.cards(transaction, [row])[0]

    async def change(self, caller: Caller, asset_id: str, request: ChangeAsset) -> AssetView:
        """Change a title, or replace the tags. Raises NotFound."""

        def store(transaction: Transaction) -> None:
            repository = LibraryRepository(transaction)
            row = repository.get(caller.person_id, asset_id)
            if request.title is not None:
                repository.change(row.id, title=request.title, words=f"{folded(request.title)} {row.words}")
            if request.tags is not None:
                repository.set_tags(row.id, request.tags)

        await self._database.write(store)
        return await self.view(caller, asset_id)

    async def delete(self, caller: Caller, asset_id: str) -> None:
        """Take something out of the library; its conversation keeps it. Raises NotFound."""
        now = self._now()

        def store(transaction: Transaction) -> None:
            repository = LibraryRepository(transaction)
            repository.change(repository.get(caller.person_id, asset_id).id, deleted_at=now)

        await self._database.write(store)

    async def restore(self, caller: Caller, asset_id: str) -> AssetCard:
        """Put something back. Raises NotFound."""

        def store(transaction: Transaction) -> AssetCard:
            repository = LibraryRepository(transaction)
            row = repository.get(caller.person_id, asset_id, deleted=True)
            repository.change(row.id, deleted_at=None)
            return self._reading.cards(transaction, [row])[0]

        return await self._database.write(store)

    async def purge(self) -> None:
        """Forget uploads and exports that were deleted days ago; their files follow."""
        before = self._now() - RESTORABLE
        await self._database.write(lambda transaction: LibraryRepository(transaction).purge(before))

    async def count_apart(self, before: datetime | None) -> int:
        """Return how many of everybody's things belong to no conversation, and were added before a time, or at all."""
        return await self._database.read(
            lambda transaction: LibraryRepository(transaction).count_apart(before)
        )

    async def forget_apart(self, before: datetime) -> int:
        """Delete those that were added before a time; their owners can restore them for some days."""
        now = self._now()
        return await self._database.write(
            lambda transaction: LibraryRepository(transaction).delete_apart(before, now)
        )

    async def count(self, caller: Caller) -> int:
        """Return how many things the caller has in the library."""
        return await self._database.read(
            lambda transaction: LibraryRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Empty the caller's library; return how many things there were."""
        return await self._database.write(
            lambda transaction: LibraryRepository(transaction).remove_all(caller.person_id)
        )

    def new_upload(self) -> Path:
        """Return a new folder for one upload. Raises OSError."""
        return self._attachments.new_upload()

    async def end_upload(self, folder: Path) -> None:
        """Delete the folder of an upload."""
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _add(self, row: AssetRow) -> AssetCard:
        def store(transaction: Transaction) -> AssetCard:
            return self._reading.cards(transaction, [LibraryRepository(transaction).add(row)])[0]

        return await self._database.write(store)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _counted(page: AssetPage, counts: Mapping[str, tuple[int, int]], kind: str | None) -> AssetPage:
    """Return the first page with the counts of its kind, and the number of each."""
    shown = [figures for name, figures in counts.items() if kind in (None, name)]
    return msgspec.structs.replace(
        page,
        total=sum(count for count, _ in shown),
        size=sum(size for _, size in shown),
        kinds=[KindCount(msgspec.convert(name, Any), count) for name, (count, _) in counts.items()],
    )


def _encode(row: AssetRow) -> str:
    return base64.urlsafe_b64encode(f"{row.created_at.isoformat()} {row.id}".encode()).decode()


def _decode(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, asset_id = base64.urlsafe_b64decode(cursor.encode()).decode("ascii").partition(" ")
        when = datetime.fromisoformat(moment).astimezone(UTC)
        int(asset_id, 16)
    except (ValueError, OverflowError):
        raise Invalid("cursor", "cursor: is not a cursor of this list.", "Start again without it.") from None
    return when, asset_id
