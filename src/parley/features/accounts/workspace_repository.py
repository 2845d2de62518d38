"""The queries of workspaces and their members."""

from collections.abc import Collection, Sequence

from sqlalchemy import Select, delete, select, update

from parley.features.accounts.tables import MemberRow, WorkspaceRow
from parley.kernel.sealing import not_in_sealed
from parley.storage.database import Transaction
from parley.storage.tables.assets import AssetRow
from parley.storage.tables.attachments import AttachmentRow, TurnAttachmentRow
from parley.storage.tables.conversations import MatchRow, SessionRow, SessionTagRow, TurnRow, UserRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.search import SearchReplyRow, SearchTextRow
from parley.storage.tables.votes import VoteRow


class WorkspaceRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def roles(self, user_id: str) -> dict[str, str]:
        """Return a person's place in each of their workspaces."""
        query = select(MemberRow.c.workspace_id, MemberRow.c.role).where(MemberRow.c.user_id == user_id)
        return dict(tuple(row) for row in self._db.execute(query))

    def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of users and workspaces by id."""
        query = select(UserRow.c.id, UserRow.c.name).where(UserRow.c.id.in_(ids))
        return dict(tuple(row) for row in self._db.execute(query))

    def members(self, workspace_id: str) -> Sequence[MemberRow]:
        """Return the members of a workspace, in the order in which they came."""
        query = select_rows(MemberRow).where(MemberRow.c.workspace_id == workspace_id)
        return self._db.select(MemberRow, query.order_by(MemberRow.c.added_at, MemberRow.c.user_id))

    def member(self, workspace_id: str, user_id: str) -> MemberRow | None:
        """Return a person's place in a workspace."""
        return self._db.find(
            MemberRow, MemberRow.c.workspace_id == workspace_id, MemberRow.c.user_id == user_id
        )

    def add(self, *rows: WorkspaceRow | MemberRow) -> None:
        """Insert rows."""
        self._db.insert(*rows)

    def update(self, row: MemberRow) -> None:
        """Store a changed member."""
        self._db.update(row)

    def remove_member(self, workspace_id: str, user_id: str) -> None:
        """Delete a person's place in a workspace."""
        this = (MemberRow.c.workspace_id == workspace_id, MemberRow.c.user_id == user_id)
        self._db.execute(delete(MemberRow.table).where(*this))

    def leave_all(self, user_id: str) -> None:
        """Delete a person's places in all workspaces."""
        self._db.execute(delete(MemberRow.table).where(MemberRow.c.user_id == user_id))

    def rename(self, workspace_id: str, name: str) -> None:
        """Give a workspace another name."""
        self._db.execute(update(UserRow.table).where(UserRow.c.id == workspace_id).values(name=name))

    def remove(self, workspace_id: str) -> None:
        """Delete a workspace with its members; its user stays for the votes that count on."""
        self._db.execute(delete(MemberRow.table).where(MemberRow.c.workspace_id == workspace_id))
        self._db.execute(delete(WorkspaceRow.table).where(WorkspaceRow.c.id == workspace_id))

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────

    def owner_of(self, session_id: str, owners: Collection[str]) -> str | None:
        """Return which of these owners a session belongs to; None if it is none of theirs."""
        query = select(SessionRow.c.owner_id).where(
            SessionRow.c.id == session_id,
            SessionRow.c.deleted_at.is_(None),
            SessionRow.c.owner_id.in_(owners),
        )
        return self._db.scalar(query)

    def is_running(self, session_id: str) -> bool:
        """Return whether a turn of a session runs."""
        query = select(TurnRow.c.id).where(TurnRow.c.session_id == session_id, TurnRow.c.status == "running")
        return self._db.scalar(query.limit(1)) is not None

    def move_session(self, session_id: str, owner_id: str, to_id: str) -> None:
        """Give a session with all that is in it to another owner; the files in it are copied for them."""
        if self._db.find(SessionRow, SessionRow.c.id == session_id, SessionRow.c.sealed) is not None:
            raise not_in_sealed(
                "Moving to another space is not possible", "Only who has the key can read it."
            )
        turns = select(TurnRow.c.id).where(TurnRow.c.session_id == session_id)
        self._copy_files(turns, owner_id, to_id)
        for kind, within in (
            (SessionRow, SessionRow.c.id == session_id),
            (MatchRow, MatchRow.c.session_id == session_id),
            (TurnRow, TurnRow.c.session_id == session_id),
            (TurnAttachmentRow, TurnAttachmentRow.c.turn_id.in_(turns)),
            (SessionTagRow, SessionTagRow.c.session_id == session_id),
            (AssetRow, AssetRow.c.session_id == session_id),
            (SearchTextRow, SearchTextRow.c.session_id == session_id),
            (SearchReplyRow, SearchReplyRow.c.session_id == session_id),
            (VoteRow, VoteRow.c.session_id == session_id),
        ):
            owner = {name: to_id for name in ("owner_id", "space_id") if name in kind.table.c}
            self._db.execute(update(kind.table).where(within).values(owner))

    def _copy_files(self, turns: Select[tuple[str]], owner_id: str, to_id: str) -> None:
        wanted = select(TurnAttachmentRow.c.sha256).where(TurnAttachmentRow.c.turn_id.in_(turns))
        known = select(AttachmentRow.c.sha256).where(AttachmentRow.c.owner_id == to_id)
        query = select_rows(AttachmentRow).where(
            AttachmentRow.c.owner_id == owner_id,
            AttachmentRow.c.sha256.in_(wanted),
            AttachmentRow.c.sha256.not_in(known),
        )
        for row in self._db.select(AttachmentRow, query):
            row.owner_id = to_id
            self._db.insert(row)
