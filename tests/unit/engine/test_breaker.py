"""Tests of breakers: what a changed provider leaves behind."""

import threading

from parley.engine.breaker import Breakers
from parley.kernel.errors import Unreachable
from parley.kernel.models import Route


def broken(breakers: Breakers, route: Route) -> None:
    for _ in range(20):
        breakers.of(route).failed(Unreachable("It is away."), 0.0, begun=False)


def test_a_changed_provider_is_asked_again_and_others_rest_on() -> None:
    breakers, lab, other = Breakers(), Route("lab", "m"), Route("other", "m")
    broken(breakers, lab)
    broken(breakers, other)
    breakers.forget("lab")
    assert (breakers.of(lab).is_open(0.0), breakers.of(other).is_open(0.0)) == (False, True)


def test_other_threads_may_look_while_a_provider_is_forgotten() -> None:
    breakers, stop, looked = Breakers(), threading.Event(), list[int]()

    def look() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            breakers.of(Route("lab", f"m{number % 5000}")).is_open(0.0)
        looked.append(number)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(300):
            breakers.forget("other")
    finally:
        stop.set()
        for thread in threads:
            thread.join(10)
    assert len(looked) == 3, "a thread has failed"
