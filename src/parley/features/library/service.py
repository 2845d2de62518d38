"""Use cases of the library: list, look up, keep, export, upload, change, delete with undo."""

import asyncio
import base64
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from parley.features.attachments.service import AttachmentsService, Served
from parley.features.catalog.memory import ModelMemory
from parley.features.library.assets import card_of, file_row, kept_row, made_row, program_source, source_of
from parley.features.library.collecting import Collecting
from parley.features.library.found_code import code_block
from parley.features.library.repository import LibraryRepository, Origin
from parley.features.library.schemas import (
    AssetCard,
    AssetFilter,
    AssetMade,
    AssetOrigin,
    AssetPage,
    AssetSource,
    AssetView,
    ChangeAsset,
    KeepExport,
    KindCount,
    LibraryChoices,
    SessionChoice,
)
from parley.features.session_files.schemas import ExportSessions
from parley.features.session_files.service import SessionFiles
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.messages import Attached
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.tables.assets import AssetRow
from parley.text.folding import folded

EXCERPT = 400
"""The characters of a text that its card shows."""

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
        self._memory = memory
        self._clock = clock

    async def page(self, caller: Caller, wanted: AssetFilter, *, limit: int, cursor: str | None) -> AssetPage:
        """Return a page of the library, with the counts over all of it. Raises Invalid for a foreign cursor."""
        await self._collecting.catch_up()
        after = _decode(cursor) if cursor else None
        wanted = msgspec.structs.replace(wanted, search=folded(wanted.search))

        def read(transaction: Transaction) -> AssetPage:
            repository = LibraryRepository(transaction)
            rows = repository.page(caller.person_id, wanted, limit=limit, after=after)
            counts = repository.counts(caller.person_id, wanted)
            shown = [each for each in counts if wanted.kind in (None, each[0])]
            return AssetPage(
                assets=_cards(repository, rows),
                total=sum(count for _, count, _ in shown),
                size=sum(size for _, _, size in shown),
                kinds=[KindCount(msgspec.convert(kind, Any), count) for kind, count, _ in counts],
                next_cursor=_encode(rows[-1]) if len(rows) == limit else None,
            )

        return await self._database.read(read)

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
            cards = _cards(repository, [row, *(repository.alike(row, ALIKE) if origin else ())])
            return AssetView(
                asset=cards[0],
                tags=repository.tags(row.id),
                source=self._source(row, origin),
                alike=cards[1:],
            )

        return await self._database.read(read)

    async def content(self, caller: Caller, asset_id: str) -> Served | tuple[str, bytes]:
        """Return a file, or a text's name and bytes. Raises NotFound."""

        def read(transaction: Transaction) -> tuple[AssetRow, str | None]:
            repository = LibraryRepository(transaction)
            row = repository.get(caller.person_id, asset_id)
            if row.origin != "kept" and row.kind not in ("code", "table"):
                return row, None
            reply, _, _ = repository.own_reply(caller.person_id, row.reply_id or "")
            return row, reply.text if row.part is None else code_block(reply.text, row.part)

        row, text = await self._database.read(read)
        if text is not None:
            return row.title if row.origin == "reply" else f"{row.title}.md", text.encode("utf-8", "replace")
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
            row = repository.add(kept_row(reply, turn, match, self._now()))
            return _cards(repository, [row])[0]

        return await self._database.write(store)

    async def export(self, caller: Caller, request: KeepExport) -> AssetCard:
        """Export a session into the library. Raises NotFound."""
        wanted = ExportSessions(ids=[request.session_id], format=request.format)
        name, content = await self._files.export(caller, wanted)
        attached = await self._attachments.store(caller.person_id, content, name)
        return await self._add(file_row(caller, attached, "export", self._now()))

    async def upload(
        self, caller: Caller, path: Path, name: str, origin: AssetOrigin = "upload"
    ) -> AssetCard:
        """Add an uploaded file. Raises Invalid, Unavailable."""
        attached = await self._attachments.add(caller, path, name)
        return await self._add(file_row(caller, attached, origin, self._now()))

    async def add_made(self, caller: Caller, attached: Attached, made: AssetMade) -> AssetCard:
        """Add something that a program had made and that is stored already."""
        return await self._add(made_row(caller, attached, made, self._now()))

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
            return _cards(repository, [row])[0]

        return await self._database.write(store)

    async def purge(self) -> None:
        """Forget uploads and exports that were deleted days ago; their files follow."""
        before = self._now() - RESTORABLE
        await self._database.write(lambda transaction: LibraryRepository(transaction).purge(before))

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

    def _source(self, row: AssetRow, origin: Origin | None) -> AssetSource | None:
        if origin is not None:
            return source_of(origin, self._memory.card)
        made = msgspec.convert(row.made, AssetMade) if row.made else None
        return program_source(made, self._memory.card) if made else None

    async def _add(self, row: AssetRow) -> AssetCard:
        def store(transaction: Transaction) -> AssetCard:
            repository = LibraryRepository(transaction)
            return _cards(repository, [repository.add(row)])[0]

        return await self._database.write(store)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _cards(repository: LibraryRepository, rows: list[AssetRow]) -> list[AssetCard]:
    """Return rows as they are listed, with the beginnings of their texts."""
    made = [row.reply_id for row in rows if row.reply_id]
    texts = [row.reply_id for row in rows if row.reply_id and row.kind in ("code", "table", "text")]
    beginnings = repository.texts(texts, 60_000) if texts else {}
    preferred = repository.preferred(made) if made else set[str]()
    cards: list[AssetCard] = []
    for row in rows:
        text = beginnings.get(row.reply_id or "")
        if text is not None and row.part is not None:
            text = code_block(text, row.part)
        cards.append(card_of(row, text[:EXCERPT] if text else None, preferred=row.reply_id in preferred))
    return cards


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
