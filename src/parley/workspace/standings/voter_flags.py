"""Voter flags: voters whose votes look planned, proposed for a person to judge.

A flag excludes no vote. Evidence is that of all votes so far, so a flag may go again.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from parley.ratings.outcomes import Outcome
from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL
from parley.workspace.standings.live_tables import LiveTables
from parley.workspace.standings.rated_votes import OUTCOMES
from parley.workspace.standings.repository import StandingsRepository
from parley.workspace.standings.voter_repository import VoterRepository

if TYPE_CHECKING:
    from parley.ratings.baseline import Ballots, Baseline
    from parley.ratings.counts import Counts
    from parley.ratings.integrity import Flag

RECHECK_AFTER = 20
"""New votes after which a voter is examined soon; voters with fewer wait for the regular run."""

LATEST_VOTES = 2_000
"""Only so many of a voter's latest votes are evidence, so that examining has bounded cost."""

LEAST_OTHERS = 10
"""Decided votes of others that a model needs before a vote on it can be evidence."""

CROWD = 100
"""The size of tastes is estimated from so many voters, those with the most votes."""

VOTERS_PER_RUN = 10
"""Voters examined in one run, so that votes and tables do not wait for it."""

REST = 10.0
"""It rests for so many times its duration."""

MANY_PER_RUN, REST_OF_MANY = 100, 1.0
"""The same while more voters wait than that, as after an import: the table is not settled before they are examined."""


class SeenVote(msgspec.Struct, frozen=True):
    """A vote as evidence."""

    left: str
    right: str
    outcome: Outcome
    prompt: str
    """The digest of the prompt."""


class VoterVotes(msgspec.Struct, frozen=True):
    """The counted votes of one voter."""

    voter_id: str
    latest: Sequence[SeenVote]
    """The latest votes whose prompt is known, at most `LATEST_VOTES`, in any order."""
    cells: Sequence[tuple[str, str, Outcome, int]]
    """Left, right, outcome, and the number of such votes among all."""


class VoterFlagging:
    """Examines voters who have voted since they were last examined, and hourly those who are flagged."""

    def __init__(self, database: Database, tables: LiveTables) -> None:
        self._database = database
        self._tables = tables
        self._new_votes: Counter[str] = Counter()
        self._queue: dict[str, None] = {}
        self._taste: float | None = None
        self._next_run = 0.0

    def note(self, voters: Sequence[str]) -> None:
        """Note who has voted, once for each vote."""
        fresh = Counter(voters)
        self._new_votes.update(fresh)
        self._queue.update((voter, None) for voter in fresh if self._new_votes[voter] >= RECHECK_AFTER)

    @property
    def waiting(self) -> int:
        """How many voters are to be examined soon."""
        return len(self._queue)

    async def run(self, due: bool) -> float | None:
        """Examine some voters; returns in how many seconds to run again. Raises DatabaseBusy."""
        if due:
            flags = await self._database.read(lambda transaction: StandingsRepository(transaction).flags())
            self._queue.update(dict.fromkeys(flag.voter_id for flag in flags if flag.excluded_at is None))
            self._queue.update(dict.fromkeys(self._new_votes))
            self._taste = None
        if not self._queue or len(self._tables.snapshot.table(OVERALL, "bradley-terry").lines) < 2:
            return None
        wait = self._next_run - time.monotonic()
        if wait > 0 and not due:
            return wait
        began = time.monotonic()
        many = len(self._queue) > MANY_PER_RUN
        chosen = list(islice(self._queue, MANY_PER_RUN if many else VOTERS_PER_RUN))
        for voter in chosen:
            del self._queue[voter], self._new_votes[voter]
        await self._examine(chosen)
        rest = (REST_OF_MANY if many else REST) * (time.monotonic() - began)
        self._next_run = time.monotonic() + rest
        return rest if self._queue else None

    async def taste(self, counts: "Counts") -> float:
        """Return how far voters differ about single models, in log-odds; estimated once an hour."""
        if self._taste is None:
            crowd = await self._database.read(_crowd)
            self._taste = await asyncio.to_thread(crowd_taste, counts, crowd)
        return self._taste

    async def _examine(self, voters: Sequence[str]) -> None:
        found = await self._database.read(lambda transaction: [_votes_of(transaction, it) for it in voters])
        counts = (await self._tables.pair_counts()).counts(OVERALL)
        if not counts.table.any():
            return
        flags = await asyncio.to_thread(flag_voters, counts, found, await self.taste(counts))
        now = self._tables.now()
        await self._database.write(
            lambda transaction: StandingsRepository(transaction).put_flags(voters, flags, now)
        )


def crowd_taste(counts: "Counts", voters: Sequence[VoterVotes]) -> float:
    """Return how far voters differ about single models, in log-odds; loads NumPy.

    `counts` are the counted votes of `overall`, these voters' among them.
    """
    from parley.ratings.baseline import Baseline
    from parley.ratings.tastes import taste_size

    baseline = Baseline(counts)
    return taste_size([_ballots(voter, counts, baseline) for voter in voters])


def flag_voters(counts: "Counts", voters: Sequence[VoterVotes], taste: float) -> Mapping[str, "Flag"]:
    """Return the flags of voters whose evidence exceeds 100, by voter; loads NumPy.

    `counts` are the counted votes of `overall`, these voters' among them. A voter who votes alone, on few prompts, or
    on models with few other votes, is never flagged: there is nothing to compare with.
    """
    if not voters:
        return {}
    from parley.ratings.baseline import Baseline
    from parley.ratings.integrity import examine_voter

    baseline = Baseline(counts)
    found = {it.voter_id: examine_voter(_ballots(it, counts, baseline), taste) for it in voters}
    return {voter: flag for voter, flag in found.items() if flag is not None}


def _ballots(voter: VoterVotes, counts: "Counts", baseline: "Baseline") -> "Ballots":
    import numpy as np

    from parley.ratings.counts import Counts
    from parley.ratings.votes import Votes

    models = counts.models
    place = {model: number for number, model in enumerate(models)}
    prompts = {
        prompt: number for number, prompt in enumerate(dict.fromkeys(it.prompt for it in voter.latest))
    }
    own = Counts(models)
    for cell in voter.cells:
        own.add(*cell)
    rows = [(place[it.left], place[it.right], it.outcome, prompts[it.prompt]) for it in voter.latest]
    left, right, outcome, prompt = np.array(rows, dtype=np.int32).reshape(-1, 4).T
    latest = Votes(models=models, left=left, right=right, outcome=outcome)
    return baseline.ballots(latest, prompt.astype(np.int64), own, LEAST_OTHERS)


def _crowd(transaction: Transaction) -> Sequence[VoterVotes]:
    voters = VoterRepository(transaction).busiest(CROWD)
    return [_votes_of(transaction, voter) for voter in voters]


def _votes_of(transaction: Transaction, voter: str) -> VoterVotes:
    latest, grouped = VoterRepository(transaction).evidence_of(voter, LATEST_VOTES)
    cells = tuple((row[0], row[1], OUTCOMES[row[2]], row[3]) for row in grouped)
    return VoterVotes(
        voter, tuple(SeenVote(row[0], row[1], OUTCOMES[row[2]], row[3]) for row in latest), cells
    )
