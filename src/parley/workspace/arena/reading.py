"""Reading: what the arena shows of matches and turns, from memory while they are played, else from storage."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from parley.engine.hub import Hub
from parley.kernel.errors import Problem
from parley.kernel.events import TurnSnapshot
from parley.kernel.ports import TurnEnded, TurnLog
from parley.kernel.views import MatchRecord, MatchView, ModelCard
from parley.storage.database import Database
from parley.storage.tables.conversations import Match, Turn
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.views import match_view, turn_snapshot


class ArenaReader:
    """Reads for one viewer; a blind match comes veiled. Somebody else's things are not found."""

    def __init__(
        self, database: Database, hub: Hub, turn_log: TurnLog, card: Callable[[str], ModelCard]
    ) -> None:
        self._database = database
        self._hub = hub
        self._turn_log = turn_log
        self._card = card

    async def check_session(self, owner_id: str, session_id: str) -> None:
        """Raise NotFound unless the session is there and the owner's."""
        async with self._database.read() as transaction:
            await ArenaRepository(transaction).session(owner_id, session_id)

    async def check_turn(self, owner_id: str, turn_id: str) -> None:
        """Raise NotFound unless the turn is there and the owner's."""
        async with self._database.read() as transaction:
            await ArenaRepository(transaction).turn(owner_id, turn_id)

    async def turn(self, owner_id: str, turn_id: str) -> TurnSnapshot:
        """Return a turn with its match. Raises NotFound."""

        async def read(repository: ArenaRepository) -> list[MatchRecord]:
            turn = await repository.turn(owner_id, turn_id)
            match = await repository.match(owner_id, turn.match_id)
            return await self._records(repository, [match], only=turn_id)

        record = (await self._settled(read))[0]
        return TurnSnapshot(match=record.match, turn=record.turns[0])

    async def matches(self, owner_id: str, session_id: str) -> tuple[MatchRecord, ...]:
        """Return a session's matches with their turns, oldest first. Raises NotFound."""

        async def read(repository: ArenaRepository) -> list[MatchRecord]:
            await repository.session(owner_id, session_id)
            return await self._records(repository, await repository.matches(session_id))

        return tuple(await self._settled(read))

    async def match(self, match_id: str) -> MatchView:
        """Return a match, whoever owns it: for the engine and for what the owner is told."""
        async with self._database.read() as transaction:
            repository = ArenaRepository(transaction)
            match = await transaction.get_one(Match, match_id)
            return (await self._records(repository, [match], only=""))[0].match

    async def give_up(self, turn_id: str, why: str) -> None:
        """End a turn that cannot be played any more."""
        script = await self._turn_log.read(turn_id)
        problem = Problem(code="mode_gone", title=why, detail="What had come is kept.")
        await self._turn_log.write(
            [
                TurnEnded(
                    turn_id=turn_id,
                    match_id=script.match_id,
                    status="failed",
                    error=problem,
                    released=None,
                    void=None,
                )
            ]
        )

    async def _settled(
        self, read: Callable[[ArenaRepository], Awaitable[list[MatchRecord]]]
    ) -> list[MatchRecord]:
        """Read; once more where a turn ended between the look into the database and that into memory."""
        async with self._database.read() as transaction:
            records = await read(ArenaRepository(transaction))
        if any(turn.status == "interrupted" for record in records for turn in record.turns):
            async with self._database.read() as transaction:
                records = await read(ArenaRepository(transaction))
        return records

    async def _records(
        self, repository: ArenaRepository, matches: Sequence[Match], *, only: str | None = None
    ) -> list[MatchRecord]:
        """Build records; `only` narrows the turns that are shown to one."""
        ids = [match.id for match in matches]
        seats = _grouped(await repository.seats(ids), "match_id")
        turns = _grouped(await repository.turns(ids), "match_id")
        votes = {vote.match_id: vote for vote in await repository.votes(ids)}
        shown = [turn.id for group in turns.values() for turn in group if only in (None, turn.id)]
        replies = _grouped(await repository.replies(shown), "turn_id")
        notes: dict[str, list[Any]] = {}
        for turn_id, data in await repository.notes(shown):
            notes.setdefault(turn_id, []).append(data)
        records: list[MatchRecord] = []
        for match in matches:
            statuses = [turn.status for turn in turns.get(match.id, [])]
            view = match_view(match, seats.get(match.id, []), statuses, votes.get(match.id), self._card)
            snapshots = [
                self._snapshot(view, turn, replies.get(turn.id, []), notes.get(turn.id, []))
                for turn in turns.get(match.id, [])
                if only in (None, turn.id)
            ]
            records.append(MatchRecord(match=view, turns=tuple(snapshot.turn for snapshot in snapshots)))
        return records

    def _snapshot(
        self, match: MatchView, turn: Turn, replies: Sequence[Any], notes: Sequence[Any]
    ) -> TurnSnapshot:
        live = self._hub.turn(turn.id)
        if live is not None and not live.finished.is_set():
            return msgspec.structs.replace(live.snapshot(), match=match)
        return turn_snapshot(match, turn, replies, notes)


def _grouped(rows: Sequence[Any], key: str) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, key), []).append(row)
    return groups
