"""Voting: a person's vote on a match, its Elo and what it reveals, in one transaction."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

import msgspec

from parley.engine.hub import Hub, Passed
from parley.features.arena.receipts import IdempotencyKey, once
from parley.features.arena.views import match_view
from parley.features.voting import hygiene
from parley.features.voting.blindness import NOT_SCANNED, BlindnessCheck, LongTexts, Scan
from parley.features.voting.findings import Findings, find
from parley.features.voting.metrics import total_metrics
from parley.features.voting.repository import Voter, VotingRepository
from parley.features.voting.rules import Judged, MatchState, judge
from parley.features.voting.schemas import CastVote
from parley.kernel.caller import Caller, Role
from parley.kernel.events import MatchRevealed
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.kernel.views import MatchView, Metrics, ModelCard, RatedSeat, VoteView
from parley.ratings import elo
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import SeatRow
from parley.storage.tables.votes import WITHDRAWN, VoteRow


class _Cast(msgspec.Struct, frozen=True):
    """A vote to be stored: who cast it, when, and what was found in long texts before."""

    voter: Voter
    request: CastVote
    now: datetime
    scan: Scan
    passed: Callable[[str], Passed | None]


class VotingService:
    """Takes votes. Each is stored exactly once, with its audit log entry, and never changed.

    Who changes their mind about an open preference casts another vote, which stands in place of the first. For ten
    seconds a vote can be taken back (`Withdrawals`).
    """

    def __init__(
        self,
        *,
        database: Database,
        hub: Hub,
        card: Callable[[str], ModelCard],
        names: Callable[[], Sequence[str]],
        categorise: Callable[[Sequence[str], int], Sequence[str]],
        clock: Clock,
        voted: Callable[[], None] = lambda: None,
        saved: Callable[[str], None] = lambda _vote_id: None,
        counts_guests: bool = True,
    ) -> None:
        """`voted` and `saved` are called after each vote that was stored."""
        self._counts_guests = counts_guests
        self._database = database
        self._hub = hub
        self._voted = voted
        self._when_stored: list[Callable[[str, str], None]] = []
        self._saved = saved
        self._card = card
        self._blindness = BlindnessCheck(database, names)
        self._categorise = categorise
        self._clock = clock

    def when_stored(self, listener: Callable[[str, str], None]) -> None:
        """Call a function with the owner and the id of each new vote."""
        self._when_stored.append(listener)

    async def warm(self) -> None:
        """Prepare in threads what the first vote would otherwise wait for."""
        await asyncio.to_thread(self._categorise, [""], 0)
        await self._database.read(lambda transaction: VotingRepository(transaction).prepare())

    async def vote(
        self, caller: Caller, match_id: str, request: CastVote, key: IdempotencyKey | None = None
    ) -> VoteView:
        """Store a vote, and end and reveal the match where its ballot says so.

        Raises NotFound, Invalid, Conflict, Unavailable.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        passed = partial(self._hub.passed, now=asyncio.get_running_loop().time())
        cast = _Cast(voter_of(caller), request, now, NOT_SCANNED, passed)

        def store(transaction: Transaction) -> tuple[VoteView, MatchView | None]:
            stored: MatchView | None = None

            def make() -> VoteView:
                nonlocal stored
                vote, stored = self._store(VotingRepository(transaction), match_id, cast)
                return vote

            vote, _ = once(transaction, caller.person_id, key, now, VoteView, make)
            return vote, stored

        try:
            vote, match = await self._database.write(store)
        except LongTexts:
            scan = await self._blindness.scan(voter_of(caller), match_id)
            cast = msgspec.structs.replace(cast, scan=scan)
            vote, match = await self._database.write(store)
        if match is not None:
            self._saved(vote.vote_id)
            self._voted()
            for listener in self._when_stored:
                listener(caller.person_id, vote.vote_id)
            self._hub.take_votes(match)
            self._hub.publish(match.session_id, MatchRevealed(match_id=match_id, match=match, vote=vote))
        return vote

    def _store(
        self, repository: VotingRepository, match_id: str, cast: _Cast
    ) -> tuple[VoteView, MatchView | None]:
        """Store the vote; return it, and the match with it.

        There is no match where the same vote stands already: nothing was stored.
        """
        state = match_state(repository, cast.voter, match_id)
        judged = judge(state, cast.request)
        if (same := _same(judged, cast.request)) is not None:
            return same, None
        findings = find(
            judged.turns,
            judged.replies,
            cast.passed(judged.turn_id),
            self._categorise,
            prompts=judged.prompts,
            seats=[seat.name for seat in judged.between],
        )
        reason = self._blindness.why_not(state.match, state.turns, state.replies, cast.scan)
        head = repository.lock_audit()
        if state.match.blind and reason is None:
            models = [seat.model_id for seat in judged.between]
            left_out = cast.voter.is_guest and not self._counts_guests
            reason = hygiene.GUEST if left_out else _why_not(repository, state.voter_id, models, findings)
        view, gain = self._view(repository, state, judged, cast, reason)
        if judged.earlier is not None:
            head = repository.replace(head, judged.earlier.vote_id, cast.now)
        repository.insert_vote(head, _vote_row(view, gain, state, judged, cast, reason, findings))
        if judged.ballot.ends_match:
            repository.mark_voted(match_id)
        return view, self._shown(state, judged, view)

    def _view(
        self, repository: VotingRepository, state: MatchState, judged: Judged, cast: _Cast, reason: str | None
    ) -> tuple[VoteView, float | None]:
        """Return the vote as its voter is answered, and what its first seat gained.

        The Elo of a rated one is moved; None where it stayed.
        """
        choice = cast.request.vote if reason is None else None
        moved = _rate(repository, judged.between, choice, cast.now) if judged.ballot.rated else {}
        view = VoteView(
            vote_id=random_id(),
            vote=cast.request.vote,
            reason=cast.request.reason,
            counted=judged.ballot.rated and reason is None,
            not_counted_reason=reason or hygiene.unrated(rated=judged.ballot.rated, blind=state.match.blind),
            created_at=cast.now.isoformat(),
            seats={seat.name: self._seat(seat, judged, moved.get(seat.name)) for seat in state.seats},
            turn_id=judged.turn_id,
        )
        before, after = next(iter(moved.values()), (0.0, 0.0))
        return view, after - before if view.counted else None

    def _seat(self, seat: SeatRow, judged: Judged, elo_moved: tuple[float, float] | None) -> RatedSeat:
        card = self._card(seat.model_id)
        seat_metrics = [
            reply.metrics for reply in judged.replies if reply.seat == seat.name and reply.metrics
        ]
        before, after = elo_moved or (None, None)
        return RatedSeat(
            model_id=card.id,
            name=card.name,
            organization=card.organization,
            license=card.license,
            metrics=total_metrics([msgspec.convert(metrics, Metrics) for metrics in seat_metrics]),
            elo_before=None if before is None else round(before, 1),
            elo_after=None if after is None else round(after, 1),
            attempt=judged.attempts().get(seat.name),
        )

    def _shown(self, state: MatchState, judged: Judged, view: VoteView) -> MatchView:
        """Return the match with the vote on it."""
        votes = [vote for vote in state.standing if vote is not judged.earlier]
        status = "voted" if judged.ballot.ends_match else state.match.status
        match = msgspec.structs.replace(state.match, status=status)
        return match_view(match, state.seats, state.turn_replies(), [*votes, view], self._card)


def voter_of(caller: Caller) -> Voter:
    """Return who votes by a caller's request."""
    return Voter(caller.person_id, caller.author_id, caller.role is Role.GUEST)


def match_state(repository: VotingRepository, voter: Voter, match_id: str) -> MatchState:
    """Lock a match and read all of it. Raises NotFound."""
    match, voter_id = repository.match(voter, match_id)
    return MatchState(
        match,
        voter_id,
        repository.seats(match_id),
        repository.turns(match_id),
        repository.replies(match_id),
        repository.standing(match_id),
    )


def _same(judged: Judged, request: CastVote) -> VoteView | None:
    """Return the vote that stands already where it says the same about the same."""
    if judged.earlier is None or judged.earlier.turn_id != judged.turn_id:
        return None
    if judged.earlier.not_counted_reason == WITHDRAWN:
        return None
    same = (judged.earlier.vote, judged.earlier.reason) == (request.vote, request.reason)
    about = {seat: rated.attempt for seat, rated in judged.earlier.seats.items() if rated.attempt is not None}
    asked_again = bool(about) and about != judged.attempts()
    return judged.earlier if same and not asked_again else None


def _rate(
    repository: VotingRepository, seats: Sequence[SeatRow], choice: str | None, now: datetime
) -> dict[str, tuple[float, float]]:
    """Move the Elo of both seats; return by seat what it was before and after.

    It stays where no choice counts.
    """
    one, other = seats
    ratings = repository.lock_elo(one.model_id, other.model_id, elo.INITIAL, now)
    before = (ratings[one.model_id], ratings[other.model_id])
    after = before
    if choice is not None:
        after = elo.update(*before, {one.name: 1.0, other.name: 0.0}.get(choice, 0.5))
        repository.rate({one.model_id: after[0], other.model_id: after[1]}, now)
    return {one.name: (before[0], after[0]), other.name: (before[1], after[1])}


def _why_not(
    repository: VotingRepository, voter_id: str, models: Iterable[str], findings: Findings
) -> str | None:
    """Return why a blind vote is not counted; None where it is.

    The end of the audit log is locked.
    """
    if hygiene.too_fast(findings.reading):
        return hygiene.TOO_FAST
    earlier = repository.counted_by_prompt(findings.prompt_sha256, hygiene.PROMPT_CAP)
    return hygiene.DUPLICATE_PROMPT if hygiene.is_duplicate(voter_id, frozenset(models), earlier) else None


def _vote_row(
    view: VoteView,
    gain: float | None,
    state: MatchState,
    judged: Judged,
    cast: _Cast,
    reason: str | None,
    findings: Findings,
) -> VoteRow:
    match, seats = state.match, judged.between
    left, right = (seat.model_id for seat in seats) if len(seats) == 2 else (None, None)
    return VoteRow(
        id=view.vote_id,
        kind="blind" if match.blind else "open",
        match_id=match.id,
        turn_id=judged.turn_id,
        rated=judged.ballot.rated,
        session_id=match.session_id,
        owner_id=cast.voter.owner_id,
        voter_id=state.voter_id,
        choice=view.vote,
        reason=view.reason,
        left_model_id=left,
        right_model_id=right,
        seats={seat.name: seat.model_id for seat in seats},
        propensity=match.propensity,
        counted=reason is None,
        not_counted_reason=reason,
        processing_status="pending",
        result=msgspec.to_builtins(view) | ({} if gain is None else {"elo_gain": gain}),
        created_at=cast.now,
        excluded_reason=None,
        categories=list(findings.categories),
        categories_by="rules",
        prompt_sha256=findings.prompt_sha256,
        style=findings.style,
        read_ms=findings.reading.read_ms if findings.reading else None,
        origin="here",
    )
