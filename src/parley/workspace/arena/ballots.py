"""Ballots: a person's vote on a match, its Elo, and what it reveals. One transaction, answered after it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from parley.engine.hub import Hub
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.events import MatchRevealed
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.kernel.views import Metrics, ModelCard, RatedSeat, VoteView
from parley.ratings import elo
from parley.storage.database import Database
from parley.storage.tables.conversations import Match, Reply, Seat
from parley.storage.tables.judgements import Vote
from parley.workspace.arena.metrics import total_metrics
from parley.workspace.arena.reading import ArenaReader
from parley.workspace.arena.receipts import IdempotencyKey, once
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.schemas import CastVote
from parley.workspace.arena.views import match_view

SCORES = {"left": 1.0, "right": 0.0}
"""What a choice is worth for the left side; every other choice is half for each."""


class BallotService:
    """Takes votes. A vote is stored exactly once and never changed."""

    def __init__(
        self,
        *,
        database: Database,
        hub: Hub,
        reader: ArenaReader,
        card: Callable[[str], ModelCard],
        clock: Clock,
    ) -> None:
        self._database = database
        self._hub = hub
        self._reader = reader
        self._card = card
        self._clock = clock

    async def vote(
        self, owner_id: str, match_id: str, asked: CastVote, key: IdempotencyKey | None = None
    ) -> VoteView:
        """Store a vote, end the match and reveal it. Raises NotFound, Invalid, Conflict, Unavailable."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        async with self._database.write() as transaction:
            repository = ArenaRepository(transaction)
            vote, fresh = await once(
                repository,
                owner_id,
                key,
                now,
                VoteView,
                lambda: self._cast(repository, owner_id, match_id, asked, now),
            )
        if fresh:
            match = await self._reader.match(match_id)
            self._hub.publish(match.session_id, MatchRevealed(match_id=match_id, match=match, vote=vote))
        return vote

    async def _cast(
        self, repository: ArenaRepository, owner_id: str, match_id: str, asked: CastVote, now: datetime
    ) -> VoteView:
        match = await repository.match(owner_id, match_id, lock=True)
        seats = await repository.seats([match_id])
        turns = await repository.turns([match_id])
        replies = await repository.replies([turn.id for turn in turns])
        await self._check(repository, match, [turn.status for turn in turns], replies, asked)
        voter_id = await repository.voter_id(owner_id)
        ratings = await self._rate(repository, [seat.model_id for seat in seats], asked.vote, now)
        view = VoteView(
            vote_id=random_id(),
            vote=asked.vote,
            reason=asked.reason,
            counted=True,
            not_counted_reason=None,
            created_at=now.isoformat(),
            seats={seat.name: self._rated(seat, replies, ratings[seat.model_id]) for seat in seats},
        )
        match.status = "voted"
        repository.add(
            Vote(
                id=view.vote_id,
                kind="blind" if match.blind else "open",
                match_id=match_id,
                session_id=match.session_id,
                owner_id=owner_id,
                voter_id=voter_id,
                choice=asked.vote,
                reason=asked.reason,
                left_model_id=_model_of(seats, "left"),
                right_model_id=_model_of(seats, "right"),
                seats={seat.name: seat.model_id for seat in seats},
                propensity=match.propensity,
                counted=view.counted,
                not_counted_reason=view.not_counted_reason,
                processing_status="pending",
                result=msgspec.to_builtins(view),
                created_at=now,
            )
        )
        return view

    async def _check(
        self,
        repository: ArenaRepository,
        match: Match,
        statuses: Sequence[str],
        replies: Sequence[Reply],
        asked: CastVote,
    ) -> None:
        if not match.ballot:
            raise Conflict("There is nothing to vote on in this match.", code="no_ballot")
        if asked.vote not in match.ballot:
            raise Invalid("vote", f"vote: must be one of {', '.join(match.ballot)}.")
        if match.status == "void":
            raise Conflict(
                "This battle is void, because one of its models could not answer. It cannot be voted on.",
                "Draw again: a new battle with the same question.",
                code="battle_void",
            )
        earlier = await repository.votes([match.id])
        if earlier:
            raise Conflict(
                "You have voted on this battle already. The first vote stands.",
                code="already_voted",
                result=vote_answer(msgspec.convert(earlier[0].result, VoteView)),
            )
        view = match_view(match, (), statuses, None, self._card)
        whole = all(reply.status == "completed" for reply in replies)
        if view.ballot is None or not view.ballot.open or not whole:
            raise Conflict(
                "Both replies must be complete before you can vote.",
                "Wait for the end, or ask again if the turn was stopped.",
                code="replies_not_complete",
            )

    async def _rate(
        self, repository: ArenaRepository, model_ids: Sequence[str], choice: str, now: datetime
    ) -> dict[str, tuple[float, float]]:
        """Move the Elo of both sides; returns each model's rating before and after."""
        await repository.ensure_elo(model_ids, elo.INITIAL, now)
        rows = await repository.lock_elo(model_ids)
        left, right = (rows[model_id] for model_id in model_ids)
        before = (left.rating, right.rating)
        left.rating, right.rating = elo.update(*before, SCORES.get(choice, 0.5))
        for row in (left, right):
            row.votes += 1
            row.updated_at = now
        return {left.model_id: (before[0], left.rating), right.model_id: (before[1], right.rating)}

    def _rated(self, seat: Seat, replies: Sequence[Reply], rating: tuple[float, float]) -> RatedSeat:
        card = self._card(seat.model_id)
        metrics = [msgspec.convert(reply.metrics, Metrics) for reply in replies if reply.seat == seat.name]
        return RatedSeat(
            model_id=card.id,
            name=card.name,
            organization=card.organization,
            license=card.license,
            metrics=total_metrics(metrics),
            elo_before=round(rating[0], 1),
            elo_after=round(rating[1], 1),
        )


def vote_answer(vote: VoteView) -> dict[str, object]:
    """Return a vote as its answer shows it: every seat under its own name."""
    answer: dict[str, object] = msgspec.to_builtins(vote)
    seats = answer.pop("seats")
    return {**answer, **(seats if isinstance(seats, dict) else {})}


def _model_of(seats: Sequence[Seat], name: str) -> str | None:
    return next((seat.model_id for seat in seats if seat.name == name), None)
