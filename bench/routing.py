"""The rows of routing: how long the choice among a model's routes takes."""

import random
import time
from collections.abc import Iterator
from itertools import pairwise

from bench.bar import Row, judged, quantile
from parley.engine.breaker import FAILURES
from parley.engine.limits import Rates, Slots
from parley.engine.routing import Routing
from parley.features.catalog.service import CatalogService
from parley.kernel.errors import Overloaded
from parley.kernel.models import Model, Provider, Route

ROUTES, CALLS = 100, 1000
ROUNDS = 5


def routing_rows() -> Iterator[Row]:
    """Measure the choice with all routes up, and with half of them down."""
    for name, down in (("all up", 0), ("half of them down", ROUTES // 2)):
        # Every round makes the same choices, so the shortest of each is what it takes without other programs' noise.
        took = [min(each) for each in zip(*(_measure(down) for _ in range(ROUNDS)), strict=True)]
        median, p99 = (1e6 * quantile(took, share) for share in (0.5, 0.99))
        what = f"choice among {ROUTES} routes, {name}: median / p99 of {CALLS} calls"
        yield judged(what, f"{median:.0f} / {p99:.0f} µs", (median, p99), must=(50, 50), unit="µs")


def _measure(down: int) -> list[float]:
    """Return the seconds of each choice; every call is measured as it would be, with some under way."""
    chance = random.Random(5)
    providers = [
        Provider(f"p{number}", "openai", weight=chance.uniform(1, 9), max_concurrency=64, max_per_minute=600)
        for number in range(ROUTES)
    ]
    routes = tuple(Route(provider.id, "m") for provider in providers)
    model = Model("m", "M", "Org", "m", "MIT", routes)
    catalog = CatalogService(providers, [model])
    routing = Routing(catalog, Slots(), Rates(catalog), chance)
    for route in chance.sample(routes, down):
        for _ in range(FAILURES):
            routing.breakers.of(route).failed(Overloaded("503"), 0.0, begun=False)
    moments = [time.perf_counter()]
    for number in range(CALLS):
        route = routing.choose(model, (), number / 1000)
        moments.append(time.perf_counter())
        load = routing.load(route or routes[0], blind=False)
        load.calls = (load.calls + 1) % 4
        load.began(chance.uniform(0.1, 2.0))
    return [later - earlier for earlier, later in pairwise(moments)]
