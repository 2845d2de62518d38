"""Metrics of a seat over a whole match."""

from collections.abc import Sequence
from statistics import fmean

from msgspec import UNSET

from parley.kernel.views import Metrics


def total_metrics(parts: Sequence[Metrics]) -> Metrics | None:
    """Return the sums over the turns of a match.

    TTFT is the mean, tokens per second are over all time spent speaking.
    """
    if len(parts) <= 1:
        return parts[0] if parts else None
    waits = [part.ttft_ms for part in parts if part.ttft_ms is not None]
    costs = [part.cost_micros for part in parts if part.cost_micros is not None]
    tokens = sum(part.output_tokens for part in parts)
    timed = any(part.tokens_per_second is not None for part in parts)
    speaking_ms = sum(part.duration_ms - (part.ttft_ms or 0) for part in parts)
    return Metrics(
        ttft_ms=round(fmean(waits)) if waits else None,
        duration_ms=sum(part.duration_ms for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=tokens,
        reasoning_tokens=sum(part.reasoning_tokens for part in parts),
        tokens_per_second=round(tokens / speaking_ms * 1000, 1) if timed and speaking_ms > 10 else None,
        cost_micros=sum(costs) if costs else None,
        queued_ms=sum(part.queued_ms or 0 for part in parts) or UNSET,
        estimated=any(part.estimated for part in parts),
    )
