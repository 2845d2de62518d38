"""The queries of attachments."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, exists, func, select, union

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.attachments import Attachment, AttachmentRow, TurnAttachment
from parley.storage.tables.declared import core, select_rows

_ATTACHMENT = core(Attachment).c
_ONE = select_rows(AttachmentRow).where(
    _ATTACHMENT.owner_id == bindparam("owner_id"), _ATTACHMENT.sha256 == bindparam("sha256")
)
_IN_A_TURN = exists().where(
    TurnAttachment.owner_id == Attachment.owner_id, TurnAttachment.sha256 == Attachment.sha256
)


class AttachmentsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def count(self, owner_id: str) -> int:
        """Return how many attachments a person has."""
        query = select(func.count()).select_from(Attachment).where(Attachment.owner_id == owner_id)
        return self._db.scalar(query) or 0

    def get(self, owner_id: str, sha256: str) -> AttachmentRow:
        """Return an attachment of the owner. Raises NotFound."""
        found = self._db.rows(_ONE, {"owner_id": owner_id, "sha256": sha256}, AttachmentRow)
        if not found:
            raise NotFound(
                "This picture or file doesn't exist.", "It may have been deleted. Attach it again."
            )
        return found[0]

    def put(self, row: AttachmentRow) -> None:
        """Store an attachment, replacing an earlier one with the same bytes."""
        self._db.merge(Attachment(**{name: getattr(row, name) for name in row.__struct_fields__}))

    def drop(self, before: datetime, owner_id: str | None = None) -> None:
        """Delete attachments that no turn has and whose time is over; of one owner, or of all."""
        these = delete(Attachment).where(Attachment.kept_until <= before, ~_IN_A_TURN)
        if owner_id is not None:
            these = these.where(Attachment.owner_id == owner_id)
        self._db.execute(these.execution_options(synchronize_session=False))

    def blobs(self) -> Sequence[str]:
        """Return the SHA-256 of every blob that an attachment needs."""
        columns = (Attachment.sha256, Attachment.text_sha256, Attachment.thumbnail_sha256)
        return [found for found in self._db.scalars(union(*map(select, columns))) if found]
