"""The change of the counts that some votes make, or undo."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from parley.features.standings.rated_votes import RatedVote

K = TypeVar("K")

BUCKET = math.log(1.02)
"""Latencies are counted in buckets 2% wide, so a percentile is right to 1%."""

USE = ("replies", "output_tokens", "spoken_tokens", "speaking_ms", "cost_micros", "priced")
"""The totals kept of a model's voted replies."""

_NO_CELL, _NO_USE = [0] * 4, [0] * len(USE)


class DeltaRows(msgspec.Struct, frozen=True):
    """A change as rows of the tables that hold the counts, sorted by key."""

    pairs: Sequence[tuple[Any, ...]]
    uncounted: Sequence[tuple[Any, ...]]
    latency: Sequence[tuple[Any, ...]]
    use: Sequence[tuple[Any, ...]]


class CountsDelta:
    """Numbers to add to the counts of pairs, uncounted votes, latencies and use."""

    __slots__ = ("latency", "pairs", "uncounted", "use")

    def __init__(self) -> None:
        self.pairs: dict[tuple[str, bool], dict[tuple[str, str], list[int]]] = {}
        """By category and whether counted, then left and right model: wins, losses, ties, both bad."""
        self.uncounted: dict[tuple[str, str], int] = {}
        """By category and reason."""
        self.latency: dict[tuple[str, int], int] = {}
        """By model and bucket."""
        self.use: dict[str, list[int]] = {}
        """By model, in the order of `USE`."""

    def add(self, vote: RatedVote, times: int = 1) -> None:
        """Count a vote; `times=-1` takes it back."""
        counted, models = vote.reason is None, (vote.left, vote.right)
        for category in vote.categories:
            if (cells := self.pairs.get((category, counted))) is None:
                cells = self.pairs[category, counted] = {}
            if (cell := cells.get(models)) is None:
                cell = cells[models] = [0, 0, 0, 0]
            cell[vote.outcome] += times
            if vote.reason is not None:
                why = (category, vote.reason)
                self.uncounted[why] = self.uncounted.get(why, 0) + times

    def add_replies(self, result: Mapping[str, Any] | None) -> None:
        """Add the use of each seat of a voted match, from the response to its voter."""
        if not result:
            return
        seats: Mapping[str, Mapping[str, Any]] = result.get("seats") or {}
        for seat in seats.values():
            metrics: Mapping[str, Any] | None = seat.get("metrics")
            if metrics:
                self._add_use(str(seat["model_id"]), metrics)

    def _add_use(self, model: str, metrics: Mapping[str, Any]) -> None:
        ttft, cost, tokens = metrics.get("ttft_ms"), metrics.get("cost_micros"), metrics["output_tokens"]
        # A reply without a speed came all at once, as an ensemble's does.
        timed = metrics.get("tokens_per_second", 0.0) is not None
        spoke = ttft is not None and timed and metrics["duration_ms"] > ttft
        more = (
            1,
            tokens,
            tokens if spoke else 0,
            metrics["duration_ms"] - ttft if spoke else 0,
            cost or 0,
            int(cost is not None),
        )
        self.use[model] = [a + b for a, b in zip(self.use.get(model, _NO_USE), more, strict=True)]
        if ttft is not None:
            key = (model, bucket_of(ttft))
            self.latency[key] = self.latency.get(key, 0) + 1

    def minus(self, other: "CountsDelta") -> "CountsDelta":
        """Return what must be added to `other` to make it this one, without numbers that agree."""
        remaining = CountsDelta()
        for key in {*self.pairs, *other.pairs}:
            if cells := _minus(self.pairs.get(key, {}), other.pairs.get(key, {}), _NO_CELL):
                remaining.pairs[key] = cells
        remaining.use = _minus(self.use, other.use, _NO_USE)
        for name in ("uncounted", "latency"):
            mine, theirs = getattr(self, name), getattr(other, name)
            for key in {*mine, *theirs}:
                if difference := mine.get(key, 0) - theirs.get(key, 0):
                    getattr(remaining, name)[key] = difference
        return remaining

    def rows(self) -> DeltaRows:
        """Return the change as rows; slow where it is large."""
        return DeltaRows(
            pairs=sorted(
                (category, *models, counted, *cell)
                for (category, counted), cells in self.pairs.items()
                for models, cell in cells.items()
            ),
            uncounted=[(*key, votes) for key, votes in sorted(self.uncounted.items())],
            latency=[(*key, replies) for key, replies in sorted(self.latency.items())],
            use=[(model, *numbers) for model, numbers in sorted(self.use.items())],
        )

    @property
    def size(self) -> int:
        """The number of figures that it changes."""
        lists = (*(cell for cells in self.pairs.values() for cell in cells.values()), *self.use.values())
        changed = sum(1 for numbers in lists for number in numbers if number)
        return changed + len(self.uncounted) + len(self.latency)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories whose counts change."""
        return tuple(dict.fromkeys(category for category, _ in self.pairs))


def bucket_of(milliseconds: int) -> int:
    """Return the bucket of a latency."""
    return round(math.log(max(milliseconds, 1)) / BUCKET)


def percentile(buckets: Mapping[int, int], share: float) -> int | None:
    """Return the latency in ms that `share` of the replies stayed within; None without any."""
    total = sum(buckets.values())
    reached = 0
    for bucket in sorted(buckets):
        reached += buckets[bucket]
        if total and reached >= share * total:
            return round(math.exp(bucket * BUCKET))
    return None


def _minus(
    mine: Mapping[K, list[int]], theirs: Mapping[K, list[int]], empty: list[int]
) -> dict[K, list[int]]:
    remaining: dict[K, list[int]] = {}
    for key in {*mine, *theirs}:
        both = zip(mine.get(key, empty), theirs.get(key, empty), strict=True)
        if any(difference := [a - b for a, b in both]):
            remaining[key] = difference
    return remaining
