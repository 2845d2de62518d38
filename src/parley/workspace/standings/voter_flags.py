"""Voter flags: voters whose votes look planned, flagged for a person to judge.

No vote is excluded for it: how far honest tastes go beyond the table of all others is not known well enough, and
whoever differs would be silenced.
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
from parley.workspace.standings.vote_repository import VoteRepository

if TYPE_CHECKING:
    from parley.ratings.counts import Counts
    from parley.ratings.integrity import Flag

RECHECK_AFTER = 20
"""New votes after which a voter is examined soon; voters with fewer wait for the regular run."""

FIRST_VOTES = 2_000
"""Only so many first votes of a voter are evidence, so that examining has bounded cost."""

LEAST_OTHERS = 10
"""Decided votes of others that a model needs before a vote on it can be evidence."""

VOTERS_PER_RUN = 10
"""Voters examined in one run, so that votes and tables do not wait for it."""

REST = 10.0
"""It rests for so many times its duration."""


class VoterVotes(msgspec.Struct, frozen=True):
    """The counted votes of one voter."""

    voter_id: str
    first: Sequence[tuple[str, str, Outcome]]
    """Left, right and outcome of the first votes in the order of `seq`, at most `FIRST_VOTES`."""
    cells: Sequence[tuple[str, str, Outcome, int]]
    """Left, right, outcome, and the number of such votes among all."""


class VoterFlagging:
    """Examines voters who have voted since they were last examined."""

    def __init__(self, database: Database, tables: LiveTables) -> None:
        self._database = database
        self._tables = tables
        self._new_votes: Counter[str] = Counter()
        self._queue: dict[str, None] = {}
        self._next_run = 0.0

    def note(self, voter_id: str) -> None:
        """Note that a voter has voted."""
        self._new_votes[voter_id] += 1
        if self._new_votes[voter_id] >= RECHECK_AFTER:
            self._queue[voter_id] = None

    async def run(self, due: bool) -> float | None:
        """Examine some voters; returns in how many seconds to run again. Raises DatabaseBusy."""
        if due:
            self._queue.update(dict.fromkeys(self._new_votes))
        if not self._queue or len(self._tables.snapshot.table(OVERALL, "bradley-terry").lines) < 2:
            return None
        wait = self._next_run - time.monotonic()
        if wait > 0 and not due:
            return wait
        began = time.monotonic()
        chosen = list(islice(self._queue, VOTERS_PER_RUN))
        for voter in chosen:
            del self._queue[voter], self._new_votes[voter]
        await self._examine(chosen)
        rest = REST * (time.monotonic() - began)
        self._next_run = time.monotonic() + rest
        return rest if self._queue else None

    async def _examine(self, voters: Sequence[str]) -> None:
        found = await self._database.read(lambda transaction: [_votes_of(transaction, it) for it in voters])
        examined = [voter for voter in found if len(voter.first) > 1]
        if not examined:
            return
        counts = await self._tables.pair_counts()
        flags = await asyncio.to_thread(lambda: flag_voters(counts.counts(OVERALL), examined))
        now, votes = self._tables.now(), {it.voter_id: sum(cell[3] for cell in it.cells) for it in examined}
        rows = [(voter, *msgspec.structs.astuple(flag), votes[voter], now) for voter, flag in flags.items()]
        await self._database.write(
            lambda transaction: StandingsRepository(transaction).put_flags([*votes], rows)
        )


def flag_voters(counts: "Counts", voters: Sequence[VoterVotes]) -> Mapping[str, "Flag"]:
    """Return the flags of voters whose evidence ever exceeded 100, by voter; loads NumPy.

    `counts` are the counted votes of `overall`, these voters' among them. A voter who votes alone, or on models with
    few other votes, is never flagged: there is nothing to compare with.
    """
    if not voters:
        return {}
    import numpy as np

    from parley.ratings.baseline import Baseline
    from parley.ratings.counts import Counts
    from parley.ratings.integrity import examine_voter
    from parley.ratings.votes import Votes

    models, baseline = counts.models, Baseline(counts)
    place = {model: number for number, model in enumerate(models)}
    flags: dict[str, Flag] = {}
    for voter in voters:
        own = Counts(models)
        for cell in voter.cells:
            own.add(*cell)
        rows = [(place[left], place[right], outcome) for left, right, outcome in voter.first]
        left, right, outcome = np.array(rows, dtype=np.int32).reshape(-1, 3).T
        first = Votes(models=models, left=left, right=right, outcome=outcome)
        if (flag := examine_voter(first, baseline, own, LEAST_OTHERS)) is not None:
            flags[voter.voter_id] = flag
    return flags


def _votes_of(transaction: Transaction, voter: str) -> VoterVotes:
    first, grouped = VoteRepository(transaction).evidence_of(voter, FIRST_VOTES)
    cells = tuple((row[0], row[1], OUTCOMES[row[2]], row[3]) for row in grouped)
    return VoterVotes(voter, tuple((row[0], row[1], OUTCOMES[row[2]]) for row in first), cells)
