"""Voting: a person's vote on a match, its Elo, and what it reveals. One transaction, answered after it."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

import msgspec

from parley.engine.hub import Hub, Passed
from parley.kernel.caller import Caller
from parley.kernel.events import MatchRevealed
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.kernel.views import MatchView, Metrics, ModelCard, RatedSeat, VoteView
from parley.ratings import elo
from parley.storage.database import Database, Transaction
from parley.storage.tables.judgements import Vote
from parley.workspace.arena.receipts import IdempotencyKey, once
from parley.workspace.arena.views import SeatShown, match_view
from parley.workspace.voting import hygiene
from parley.workspace.voting.blindness import NOT_LOOKED, Blindness, LongTexts, Looked
from parley.workspace.voting.findings import Findings, find
from parley.workspace.voting.metrics import total_metrics
from parley.workspace.voting.repository import BallotRepository
from parley.workspace.voting.rules import Judged, Scene, judge
from parley.workspace.voting.schemas import CastVote


class _Cast(msgspec.Struct, frozen=True):
    """A vote that is about to be stored: who cast it, when, and what was looked at before."""

    owner_id: str
    asked: CastVote
    now: datetime
    looked: Looked
    passed: Callable[[str], Passed | None]


class VotingService:
    """Takes votes. A vote is stored exactly once and never changed; the audit log tells of each.

    Who changes their mind about an open preference casts another vote, which stands in place of the first.
    """

    def __init__(
        self,
        *,
        database: Database,
        hub: Hub,
        card: Callable[[str], ModelCard],
        names: Callable[[], Sequence[str]],
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
        self._blindness = Blindness(database, names)
        self._categorise = categorise
        self._clock = clock

    async def warm(self) -> None:
        """Make ready what the first vote would otherwise wait for, in threads."""
        await asyncio.to_thread(self._categorise, [""])
        await self._database.read(lambda transaction: BallotRepository(transaction).prepare())

    async def vote(
        self, caller: Caller, match_id: str, asked: CastVote, key: IdempotencyKey | None = None
    ) -> VoteView:
        """Store a vote, and end and reveal the match where its ballot says so.

        Raises NotFound, Invalid, Conflict, Unavailable.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        passed = partial(self._hub.passed, now=asyncio.get_running_loop().time())
        cast = _Cast(caller.person_id, asked, now, NOT_LOOKED, passed)

        def store(transaction: Transaction) -> tuple[VoteView, MatchView | None]:
            stored: MatchView | None = None

            def make() -> VoteView:
                nonlocal stored
                vote, stored = self._store(BallotRepository(transaction), match_id, cast)
                return vote

            vote, _ = once(transaction, caller.person_id, key, now, VoteView, make)
            return vote, stored

        try:
            vote, match = await self._database.write(store)
        except LongTexts:
            looked = await self._blindness.look(caller.person_id, match_id)
            cast = msgspec.structs.replace(cast, looked=looked)
            vote, match = await self._database.write(store)
        if match is not None:
            self._voted()
            self._consider(caller.person_id, vote.vote_id)
            self._hub.take_votes(match)
            self._hub.publish(match.session_id, MatchRevealed(match_id=match_id, match=match, vote=vote))
        return vote

    def _store(
        self, repository: BallotRepository, match_id: str, cast: _Cast
    ) -> tuple[VoteView, MatchView | None]:
        """Store the vote; returns it and the match as it is then, or None where the same vote stands already."""
        scene = _scene(repository, cast.owner_id, match_id)
        judged = judge(scene, cast.asked)
        if (same := _same(judged, cast.asked)) is not None:
            return same, None
        found = find(
            judged.turns,
            judged.replies,
            cast.passed(judged.turn_id),
            self._categorise,
            prompts=judged.prompts,
            seats=[seat.name for seat in judged.between],
        )
        reason = self._blindness.why_not(scene.match, scene.turns, scene.replies, cast.looked)
        head = repository.lock_audit()
        if scene.match.blind and reason is None:
            models = [seat.model_id for seat in judged.between]
            reason = _why_not(repository, scene.match.voter_id, models, found)
        view = self._view(repository, scene, judged, cast, reason)
        if judged.earlier is not None:
            head = repository.replace(head, judged.earlier.id, cast.now)
        repository.insert_vote(head, _vote_row(view, scene, judged, cast, reason, found))
        if judged.ballot.ends_match:
            repository.mark_voted(match_id)
        return view, self._shown(scene, judged, view)

    def _view(
        self, repository: BallotRepository, scene: Scene, judged: Judged, cast: _Cast, reason: str | None
    ) -> VoteView:
        """Return the vote as its voter is answered; the Elo of a rated one is moved."""
        choice = cast.asked.vote if reason is None else None
        moved = _rate(repository, judged.between, choice, cast.now) if judged.ballot.rated else {}
        return VoteView(
            vote_id=random_id(),
            vote=cast.asked.vote,
            reason=cast.asked.reason,
            counted=judged.ballot.rated and reason is None,
            not_counted_reason=reason or hygiene.unrated(rated=judged.ballot.rated, blind=scene.match.blind),
            created_at=cast.now.isoformat(),
            seats={seat.name: self._seat(seat, judged, moved.get(seat.name)) for seat in scene.seats},
            turn_id=judged.turn_id,
        )

    def _seat(self, seat: SeatShown, judged: Judged, elo_moved: tuple[float, float] | None) -> RatedSeat:
        card = self._card(seat.model_id)
        said = [reply.metrics for reply in judged.replies if reply.seat == seat.name and reply.metrics]
        before, after = elo_moved or (None, None)
        return RatedSeat(
            model_id=card.id,
            name=card.name,
            organization=card.organization,
            license=card.license,
            metrics=total_metrics([msgspec.convert(metrics, Metrics) for metrics in said]),
            elo_before=None if before is None else round(before, 1),
            elo_after=None if after is None else round(after, 1),
        )

    def _shown(self, scene: Scene, judged: Judged, view: VoteView) -> MatchView:
        """Return the match with the vote on it."""
        gone = judged.earlier.id if judged.earlier else None
        votes = [msgspec.convert(vote.result, VoteView) for vote in scene.standing if vote.id != gone]
        status = "voted" if judged.ballot.ends_match else scene.match.status
        match = msgspec.structs.replace(scene.match, status=status)
        return match_view(match, scene.seats, scene.stands(), [*votes, view], self._card)


def _scene(repository: BallotRepository, owner_id: str, match_id: str) -> Scene:
    """Lock a match and read all of it. Raises NotFound."""
    match = repository.match(owner_id, match_id)
    return Scene(
        match,
        repository.seats(match_id),
        repository.turns(match_id),
        repository.replies(match_id),
        repository.standing(match_id),
    )


def _same(judged: Judged, asked: CastVote) -> VoteView | None:
    """Return the vote that stands already where it says the same about the same."""
    if judged.earlier is None or judged.earlier.turn_id != judged.turn_id:
        return None
    view = msgspec.convert(judged.earlier.result, VoteView)
    return view if (view.vote, view.reason) == (asked.vote, asked.reason) else None


def _rate(
    repository: BallotRepository, seats: Sequence[SeatShown], choice: str | None, now: datetime
) -> dict[str, tuple[float, float]]:
    """Move the Elo of both seats, or leave it where no choice counts; returns each seat's before and after."""
    one, other = seats
    ratings = repository.lock_elo(one.model_id, other.model_id, elo.INITIAL, now)
    before = (ratings[one.model_id], ratings[other.model_id])
    after = before
    if choice is not None:
        after = elo.update(*before, {one.name: 1.0, other.name: 0.0}.get(choice, 0.5))
        repository.rate({one.model_id: after[0], other.model_id: after[1]}, now)
    return {one.name: (before[0], after[0]), other.name: (before[1], after[1])}


def _why_not(
    repository: BallotRepository, voter_id: str, models: Iterable[str], found: Findings
) -> str | None:
    """Return why a blind vote that is about to be stored is not counted; the end of the audit log is locked."""
    if hygiene.too_fast(found.reading):
        return hygiene.TOO_FAST
    earlier = repository.counted_by_prompt(found.prompt_sha256, hygiene.PROMPT_CAP)
    return hygiene.DUPLICATE_PROMPT if hygiene.is_duplicate(voter_id, frozenset(models), earlier) else None


def _vote_row(
    view: VoteView, scene: Scene, judged: Judged, cast: _Cast, reason: str | None, found: Findings
) -> Vote:
    match, seats = scene.match, judged.between
    left, right = (seat.model_id for seat in seats) if len(seats) == 2 else (None, None)
    return Vote(
        id=view.vote_id,
        kind="blind" if match.blind else "open",
        match_id=match.id,
        turn_id=judged.turn_id,
        rated=judged.ballot.rated,
        session_id=match.session_id,
        owner_id=cast.owner_id,
        voter_id=match.voter_id,
        choice=view.vote,
        reason=view.reason,
        left_model_id=left,
        right_model_id=right,
        seats={seat.name: seat.model_id for seat in seats},
        propensity=match.propensity,
        counted=reason is None,
        not_counted_reason=reason,
        processing_status="pending",
        result=msgspec.to_builtins(view),
        created_at=cast.now,
        excluded_reason=None,
        categories=list(found.categories),
        categories_by="rules",
        prompt_sha256=found.prompt_sha256,
        style=found.style,
        read_ms=found.reading.read_ms if found.reading else None,
        origin="here",
    )
