"""Use cases of attachments: upload, storing what models make, download, and deletion once no conversation has them."""

import asyncio
import logging
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec

from parley.engine.metering import CHARACTERS_PER_TOKEN
from parley.features.attachments.encodings import ENCODINGS, EncodingSample, samples
from parley.features.attachments.file_content import EXCEL, WORD, Picture, Text
from parley.features.attachments.limits import PIXELS_PER_TOKEN, AttachmentLimits
from parley.features.attachments.names import plain_name
from parley.features.attachments.reading import read_file
from parley.features.attachments.repository import AttachmentsRepository
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound, TooLarge
from parley.kernel.messages import PLAIN_TEXT, Attached
from parley.kernel.ports import Clock
from parley.storage.blobs import BlobStore, digest
from parley.storage.database import Database
from parley.storage.disk_space import unusable
from parley.storage.tables.attachments import AttachmentRow, UnusedBlobRow

UNSENT = timedelta(days=1)
"""The time for which an attachment that was never sent is kept."""

GRACE = timedelta(days=7)
"""The time for which a file stays after the last conversation with it; until then a restored backup has it all."""

READERS = 2
"""The files that are read at the same time."""

_NEUTRAL = {"application/pdf": "document.pdf", WORD: "document.docx", EXCEL: "workbook.xlsx"}

log = logging.getLogger(__name__)


class Served(msgspec.Struct, frozen=True):
    """A stored file to be sent to a browser."""

    path: Path
    name: str
    media_type: str
    is_picture: bool
    sha256: str


class UnusedFiles(msgspec.Struct, frozen=True):
    """Files that no conversation and no library needs.

    `oldest`: since when one has not been needed, ISO 8601, UTC. After `kept_days` they are removed anyway.
    """

    files: int
    bytes: int
    oldest: str | None
    kept_days: int = GRACE.days


class AttachmentsService:
    """Attachments of one person; other people's are not found, even with the same bytes.

    Implements the kernel's port `Blobs`.
    """

    def __init__(
        self, *, database: Database, blobs: BlobStore, folder: Path, limits: AttachmentLimits, clock: Clock
    ) -> None:
        """`folder` is for uploads that are being read; it is emptied at every start."""
        self._database = database
        self._blobs = blobs
        self._folder = folder
        self._clock = clock
        self._reading = asyncio.Semaphore(READERS)
        self._storing = asyncio.Lock()
        self.limits = limits

    async def open(self) -> None:
        """Find this database's folder, move its earlier files there, and delete what an interrupted upload has left."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._blobs.use(
            await self._database.write(lambda transaction: AttachmentsRepository(transaction).folder())
        )
        if await asyncio.to_thread(self._blobs.has_earlier):
            recorded = await self._database.read(
                lambda transaction: AttachmentsRepository(transaction).recorded()
            )
            try:
                await asyncio.to_thread(self._blobs.adopt, recorded)
            except OSError as error:
                log.warning("Attachments of an earlier version stay where they are: %s", error)

    def new_upload(self) -> Path:
        """Return a new folder for one upload. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return Path(mkdtemp(dir=self._folder))

    async def add(self, caller: Caller, path: Path, name: str) -> Attached:
        """Read and store an uploaded file; the caller deletes its folder. Raises Invalid, Unavailable."""
        return await self._add(caller.person_id, path, plain_name(name))

    async def encodings(self, caller: Caller, sha256: str) -> list[EncodingSample]:
        """Return the encodings in which a text may be, each with a sample. Raises NotFound."""
        _, path = await self._text(caller, sha256)
        return await asyncio.to_thread(lambda: samples(path.read_bytes()))

    async def read_as(self, caller: Caller, sha256: str, encoding: str) -> Attached:
        """Store a text anew, in UTF-8, as another encoding reads it; the first one stays. Raises NotFound, Invalid."""
        row, path = await self._text(caller, sha256)
        if encoding not in ENCODINGS:
            raise Invalid("encoding", "This encoding is unknown.", f"Choose one of {', '.join(ENCODINGS)}.")
        try:
            folder = await asyncio.to_thread(self.new_upload)
            try:
                return await self._reread(row, path, folder, encoding)
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        except OSError as error:
            raise unusable(self._folder, error) from None

    async def _reread(self, row: AttachmentRow, path: Path, folder: Path, encoding: str) -> Attached:
        async with self._reading:
            content = await read_file(path, row.name, folder, self.limits, encoding=encoding)
        if not isinstance(content, Text):
            raise Invalid("encoding", f"“{row.name}” is not a text file.")
        read = msgspec.structs.replace(content, encoding=encoding)
        copy = await asyncio.to_thread(shutil.copyfile, folder / content.text, folder / "upload")
        return await self._store(read, copy, row.owner_id, row.name)

    async def _text(self, caller: Caller, sha256: str) -> tuple[AttachmentRow, Path]:
        """Return a text file of the caller, and where it is. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).get(caller.person_id, sha256)
        )
        path = await asyncio.to_thread(self._blobs.find, sha256)
        if row.media_type != PLAIN_TEXT or path is None:
            raise NotFound("This text file doesn't exist.", "Attach it again.")
        return row, path

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound."""
        return await self._blobs.read(sha256)

    async def store(self, owner_id: str, data: bytes, name: str, *, alike: bool = False) -> Attached:
        """Check and store what a model made for a person. Raises Invalid, Unavailable."""
        if len(data) > self.limits.size:
            raise TooLarge("file", f"It is larger than {self.limits.size >> 20} MB.")
        try:
            folder = await asyncio.to_thread(self._new_file, data)
            try:
                return await self._add(
                    owner_id, folder / "made", plain_name(name) if name else "", alike=alike
                )
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        except OSError as error:
            raise unusable(self._folder, error) from None

    def _new_file(self, data: bytes) -> Path:
        """Return the folder of a new file "made" with these bytes. Raises OSError."""
        folder = self.new_upload()
        (folder / "made").write_bytes(data)
        return folder

    async def _add(self, owner_id: str, path: Path, name: str, *, alike: bool = False) -> Attached:
        """Read and store a file; without a name it gets a neutral one, and a picture a neutral format."""
        async with self._reading:
            content = await read_file(
                path, name or "file", path.parent, self.limits, neutral=not name, alike=alike
            )
        return await self._store(content, path, owner_id, name or _neutral_name(content))

    async def _store(self, content: Picture | Text, path: Path, owner_id: str, name: str) -> Attached:
        """Store what was read of a file, with its results beside it, and the file itself."""
        now = self._now()
        async with self._storing:
            row, files = await asyncio.to_thread(_row, content, path, owner_id, name, now)
            await self._database.write(
                lambda transaction: AttachmentsRepository(transaction).expect(row, now)
            )
            for sha256, file in files.items():
                await asyncio.to_thread(self._blobs.store, file, sha256)
            await self._database.write(lambda transaction: AttachmentsRepository(transaction).put(row))
        return attached(row, name)

    async def find(self, caller: Caller, sha256: str, *, thumbnail: bool = False) -> Served:
        """Return an attachment's file, or that of its thumbnail. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).get(caller.person_id, sha256)
        )
        is_picture, wanted = row.text_sha256 is None, row.thumbnail_sha256 if thumbnail else row.sha256
        path = await asyncio.to_thread(self._blobs.find, wanted) if wanted else None
        if wanted is None or path is None:
            raise NotFound("This picture or file doesn't exist.", "Attach it again.")
        return Served(path, row.name, "image/webp" if thumbnail else row.media_type, is_picture, wanted)

    async def sweep(self) -> int:
        """Delete attachments that no conversation has any more, and files after days; return how many files."""
        now = self._now()
        return await self._sweep(now, now - GRACE)

    async def settle(self) -> None:
        """Bring files of this database that are here to where they belong. Raises OSError, Unavailable."""
        for sha256 in await asyncio.to_thread(self._blobs.waiting):
            # Nothing is deleted meanwhile, and others store their files between two of these.
            async with self._storing:
                await asyncio.to_thread(self._blobs.settle, sha256)

    async def count(self, caller: Caller) -> int:
        """Return how many attachments the caller has."""
        return await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Delete all of the caller's attachments that no conversation has, sent or not; return how many files."""
        later = self._now() + 2 * UNSENT
        return await self._sweep(later, later, caller.person_id)

    async def unused(self, days: int) -> UnusedFiles:
        """Return the files that nothing has needed for so many days. Raises Unavailable."""
        return await self._weigh(await self._unused(self._now() - timedelta(days=days)))

    async def remove_unused(self, days: int) -> UnusedFiles:
        """Remove such files, and return them. Raises Unavailable."""
        async with self._storing:
            rows = await self._unused(self._now() - timedelta(days=days))
            weight = await self._weigh(rows)
            await self._remove(rows)
        return weight

    async def _unused(self, before: datetime, owner_id: str | None = None) -> list[UnusedBlobRow]:
        return await self._database.read(
            lambda transaction: AttachmentsRepository(transaction).unused(before, owner_id)
        )

    async def _weigh(self, rows: Sequence[UnusedBlobRow]) -> UnusedFiles:
        sizes = await asyncio.to_thread(self._blobs.sizes, [row.sha256 for row in rows])
        since = [row.since for row in rows if row.sha256 in sizes]
        return UnusedFiles(len(sizes), sum(sizes.values()), min(since).isoformat() if since else None)

    async def _remove(self, rows: Sequence[UnusedBlobRow]) -> int:
        """Delete files and forget them; return how many there were. The caller stores none meanwhile."""
        removed = await asyncio.to_thread(
            lambda: sum(self._blobs.remove(row.sha256, row.since) for row in rows)
        )
        gone = [row.sha256 for row in rows]
        await self._database.write(lambda transaction: AttachmentsRepository(transaction).forget(gone))
        return removed

    async def _sweep(self, ended: datetime, unused: datetime, owner_id: str | None = None) -> int:
        """Delete attachments whose time has `ended`, then files that are `unused` since before that."""
        now = self._now()
        async with self._storing:
            await self._database.write(
                lambda transaction: AttachmentsRepository(transaction).drop(ended, now, owner_id)
            )
            return await self._remove(await self._unused(unused, owner_id))

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def attached(row: AttachmentRow, name: str) -> Attached:
    """Return an attachment as part of a question, with its name there."""
    fields: dict[str, Any] = {field: getattr(row, field) for field in Attached.__struct_fields__}
    fields["name"] = name
    return Attached(**fields)


def _row(
    content: Picture | Text, path: Path, owner_id: str, name: str, now: datetime
) -> tuple[AttachmentRow, dict[str, Path]]:
    """Return the row to store, and its files by their SHA-256. Blocks. Raises OSError."""
    folder = path.parent
    picture = content if isinstance(content, Picture) else None
    text = content if isinstance(content, Text) else None
    file = folder / picture.picture if picture else path
    extra = folder / (content.thumbnail if isinstance(content, Picture) else content.text)
    sha256, extra_sha256 = digest(file), digest(extra)
    row = AttachmentRow(
        owner_id=owner_id,
        size=file.stat().st_size,
        text_sha256=extra_sha256 if text else None,
        thumbnail_sha256=extra_sha256 if picture else None,
        sha256=sha256,
        name=name,
        media_type=content.media_type,
        tokens=_tokens(content),
        width=picture.width if picture else None,
        height=picture.height if picture else None,
        pages=text.pages if text else None,
        encoding=text.encoding if text else None,
        created_at=now,
        kept_until=now + UNSENT,
    )
    return row, {extra_sha256: extra, sha256: file}


def _neutral_name(content: Picture | Text) -> str:
    """Return the name of a file that has none."""
    if isinstance(content, Picture):
        return f"picture.{content.media_type.removeprefix('image/').replace('jpeg', 'jpg')}"
    return _NEUTRAL.get(content.media_type, "text.txt")


def _tokens(content: Picture | Text) -> int:
    """Return an estimate of the tokens that a model reads; models differ."""
    if isinstance(content, Picture):
        return -(-content.width * content.height // PIXELS_PER_TOKEN)
    return -(-content.characters // CHARACTERS_PER_TOKEN)
