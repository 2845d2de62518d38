"""Tests of breakers: what a changed provider leaves behind."""

import sys
import threading
from collections.abc import Generator

import pytest

from parley.engine.breaker import Breakers
from parley.kernel.errors import Overloaded, Unreachable
from parley.kernel.models import Route


@pytest.fixture
def threads_alternate_often() -> Generator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def broken(breakers: Breakers, route: Route) -> None:
    for _ in range(20):
        breakers.of(route).failed(Unreachable("It is away."), 0.0, begun=False)


def test_a_changed_provider_is_asked_again_and_others_rest_on() -> None:
    breakers, lab, other = Breakers(), Route("lab", "m"), Route("other", "m")
    broken(breakers, lab)
    broken(breakers, other)
    breakers.forget("lab")
    assert (breakers.of(lab).is_open(0.0), breakers.of(other).is_open(0.0)) == (False, True)


def overloaded(breakers: Breakers, *models: str, times: int = 5) -> list[Route]:
    routes = [Route("lab", model) for model in models]
    for route in routes * times:
        breakers.of(route).failed(Overloaded("It is busy."), 0.0, begun=False)
    return routes


def test_a_model_that_answers_after_an_outage_lets_its_servers_others_be_tried() -> None:
    breakers = Breakers()
    first, second = overloaded(breakers, "first", "second")
    (third,) = overloaded(breakers, "third", times=2)
    assert breakers.of(second).is_open(1.0)
    breakers.of(third).succeeded()
    for route in (first, second):
        assert (breakers.of(route).refusal(1.0), breakers.of(route).reopens_in(1.0)) == (None, 0)
    breakers.of(first).failed(Overloaded("It is busy."), 1.0, begun=False)
    assert breakers.of(first).is_open(2.0), "a probe that failed pauses it again"


def test_a_model_that_fails_alone_stays_paused_while_others_answer() -> None:
    breakers = Breakers()
    (broken_model,) = overloaded(breakers, "broken")
    breakers.of(Route("lab", "well")).succeeded()
    breakers.of(Route("other", "well")).failed(Overloaded("It is busy."), 0.0, begun=False)
    breakers.of(Route("other", "well")).succeeded()
    assert breakers.of(broken_model).is_open(1.0)


@pytest.mark.usefixtures("threads_alternate_often")
def test_other_threads_may_look_while_a_provider_is_forgotten() -> None:
    breakers, stop, looked = Breakers(), threading.Event(), list[int]()

    def look(model: str) -> None:
        number = 0
        while not stop.is_set() and number < 100_000:
            number += 1
            breakers.of(Route("lab", f"{model}{number}")).is_open(0.0)
        looked.append(number)

    threads = [threading.Thread(target=look, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    try:
        for _ in range(100):
            breakers.forget("other")
    finally:
        stop.set()
        for thread in threads:
            thread.join(10)
    assert len(looked) == 3, "a thread has failed"
