"""Tests of turns while the disk is full: they end and say so, and what they had is stored once there is space."""

import asyncio

import pytest

from parley.kernel.errors import Unavailable
from parley.kernel.mode import Brief, Mode
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import heard, kinds, make_script, open_engine, until
from tests.fakes.virtual_loop import on_virtual_time

FULL = Unavailable("The disk of the database is full.", code="disk_full")
BUSY = Unavailable("The database can't be used right now.", code="database_busy")


@on_virtual_time
@pytest.mark.parametrize(
    ("mode", "seats"), [(Chat(), {"assistant": "ada"}), (Battle(), {"left": "ada", "right": "bob"})]
)
async def test_a_turn_on_a_full_disk_ends_with_an_error_that_says_so(
    mode: Mode[Brief], seats: dict[str, str]
) -> None:
    async with open_engine() as engine:
        for model in seats.values():
            engine.connector.says(model, "An answer.")
        engine.log.broken = FULL
        live = engine.start(mode, make_script(mode, seats))
        async with asyncio.timeout(60):
            events = await heard(live.follow())
        assert kinds(events)[-1] == "turn.failed"
        assert live.error is not None
        assert live.error.code == "disk_full"
        engine.log.broken = None
        await until(lambda: len(engine.log.replies()) == len(seats))
        await engine.recorder.commit()
        assert all(reply.status == "completed" for reply in engine.log.replies().values())


@on_virtual_time
async def test_a_turn_waits_for_a_disk_that_is_full_for_a_moment_and_for_a_locked_database() -> None:
    for broken, seconds in ((FULL, 4), (BUSY, 100)):
        async with open_engine() as engine:
            engine.connector.says("ada", "An answer.")
            engine.log.broken = broken
            live = engine.start(Chat(), make_script(Chat(), {"assistant": "ada"}))
            reading = asyncio.create_task(heard(live.follow()))
            await asyncio.sleep(seconds)
            engine.log.broken = None
            assert kinds(await reading)[-1] == "turn.completed"
