"""Histograms of times in logarithmic buckets, and the percentiles that they give."""

from collections.abc import Sequence

BUCKETS = 32
FIRST_MS = 10.0
STEP = 2**0.5

EDGES = tuple(round(FIRST_MS * STEP**number) for number in range(BUCKETS - 1))
"""A bucket ends before its edge, in milliseconds; the last one has none."""


def percentile(counts: Sequence[int], share: float) -> float | None:
    """Return the time in milliseconds that a share of the counted stay below; None if nothing was counted.

    Within a bucket, times are taken as spread evenly on the logarithmic scale: the error is below a sixth.
    """
    total = sum(counts)
    if total == 0:
        return None
    wanted, before = share * total, 0
    for number, count in enumerate(counts):
        if count and before + count >= wanted:
            low = EDGES[number - 1] if number else FIRST_MS / STEP
            return low * STEP ** ((wanted - before) / count)
        before += count
    return float(EDGES[-1])
