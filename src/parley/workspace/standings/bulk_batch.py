"""Bulk batches: tens of thousands of pending votes counted column by column, at a tenth of the time for each."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.ratings import elo
from parley.ratings.outcomes import SCORES, Outcome
from parley.workspace.standings.accumulators import Batch, EloAndTimes
from parley.workspace.standings.counts_delta import CountsDelta
from parley.workspace.standings.rated_votes import OUTCOMES, categories_of
from parley.workspace.standings.snapshot import Snapshot

Codes: TypeAlias = NDArray[np.int64]
PendingRow: TypeAlias = Sequence[Any]
"""A pending vote as columns: those of `PendingVote`, without its status; a time may be text."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SCORE = np.array([SCORES[outcome] for outcome in sorted(Outcome)])


class BulkBatch(Batch):
    """The same as `Batch` for the same votes, to the last digit; made in a thread."""

    def __init__(self, rows: Sequence[PendingRow], snapshot: Snapshot) -> None:
        from parley.workspace.standings.pair_counts import pair_delta

        self.delta = CountsDelta()
        self.order = EloAndTimes()
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * 12
        seqs, rated, choice, left, right, counted, why, excluded, at, categories, voters, results = columns
        self.seqs: list[int] = list(seqs)
        # As bytes where the driver's own rows are read.
        known = [voter for voter in voters if voter is not None]
        self.voters: list[str] = [it.hex() if isinstance(it, bytes) else it for it in known]
        result: Any
        for result in filter(None, results):
            # As text where the driver's own rows are read.
            self.delta.add_replies(msgspec.json.decode(result) if isinstance(result, str) else result)
        self._models: dict[Any, int] = {}
        self._left, self._right = _coded(left, self._models), _coded(right, self._models)
        self._outcome = np.array([OUTCOMES.get(it, Outcome.TIE) for it in choice], dtype=np.int64)
        reasons: dict[Any, int] = {}
        reason = _coded(zip(excluded, counted, why, strict=True), reasons)
        self._reasons = [_reason(*it) for it in reasons]
        self._reason = reason
        counts = np.array([it is None for it in self._reasons], dtype=np.bool_)
        named = np.array([bool(it) for it in self._models], dtype=np.bool_)
        between = np.array(rated, dtype=np.bool_) & (self._left != self._right)
        if len(seqs):
            between &= named[self._left] & named[self._right]
        self._times = _microseconds(at)
        texts: dict[Any, int] = {}
        text = _coded(map(_hashable, categories), texts)
        held = [categories_of(it) for it in texts]
        for category in dict.fromkeys(it for several in held for it in several):
            has = np.array([category in it for it in held], dtype=np.bool_)
            chosen = between & has[text]
            counting = counts[reason]
            self._add(category, np.flatnonzero(chosen & counting), snapshot)
            self._add_uncounted(category, np.flatnonzero(chosen & ~counting))
        self.rows = self.delta.rows()
        self.pairs = pair_delta(self.rows.pairs)

    def _add(self, category: str, votes: Codes, snapshot: Snapshot) -> None:
        """Add the votes that count in a category."""
        if not len(votes):
            return
        self.delta.pairs[category, True] = self._cells(votes)
        names = list(self._models)
        left, right, times = self._left[votes], self._right[votes], self._times[votes]
        known = dict(snapshot.elos.get(category, {}))
        ratings = [known.get(name, elo.INITIAL) for name in names]
        scores = _SCORE[self._outcome[votes]]
        elo.update_all(ratings, zip(left.tolist(), right.tolist(), scores.tolist(), strict=True))
        first, last = np.full(len(names), np.iinfo(np.int64).max), np.full(len(names), np.iinfo(np.int64).min)
        for side in (left, right):
            np.minimum.at(first, side, times)
            np.maximum.at(last, side, times)
        voted = dict(snapshot.times.get(category, {}))
        for place in np.unique(np.concatenate((left, right))).tolist():
            name = names[place]
            known[name] = ratings[place]
            began, ended = _moment(int(first[place])), _moment(int(last[place]))
            before = voted.get(name, (began, ended))
            voted[name] = (min(before[0], began), max(before[1], ended))
        self.order.elos[category], self.order.times[category] = known, voted

    def _add_uncounted(self, category: str, votes: Codes) -> None:
        """Add the votes of a category that do not count."""
        if not len(votes):
            return
        self.delta.pairs[category, False] = self._cells(votes)
        for code, number in enumerate(np.bincount(self._reason[votes]).tolist()):
            if not number:
                continue
            key = (category, str(self._reasons[code]))
            self.delta.uncounted[key] = self.delta.uncounted.get(key, 0) + number

    def _cells(self, votes: Codes) -> dict[tuple[str, str], list[int]]:
        """Return how many votes each pair has by outcome."""
        names = list(self._models)
        pair = self._left[votes] * len(names) + self._right[votes]
        pairs, place = np.unique(pair, return_inverse=True)
        numbers = np.bincount(place * 4 + self._outcome[votes], minlength=4 * len(pairs)).reshape(-1, 4)
        cells: list[list[int]] = numbers.tolist()
        both = (divmod(int(it), len(names)) for it in pairs.tolist())
        return {(names[one], names[other]): cell for (one, other), cell in zip(both, cells, strict=True)}


def _coded(values: Iterable[Any], known: dict[Any, int]) -> Codes:
    """Return the place of each value among the distinct ones, which are added to `known` in order."""
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def _hashable(categories: Any) -> Any:
    """Return categories as text, or as a tuple where PostgreSQL's driver has decoded them."""
    return tuple(cast("list[str]", categories)) if isinstance(categories, list) else categories


def _reason(excluded: str | None, counted: object, why: str | None) -> str | None:
    return excluded or (None if counted else why or "not_counted")


def _microseconds(times: Sequence[Any]) -> Codes:
    """Return times in microseconds since 1970; text is in UTC, without its zone."""
    plain = [it.astimezone(UTC).replace(tzinfo=None) if isinstance(it, datetime) else it for it in times]
    return np.array(plain, dtype="datetime64[us]").astype(np.int64)


def _moment(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)
