"""Voter flags: voters whose votes look planned, proposed for a person to judge.

A flag excludes no vote. Evidence is that of all votes so far, so a flag may go again.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from parley.features.standings.live_tables import LiveTables
from parley.features.standings.rated_votes import OUTCOMES
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.seen_votes import Cells, SeenVote
from parley.features.standings.voter_repository import VoterRepository
from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL

if TYPE_CHECKING:
    from parley.ratings.counts import Counts
    from parley.ratings.integrity import Flag

RECHECK_AFTER = 20
"""New votes after which a voter is examined soon; voters with fewer wait for the regular run."""

LATEST_VOTES = 2_000
"""Only so many of a voter's latest votes are evidence, so that examining has bounded cost."""

CROWD = 100
"""The size of tastes is estimated from so many voters, those with the most votes."""

LEFT_OUT = 100
"""Others are compared with a table without so many flagged voters, those with the strongest evidence."""

VOTERS_PER_RUN = 10
"""Voters examined in one run, so that votes and tables do not wait for it."""

REST = 10.0
"""It rests for so many times its duration."""

MANY_PER_RUN, REST_OF_MANY = 100, 1.0
"""The same while more voters wait than that, as after an import: the table is not settled before they are examined."""


class VoterVotes(msgspec.Struct, frozen=True):
    """The counted votes of one voter."""

    voter_id: str
    latest: Sequence[SeenVote]
    """The latest votes whose prompt is known, at most `LATEST_VOTES`, in any order."""
    cells: Cells
    """All of them."""


class VoterFlagging:
    """Examines voters who have voted since they were last examined, and hourly those who are flagged.

    Where others are flagged than an hour ago, the voters with the most votes are examined again: flagged voters are not
    in the table that they are compared with.
    """

    def __init__(self, database: Database, tables: LiveTables) -> None:
        self._database = database
        self._tables = tables
        self._new_votes: Counter[str] = Counter()
        self._queue: dict[str, None] = {}
        self._taste: float | None = None
        self._flagged: Sequence[str] = ()
        self._next_run = 0.0

    def note(self, voters: Mapping[str, int]) -> None:
        """Note who has voted, and how often."""
        self._new_votes.update(voters)
        self._queue.update((voter, None) for voter in voters if self._new_votes[voter] >= RECHECK_AFTER)

    @property
    def waiting(self) -> int:
        """The number of voters to be examined soon."""
        return len(self._queue)

    async def run(self, due: bool) -> float | None:
        """Examine some voters; returns in how many seconds to run again. Raises DatabaseBusy."""
        if due:
            flagged, crowd = await self._database.read(lambda it: _flagged_and_busiest(it, self._flagged))
            self._flagged = flagged
            self._queue.update(dict.fromkeys([*flagged, *self._new_votes, *crowd]))
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
        rows = await self._database.read(lambda transaction: _read(transaction, voters))
        counts = (await self._tables.pair_counts()).counts(OVERALL)
        if not counts.table.any():
            return
        taste = await self.taste(counts)
        flags = await asyncio.to_thread(flag_voters, counts, rows.voters, taste, rows.flagged)
        now = self._tables.now()
        await self._database.write(
            lambda transaction: StandingsRepository(transaction).put_flags(voters, flags, now)
        )


def crowd_taste(counts: "Counts", voters: Sequence[VoterVotes]) -> float:
    """Return how far voters differ about single models, in log-odds; loads NumPy.

    `counts` are the counted votes of `overall`, these voters' among them.
    """
    from parley.features.standings.other_voters import OtherVoters
    from parley.ratings.tastes import taste_size

    peers = OtherVoters(counts, {})
    return taste_size([peers.ballots(it.voter_id, it.latest, it.cells)[0] for it in voters])


def flag_voters(
    counts: "Counts", voters: Sequence[VoterVotes], taste: float, flagged: Mapping[str, Cells]
) -> Mapping[str, "Flag"]:
    """Return the flags of voters whose evidence exceeds 100, by voter; loads NumPy.

    `counts` are the counted votes of `overall`, these voters' among them. `flagged` are the votes of flagged voters,
    strongest evidence first: others are compared with a table without them. A voter who votes alone, on few prompts, or
    on models with few other votes, is never flagged: there is nothing to compare with.
    """
    if not voters:
        return {}
    from parley.features.standings.other_voters import OtherVoters
    from parley.ratings.integrity import examine_voter

    peers = OtherVoters(counts, flagged)
    flags = {
        it.voter_id: examine_voter(peers.ballots(it.voter_id, it.latest, it.cells)[0], taste) for it in voters
    }
    return {voter: flag for voter, flag in flags.items() if flag is not None}


def flagged_cells(transaction: Transaction) -> Mapping[str, Cells]:
    """Return the counted votes of flagged voters who are not excluded, strongest evidence first."""
    flagged = _flagged(transaction)[:LEFT_OUT]
    cells = VoterRepository(transaction).cells(flagged, excluded=False) if flagged else {}
    return {
        voter: [(left, right, OUTCOMES[choice], number) for left, right, choice, number in cells[voter]]
        for voter in flagged
        if voter in cells
    }


class _VotesRead(NamedTuple):
    """The rows that one transaction read."""

    voters: Sequence[VoterVotes]
    flagged: Mapping[str, Cells]


def _read(transaction: Transaction, voters: Sequence[str]) -> _VotesRead:
    return _VotesRead([_votes_of(transaction, it) for it in voters], flagged_cells(transaction))


def _flagged(transaction: Transaction) -> Sequence[str]:
    flags = StandingsRepository(transaction).flags()
    return [flag.voter_id for flag in flags if flag.excluded_at is None]


def _flagged_and_busiest(
    transaction: Transaction, before: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the flagged voters, and where they are not those before, the voters with the most votes."""
    flagged = _flagged(transaction)
    changed = set(flagged) != set(before)
    return flagged, VoterRepository(transaction).busiest(CROWD) if changed else ()


def _crowd(transaction: Transaction) -> Sequence[VoterVotes]:
    voters = VoterRepository(transaction).busiest(CROWD)
    return [_votes_of(transaction, voter) for voter in voters]


def _votes_of(transaction: Transaction, voter: str) -> VoterVotes:
    latest, grouped = VoterRepository(transaction).evidence_of(voter, LATEST_VOTES)
    cells = tuple((row[0], row[1], OUTCOMES[row[2]], row[3]) for row in grouped)
    return VoterVotes(
        voter, tuple(SeenVote(row[0], row[1], OUTCOMES[row[2]], row[3]) for row in latest), cells
    )
