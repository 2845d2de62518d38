"""Tables of one space: of the votes in a workspace's sessions, or in a person's own, made when somebody looks."""

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from parley.features.standings.accumulators import VoteTotals
from parley.features.standings.decisions import Decisions
from parley.features.standings.leaderboard import LeaderboardQueries, top_of
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.schemas import Leaderboard, TableQuery
from parley.features.standings.snapshot import Snapshot
from parley.features.standings.vote_repository import VoteRepository
from parley.kernel.caller import Caller
from parley.storage.database import Database

if TYPE_CHECKING:
    from parley.features.standings.refit import FittedTable

CACHED_S = 1.0
CACHED_SPACES = 32


class _Space(NamedTuple):
    """The tables of a space by category; `until` on the monotonic clock."""

    until: float
    snapshot: Snapshot
    fitted: "dict[str, FittedTable]"


class SpaceTables:
    """Fits tables from the votes of one space alone. Nothing of them is stored."""

    def __init__(self, database: Database, tables: LiveTables, leaderboard: LeaderboardQueries) -> None:
        self._database = database
        self._tables = tables
        self._leaderboard = leaderboard
        self._made: dict[str, _Space] = {}
        self._making = asyncio.Lock()

    async def page(self, caller: Caller, query: TableQuery) -> Leaderboard:
        """Return a page of the table of the caller's space. Raises Invalid, DatabaseBusy."""
        await self._tables.load()
        self._leaderboard.check(query.category, query.method)
        async with self._making:
            made = await self._space(caller.space_id)
        table = made.snapshot.table(query.category, query.method)
        fitted = made.fitted.get(query.category)
        decision = await Decisions.of(fitted, top_of(table, query)) if fitted else None
        # Votes that wait to be counted in the tables of all are in this one already.
        worker = msgspec.structs.replace(await self._leaderboard.worker(), pending=0)
        return self._leaderboard.board(query, made.snapshot, table, decision, worker)

    async def _space(self, space_id: str) -> _Space:
        known = self._made.pop(space_id, None)
        # Who is told that a vote was counted asks at once: a table of before would stay on their page.
        version = self._tables.snapshot.version
        if known is None or known.until < time.monotonic() or known.snapshot.version != version:
            votes = await self._database.read(lambda it: VoteRepository(it).of_owner(space_id))
            snapshot, fitted = await asyncio.to_thread(self._fitted, votes)
            known = _Space(time.monotonic() + CACHED_S, snapshot, fitted)
        self._made[space_id] = known
        while len(self._made) > CACHED_SPACES:
            del self._made[next(iter(self._made))]
        return known

    def _fitted(self, votes: Sequence[Any]) -> "tuple[Snapshot, dict[str, FittedTable]]":
        from parley.features.standings.refit import crowd_table

        totals, now, everybody = VoteTotals(), self._tables.now(), self._tables.snapshot
        for vote in votes:
            totals.add(vote)
        fitted = {category: crowd_table(totals.crowd, category, now) for category in totals.crowd.rows}
        snapshot = Snapshot(
            version=everybody.version, times=totals.order.times, latency=dict(everybody.latency)
        )
        snapshot.add(totals.counts)
        snapshot.tables = {(category, "bradley-terry"): one.table for category, one in fitted.items()}
        return snapshot, fitted
