"""The backfill of imported votes: points of the history at the votes' own times."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from parley.features.standings.accumulators import CrowdVotes
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.prior_schemas import PriorSource
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.snapshot import CrowdEffect
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POINTS = 48
"""Points of a category's past at most, at equal distances from its first vote to its last one."""

HOUR, DAY = 3_600, 86_400
ROWS = 1_000
"""Points per transaction."""

COUNT_EVERY_S = 0.5
"""Seconds between counts of pending votes meanwhile."""

PointRow: TypeAlias = tuple[Any, ...]
"""A row of `rating_history`, in the order of its columns."""


class HistoryBackfill:
    """Rebuilds the history once votes were imported: a year of votes is a year in the history, not one point."""

    def __init__(self, database: Database, tables: LiveTables, count: Callable[[], Awaitable[None]]) -> None:
        """`count` counts pending votes meanwhile."""
        self._database = database
        self._tables = tables
        self._count = count

    async def make(self, votes: CrowdVotes, last_imported: int) -> None:
        """Store the past of all votes, if imported ones came since it was made last. Raises DatabaseBusy.

        `last_imported` is the number of the last imported vote. Older points of these tables make room: they know
        nothing of the imported votes.
        """
        made_to = await self._database.read(lambda it: StandingsRepository(it).backfilled_to())
        if last_imported <= made_to:
            return
        now = self._tables.now().replace(minute=0, second=0, microsecond=0)
        snapshot = self._tables.snapshot
        making = asyncio.create_task(
            asyncio.to_thread(points_of_past_votes, votes, now, snapshot.crowd, snapshot.prior)
        )
        while not (await asyncio.wait([making], timeout=COUNT_EVERY_S))[0]:
            await self._count()
        points = await making
        categories = tuple(votes.rows)

        def forget(transaction: Transaction) -> None:
            StandingsRepository(transaction).delete_points_before(categories, now)

        await self._database.write(forget)
        for at in range(0, len(points), ROWS):
            part = points[at : at + ROWS]
            await self._database.write(
                lambda transaction, part=part: StandingsRepository(transaction).put_points(part)
            )
        # Last of all: what was cut off is made again.
        await self._database.write(
            lambda transaction: StandingsRepository(transaction).set_backfilled_to(last_imported)
        )


def points_of_past_votes(
    votes: CrowdVotes,
    now: datetime,
    crowds: Callable[[str], Mapping[str, CrowdEffect]],
    prior: PriorSource | None = None,
) -> list[PointRow]:
    """Return the points of all categories before the hour that begins at `now`; loads NumPy.

    Each is made of the votes up to the end of its hour. How alike people's votes are is taken as it is today,
    and so is the prior.
    """
    import numpy as np

    every = np.frombuffer(votes.votes, dtype=np.int32).reshape(-1, 4)
    times = np.frombuffer(votes.times, dtype=np.int64)
    if not len(times):
        return []
    points: list[PointRow] = []
    hours = moments(int(times.min()), int(times.max()))
    for category, rows in votes.rows.items():
        places = np.frombuffer(rows, dtype=np.int32)
        places = places[np.argsort(times[places], kind="stable")]
        points += _points_of(
            category, votes.models, every[places], times[places], hours, now, crowds(category), prior
        )
    return points


def moments(first: int, last: int) -> list[int]:
    """Return the hours of points from the first to the last vote, as seconds since 1970, at most `POINTS`.

    They are whole hours apart; from a day on whole days, so that each is the last hour of its day.
    """
    step = max(HOUR, -(-(last - first) // (POINTS - 1)))
    unit = HOUR if step < DAY else DAY
    step = -(-step // unit) * unit
    end = last // unit * unit + unit - HOUR
    return list(range(end, first - HOUR, -step))[::-1]


def _points_of(
    category: str,
    models: Sequence[str],
    votes: "NDArray[np.int32]",
    times: "NDArray[np.int64]",
    hours: Sequence[int],
    now: datetime,
    crowd: Mapping[str, CrowdEffect],
    prior: PriorSource | None,
) -> Iterator[PointRow]:
    import numpy as np

    from parley.features.standings.refit import fit_pairs, prior_of
    from parley.ratings.counts import Counts

    met: list[int] = np.unique(votes[:, :2]).tolist()
    names = sorted(models[it] for it in met)
    # The models in the order of their ids, as in every table.
    order = {name: place for place, name in enumerate(names)}
    place = np.zeros(len(models), dtype=np.int64)
    place[met] = [order[models[it]] for it in met]
    left, right, outcome = place[votes[:, 0]], place[votes[:, 1]], votes[:, 2]
    table, done, last = np.zeros((len(names), len(names), 4), dtype=np.int32), 0, None
    for moment in hours:
        at = datetime.fromtimestamp(moment, UTC)
        upto = int(np.searchsorted(times, moment + HOUR))
        if upto == done or at >= now:
            continue
        np.add.at(table, (left[done:upto], right[done:upto], outcome[done:upto]), 1)
        done = upto
        known: list[int] = np.flatnonzero(table.any(axis=(1, 2)) | table.any(axis=(0, 2))).tolist()
        counts = Counts(names[it] for it in known)
        counts.table[...] = table[np.ix_(known, known)]
        fitted = fit_pairs(counts.pairs(), last, now, crowd, prior_of(prior, category))
        last = fitted.fit
        for line in fitted.table.lines:
            bounds = (round(line.rating, 4), line.ci_lower, line.ci_upper, line.rank_ub, line.votes)
            yield (category, "bradley-terry", at, line.model, *bounds)
