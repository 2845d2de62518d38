"""The queries of tables: the files of a session."""

from collections.abc import Sequence

from sqlalchemy import select

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.attachments import AttachmentRow, TurnAttachmentRow
from parley.storage.tables.conversations import SessionRow, TurnRow
from parley.storage.tables.rows import select_rows


class TablesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def files(self, owner_id: str, session_id: str) -> Sequence[AttachmentRow]:
        """Return the files of a session by their names. Raises NotFound if the owner has no such session."""
        if (
            self._db.find(SessionRow, SessionRow.c.id == session_id, SessionRow.c.owner_id == owner_id)
            is None
        ):
            raise NotFound("This session doesn't exist.", "It may have been deleted.")
        having = (
            select(TurnAttachmentRow.c.sha256)
            .join(TurnRow.table, TurnRow.c.id == TurnAttachmentRow.c.turn_id)
            .where(TurnRow.c.session_id == session_id, TurnAttachmentRow.c.owner_id == owner_id)
        )
        query = select_rows(AttachmentRow).where(
            AttachmentRow.c.owner_id == owner_id,
            AttachmentRow.c.sha256.in_(having),
            AttachmentRow.c.text_sha256.is_not(None),
        )
        return self._db.select(AttachmentRow, query.order_by(AttachmentRow.c.name, AttachmentRow.c.sha256))
