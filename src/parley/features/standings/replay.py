"""Replay the votes: style control, how alike people's votes are, and Elo and vote times where they broke order."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from parley.features.standings.accumulators import CrowdVotes, EloAndTimes, StyleVotes
from parley.features.standings.history_backfill import HistoryBackfill
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.prior_schemas import PriorSource
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.repository import REPLAY, StandingsRepository, VersionChanged
from parley.features.standings.snapshot import Line, Snapshot
from parley.features.standings.table_writes import TableKey, Tables, TableWrite
from parley.features.standings.vote_repository import VoteRepository
from parley.ratings.lines import PriorForecast, SideEffect, WeightedRatings
from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL

if TYPE_CHECKING:
    from parley.features.standings.refit import Crowds

T = TypeVar("T")

PAGE = 2_000
"""Votes per page where all are read."""

FEW_VOTES = 20_000
"""Up to so many votes are replayed after every change; more wait for the regular run."""

GROWN = 1.1
"""More votes are replayed at once where there are so many times as many as at the last replay, as after an import."""

REST = 10.0
"""A replay rests for so many times its duration."""

COUNT_EVERY_S = 0.5
"""Seconds between counts of pending votes during a replay."""

Stored: TypeAlias = Callable[[int, Tables, TableWrite], None]
Points: TypeAlias = Mapping[TableKey, Mapping[str, Line]]


class _Progress(msgspec.Struct):
    """The style of the votes up to one, valid for the same snapshot and `late_votes`."""

    snapshot: Snapshot
    late_votes: int
    style: StyleVotes
    crowd: CrowdVotes
    up_to: int = 0
    last_imported: int = 0


class Replay:
    """Replays votes in the background of counting."""

    def __init__(
        self, database: Database, tables: LiveTables, stored: Stored, count: Callable[[], Awaitable[None]]
    ) -> None:
        """`stored` gets what was written; `count` counts pending votes during a replay."""
        self._database = database
        self._tables = tables
        self._stored = stored
        self._count = count
        self._next_run = 0.0
        self._next_count = 0.0
        self._done: int | None = None
        self._votes_done = 0
        self._votes_known: int | None = None
        self._progress: _Progress | None = None
        self._past = HistoryBackfill(database, tables, count)

    def is_awaited(self) -> bool:
        """Return whether so many votes came since the last replay, or the start, that their crowd may change tables."""
        votes = self._tables.snapshot.votes(OVERALL)
        if self._votes_known is None:
            self._votes_known = votes
        return votes > FEW_VOTES and votes > GROWN * max(self._votes_known, self._votes_done)

    async def run(self, due: bool, points: Points) -> float | None:
        """Replay what changed; returns in how many seconds to run again. Raises DatabaseBusy."""
        snapshot = self._tables.snapshot
        if not snapshot.last_seq or (self._done == snapshot.version and not snapshot.replay_due):
            return None
        votes = snapshot.votes(OVERALL)
        few = votes <= FEW_VOTES
        if not (few or due or votes > GROWN * self._votes_done):
            return None
        wait = self._next_run - time.monotonic()
        if wait > 0 and not due:
            return wait
        began = time.monotonic()
        await self._tables.pair_counts()
        progress, self._progress = self._progress, None
        with contextlib.suppress(VersionChanged):
            progress = await self._replay(progress, points)
            # The style of very many votes takes megabytes and is needed once an hour: it is not kept.
            self._progress = progress if few else None
            self._votes_done = votes
            await self._past.make(progress.crowd, progress.last_imported)
        rest = REST * (time.monotonic() - began)
        self._next_run = time.monotonic() + rest
        return None if self._done == self._tables.snapshot.version else rest

    async def _replay(self, progress: _Progress | None, points: Points) -> _Progress:
        """Read the new votes, or all of them where their order matters. Raises VersionChanged."""
        snapshot = self._tables.snapshot
        late, version = snapshot.late_votes, snapshot.version
        order = EloAndTimes() if snapshot.replay_due else None
        if order or progress is None or progress.snapshot is not snapshot or progress.late_votes != late:
            progress = _Progress(snapshot, late, StyleVotes(), CrowdVotes())
        read = snapshot.last_seq
        async for rows in read_votes(self._database, read, after=progress.up_to):
            await asyncio.to_thread(_add_votes, rows, order, progress)
            await self._count_meanwhile(snapshot)
        progress.up_to = read
        crowds = await self._meanwhile(snapshot, _crowds, progress.crowd, snapshot)
        snapshot.positions, snapshot.weighted = await self._meanwhile(snapshot, _draw_effects, progress.crowd)
        if (prior := snapshot.prior) is not None:
            forecasts = await self._meanwhile(snapshot, _forecast_with, progress.crowd, prior)
            snapshot.forecast = (prior.sha256, forecasts)
        style_tables = await self._style_tables(snapshot, progress.style, crowds or snapshot.crowd)
        if order:
            # Votes counted meanwhile belong to the order too; from here on none are counted.
            async for rows in read_votes(self._database, snapshot.last_seq, after=read):
                await asyncio.to_thread(_add_votes, rows, order, None)
        if snapshot.late_votes != late:
            raise VersionChanged
        # Style is behind by the votes that were counted meanwhile.
        styled = None if snapshot.last_seq == read else version
        await self._store(snapshot, order, style_tables, points, styled, crowds)
        return progress

    async def _style_tables(
        self, snapshot: Snapshot, style: StyleVotes, crowds: "Crowds"
    ) -> Mapping[Any, Any]:
        from parley.features.standings.refit import style_tables

        now = self._tables.now()
        return await self._meanwhile(snapshot, style_tables, style, now, snapshot.styled, crowds)

    async def _meanwhile(self, snapshot: Snapshot, work: Callable[..., T], *arguments: Any) -> T:
        """Return what a function returns in a thread; counting goes on meanwhile. Raises VersionChanged."""
        making = asyncio.create_task(asyncio.to_thread(work, *arguments))
        while not (await asyncio.wait([making], timeout=COUNT_EVERY_S))[0]:
            await self._count_meanwhile(snapshot)
        return await making

    async def _count_meanwhile(self, snapshot: Snapshot) -> None:
        if time.monotonic() >= self._next_count:
            await self._count()
            self._next_count = time.monotonic() + COUNT_EVERY_S
        if self._tables.snapshot is not snapshot:
            raise VersionChanged

    async def _store(
        self,
        snapshot: Snapshot,
        order: EloAndTimes | None,
        style: Mapping[Any, Any],
        points: Points,
        styled: int | None,
        crowds: "Crowds | None",
    ) -> None:
        """Store the style-controlled tables and, where the order was replayed or `crowds` are new, all others.

        `styled` is the version whose votes style has; None stands for the one that this makes.
        """
        counts, now = await self._tables.pair_counts(), self._tables.now()
        if self._tables.snapshot is not snapshot:
            raise VersionChanged
        from parley.features.standings.refit import refit_tables

        fitted: dict[Any, Any] = dict(style)
        if order or crowds:
            last_fits = {category: self._tables.last_fit(category) for category in counts.categories()}
            elos, known = order.elos if order else snapshot.elos, crowds or snapshot.crowd
            fitted |= await asyncio.to_thread(
                refit_tables, counts, None, elos, last_fits, now, known, snapshot.prior
            )
        write = TableWrite(snapshot, points, fitted, order.times if order else {}, now)

        def store(transaction: Transaction) -> int:
            repository = StandingsRepository(transaction)
            repository.lock_at(snapshot.version)
            if not fitted:
                repository.set_status(REPLAY, version=snapshot.version if styled is None else styled)
                return snapshot.version
            write.store(repository)
            repository.set_status(version=snapshot.version + 1)
            seen = snapshot.version + 1 if styled is None else styled
            repository.set_status(REPLAY, status="done", version=seen)
            return snapshot.version + 1

        version = await self._database.write(store)
        if order:
            snapshot.elos, snapshot.times, snapshot.replay_due = dict(order.elos), dict(order.times), False
        self._done = version if styled is None else styled
        self._stored(version, fitted, write)


async def read_votes(
    database: Database, up_to: int, *, after: int = 0, result: bool = False
) -> AsyncGenerator[Sequence[Any]]:
    """Yield the counted votes in order, page by page, pausing as long as each page took."""
    while True:
        began = time.monotonic()

        def read(transaction: Transaction, after: int = after) -> Sequence[Any]:
            return VoteRepository(transaction).processed_after(after, up_to, PAGE, result=result)

        rows = await database.read(read)
        yield rows
        if len(rows) < PAGE:
            return
        after = rows[-1].seq
        await asyncio.sleep(time.monotonic() - began)


def _add_votes(rows: Sequence[Any], order: EloAndTimes | None, progress: _Progress | None) -> None:
    for row in rows:
        if (vote := rated_vote(row)) is not None:
            if order is not None:
                order.add(vote)
            if progress is not None:
                progress.style.add(vote, row.style)
                progress.crowd.add(vote, row.voter_id, row.propensity)
                if row.origin == "import":
                    progress.last_imported = row.seq


def _draw_effects(votes: CrowdVotes) -> tuple[Mapping[str, SideEffect], Mapping[str, WeightedRatings]]:
    from parley.features.standings.refit import draw_effects

    return draw_effects(votes)


def _forecast_with(votes: CrowdVotes, prior: PriorSource) -> PriorForecast | None:
    from parley.features.standings.refit import forecast_with

    return forecast_with(votes, prior)


def _crowds(votes: CrowdVotes, snapshot: Snapshot) -> "Crowds | None":
    """Return how alike votes are by category; None where it is as it was."""
    from parley.features.standings.refit import crowd_effects

    effects = {category: crowd_effects(votes, category, snapshot.prior) for category in votes.rows}
    if all(now == snapshot.crowd(category) for category, now in effects.items()):
        return None
    return lambda category: effects.get(category, {})
