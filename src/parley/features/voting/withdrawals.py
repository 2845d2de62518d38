"""Withdrawals: a voter can take a vote back for ten seconds, an open one at any time; it then never counts."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from parley.engine.hub import Hub
from parley.features.arena.views import match_view, vote_view
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.recount import lock_standings, recount
from parley.features.voting.repository import VotingRepository
from parley.features.voting.service import match_state, voter_of
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.events import MatchRevealed
from parley.kernel.ports import Clock
from parley.kernel.views import MatchView, ModelCard, VoteView
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import WITHDRAWN, VoteRow

WINDOW_S = 10.0
"""Seconds that a page offers to take a vote back."""

GRACE_S = 2.0
"""Seconds that a withdrawal may arrive later, for the network."""


class Withdrawals:
    """Takes votes back, each with its audit log entry, its Elo and its counts in one transaction."""

    def __init__(
        self,
        *,
        database: Database,
        hub: Hub,
        card: Callable[[str], ModelCard],
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        """`wake` is called after each withdrawal."""
        self._database = database
        self._hub = hub
        self._card = card
        self._clock = clock
        self._wake = wake
        self._saved_at: dict[str, float] = {}
        """When votes were saved, by the loop's clock, oldest first; those that can still be taken back."""

    def saved(self, vote_id: str) -> None:
        """Begin the ten seconds of a vote that was just saved."""
        now = asyncio.get_running_loop().time()
        while self._saved_at and now - next(iter(self._saved_at.values())) > WINDOW_S + GRACE_S:
            del self._saved_at[next(iter(self._saved_at))]
        self._saved_at[vote_id] = now

    async def withdraw(self, caller: Caller, vote_id: str) -> VoteView:
        """Take a vote back; one that was taken back already stays so. Raises NotFound, Conflict."""
        now, clock = self._clock.now(), asyncio.get_running_loop().time()

        def age(vote: VoteRow) -> float:
            # The wall clock only decides where this process did not save the vote.
            if vote_id in self._saved_at:
                return clock - self._saved_at[vote_id]
            return now - vote.created_at.timestamp()

        def store(transaction: Transaction) -> tuple[VoteView, MatchView | None]:
            lock_standings(transaction)
            repository = VotingRepository(transaction)
            match_id = repository.vote(caller.person_id, vote_id).match_id or vote_id
            _, pseudonym = repository.match(voter_of(caller), match_id)
            vote = repository.vote(caller.person_id, vote_id, lock=True)
            if vote.voter_id != pseudonym:
                raise NotFound(
                    "This vote is not yours.", "Nothing was changed. Who cast it can take it back."
                )
            if vote.excluded_reason == WITHDRAWN:
                return vote_view(vote.result, WITHDRAWN), None
            _check(vote, age(vote))
            _take_back(transaction, vote, datetime.fromtimestamp(now, UTC))
            state = match_state(repository, voter_of(caller), match_id)
            match = match_view(state.match, state.seats, state.turn_replies(), state.standing, self._card)
            return vote_view(vote.result, WITHDRAWN), match

        withdrawn, match = await self._database.write(store)
        self._saved_at.pop(vote_id, None)
        if match is not None:
            self._wake()
            self._hub.take_votes(match)
            event = MatchRevealed(match_id=match.id, match=match, vote=withdrawn)
            self._hub.publish(match.session_id, event)
        return withdrawn


def _check(vote: VoteRow, age_s: float) -> None:
    if vote.excluded_reason is not None:
        raise Conflict(
            "This vote no longer counts, so there is nothing to undo.",
            "Open it in Votes to see why.",
            code="vote_excluded",
        )
    # A vote of an older version has no gain by which Elo could be moved back.
    unknown = vote.rated and vote.counted and "elo_gain" not in vote.result
    late = vote.kind == "blind" and not -GRACE_S <= age_s <= WINDOW_S + GRACE_S
    if unknown or late:
        raise Conflict(
            f"A vote can be undone for {WINDOW_S:.0f} seconds. This one was saved earlier and stays as it is.",
            "Nothing was changed.",
            code="undo_too_late",
        )


def _take_back(transaction: Transaction, vote: VoteRow, now: datetime) -> None:
    """Exclude a vote, move Elo back by what it gained, and recount it."""
    repository, before = VotingRepository(transaction), rated_vote(vote)
    repository.withdraw(repository.lock_audit(), vote, now)
    gain = msgspec.convert(vote.result.get("elo_gain"), float | None)
    if gain is not None and vote.left_model_id and vote.right_model_id:
        repository.move_back({vote.left_model_id: gain, vote.right_model_id: -gain})
    recount(transaction, (before, rated_vote(vote)))
