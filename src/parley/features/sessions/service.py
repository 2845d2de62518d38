"""Use cases of the sidebar: list, search, read, rename, archive, delete, restore sessions."""

import base64
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from parley.engine.hub import Hub
from parley.features.arena.service import ArenaService
from parley.features.sessions.excerpts import Excerpt, find_excerpts
from parley.features.sessions.indexing import SearchIndexing
from parley.features.sessions.repository import SessionsRepository
from parley.features.sessions.schemas import (
    ChangedSessions,
    ChangeSession,
    ChangeSessions,
    SessionFilter,
    TagCard,
    TagList,
    as_tag,
)
from parley.features.sessions.search_repository import SearchRepository
from parley.features.sessions.titling import Titling
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.events import SessionChanged
from parley.kernel.ports import Clock
from parley.kernel.views import SessionCard, SessionView
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import SessionRow
from parley.text.folding import folded

UNDO = timedelta(hours=1)
"""How long a deleted session can be restored."""

RECEIPTS = timedelta(days=1)

ERASED_AT_ONCE = 20
"""How many sessions one transaction removes."""


class SessionsService:
    """A person's sessions. Other people's sessions are not found."""

    def __init__(
        self,
        *,
        database: Database,
        arena: ArenaService,
        search: SearchIndexing,
        titling: Titling,
        hub: Hub,
        clock: Clock,
    ) -> None:
        self._database = database
        self._arena = arena
        self._search = search
        self._titling = titling
        self._hub = hub
        self._clock = clock

    async def page(
        self, caller: Caller, asked: SessionFilter, *, limit: int, cursor: str | None
    ) -> tuple[Sequence[SessionCard], str | None]:
        """Return a page of sessions, latest activity first, and the next cursor. Raises Invalid."""
        after = _decode(cursor) if cursor else None
        wanted = msgspec.structs.replace(
            asked,
            search=folded(asked.search.replace("\x00", "")),
            tag=as_tag(asked.tag.replace("\x00", "")) if asked.tag else None,
        )

        def look(transaction: Transaction) -> tuple[list[SessionCard], str | None]:
            repository = SessionsRepository(transaction)
            rows = repository.page(caller.person_id, wanted, limit=limit + 1, after=after)
            shown = rows[:limit]
            unvoted = repository.unvoted([row.id for row in shown])
            searching = SearchRepository(transaction)
            excerpts = find_excerpts(searching, shown, wanted.search) if wanted.search else {}
            tags = repository.tags([row.id for row in shown])
            cards = [
                _card(row, row.id in unvoted, tags.get(row.id, ()), excerpts.get(row.id)) for row in shown
            ]
            return cards, _encode(shown[-1]) if len(rows) > limit else None

        if wanted.search:
            await self._search.catch_up()
        return await self._database.read(look)

    async def read(self, caller: Caller, session_id: str) -> SessionView:
        """Return a session with its matches. Raises NotFound."""
        card = await self._database.read(
            lambda transaction: _read_card(SessionsRepository(transaction), caller, session_id)
        )
        return SessionView(session=card, matches=await self._arena.read_matches(caller, session_id))

    async def change(self, caller: Caller, session_id: str, asked: ChangeSession) -> SessionCard:
        """Rename, pin, archive or tag a session, or undo the latter three. Raises NotFound."""

        def store(transaction: Transaction) -> SessionCard:
            repository = SessionsRepository(transaction)
            row = repository.get(caller.person_id, session_id)
            if asked.title is not None:
                repository.retitle(row, asked.title)
            if asked.archived is not None:
                repository.change(session_id, archived=asked.archived)
            if asked.pinned is not None:
                repository.change(session_id, pinned=asked.pinned)
            if asked.tags is not None:
                repository.remove_tags(session_id)
                repository.add_tags(row, asked.tags)
            return _read_card(repository, caller, session_id)

        if asked.title is not None:
            self._titling.leave(caller, session_id)
        card = await self._database.write(store)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=False))
        return card

    async def change_many(self, caller: Caller, asked: ChangeSessions) -> ChangedSessions:
        """Make one change to many sessions, all or none; those deleted already stay so. Raises NotFound, Invalid."""
        now, ids = self._now(), list(dict.fromkeys(asked.ids))

        def store(transaction: Transaction) -> None:
            repository = SessionsRepository(transaction)
            for session_id in ids:
                try:
                    row = repository.get(caller.person_id, session_id, deleted=asked.deleted is not None)
                except NotFound as error:
                    raise NotFound(
                        error.title, f"{session_id} may have been deleted. Nothing was changed."
                    ) from None
                if asked.deleted and row.deleted_at is not None:
                    continue
                if asked.remove_tags:
                    repository.remove_tags(session_id, asked.remove_tags)
                if asked.add_tags:
                    repository.add_tags(row, asked.add_tags)
                if asked.archived is not None:
                    repository.change(session_id, archived=asked.archived)
                if asked.deleted is not None:
                    repository.change(session_id, deleted_at=now if asked.deleted else None)

        await self._database.write(store)
        for session_id in ids:
            if asked.deleted:
                await self._arena.stop_session(session_id)
            self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=bool(asked.deleted)))
        return ChangedSessions(len(ids))

    async def tags(self, caller: Caller) -> TagList:
        """Return the caller's tags, by name, with their numbers of sessions."""
        counts = await self._database.read(
            lambda transaction: SessionsRepository(transaction).tag_counts(caller.person_id)
        )
        return TagList(tuple(TagCard(name, count) for name, count in counts))

    async def delete(self, caller: Caller, session_id: str) -> None:
        """Hide a session and stop its running turns. Raises NotFound. For an hour it can be restored."""
        now = self._now()

        def store(transaction: Transaction) -> None:
            repository = SessionsRepository(transaction)
            repository.get(caller.person_id, session_id)
            repository.change(session_id, deleted_at=now)

        await self._database.write(store)
        await self._arena.stop_session(session_id)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=True))

    async def restore(self, caller: Caller, session_id: str) -> SessionCard:
        """Restore a deleted session. Raises NotFound once it is purged."""

        def store(transaction: Transaction) -> SessionCard:
            repository = SessionsRepository(transaction)
            repository.get(caller.person_id, session_id, deleted=True)
            repository.change(session_id, deleted_at=None)
            return _read_card(repository, caller, session_id)

        card = await self._database.write(store)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=False))
        return card

    @staticmethod
    def forget(transaction: Transaction, session_id: str) -> None:
        """Remove a session with all its texts, within a transaction. Its votes stay."""
        SessionsRepository(transaction).forget([session_id])

    async def ids(self, caller: Caller) -> Sequence[str]:
        """Return the ids of all the caller's sessions, deleted ones left out, oldest first."""
        return await self._database.read(
            lambda transaction: SessionsRepository(transaction).ids(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Stop and permanently remove all the caller's sessions; return how many. Votes stay, without texts."""
        erased = 0
        while ids := await self._erase_some(caller):
            erased += len(ids)
        return erased

    async def _erase_some(self, caller: Caller) -> Sequence[str]:
        """Remove a batch of sessions, so that other writers get their turn between two."""
        ids = await self._database.read(
            lambda transaction: SessionsRepository(transaction).ids(
                caller.person_id, deleted=True, limit=ERASED_AT_ONCE
            )
        )
        for session_id in ids:
            await self._arena.stop_session(session_id)
        await self._database.write(lambda transaction: SessionsRepository(transaction).forget(ids))
        for session_id in ids:
            self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=True))
        return ids

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


def _read_card(repository: SessionsRepository, caller: Caller, session_id: str) -> SessionCard:
    row = repository.get(caller.person_id, session_id)
    return _card(
        row, bool(repository.unvoted([session_id])), repository.tags([session_id]).get(session_id, ())
    )


def _card(row: SessionRow, unvoted: bool, tags: Sequence[str], excerpt: Excerpt | None = None) -> SessionCard:
    return SessionCard(
        id=row.id,
        title=row.title,
        mode=row.mode,
        archived=row.archived,
        pinned=row.pinned,
        unvoted=unvoted,
        tags=tuple(tags),
        excerpt=excerpt.text if excerpt else None,
        excerpt_turn_id=excerpt.turn_id if excerpt else None,
        created_at=row.created_at.isoformat(),
        updated_at=row.updated_at.isoformat(),
    )


def _encode(row: SessionRow) -> str:
    return base64.urlsafe_b64encode(f"{row.updated_at.isoformat()} {row.id}".encode()).decode()


def _decode(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, session_id = base64.urlsafe_b64decode(cursor.encode()).decode("ascii").partition(" ")
        when = datetime.fromisoformat(moment).astimezone(UTC)
        int(session_id, 16)
    except (ValueError, OverflowError):
        raise Invalid("cursor", "cursor: is not a cursor of this list.", "Start again without it.") from None
    return when, session_id
