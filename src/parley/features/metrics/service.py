"""Metrics of a running Parley, and the key that opens them."""

import asyncio
import hmac

from parley.engine.observed_calls import ObservedCalls
from parley.features.metrics.series import Series, Sources
from parley.kernel.errors import Forbidden, NotFound

LAG_S = 5.0


class LoopLag:
    """Measures how late the event loop is."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def measure(self) -> None:
        """Sleep for a while; note how much longer it took."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        await asyncio.sleep(LAG_S)
        self.seconds = max(0.0, loop.time() - start - LAG_S)


class MetricsService:
    """Counts every request from the start on. Without a key nothing is counted, and nobody may look."""

    def __init__(self, key: str | None, calls: ObservedCalls, sources: Sources) -> None:
        self._key = key
        self._series = Series(sources) if key else None
        if self._series is not None:
            calls.observe(self._series.count)

    @property
    def is_on(self) -> bool:
        """Metrics are counted."""
        return self._series is not None

    def read(self, authorization: str) -> bytes:
        """Return all series. Raises NotFound without a key in the settings, Forbidden without it in the request."""
        if self._series is None or self._key is None:
            raise NotFound("Metrics are off.", "Set PARLEY_METRICS_KEY to turn them on.", code="metrics_off")
        kind, _, secret = authorization.partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(secret.strip().encode(), self._key.encode()):
            raise Forbidden(
                "Metrics need their key.",
                "Send “Authorization: Bearer” with the value of PARLEY_METRICS_KEY.",
                code="metrics_key",
            )
        return self._series.text()
