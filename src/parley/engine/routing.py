"""Routing: which of a model's routes is asked next.

Routes stand in tiers: by priority, and within one priority those of the installation's own region first. Of the first
tier that is up, two routes are drawn by weight and the one with less to do, or the quicker one, is asked ("the power of
two choices": Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", 2001). So weights hold while routes
are alike, a slow or busy route gets less, and every route is asked often enough to be measured.

Calls of blind matches have measurements of their own: which route a chat takes, and so its speed, says nothing about
who plays beside it.
"""

import asyncio
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate, product
from typing import NamedTuple

from parley.engine.breaker import Breakers
from parley.engine.limits import Rates, Slots
from parley.kernel.errors import NotFound
from parley.kernel.models import Model, Provider, Route
from parley.kernel.ports import Catalog

SMOOTHING = 0.3
"""Share of the newest measurement in the moving average of the time to the first chunk."""

ALIKE = 1.25
"""Routes whose scores differ by less than this factor are alike: the weights decide."""


PAIRS = 4
"""The pairs of routes that are drawn before all are looked at."""


class Load:
    """The calls that a route is answering now, and its seconds to the first chunk as a moving average.

    A call enters it while it runs, or waits for a slot.
    """

    __slots__ = ("calls", "first_s")

    def __init__(self) -> None:
        self.calls = 0
        self.first_s: float | None = None

    async def __aenter__(self) -> None:
        self.calls += 1

    async def __aexit__(self, *_: object) -> None:
        self.calls -= 1

    def began(self, seconds: float) -> None:
        """Record how long an answer took to start."""
        known = self.first_s
        self.first_s = seconds if known is None else known + SMOOTHING * (seconds - known)


class _Tier(NamedTuple):
    """Routes of one priority and their providers; weights relative to their mean, and their running sum."""

    routes: Sequence[Route]
    providers: Sequence[Provider | None]
    weights: Sequence[float]
    sums: Sequence[float]


class _Plan(NamedTuple):
    """The tiers of a model, and what they were made of."""

    routes: Sequence[Route]
    providers: Sequence[Provider | None]
    tiers: Sequence[_Tier]


class Routing:
    """Chooses routes by what the catalog says and what was measured. `breakers` say which of them are down."""

    def __init__(
        self, catalog: Catalog, slots: Slots, rates: Rates, chance: random.Random, region: str | None = None
    ) -> None:
        """`region` is where this installation runs: providers of the same region come first."""
        self._catalog = catalog
        self._slots = slots
        self._rates = rates
        self._chance = chance
        self._region = region
        self.breakers = Breakers()
        self._plans: dict[str, _Plan] = {}
        self._loads: dict[tuple[Route, bool], Load] = {}

    def load(self, route: Route, *, blind: bool) -> Load:
        """Return what is measured of a route, among blind calls or among all others."""
        load = self._loads.get((route, blind))
        return load if load is not None else self._loads.setdefault((route, blind), Load())

    def is_up(self, route: Route, now: float, payer_id: str = "") -> bool:
        """Return whether a route would be asked with a payer's key; safe to call from any thread."""
        return not self.breakers.of(route, payer_id).is_open(now)

    def choose(
        self, model: Model, tried: Collection[Route], now: float, *, blind: bool = False, payer_id: str = ""
    ) -> Route | None:
        """Return the route to ask next; None once all are in `tried`.

        A route that is full, or has used up its calls of the minute, waits for no other that is free. Routes that are
        down come last: asking them says why.
        """
        if len(model.routes) == 1:
            return None if model.routes[0] in tried else model.routes[0]
        tiers = self._tiers(model)

        def is_left(route: Route, _: Provider | None) -> bool:
            return route not in tried

        def is_up(route: Route, _: Provider | None) -> bool:
            return route not in tried and self.is_up(route, now, payer_id)

        def has_calls_left(route: Route, provider: Provider | None) -> bool:
            if not is_up(route, provider):
                return False
            if blind or provider is None or provider.max_per_minute is None:
                return True
            return self._rates.wait_s(provider, now) == 0

        def is_free(route: Route, provider: Provider | None) -> bool:
            if not has_calls_left(route, provider):
                return False
            return provider is None or not self._slots.is_full(provider)

        # A full provider has a slot soon: that is no reason to go to a lower priority. A spent minute may be one.
        for accepts in ((is_free, has_calls_left), (is_up,), (is_left,)):
            for tier, accept in product(tiers, accepts):
                if (route := self._draw(tier, accept, blind=blind)) is not None:
                    return route
        return None

    def has_other(self, model: Model, tried: Collection[Route], payer_id: str = "") -> bool:
        """Return whether a route that was not tried is up."""
        now = asyncio.get_running_loop().time()
        return any(route not in tried and self.is_up(route, now, payer_id) for route in model.routes)

    def _draw(
        self, tier: _Tier, accept: Callable[[Route, Provider | None], bool], *, blind: bool
    ) -> Route | None:
        """Return the better of two drawn routes; looks at all only if none of some pairs is accepted."""
        for _ in range(PAIRS if len(tier.routes) > PAIRS else 1):
            one, other = self._pick(tier.sums), self._pick(tier.sums)
            if one != other and self._is_better(tier, other, one, blind=blind):
                one, other = other, one
            for at in (one, other):
                if accept(tier.routes[at], tier.providers[at]):
                    return tier.routes[at]
        left = [at for at, route in enumerate(tier.routes) if accept(route, tier.providers[at])]
        if not left:
            return None
        weights = [tier.weights[at] for at in left]
        drawn = self._chance.choices(left, weights)[0] if sum(weights) > 0 else left[0]
        return tier.routes[drawn]

    def _pick(self, sums: Sequence[float]) -> int:
        return min(bisect_right(sums, self._chance.random() * sums[-1]), len(sums) - 1)

    def _is_better(self, tier: _Tier, one: int, other: int, *, blind: bool) -> bool:
        """Return whether a route would clearly answer sooner: by its time to the first chunk and its queue."""
        a, b = (self.load(tier.routes[at], blind=blind) for at in (one, other))
        # An unmeasured route is assumed to be as quick as the other one.
        first_a, first_b = a.first_s or b.first_s or 1.0, b.first_s or a.first_s or 1.0
        queued_a, queued_b = (
            1.0 + load.calls / tier.weights[at] if tier.weights[at] > 0 else math.inf
            for load, at in ((a, one), (b, other))
        )
        return first_a * queued_a * ALIKE < first_b * queued_b

    def _tiers(self, model: Model) -> Sequence[_Tier]:
        """Return a model's tiers, made again when its routes or their providers have changed."""
        providers = [self._find(route.provider) for route in model.routes]
        plan = self._plans.get(model.id)
        if plan is None or plan.providers != providers or plan.routes != model.routes:
            plan = _Plan(model.routes, providers, self._make_tiers(model.routes, providers))
            self._plans[model.id] = plan
        return plan.tiers

    def _make_tiers(self, routes: Sequence[Route], providers: Sequence[Provider | None]) -> Sequence[_Tier]:
        members: dict[tuple[float, bool], list[int]] = {}
        for at, provider in enumerate(providers):
            # Removed since the call began: the last to be asked.
            place = (math.inf, True) if provider is None else (provider.priority, self._is_far(provider))
            members.setdefault(place, []).append(at)
        tiers: list[_Tier] = []
        for _, tier in sorted(members.items()):
            weights = [provider.weight if (provider := providers[at]) else 0.0 for at in tier]
            mean = sum(weights) / len(weights) or 1.0
            relative = [weight / mean for weight in weights]
            tiers.append(
                _Tier(
                    [routes[at] for at in tier],
                    [providers[at] for at in tier],
                    relative,
                    list(accumulate(relative)),
                )
            )
        return tiers

    def _is_far(self, provider: Provider) -> bool:
        return self._region is not None and provider.region != self._region

    def _find(self, provider_id: str) -> Provider | None:
        try:
            return self._catalog.provider(provider_id)
        except NotFound:
            return None
