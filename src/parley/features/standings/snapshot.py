"""The standings at one version: tables in memory, and the totals beside them."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

import msgspec

from parley.features.standings.counts_delta import CountsDelta
from parley.features.standings.prior_schemas import PriorSource
from parley.features.standings.schemas import Method
from parley.ratings.lines import Line, PriorForecast, SideEffect, StyleEffect, WeightedRatings
from parley.text.categories.ids import OVERALL


class Table(msgspec.Struct, frozen=True, eq=False):
    """All lines of a category and method, best first. Ratings by Elo are not rounded."""

    lines: tuple[Line, ...] = ()
    as_of: datetime | None = None
    style: tuple[StyleEffect, ...] = ()

    @property
    def votes(self) -> int:
        """The number of votes; each is in two lines."""
        return sum(line.votes for line in self.lines) // 2

    @property
    def groups(self) -> int:
        """The number of groups of models that were never compared with each other."""
        return max((line.group for line in self.lines), default=-1) + 1

    def line(self, model: str) -> Line | None:
        """Return a model's line."""
        return next((line for line in self.lines if line.model == model), None)


CROWD_DECIMALS = 2
"""Decimals of how alike votes are: coarse, so that tables change for it now and then only."""

EMPTY = Table()

Times = dict[str, tuple[datetime, datetime]]
"""The times of each model's first and last counted votes."""


class CrowdEffect(NamedTuple):
    """The factor by which a model's interval is wider because people's votes are alike, and the top voter's share."""

    widened: float
    top_voter: float | None


class StoredLine(msgspec.Struct, frozen=True):
    """A stored line, with the times of its model's first and last counted votes."""

    line: Line
    first: datetime
    last: datetime


class Snapshot(msgspec.Struct, kw_only=True):
    """Everything the votes counted at `version` come to, except the counts of pairs."""

    version: int = 0
    stale: bool = False
    """True if the counts are ahead of the tables."""
    replay_due: bool = False
    """True if Elo and vote times must be replayed, because votes were counted out of order or changed."""
    late_votes: int = 0
    """Batches, since this was loaded, that held votes older than others already counted."""
    as_of: datetime | None = None
    """When the tables were made."""
    last_seq: int = 0
    unsettled: bool = False
    """True if tables may still move without new votes, because voters of an import are not examined yet."""
    tables: dict[tuple[str, Method], Table] = {}
    """The tables as shown; the stored ones may be seconds behind."""
    stored: dict[tuple[str, Method], Mapping[str, StoredLine]] = {}
    times: dict[str, Times] = {}
    elos: dict[str, dict[str, float]] = {}
    """Elo by category and model over all counted votes: ahead of the tables where those are stale."""
    positions: Mapping[str, SideEffect] = {}
    """The left side's effect by category, as of the last replay."""
    weighted: Mapping[str, WeightedRatings] = {}
    """The effect of unequal draws of pairs by category, as of the last replay."""
    prior: PriorSource | None = None
    """The published results that the main table starts from."""
    forecast: tuple[str, PriorForecast | None] | None = None
    """The benefit of a prior, named by its digest, as of the last replay."""
    latency: dict[str, dict[int, int]] = {}
    uncounted: dict[str, dict[str, int]] = {}
    use: dict[str, tuple[int, ...]] = {}

    def table(self, category: str, method: Method) -> Table:
        """Return a table; an empty one where there are no votes."""
        return self.tables.get((category, method), EMPTY)

    def forecast_of(self, prior: PriorSource) -> PriorForecast | None:
        """Return whether a prior helps; None where that is not known."""
        return self.forecast[1] if self.forecast is not None and self.forecast[0] == prior.sha256 else None

    def models_with_votes(self) -> tuple[str, ...]:
        """Return the models that have counted votes."""
        return tuple(line.model for line in self.table(OVERALL, "bradley-terry").lines)

    def crowd(self, category: str) -> Mapping[str, CrowdEffect]:
        """Return how alike the votes on each model were found to be."""
        lines = self.table(category, "bradley-terry").lines
        return {line.model: CrowdEffect(line.widened, line.top_voter) for line in lines}

    @property
    def styled(self) -> tuple[str, ...]:
        """The categories that have a table with style control."""
        return tuple(category for category, method in self.tables if method == "style-control")

    def votes(self, category: str) -> int:
        """Return how many votes count in a category."""
        return self.table(category, "bradley-terry").votes

    def uncounted_in(self, category: str) -> Mapping[str, int]:
        """Return how many votes of a category are not counted, by reason."""
        return {reason: votes for reason, votes in self.uncounted.get(category, {}).items() if votes > 0}

    def add(self, delta: CountsDelta) -> None:
        """Add what some votes change of uncounted votes, latencies and use."""
        for (category, reason), votes in delta.uncounted.items():
            known = self.uncounted.setdefault(category, {})
            known[reason] = known.get(reason, 0) + votes
        for (model, bucket), replies in delta.latency.items():
            buckets = self.latency.setdefault(model, {})
            buckets[bucket] = buckets.get(bucket, 0) + replies
        for model, numbers in delta.use.items():
            before = self.use.get(model, (0,) * len(numbers))
            self.use[model] = tuple(a + b for a, b in zip(before, numbers, strict=True))
