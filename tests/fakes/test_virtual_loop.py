"""Tests of the virtual clock: it jumps over waits, and stands while a thread is at work."""

import asyncio
import threading

from tests.fakes.virtual_loop import on_virtual_time, run


@on_virtual_time
async def test_hours_of_waiting_pass_at_once() -> None:
    await asyncio.sleep(3600)
    assert asyncio.get_running_loop().time() == 3600


@on_virtual_time
async def test_a_thread_at_work_meets_no_deadline() -> None:
    async with asyncio.timeout(0.001):
        await asyncio.to_thread(threading.Event().wait, 0.05)
    assert asyncio.get_running_loop().time() == 0


def test_a_thread_that_nobody_awaits_any_more_is_joined_at_the_end() -> None:
    ended = threading.Event()

    def work() -> None:
        threading.Event().wait(0.05)
        ended.set()

    async def leave_it() -> None:
        task = asyncio.create_task(asyncio.to_thread(work))
        await asyncio.sleep(0)
        task.cancel()

    run(leave_it())
    assert ended.is_set()
