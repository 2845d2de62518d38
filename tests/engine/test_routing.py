"""Tests of routing: which of a model's routes is asked, by region, priority, weight, load and latency."""

import random
from collections import Counter
from typing import Any

import msgspec

from parley.engine.breaker import FAILURES, OPEN_S
from parley.engine.limits import Rates, Slots
from parley.engine.routing import Load, Routing
from parley.kernel.errors import NotFound, Overloaded, Unreachable
from parley.kernel.models import Model, Provider, Route
from parley.testing import SmallCatalog, make_model
from tests.fakes.virtual_loop import on_virtual_time


class Roads:
    """A model "ada" with a route to each provider."""

    def __init__(self, *providers: Provider, region: str | None = None) -> None:
        self.model = make_model("ada", *(provider.id for provider in providers))
        self.catalog = SmallCatalog([self.model], providers)
        self.slots = Slots()
        self.rates = Rates(self.catalog)
        self.routing = Routing(self.catalog, self.slots, self.rates, random.Random(7), region)

    def route(self, provider: str) -> Route:
        return Route(provider, "ada")

    def load(self, provider: str, *, blind: bool = False) -> Load:
        return self.routing.load(self.route(provider), blind=blind)

    def chosen(self, *tried: str, now: float = 0.0, blind: bool = False) -> str | None:
        failed = [self.route(provider) for provider in tried]
        route = self.routing.choose(self.model, failed, now, blind=blind)
        return route.provider if route else None

    def shares(self, draws: int = 2000, *, blind: bool = False) -> dict[str, float]:
        counted = Counter(self.chosen(blind=blind) for _ in range(draws))
        return {str(provider): count / draws for provider, count in counted.items()}

    def fails(self, provider: str, now: float = 0.0) -> None:
        for _ in range(FAILURES):
            self.routing.breakers.of(self.route(provider)).failed(Overloaded("503"), now, begun=False)


def provider(name: str, **fields: Any) -> Provider:
    return Provider(name, "c", **fields)


def test_the_lowest_priority_that_is_up_comes_first_then_the_next() -> None:
    roads = Roads(provider("third", priority=3), provider("first"), provider("second", priority=1))
    assert roads.shares(50) == {"first": 1.0}
    assert roads.chosen("first") == "second"
    assert roads.chosen("first", "second") == "third"
    assert roads.chosen("first", "second", "third") is None
    roads.fails("first")
    assert roads.shares(50) == {"second": 1.0}
    assert roads.chosen("second", "third") == "first", "the last to be asked says why it is not"
    assert roads.shares(50) == {"second": 1.0}


def test_a_route_that_is_down_is_asked_again_after_its_pause() -> None:
    roads = Roads(provider("first"), provider("second", priority=1))
    roads.fails("first")
    assert roads.chosen(now=OPEN_S - 1) == "second"
    assert roads.chosen(now=OPEN_S) == "first", "the half-open probe"
    roads.routing.breakers.of(roads.route("first")).refusal(OPEN_S)
    assert roads.chosen(now=OPEN_S) == "second", "one probe at a time"


def test_a_provider_that_cannot_be_reached_is_down_with_all_its_routes() -> None:
    roads = Roads(provider("first"), provider("second", priority=1))
    other = Route("first", "another model")
    for _ in range(FAILURES):
        roads.routing.breakers.of(other).failed(Unreachable("refused"), 0.0, begun=False)
    assert roads.chosen() == "second"


def test_alike_routes_are_drawn_by_weight() -> None:
    roads = Roads(provider("heavy", weight=3.0), provider("light"), provider("never", weight=0.0))
    shares = roads.shares()
    assert 0.72 < shares["heavy"] < 0.78
    assert "never" not in shares
    assert roads.chosen("heavy", "light") == "never"
    roads.load("heavy").began(0.50)
    roads.load("light").began(0.55)
    assert 0.72 < roads.shares()["heavy"] < 0.78, "a small difference changes nothing"


def test_a_slower_route_gets_less_and_is_still_measured() -> None:
    roads = Roads(provider("quick"), provider("slow"))
    roads.load("quick").began(0.2)
    roads.load("slow").began(2.0)
    assert 0.21 < roads.shares()["slow"] < 0.29
    for _ in range(20):
        roads.load("slow").began(0.2)
    assert 0.46 < roads.shares()["slow"] < 0.54, "it has become as quick"


def test_a_busier_route_gets_less_in_proportion_to_its_weight() -> None:
    roads = Roads(provider("one"), provider("two"))
    roads.load("one").calls = 4
    assert 0.21 < roads.shares()["one"] < 0.29
    weighted = Roads(provider("strong", weight=4.0), provider("weak"))
    weighted.load("strong").calls = 4
    weighted.load("weak").calls = 1
    assert 0.77 < weighted.shares()["strong"] < 0.83, "four calls are to it what one is to the other"


def test_the_installation_s_own_region_comes_first_within_a_priority() -> None:
    here, there = provider("here", region="eu"), provider("there", region="us", weight=9.0)
    assert Roads(here, there, region="eu").shares(50) == {"here": 1.0}
    assert len(Roads(here, there).shares(50)) == 2, "without a region of its own, regions mean nothing"
    first = provider("first", region="us", priority=-1)
    assert Roads(here, first, region="eu").shares(50) == {"first": 1.0}
    roads = Roads(here, there, region="eu")
    roads.fails("here")
    assert roads.shares(50) == {"there": 1.0}


@on_virtual_time
async def test_a_full_provider_is_passed_over_for_an_equal_one_but_not_for_a_lower_priority() -> None:
    near = provider("near", max_concurrency=1)
    roads, ranked = Roads(near, provider("far")), Roads(near, provider("far", priority=1))
    for each, chosen in ((roads, {"far": 1.0}), (ranked, {"near": 1.0})):
        async with each.slots.of_provider(near):
            assert each.shares(50) == chosen
        assert "near" in each.shares(50)


@on_virtual_time
async def test_a_provider_with_no_calls_left_in_this_minute_is_passed_over() -> None:
    near = provider("near", max_per_minute=2)
    roads = Roads(near, provider("far", priority=1))
    await roads.rates.take(near, blind=False)
    assert roads.chosen() == "near"
    await roads.rates.take(near, blind=False)
    assert roads.chosen() == "far"
    assert roads.chosen("far") == "near", "its turn comes"


def test_what_blind_calls_find_out_changes_nothing_for_others_and_the_other_way_round() -> None:
    for blind in (True, False):
        roads = Roads(provider("one"), provider("two"))
        roads.load("one", blind=blind).calls = 50
        roads.load("one", blind=blind).began(9.0)
        roads.load("two", blind=blind).began(0.1)
        assert 0.46 < roads.shares(blind=not blind)["one"] < 0.54
        assert roads.shares(blind=blind)["one"] < 0.3


def test_a_change_of_the_catalog_is_followed_at_once() -> None:
    class Changing(SmallCatalog):
        gone = ""
        first = "one"

        def provider(self, provider_id: str) -> Provider:
            if provider_id == self.gone:
                raise NotFound("removed")
            return provider(provider_id, priority=int(provider_id != self.first))

    catalog = Changing()
    routing = Routing(catalog, Slots(), Rates(catalog), random.Random(7))
    model = make_model("ada", "one", "two")

    def chosen(asked: Model) -> str | None:
        route = routing.choose(asked, (), 0.0)
        return route.provider if route else None

    assert chosen(model) == "one"
    catalog.first = "two"
    assert chosen(model) == "two"
    catalog.gone = "two"
    assert chosen(model) == "one"
    assert chosen(msgspec.structs.replace(model, routes=(Route("three", "x"), Route("two", "x")))) == "three"
    assert chosen(msgspec.structs.replace(model, routes=())) is None
