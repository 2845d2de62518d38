"""Finds votes that occur twice in a file, with eight bytes for each vote."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SPREAD, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
"""An odd number that spreads the bits of a time over all 64."""


class Seen:
    """A set of 64-bit numbers as sorted arrays, each at least twice as long as the next."""

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []

    def new(self, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Add numbers; return which of them occur for the first time."""
        fresh, places = np.unique(numbers, return_index=True)
        for level in self._levels:
            at = np.minimum(np.searchsorted(level, fresh), len(level) - 1)
            unknown = level[at] != fresh
            fresh, places = fresh[unknown], places[unknown]
        first = np.zeros(len(numbers), dtype=np.bool_)
        first[places] = True
        if len(fresh):
            self._levels.append(fresh)
        while len(self._levels) > 1 and len(self._levels[-2]) < 2 * len(self._levels[-1]):
            last = self._levels.pop()
            self._levels[-1] = np.sort(np.concatenate((self._levels[-1], last)), kind="stable")
        return first


def numbers_of(vote_ids: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 bits of each id, its time included: as unlikely to collide as the ids in one file are."""
    return np.fromiter(
        ((int(it[12:28], 16) ^ (int(it[:12], 16) * SPREAD)) & MASK for it in vote_ids),
        dtype=np.uint64,
        count=len(vote_ids),
    )
