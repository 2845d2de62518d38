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
    SealedExport,
    SealView,
    SealWrapView,
    SessionFilter,
    SessionPage,
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
"""The time for which a deleted session can be restored."""

RECEIPTS = timedelta(days=1)

ERASED_AT_ONCE = 20
"""The sessions that one transaction removes."""


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
        self, caller: Caller, query: SessionFilter, *, limit: int, cursor: str | None
    ) -> SessionPage:
        """Return a page of sessions, latest activity first. Raises Invalid."""
        after = _decode(cursor) if cursor else None
        wanted = msgspec.structs.replace(
            query,
            search=folded(query.search),
            tag=as_tag(query.tag) if query.tag else None,
        )

        def look(transaction: Transaction) -> SessionPage:
            repository = SessionsRepository(transaction)
            rows = repository.page(caller.person_id, wanted, limit=limit + 1, after=after)
            shown = rows[:limit]
            ids = [row.id for row in shown]
            unvoted, void = repository.unvoted(ids), repository.void(ids)
            searching = SearchRepository(transaction)
            excerpts = find_excerpts(searching, shown, wanted.search) if wanted.search else {}
            tags = repository.tags(ids)
            cards = [
                _card(row, row.id in unvoted, row.id in void, tags.get(row.id, ()), excerpts.get(row.id))
                for row in shown
            ]
            following = _encode(shown[-1]) if len(rows) > limit else None
            unsearched = searching.count_waiting(caller.person_id) if wanted.search else 0
            return SessionPage(cards, following, unsearched)

        if wanted.search:
            await self._search.catch_up()
            return await self._database.search(look)
        return await self._database.read(look)

    async def read(self, caller: Caller, session_id: str) -> SessionView:
        """Return a session with its matches. Raises NotFound."""
        card = await self._database.read(
            lambda transaction: _read_card(SessionsRepository(transaction), caller, session_id)
        )
        return SessionView(session=card, matches=await self._arena.read_matches(caller, session_id))

    async def seal(self, caller: Caller, session_id: str) -> SealView:
        """Return how the key of a sealed session is wrapped. Raises NotFound, Conflict if it is not sealed."""

        def read(transaction: Transaction) -> SealView:
            repository = SessionsRepository(transaction)
            repository.get(caller.person_id, session_id)
            return msgspec.convert({"wraps": repository.seal(session_id).wraps}, SealView)

        return await self._database.read(read)

    async def read_own(self, caller: Caller, session_id: str) -> SessionView | SealedExport:
        """Return a session for its person's own export: a sealed one as it is stored. Raises NotFound."""

        def read(transaction: Transaction) -> SealedExport | None:
            repository = SessionsRepository(transaction)
            row = repository.get(caller.person_id, session_id)
            if not row.sealed:
                return None
            seal = repository.seal(session_id)
            return SealedExport(
                session=_read_card(repository, caller, session_id),
                wraps=msgspec.convert(seal.wraps, tuple[SealWrapView, ...]),
                title=seal.title,
                turns=repository.ciphertext(session_id),
            )

        return await self._database.read(read) or await self.read(caller, session_id)

    async def check(self, caller: Caller, session_id: str) -> None:
        """Raise NotFound unless a session is the caller's."""
        await self._database.read(
            lambda transaction: SessionsRepository(transaction).get(caller.person_id, session_id)
        )

    async def change(self, caller: Caller, session_id: str, request: ChangeSession) -> SessionCard:
        """Rename, pin, archive or tag a session, or undo the latter three. Raises NotFound."""

        def store(transaction: Transaction) -> SessionCard:
            repository = SessionsRepository(transaction)
            row = repository.get(caller.person_id, session_id)
            if request.title is not None:
                repository.check_seal(row, caller.seal)
                if caller.seal is None:
                    repository.retitle(row, request.title)
                else:
                    repository.retitle_sealed(row, request.title, caller.seal)
            if request.archived is not None:
                repository.change(session_id, archived=request.archived)
            if request.pinned is not None:
                repository.change(session_id, pinned=request.pinned)
            if request.tags is not None:
                repository.remove_tags(session_id)
                repository.add_tags(row, request.tags)
            return _read_card(repository, caller, session_id)

        if request.title is not None:
            self._titling.leave(caller, session_id)
        card = await self._database.write(store)
        self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=False))
        return card

    async def change_many(self, caller: Caller, request: ChangeSessions) -> ChangedSessions:
        """Make one change to many sessions, all or none; those deleted already stay so. Raises NotFound, Invalid."""
        now, ids = self._now(), list(dict.fromkeys(request.ids))

        def store(transaction: Transaction) -> None:
            repository = SessionsRepository(transaction)
            for session_id in ids:
                try:
                    row = repository.get(caller.person_id, session_id, deleted=request.deleted is not None)
                except NotFound as error:
                    raise NotFound(
                        error.title, f"{session_id} may have been deleted. Nothing was changed."
                    ) from None
                if request.deleted and row.deleted_at is not None:
                    continue
                if request.remove_tags:
                    repository.remove_tags(session_id, request.remove_tags)
                if request.add_tags:
                    repository.add_tags(row, request.add_tags)
                if request.archived is not None:
                    repository.change(session_id, archived=request.archived)
                if request.deleted is not None:
                    repository.change(session_id, deleted_at=now if request.deleted else None)

        await self._database.write(store)
        for session_id in ids:
            if request.deleted:
                await self._arena.stop_session(session_id)
            self._hub.publish(
                session_id, SessionChanged(session_id=session_id, deleted=bool(request.deleted))
            )
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

    async def count_untouched(self, before: datetime | None, *, archived: bool | None) -> int:
        """Return how many of everybody's sessions were last changed before a time; pinned ones left out."""
        rows = await self._database.read(
            lambda transaction: SessionsRepository(transaction).untouched(before, archived=archived)
        )
        return len(rows)

    async def forget_untouched(self, before: datetime, *, archived: bool | None) -> int:
        """Permanently remove everybody's sessions that were last changed before a time; votes stay, without texts."""
        forgotten = 0
        while rows := await self._database.write(lambda db: self._forget_some(db, before, archived)):
            forgotten += len(rows)
            for _owner_id, session_id in rows:
                self._hub.publish(session_id, SessionChanged(session_id=session_id, deleted=True))
        return forgotten

    @staticmethod
    def _forget_some(
        transaction: Transaction, before: datetime, archived: bool | None
    ) -> Sequence[tuple[str, str]]:
        """Remove a batch, in the transaction that finds it: what somebody uses meanwhile is no longer untouched."""
        repository = SessionsRepository(transaction)
        rows = repository.untouched(before, archived=archived, limit=ERASED_AT_ONCE)
        repository.forget([session_id for _owner_id, session_id in rows])
        return rows

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
    unvoted, void = repository.unvoted([session_id]), repository.void([session_id])
    card = _card(row, bool(unvoted), bool(void), repository.tags([session_id]).get(session_id, ()))
    if not row.sealed or caller.seal is None:
        return card
    repository.check_seal(row, caller.seal)
    return msgspec.structs.replace(card, title=repository.title(row, caller.seal))


def _card(
    row: SessionRow, unvoted: bool, void: bool, tags: Sequence[str], excerpt: Excerpt | None = None
) -> SessionCard:
    return SessionCard(
        id=row.id,
        title=row.title,
        mode=row.mode,
        archived=row.archived,
        pinned=row.pinned,
        sealed=row.sealed,
        unvoted=unvoted,
        void=void,
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
