"""Tests of limits: calls at once, and calls in any span of a minute."""

import asyncio
import random

import pytest

from parley.engine.limits import WINDOW_S, RateLimited, Rates, Slots
from parley.kernel.models import Provider
from parley.testing import SmallCatalog, make_model
from tests.fakes.virtual_loop import on_virtual_time

NEAR = Provider("near", "c", max_per_minute=3, name="Near Inc.")
FAR = Provider("far", "c", max_per_minute=1)
FREE = Provider("free", "c")


def rates() -> Rates:
    models = [make_model("ada", "near"), make_model("bob", "far", "free")]
    return Rates(SmallCatalog(models, [NEAR, FAR, FREE]))


def time() -> float:
    return asyncio.get_running_loop().time()


@on_virtual_time
async def test_no_span_of_a_minute_has_more_calls_than_allowed() -> None:
    limits, chance = rates(), random.Random(3)
    begun: list[float] = []
    begin = time()

    async def call() -> None:
        await limits.take(NEAR, blind=False)
        begun.append(time() - begin)

    while len(begun) < 40:
        await asyncio.gather(*(call() for _ in range(chance.randint(1, 3))))
        await asyncio.sleep(chance.uniform(0, 40))
    assert all(later - earlier > WINDOW_S - 1e-6 for earlier, later in zip(begun, begun[3:], strict=False))
    assert begun[2] < WINDOW_S, "the first ones need not wait"


@on_virtual_time
async def test_a_call_waits_at_most_a_minute_and_is_then_refused_in_words() -> None:
    limits = rates()
    waiting = [asyncio.create_task(limits.take(FAR, blind=False)) for _ in range(3)]
    await asyncio.sleep(WINDOW_S + 1)
    assert [task.done() and task.exception() is None for task in waiting].count(True) == 2
    (refused,) = [task.exception() for task in waiting if task.done() and task.exception()]
    assert isinstance(refused, RateLimited)
    assert refused.title == "far accepts 1 call a minute, and other calls are waiting."
    assert "Ask again in 60 s" in (refused.detail or "")
    assert limits.wait_s(FREE, time()) == 0


@on_virtual_time
async def test_a_blind_call_counts_at_every_limited_provider_and_waits_for_every_one() -> None:
    for asked in (NEAR, FAR, FREE):
        limits = rates()
        begin = time()
        await limits.take(asked, blind=True)
        assert time() == begin
        assert limits.wait_s(FAR, time()) == WINDOW_S
        await limits.take(asked, blind=True)
        assert time() == begin + WINDOW_S, "it waits for the smallest limit, whoever is asked"
        waiting = [asyncio.create_task(limits.take(asked, blind=True)) for _ in range(2)]
        await asyncio.wait(waiting)
        (refused,) = [error for task in waiting if (error := task.exception())]
        assert isinstance(refused, RateLimited)
        assert "far" not in refused.title, "who sits there is not named"
        assert "Near" not in refused.title


@on_virtual_time
async def test_a_cancelled_wait_uses_up_no_call() -> None:
    limits = rates()
    await limits.take(FAR, blind=False)
    waiting = asyncio.create_task(limits.take(FAR, blind=False))
    await asyncio.sleep(1)
    waiting.cancel()
    await asyncio.wait([waiting])
    await asyncio.sleep(WINDOW_S)
    assert limits.wait_s(FAR, time()) == 0


@pytest.mark.parametrize("size", [None, 0])
def test_without_a_limit_there_is_no_slot_to_wait_for(size: int | None) -> None:
    @on_virtual_time
    async def whole() -> None:
        slots = Slots()
        free = Provider("free", "c", max_concurrency=size)
        model = make_model("ada", max_concurrency=size)
        async with slots.of_provider(free), slots.of_provider(free), slots.of_model(model):
            assert not slots.is_full(free)

    whole()
