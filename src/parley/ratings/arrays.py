"""The array types that the ratings pass around, and sums by place."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]


def sums(places: NDArray[np.integer], values: NDArray[np.number], size: int) -> Floats:
    """Return an array of that size with the sum of the values at each place."""
    summed: NDArray[np.generic] = np.bincount(places, values, size)
    return summed.astype(np.float64, copy=False)
