"""Numbers that were seen before: eight bytes for each, however many there are."""

import numpy as np
from numpy.typing import NDArray


class Seen:
    """A set of 64-bit numbers as sorted arrays, each at least twice as long as the next."""

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []

    def new(self, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Add numbers; returns which of them came for the first time."""
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
