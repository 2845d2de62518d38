"""Bulk batches: hundreds of thousands of pending votes counted column by column."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import Any

import msgspec
import numpy as np

from parley.features.standings.accumulators import EloAndTimes, VoteBatch
from parley.features.standings.coded_votes import CodedVotes, VoteArrays
from parley.features.standings.pair_counts import pair_delta
from parley.features.standings.snapshot import Snapshot
from parley.ratings import elo
from parley.ratings.arrays import Flags, Integers
from parley.ratings.outcomes import SCORES, Outcome

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SCORE = np.array([SCORES[outcome] for outcome in sorted(Outcome)])


class BulkBatch(VoteBatch):
    """The same as `Batch` for the same votes, to the last digit; made in a thread.

    Its `delta` has no pairs: they are in `rows` and `pairs` alone.
    """

    def __init__(self, votes: CodedVotes, snapshot: Snapshot) -> None:
        self.number, self.first_seq, self.last_seq = len(votes), votes.first_seq, votes.last_seq
        self.voters, self.delta, self.order = votes.voters, votes.replies, EloAndTimes()
        self._models, self._reasons = votes.models, votes.reasons
        arrays, lists = votes.arrays, votes.categories
        counts = np.array([it is None for it in self._reasons], np.bool_)[arrays.reason]
        cells = _Cells(arrays, counts, self._models)
        parts: list[tuple[Any, ...]] = []
        for category in sorted({it for several in lists for it in several}):
            has = np.array([category in it for it in lists], np.bool_)[arrays.categories]
            parts += cells.rows(category, has)
            self._add(category, arrays.take(has & counts), snapshot)
            self._add_uncounted(category, arrays.reason[has & ~counts])
        self.rows = msgspec.structs.replace(self.delta.rows(), pairs=parts)
        self.pairs = pair_delta(parts)

    def _add(self, category: str, votes: VoteArrays, snapshot: Snapshot) -> None:
        """Add the votes that count in a category."""
        if not len(votes.at):
            return
        names, left, right = self._models, votes.left, votes.right
        known = dict(snapshot.elos.get(category, {}))
        ratings = [known.get(name, elo.INITIAL) for name in names]
        scores = _SCORE[votes.outcome]
        elo.update_all(ratings, zip(left.tolist(), right.tolist(), scores.tolist(), strict=True))
        first, last = np.full(len(names), np.iinfo(np.int64).max), np.full(len(names), np.iinfo(np.int64).min)
        for side in (left, right):
            np.minimum.at(first, side, votes.at)
            np.maximum.at(last, side, votes.at)
        voted = dict(snapshot.times.get(category, {}))
        places: list[int] = np.unique(np.concatenate((left, right))).tolist()
        for place in places:
            name = names[place]
            known[name] = ratings[place]
            began, ended = _moment(int(first[place])), _moment(int(last[place]))
            before = voted.get(name, (began, ended))
            voted[name] = (min(before[0], began), max(before[1], ended))
        self.order.elos[category], self.order.times[category] = known, voted

    def _add_uncounted(self, category: str, reasons: Integers) -> None:
        """Add the votes of a category that do not count, by their reasons."""
        for code, number in enumerate(np.bincount(reasons).tolist()):
            if number:
                key = (category, str(self._reasons[code]))
                self.delta.uncounted[key] = self.delta.uncounted.get(key, 0) + number


class _Cells:
    """The cell of each vote: its pair, whether it counts, and its outcome; found once for all categories."""

    def __init__(self, votes: VoteArrays, counts: Flags, models: list[str]) -> None:
        order = sorted(range(len(models)), key=models.__getitem__)
        self._names = np.array(models, np.object_)[order]
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self._pairs, pair = np.unique(rank[votes.left] * len(order) + rank[votes.right], return_inverse=True)
        self._cells = (pair * 2 + counts) * len(Outcome) + votes.outcome

    def rows(self, category: str, has: Flags) -> Iterator[tuple[Any, ...]]:
        """Yield the numbers of the votes that a category has, in the order of `DeltaRows.pairs`."""
        numbers = np.bincount(self._cells[has], minlength=2 * len(Outcome) * len(self._pairs))
        numbers = numbers.reshape(-1, len(Outcome))
        met = np.flatnonzero(numbers.any(axis=1))
        pairs, counted = self._pairs[met // 2], (met % 2).astype(np.bool_)
        sides = (self._names[it].tolist() for it in (pairs // len(self._names), pairs % len(self._names)))
        return zip(repeat(category), *sides, counted.tolist(), *numbers[met].T.tolist(), strict=False)


def _moment(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)
