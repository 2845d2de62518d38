"""Limits of models and providers: how many calls run at once, and how many begin in a minute."""

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from math import ceil

from parley.engine.demand import Pool, PoolOf, model_pool, provider_pool
from parley.kernel.errors import NotFound, Unsent
from parley.kernel.models import Model, Provider
from parley.kernel.ports import Catalog

WINDOW_S = 60.0
"""`max_per_minute` holds for every span of this length, not only for full minutes of the clock."""


class RateLimited(Unsent):
    """A provider has reached its limit of calls a minute; nothing was sent."""

    code = "upstream_rate_limited"
    retry = False


class Slots:
    """The slots of models and providers that limit how many calls run at once (`max_concurrency`)."""

    def __init__(self, pool: PoolOf = provider_pool) -> None:
        self._pool = pool
        # The size is a part of the key: it may change while calls hold slots of the size before.
        self._slots: dict[Pool, asyncio.Semaphore] = {}

    def of_model(self, model: Model) -> AbstractAsyncContextManager[object]:
        """Return a model's slot to hold during a call; free at once if it has no limit."""
        return self._slot(model_pool(model))

    def of_provider(self, provider: Provider) -> AbstractAsyncContextManager[object]:
        """Return a provider's slot to hold during a call; free at once if it has no limit."""
        return self._slot(self._pool(provider))

    def is_full(self, provider: Provider) -> bool:
        """Return whether a call would have to wait for a slot of a provider."""
        pool = self._pool(provider)
        slots = self._slots.get(pool) if pool else None
        return slots is not None and slots.locked()

    def _slot(self, pool: Pool | None) -> AbstractAsyncContextManager[object]:
        if pool is None:
            return nullcontext()
        return self._slots.setdefault(pool, asyncio.Semaphore(pool.size))


class Rates:
    """When calls to providers with `max_per_minute` began; a sliding window, exact for every span of a minute.

    A call of a blind match waits for every such provider and counts at every one, whatever its model: how long it
    waits, and how long other calls wait because of it, reveals nothing about the model (ADR 21).
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._begun: dict[str, deque[float]] = {}

    def wait_s(self, provider: Provider, now: float) -> float:
        """Return after how many seconds a provider may be called; 0 if now."""
        most = provider.max_per_minute
        begun = self._begun.get(provider.id)
        if not most or not begun or len(begun) < most:
            return 0.0
        return max(0.0, begun[len(begun) - most] + WINDOW_S - now)

    async def take(self, provider: Provider, *, blind: bool) -> None:
        """Wait until a call may begin, and count it. Raises RateLimited after a minute."""
        counted = self._limited() if blind else [provider] if provider.max_per_minute else []
        if not counted:
            return
        clock = asyncio.get_running_loop().time
        waiting_since = clock()
        while (wait := max(self.wait_s(each, clock()) for each in counted)) > 0.0:
            if clock() + wait - waiting_since > WINDOW_S:
                raise _rate_limited(None if blind else provider, wait)
            await asyncio.sleep(wait)
        self._count(counted, clock())

    def _count(self, providers: Iterable[Provider], now: float) -> None:
        for provider in providers:
            begun = self._begun.setdefault(provider.id, deque())
            begun.append(now)
            while begun[0] <= now - WINDOW_S:
                begun.popleft()

    def _limited(self) -> list[Provider]:
        """Return every provider with a limit that a model of the catalog has a route to."""
        limited: list[Provider] = []
        for provider_id in {route.provider for model in self._catalog.models() for route in model.routes}:
            try:
                provider = self._catalog.provider(provider_id)
            except NotFound:
                continue
            if provider.max_per_minute:
                limited.append(provider)
        return limited


def _rate_limited(provider: Provider | None, wait_s: float) -> RateLimited:
    """Return the error for a call that waited too long; of a blind call it names nobody."""
    if provider is None:
        who = "The providers accept a limited number of calls"
    else:
        most = provider.max_per_minute
        who = f"{provider.name or provider.id} accepts {most} {'call' if most == 1 else 'calls'}"
    return RateLimited(
        f"{who} a minute, and other calls are waiting.",
        f"Nothing was sent. Ask again in {ceil(wait_s)} s, or choose another model. "
        "An administrator can change max_per_minute in Models.",
    )
