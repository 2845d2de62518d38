"""Ballots: a person's vote on a match, its Elo, and what it reveals. One transaction, answered after it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from parley.engine.hub import Hub
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.events import MatchRevealed
from parley.kernel.ids import random_id
from parley.kernel.paths import outer_seat
from parley.kernel.ports import Clock
from parley.kernel.views import MatchView, Metrics, ModelCard, RatedSeat, VoteView
from parley.ratings import elo
from parley.storage.database import Database, Transaction
from parley.storage.tables.judgements import Vote
from parley.text.identity import self_identification
from parley.workspace.arena import hygiene
from parley.workspace.arena.ballot_repository import BallotRepository, VotedMatch, VotedReply, VotedSeat
from parley.workspace.arena.findings import Findings, find
from parley.workspace.arena.metrics import total_metrics
from parley.workspace.arena.receipts import IdempotencyKey, once
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.schemas import CastVote
from parley.workspace.arena.views import match_view

SCORES = {"left": 1.0, "right": 0.0}
"""What a choice is worth for the left side; every other choice is half for each."""


class BallotService:
    """Takes votes. A vote is stored exactly once and never changed; the audit log tells of each."""

    def __init__(
        self,
        *,
        database: Database,
        hub: Hub,
        card: Callable[[str], ModelCard],
        names: Callable[[str], Sequence[str]],
        categorise: Callable[[Sequence[str]], Sequence[str]],
        clock: Clock,
        voted: Callable[[], None] = lambda: None,
        consider: Callable[[str, str], None] = lambda _owner_id, _vote_id: None,
    ) -> None:
        """`voted` and `consider` are told after each vote that was stored."""
        self._database = database
        self._hub = hub
        self._voted = voted
        self._consider = consider
        self._card = card
        self._names = names
        self._categorise = categorise
        self._clock = clock

    async def warm(self) -> None:
        """Make ready what the first vote would otherwise wait for, in threads."""
        await asyncio.to_thread(self._categorise, [""])
        await self._database.read(lambda transaction: BallotRepository(transaction).prepare())

    async def vote(
        self, owner_id: str, match_id: str, asked: CastVote, key: IdempotencyKey | None = None
    ) -> VoteView:
        """Store a vote, end the match and reveal it. Raises NotFound, Invalid, Conflict, Unavailable."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> tuple[VoteView, MatchView | None]:
            repository = BallotRepository(transaction)
            revealed: MatchView | None = None

            def cast() -> VoteView:
                nonlocal revealed
                vote, revealed = self._cast(repository, owner_id, match_id, asked, now)
                return vote

            vote, _ = once(ArenaRepository(transaction), owner_id, key, now, VoteView, cast)
            return vote, revealed

        vote, match = await self._database.write(store)
        if match is not None:
            self._voted()
            self._consider(owner_id, vote.vote_id)
            self._hub.publish(match.session_id, MatchRevealed(match_id=match_id, match=match, vote=vote))
        return vote

    def _cast(
        self, repository: BallotRepository, owner_id: str, match_id: str, asked: CastVote, now: datetime
    ) -> tuple[VoteView, MatchView]:
        """Store the vote; returns it and the match as it reveals it."""
        match = repository.match(owner_id, match_id)
        seats = repository.seats(match_id)
        turns = repository.turns(match_id)
        statuses = [turn.status for turn in turns]
        replies = repository.replies(match_id)
        self._check(repository, match, statuses, replies, asked)
        found = find(turns, replies, now, self._categorise)
        leak = match.blind and self._is_told(repository, match_id, seats, replies)
        head = repository.lock_audit()
        models = {seat.name: seat.model_id for seat in seats}
        reason = hygiene.IDENTITY_LEAK if leak else None
        if match.blind and reason is None:
            reason = _why_not(repository, match.voter_id, models.values(), found)
        choice = asked.vote if reason is None else None
        ratings = _rate(repository, [seat.model_id for seat in seats], choice, now)
        view = VoteView(
            vote_id=random_id(),
            vote=asked.vote,
            reason=asked.reason,
            counted=reason is None,
            not_counted_reason=reason,
            created_at=now.isoformat(),
            seats={seat.name: self._rated(seat, replies, ratings[seat.model_id]) for seat in seats},
        )
        vote = _vote_row(view, match, models, owner_id, found, now)
        repository.insert_vote(head, vote)
        repository.mark_voted(match_id)
        voted = msgspec.structs.replace(match, status="voted")
        return view, match_view(voted, seats, statuses, vote, self._card)

    def _check(
        self,
        repository: BallotRepository,
        match: VotedMatch,
        statuses: Sequence[str],
        replies: Sequence[VotedReply],
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
        if (earlier := repository.result(match.id)) is not None:
            raise Conflict(
                "You have voted on this battle already. The first vote stands.",
                code="already_voted",
                result=vote_answer(msgspec.convert(earlier, VoteView)),
            )
        view = match_view(match, (), statuses, None, self._card)
        whole = all(reply.status == "completed" for reply in replies)
        if view.ballot is None or not view.ballot.open or not whole:
            raise Conflict(
                "Both replies must be complete before you can vote.",
                "Wait for the end, or ask again if the turn was stopped.",
                code="replies_not_complete",
            )

    def _is_told(
        self,
        repository: BallotRepository,
        match_id: str,
        seats: Sequence[VotedSeat],
        replies: Sequence[VotedReply],
    ) -> bool:
        """Tell whether an answer names its own model or maker; an ensemble's, also one of those within it."""
        names = {seat.name: tuple(self._names(seat.model_id)) for seat in seats}
        if any(self._card(seat.model_id).kind == "ensemble" for seat in seats):
            for path, model_id in repository.inner_models(match_id):
                names[outer_seat(path)] += tuple(self._names(model_id))
        return any(self_identification(reply.text, names[reply.seat]) for reply in replies)

    def _rated(
        self, seat: VotedSeat, replies: Sequence[VotedReply], rating: tuple[float, float]
    ) -> RatedSeat:
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


def _rate(
    repository: BallotRepository, model_ids: Sequence[str], choice: str | None, now: datetime
) -> dict[str, tuple[float, float]]:
    """Move the Elo of both sides, or leave it where no choice counts; returns each model's before and after."""
    left, right = model_ids
    ratings = repository.lock_elo(left, right, elo.INITIAL, now)
    before = (ratings[left], ratings[right])
    after = before
    if choice is not None:
        after = elo.update(*before, SCORES.get(choice, 0.5))
        repository.rate({left: after[0], right: after[1]}, now)
    return {left: (before[0], after[0]), right: (before[1], after[1])}


def _why_not(
    repository: BallotRepository, voter_id: str, models: Iterable[str], found: Findings
) -> str | None:
    """Return why a blind vote that is about to be stored is not counted; the end of the audit log is locked."""
    if hygiene.too_fast(found.reading):
        return hygiene.TOO_FAST
    earlier = repository.counted_by_prompt(found.prompt_sha256, hygiene.PROMPT_CAP)
    return hygiene.DUPLICATE_PROMPT if hygiene.is_duplicate(voter_id, frozenset(models), earlier) else None


def _vote_row(
    view: VoteView,
    match: VotedMatch,
    models: Mapping[str, str],
    owner_id: str,
    found: Findings,
    now: datetime,
) -> Vote:
    return Vote(
        id=view.vote_id,
        kind="blind" if match.blind else "open",
        match_id=match.id,
        session_id=match.session_id,
        owner_id=owner_id,
        voter_id=match.voter_id,
        choice=view.vote,
        reason=view.reason,
        left_model_id=models.get("left"),
        right_model_id=models.get("right"),
        seats=models,
        propensity=match.propensity,
        counted=view.counted,
        not_counted_reason=view.not_counted_reason,
        processing_status="pending",
        result=msgspec.to_builtins(view),
        created_at=now,
        excluded_reason=None,
        categories=list(found.categories),
        categories_by="rules",
        prompt_sha256=found.prompt_sha256,
        style=found.style,
        read_ms=found.reading.read_ms if found.reading else None,
        origin="here",
    )
