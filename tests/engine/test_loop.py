"""Tests of the loop: one piece of work at a time, every so often and soon after somebody asks."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from parley.engine import loop as looping
from parley.engine.loop import Loop
from parley.kernel.errors import ParleyError
from tests.fakes.virtual_loop import on_virtual_time


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never happened")


def noting(runs: list[bool], after: float | None = None) -> Callable[[bool], Awaitable[float | None]]:
    async def work(due: bool) -> float | None:
        runs.append(due)
        return after

    return work


@on_virtual_time
async def test_it_begins_at_once_and_works_again_when_asked() -> None:
    runs: list[bool] = []
    loop = Loop("test", noting(runs), every_s=60, soon_s=0.001)
    loop.start()
    await until(lambda: runs == [True])
    loop.wake()
    await until(lambda: runs == [True, False])
    await loop.close()


@on_virtual_time
async def test_many_wishes_become_one_run() -> None:
    runs: list[bool] = []
    loop = Loop("test", noting(runs), every_s=60, soon_s=0.03)
    loop.start()
    await until(lambda: runs == [True])
    for _ in range(50):
        loop.wake()
        await asyncio.sleep(0)
    await until(lambda: len(runs) == 2)
    await asyncio.sleep(0.06)
    assert runs == [True, False]
    await loop.close()


@on_virtual_time
async def test_what_is_asked_for_while_it_works_is_done_afterwards() -> None:
    begun, go_on, runs = asyncio.Event(), asyncio.Event(), 0

    async def work(_: bool) -> float | None:
        nonlocal runs
        runs += 1
        begun.set()
        await go_on.wait()
        return None

    loop = Loop("test", work, every_s=60, soon_s=0.001)
    loop.start()
    await begun.wait()
    loop.wake()
    go_on.set()
    await until(lambda: runs == 2)
    await loop.close()


@on_virtual_time
async def test_the_period_and_the_works_own_wish_bring_it_back() -> None:
    runs: list[bool] = []
    loop = Loop("test", noting(runs), every_s=0.01, soon_s=0.001)
    loop.start()
    await until(lambda: runs[:3] == [True] * 3)
    await loop.close()
    runs.clear()
    loop = Loop("test", noting(runs, 0.005), every_s=60, soon_s=0.001)
    loop.start()
    await until(lambda: runs[:3] == [True, False, False])
    await loop.close()


@on_virtual_time
async def test_work_that_fails_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(looping, "RETRY_S", 0.005)
    failures = [ParleyError("The database is away."), ValueError("unexpected")]
    done = asyncio.Event()

    async def work(_: bool) -> float | None:
        if failures:
            raise failures.pop(0)
        done.set()
        return None

    loop = Loop("test", work, every_s=60, soon_s=0.001)
    loop.start()
    async with asyncio.timeout(40):
        await done.wait()
    await loop.close()
    assert "The database is away." in caplog.text
    assert "unexpected" in caplog.text
