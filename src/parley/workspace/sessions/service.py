"""The sidebar's use cases: list, search, read, rename, archive, delete and bring back sessions."""

import base64
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from parley.engine.hub import Hub
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.events import SessionChanged
from parley.kernel.ports import Clock
from parley.kernel.views import SessionCard, SessionView
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import Session
from parley.text.folding import folded
from parley.workspace.arena.service import ArenaService
from parley.workspace.sessions.repository import SessionsRepository
from parley.workspace.sessions.schemas import ChangeSession

UNDO = timedelta(hours=1)
"""How long a deleted session can be brought back."""

RECEIPTS = timedelta(days=1)


class SessionsService:
    """Sessions as a person orders them. Somebody else's sessions are not found."""

    def __init__(self, *, database: Database, arena: ArenaService, hub: Hub, clock: Clock) -> None:
        self._database = database
        self._arena = arena
        self._hub = hub
        self._clock = clock

    async def page(
        self, caller: Caller, *, search: str, archived: bool, limit: int, cursor: str | None
    ) -> tuple[Sequence[SessionCard], str | None]:
        """Return a page of sessions, latest activity first, and the cursor of the next. Raises Invalid."""
        after = _decode(cursor) if cursor else None
        rows = await self._database.read(
            lambda transaction: SessionsRepository(transaction).page(
                caller.person_id,
                search=folded(search.replace("\x00", "")),
                archived=archived,
                limit=limit + 1,
                after=after,
            )
        )
        more = len(rows) > limit
        return [_card(row) for row in rows[:limit]], _encode(rows[limit - 1]) if more else None

    async def read(self, caller: Caller, session_id: str) -> SessionView:
        """Return a session whole. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: SessionsRepository(transaction).get(caller.person_id, session_id)
        )
        return SessionView(session=_card(row), matches=await self._arena.read_matches(caller, session_id))

    async def change(self, caller: Caller, session_id: str, asked: ChangeSession) -> SessionCard:
        """Rename a session or move it in or out of the archive. Raises NotFound."""

        def store(transaction: Transaction) -> SessionCard:
            repository = SessionsRepository(transaction)
            row = repository.get(caller.person_id, session_id)
            if asked.title is not None:
                repository.retitle(row, asked.title)
            row.archived = row.archived if asked.archived is None else asked.archived
            return _card(row)

        card = await self._database.write(store)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=False))
        return card

    async def delete(self, caller: Caller, session_id: str) -> None:
        """Hide a session and stop what runs in it; for an hour it can be brought back. Raises NotFound."""
        now = self._now()

        def store(transaction: Transaction) -> None:
            SessionsRepository(transaction).get(caller.person_id, session_id).deleted_at = now

        await self._database.write(store)
        await self._arena.stop_session(session_id)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=True))

    async def restore(self, caller: Caller, session_id: str) -> SessionCard:
        """Bring a deleted session back. Raises NotFound once it is purged."""

        def store(transaction: Transaction) -> SessionCard:
            row = SessionsRepository(transaction).get(caller.person_id, session_id, deleted=True)
            row.deleted_at = None
            return _card(row)

        card = await self._database.write(store)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=False))
        return card

    async def purge(self) -> int:
        """Remove what was deleted more than an hour ago. Returns how many sessions."""
        now = self._now()

        def store(transaction: Transaction) -> int:
            repository = SessionsRepository(transaction)
            repository.drop_receipts(now - RECEIPTS)
            return repository.purge(now - UNDO)

        return await self._database.write(store)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _card(row: Session) -> SessionCard:
    return SessionCard(
        id=row.id,
        title=row.title,
        mode=row.mode,
        archived=row.archived,
        created_at=row.created_at.isoformat(),
        updated_at=row.updated_at.isoformat(),
    )


def _encode(row: Session) -> str:
    return base64.urlsafe_b64encode(f"{row.updated_at.isoformat()} {row.id}".encode()).decode()


def _decode(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, session_id = base64.urlsafe_b64decode(cursor.encode()).decode("ascii").partition(" ")
        when = datetime.fromisoformat(moment).astimezone(UTC)
        int(session_id, 16)
    except (ValueError, OverflowError):
        raise Invalid(
            "cursor", "cursor: not one that this list has given.", "Begin again without it."
        ) from None
    return when, session_id
