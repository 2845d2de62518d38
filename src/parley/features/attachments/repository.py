"""The queries of attachments."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, exists, func, select, union

from parley.kernel.errors import NotFound
from parley.kernel.ids import random_id
from parley.storage.database import Transaction
from parley.storage.tables.assets import AssetRow
from parley.storage.tables.attachments import AttachmentRow, BlobFolderRow, TurnAttachmentRow, UnusedBlobRow
from parley.storage.tables.rows import select_rows

_ATTACHMENT = AttachmentRow.c
_ONE = select_rows(AttachmentRow).where(
    _ATTACHMENT.owner_id == bindparam("owner_id"), _ATTACHMENT.sha256 == bindparam("sha256")
)
_IN_A_TURN = exists().where(
    TurnAttachmentRow.c.owner_id == AttachmentRow.c.owner_id,
    TurnAttachmentRow.c.sha256 == AttachmentRow.c.sha256,
)
_IN_THE_LIBRARY = exists().where(
    AssetRow.c.owner_id == AttachmentRow.c.owner_id,
    AssetRow.c.sha256 == AttachmentRow.c.sha256,
    AssetRow.c.turn_id.is_(None),
)

_FILES = (AttachmentRow.c.sha256, AttachmentRow.c.text_sha256, AttachmentRow.c.thumbnail_sha256)


class AttachmentsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def count(self, owner_id: str) -> int:
        """Return how many attachments a person has."""
        query = (
            select(func.count()).select_from(AttachmentRow.table).where(AttachmentRow.c.owner_id == owner_id)
        )
        return self._db.scalar(query) or 0

    def get(self, owner_id: str, sha256: str) -> AttachmentRow:
        """Return an attachment of the owner. Raises NotFound."""
        rows = self._db.rows(_ONE, {"owner_id": owner_id, "sha256": sha256}, AttachmentRow)
        if not rows:
            raise NotFound(
                "This picture or file doesn't exist.", "It may have been deleted. Attach it again."
            )
        return rows[0]

    def expect(self, row: AttachmentRow, now: datetime) -> None:
        """Record the files of an attachment before they are stored, so that none is left behind by a crash."""
        self._unused([row], now)

    def put(self, row: AttachmentRow) -> None:
        """Store an attachment, replacing an earlier one with the same bytes. Its files are in use from now on."""
        this = (AttachmentRow.c.owner_id == row.owner_id, AttachmentRow.c.sha256 == row.sha256)
        if self._db.find(AttachmentRow, *this) is None:
            self._db.insert(row)
        else:
            self._db.update(row)
        self.forget(_files(row))

    def drop(self, before: datetime, now: datetime, owner_id: str | None = None) -> None:
        """Delete attachments that no turn has and whose time is over; of one owner, or of all."""
        these = delete(AttachmentRow.table).where(
            AttachmentRow.c.kept_until <= before, ~_IN_A_TURN, ~_IN_THE_LIBRARY
        )
        if owner_id is not None:
            these = these.where(AttachmentRow.c.owner_id == owner_id)
        returned = (AttachmentRow.c[name] for name in AttachmentRow.__struct_fields__)
        rows = self._db.execute(these.returning(*returned)).all()
        self._unused([AttachmentRow(*row) for row in rows], now)

    def unused(self, before: datetime, owner_id: str | None = None) -> list[UnusedBlobRow]:
        """Return the files that no attachment has needed since before then; of one owner, or of all."""
        needed = union(*map(select, _FILES)).subquery()
        query = select_rows(UnusedBlobRow).where(
            UnusedBlobRow.c.since <= before,
            UnusedBlobRow.c.sha256.not_in(select(needed.c[0]).where(needed.c[0].is_not(None))),
        )
        if owner_id is not None:
            query = query.where(UnusedBlobRow.c.owner_id == owner_id)
        return self._db.select(UnusedBlobRow, query)

    def recorded(self) -> list[str]:
        """Return the SHA-256 of every file of this database, also of those that wait for their deletion."""
        files = union(*map(select, (*_FILES, UnusedBlobRow.c.sha256))).subquery()
        return [row[0] for row in self._db.execute(select(files.c[0]).where(files.c[0].is_not(None)))]

    def forget(self, files: Sequence[str]) -> None:
        """Delete the records of unused files."""
        self._db.execute(delete(UnusedBlobRow.table).where(UnusedBlobRow.c.sha256.in_(files)))

    def folder(self) -> str:
        """Return the name of this database's folder; give it one at first."""
        row = self._db.find(BlobFolderRow)
        if row is None:
            row = BlobFolderRow(random_id())
            self._db.insert(row)
        return row.name

    def _unused(self, rows: Sequence[AttachmentRow], now: datetime) -> None:
        owners = {file: row.owner_id for row in rows for file in _files(row)}
        self.forget(list(owners))
        self._db.insert(*(UnusedBlobRow(file, owner_id, now) for file, owner_id in owners.items()))


def _files(row: AttachmentRow) -> list[str]:
    """Return the SHA-256 of every file of an attachment."""
    return [file for file in (row.sha256, row.text_sha256, row.thumbnail_sha256) if file]
