"""Reading: matches and turns as views, from memory while they are played, else from storage."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from parley.engine.hub import Hub
from parley.features.arena.repository import ArenaRepository
from parley.features.arena.views import attempt_view, inner_view, match_view, turn_snapshot
from parley.kernel.ballot import TurnReplies, completed_by_seat
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Problem
from parley.kernel.events import TurnSnapshot
from parley.kernel.moderation import reply_held
from parley.kernel.views import (
    Attempts,
    Failure,
    Failures,
    InnerReplies,
    MatchRecord,
    MatchView,
    ModelCard,
    VoteView,
)
from parley.storage.database import Database
from parley.storage.tables.conversations import MatchRow, ReplyRow, SeatRow, TurnRow

R = TypeVar("R", SeatRow, TurnRow, ReplyRow)


class Rows(NamedTuple):
    """The stored rows of matches, to be made into views together with the live turns.

    Seats, turns and votes by match; replies and events by turn, for turns that are shown. `statuses`: the seats and
    statuses of replies by turn, for turns that are judged but not shown.
    """

    matches: Sequence[MatchRow]
    seats: dict[str, list[SeatRow]]
    turns: dict[str, list[TurnRow]]
    votes: dict[str, list[VoteView]]
    shown: frozenset[str]
    replies: dict[str, list[ReplyRow]]
    events: dict[str, list[tuple[str, dict[str, Any]]]]
    statuses: dict[str, list[tuple[str, str]]]

    def view(self, match: MatchRow, card: Callable[[str], ModelCard]) -> MatchView:
        """Return one of the matches; a blind one is veiled until its owner has voted."""
        turns = [self._turn_replies(turn) for turn in self.turns.get(match.id, ())]
        seats, votes = self.seats.get(match.id, ()), self.votes.get(match.id, ())
        return match_view(match, seats, turns, votes, card)

    def _turn_replies(self, turn: TurnRow) -> TurnReplies:
        shown = [(reply.seat, reply.status) for reply in self.replies.get(turn.id, ())]
        return TurnReplies(turn.id, turn.status, completed_by_seat(shown or self.statuses.get(turn.id, ())))


class ArenaReader:
    """Reads for one viewer; a blind match is veiled. Other people's data is not found."""

    def __init__(
        self, database: Database, hub: Hub, card: Callable[[str], ModelCard], *, several: bool = False
    ) -> None:
        """`several`: what runs and is not played here is played by another replica."""
        self._several = several
        self._database = database
        self._hub = hub
        self._card = card

    async def check_session(self, caller: Caller, session_id: str) -> None:
        """Raise NotFound unless the session exists and belongs to the owner."""
        await self._database.read(
            lambda transaction: ArenaRepository(transaction, caller.seal).session(
                caller.person_id, session_id
            )
        )

    async def check_turn(self, caller: Caller, turn_id: str) -> None:
        """Raise NotFound unless the turn exists and belongs to the owner."""
        await self._database.read(
            lambda transaction: ArenaRepository(transaction, caller.seal).turn(caller.person_id, turn_id)
        )

    async def turn(self, caller: Caller, turn_id: str) -> TurnSnapshot:
        """Return a turn with its match. Raises NotFound."""

        def read(repository: ArenaRepository) -> Rows:
            turn = repository.turn(caller.person_id, turn_id)
            return read_rows(repository, [repository.match(caller.person_id, turn.match_id)], only=turn_id)

        record = (await self._settled(caller, read))[0]
        return TurnSnapshot(match=record.match, turn=record.turns[0])

    async def attempts(self, caller: Caller, turn_id: str) -> Attempts:
        """Return the earlier attempts of a turn's replies.

        Raises NotFound, and Conflict while the turn is blind.
        """
        await self._check_revealed(caller, turn_id, "a list of retries would reveal which answer failed")
        rows = await self._database.read(
            lambda transaction: ArenaRepository(transaction, caller.seal).attempts(turn_id)
        )
        return Attempts(turn_id=turn_id, attempts=tuple(attempt_view(*row) for row in rows))

    async def inner_replies(self, caller: Caller, turn_id: str) -> InnerReplies:
        """Return how a turn's ensembles reached their answers.

        Raises NotFound, and Conflict while the turn is blind.
        """
        await self._check_revealed(caller, turn_id, "an ensemble's inner replies would reveal the model")
        rows = await self._database.read(
            lambda transaction: ArenaRepository(transaction, caller.seal).inner_replies(turn_id)
        )
        return InnerReplies(turn_id=turn_id, replies=tuple(inner_view(row, self._card) for row in rows))

    async def failures(self, caller: Caller, turn_id: str) -> Failures:
        """Return the models that made a turn's match void, once a later match of its session has revealed its own.

        Before that, the models of the next blind match could be guessed from those that failed. Raises NotFound, and
        Conflict if the match is not void or is still followed by nothing revealed.
        """

        def read(repository: ArenaRepository) -> tuple[MatchRow, Sequence[MatchRow], Sequence[ReplyRow]]:
            turn = repository.turn(caller.person_id, turn_id)
            match = repository.match(caller.person_id, turn.match_id)
            return match, repository.matches(match.session_id), repository.replies([turn_id])

        match, matches, replies = await self._database.read(
            lambda transaction: read(ArenaRepository(transaction, caller.seal))
        )
        if match.status != "void":
            raise Conflict("This match is not void.", code="not_void")
        later = [each for each in matches if each.index > match.index]
        hidden = any(each.blind and each.status == "open" for each in later)
        if hidden or not any(each.status == "voted" for each in later):
            why = "the model that failed could be drawn again"
            raise Conflict(
                f"The next battle is blind until you vote: {why}.", "Vote on it first.", code="still_blind"
            )
        failures = [
            Failure(model=self._card(reply.model_id), problem=msgspec.convert(reply.error, Problem))
            for reply in replies
            if reply.status in ("failed", "incomplete")
            and reply.error is not None
            and reply.error["code"]
            != reply_held().leaf_code  # only administrators learn whose reply was held
        ]
        return Failures(turn_id=turn_id, failures=tuple(sorted(failures, key=lambda each: each.model.name)))

    async def matches(self, caller: Caller, session_id: str) -> tuple[MatchRecord, ...]:
        """Return a session's matches with their turns, oldest first. Raises NotFound."""

        def read(repository: ArenaRepository) -> Rows:
            repository.session(caller.person_id, session_id)
            return read_rows(repository, repository.matches(session_id))

        return tuple(await self._settled(caller, read))

    async def _check_revealed(self, caller: Caller, turn_id: str, why: str) -> None:
        """Raise Conflict while a turn is blind, NotFound if there is none."""
        if (await self.turn(caller, turn_id)).match.blind:
            raise Conflict(f"This battle is blind until you vote: {why}.", "Vote first.", code="still_blind")

    async def _settled(self, caller: Caller, read: Callable[[ArenaRepository], Rows]) -> list[MatchRecord]:
        """Return the matches that `read` finds, with their live turns.

        Reads again if a turn ended between reading the database and reading memory.
        """

        async def once() -> list[MatchRecord]:
            rows = await self._database.read(
                lambda transaction: read(ArenaRepository(transaction, caller.seal))
            )
            return [self._record(rows, match) for match in rows.matches]

        records = await once()
        if any(turn.status == "interrupted" for record in records for turn in record.turns):
            records = await once()
        return [_running(record) for record in records] if self._several else records

    def _record(self, rows: Rows, match: MatchRow) -> MatchRecord:
        view = rows.view(match, self._card)
        shown = [turn for turn in rows.turns.get(match.id, ()) if turn.id in rows.shown]
        return MatchRecord(match=view, turns=tuple(self._snapshot(rows, view, turn).turn for turn in shown))

    def _snapshot(self, rows: Rows, match: MatchView, turn: TurnRow) -> TurnSnapshot:
        live = self._hub.turn(turn.id)
        if live is not None and not live.finished.is_set():
            return msgspec.structs.replace(live.snapshot(), match=match)
        return turn_snapshot(match, turn, rows.replies.get(turn.id, ()), rows.events.get(turn.id, ()))


def _running(record: MatchRecord) -> MatchRecord:
    """Return a record whose turns run where they are played elsewhere."""
    if all(turn.status != "interrupted" for turn in record.turns):
        return record
    turns = (
        msgspec.structs.replace(turn, status="running") if turn.status == "interrupted" else turn
        for turn in record.turns
    )
    return msgspec.structs.replace(record, turns=tuple(turns))


def read_rows(repository: ArenaRepository, matches: Sequence[MatchRow], *, only: str | None = None) -> Rows:
    """Read all that views of matches need; `only` narrows the turns that are shown to one."""
    ids = [match.id for match in matches]
    turns = repository.turns(ids)
    shown = frozenset(turn.id for turn in turns if only in (None, turn.id))
    judged = {match.id for match in matches if match.ballot is not None}
    others = [turn.id for turn in turns if turn.id not in shown and turn.match_id in judged]
    return Rows(
        matches=matches,
        seats=_grouped(repository.seats(ids), "match_id"),
        turns=_grouped(turns, "match_id"),
        votes=repository.votes(ids),
        shown=shown,
        replies=_grouped(repository.replies(sorted(shown)) if shown else (), "turn_id"),
        events=repository.events(sorted(shown)) if shown else {},
        statuses=repository.reply_statuses(others) if others else {},
    )


def _grouped(rows: Sequence[R], key: str) -> dict[str, list[R]]:
    groups: dict[str, list[R]] = {}
    for row in rows:
        groups.setdefault(getattr(row, key), []).append(row)
    return groups
