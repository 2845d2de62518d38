"""Use cases of attachments: upload, download, and deletion once no conversation has them."""

import asyncio
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec

from parley.engine.metering import CHARACTERS_PER_TOKEN
from parley.features.attachments.found import Picture, Text
from parley.features.attachments.limits import PIXELS_PER_TOKEN, AttachmentLimits
from parley.features.attachments.names import plain_name
from parley.features.attachments.reading import read_file
from parley.features.attachments.repository import AttachmentsRepository
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.inputs import Attached
from parley.kernel.ports import Clock
from parley.storage.blobs import FolderBlobs
from parley.storage.database import Database
from parley.storage.tables.attachments import AttachmentRow

UNSENT = timedelta(days=1)
"""How long an attachment that was never sent is kept."""

READERS = 2
"""How many files are read at the same time."""


class Served(msgspec.Struct, frozen=True):
    """A stored file to be sent to a browser."""

    path: Path
    name: str
    media_type: str
    is_picture: bool


class AttachmentsService:
    """Attachments of one person; other people's are not found, even with the same bytes."""

    def __init__(
        self, *, database: Database, blobs: FolderBlobs, folder: Path, limits: AttachmentLimits, clock: Clock
    ) -> None:
        """`folder` is for uploads that are being read; it is emptied at every start."""
        self._database = database
        self._blobs = blobs
        self._folder = folder
        self._clock = clock
        self._reading = asyncio.Semaphore(READERS)
        self._storing = asyncio.Lock()
        self.limits = limits

    def open(self) -> None:
        """Delete what an interrupted upload has left."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def new_upload(self) -> Path:
        """Return a new folder for one upload. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return Path(mkdtemp(dir=self._folder))

    async def add(self, caller: Caller, path: Path, name: str) -> Attached:
        """Read and store an uploaded file; the caller deletes its folder. Raises Invalid, Unavailable."""
        name = plain_name(name)
        async with self._reading:
            found = await asyncio.to_thread(read_file, path, name, path.parent, self.limits)
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        async with self._storing:
            row = await asyncio.to_thread(self._store, found, path, caller.person_id, name, now)
            await self._database.write(lambda transaction: AttachmentsRepository(transaction).put(row))
        return attached(row, name)

    async def find(self, caller: Caller, sha256: str, *, thumbnail: bool = False) -> Served:
        """Return an attachment's file, or that of its thumbnail. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).get(caller.person_id, sha256)
        )
        is_picture, wanted = row.text_sha256 is None, row.thumbnail_sha256 if thumbnail else row.sha256
        path = self._blobs.path_of(wanted) if wanted else None
        if path is None or not path.is_file():
            raise NotFound("This picture or file doesn't exist.", "Attach it again.")
        return Served(path, row.name, "image/webp" if thumbnail else row.media_type, is_picture)

    async def sweep(self) -> int:
        """Delete attachments that no conversation has any more; return how many files."""
        return await self._sweep(lambda repository, now: repository.drop(now))

    async def count(self, caller: Caller) -> int:
        """Return how many attachments the caller has."""
        return await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Delete all of the caller's attachments that no conversation has, sent or not; return how many files."""
        return await self._sweep(lambda repository, now: repository.drop(now + 2 * UNSENT, caller.person_id))

    async def _sweep(self, drop: Callable[[AttachmentsRepository, datetime], None]) -> int:
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        async with self._storing:
            await self._database.write(lambda transaction: drop(AttachmentsRepository(transaction), now))
            keep = await self._database.read(lambda transaction: AttachmentsRepository(transaction).blobs())
            return await asyncio.to_thread(self._blobs.sweep, frozenset(keep))

    def _store(
        self, found: Picture | Text, path: Path, owner_id: str, name: str, now: datetime
    ) -> AttachmentRow:
        """Move the results to the blobs; return the row to store."""
        folder, store = path.parent, self._blobs.store
        picture = found if isinstance(found, Picture) else None
        text = found if isinstance(found, Text) else None
        kept = folder / picture.picture if picture else path
        return AttachmentRow(
            owner_id=owner_id,
            size=kept.stat().st_size,
            text_sha256=store(folder / text.text) if text else None,
            thumbnail_sha256=store(folder / picture.thumbnail) if picture else None,
            sha256=store(kept),
            name=name,
            media_type=found.media_type,
            tokens=_tokens(found),
            width=picture.width if picture else None,
            height=picture.height if picture else None,
            pages=text.pages if text else None,
            created_at=now,
            kept_until=now + UNSENT,
        )


def attached(row: AttachmentRow, name: str) -> Attached:
    """Return an attachment as part of a question, with its name there."""
    fields: dict[str, Any] = {field: getattr(row, field) for field in Attached.__struct_fields__}
    fields["name"] = name
    return Attached(**fields)


def _tokens(found: Picture | Text) -> int:
    """Return an estimate of the tokens that a model reads; models differ."""
    if isinstance(found, Picture):
        return -(-found.width * found.height // PIXELS_PER_TOKEN)
    return -(-found.characters // CHARACTERS_PER_TOKEN)
