"""Tests of limits beside blindness over HTTP: what a chat waits for does not tell who sits in a battle."""

import asyncio
from pathlib import Path

from tests.fakes.draws import draw
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley


async def a_chat_beside_a_battle(parley: RunningParley) -> tuple[int, int]:
    """Return how many questions the models had heard in mid-battle and after it."""
    up = parley.upstream
    up.forget()
    up.reply("The beginning ", "and the end.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        await anext(stream)
        await up.wait_for_requests(2)
        chat = asyncio.create_task(parley.chat(model="ada"))
        await asyncio.sleep(0.3)
        before = len(up.chats)
        up.release()
        await stream.rest()
    assert (await chat)["status"] == "completed"
    return before, len(up.chats)


async def test_a_chat_waits_for_a_battle_whichever_models_play(tmp_path: Path) -> None:
    async with a_running_parley(
        tmp_path, models=(ModelSpec("ada", max_concurrency=1), "bob", "cleo")
    ) as parley:
        for models in (("ada", "bob"), ("cleo", "bob")):
            draw(parley, *models)
            assert await a_chat_beside_a_battle(parley) == (2, 3), models


async def test_two_battles_come_one_after_the_other_where_a_model_is_limited(tmp_path: Path) -> None:
    async with a_running_parley(
        tmp_path, models=(ModelSpec("ada", max_concurrency=1), "bob", "cleo")
    ) as parley:
        parley.upstream.reply("Words.", hold_after=0)
        battles = [asyncio.create_task(parley.battle()) for _ in range(2)]
        await parley.upstream.wait_for_requests(2)
        await asyncio.sleep(0.3)
        assert len(parley.upstream.chats) == 2
        parley.upstream.release()
        assert {(await battle)["status"] for battle in battles} == {"completed"}


async def test_limits_that_nothing_reaches_queue_neither_battles_nor_chats(tmp_path: Path) -> None:
    models = [ModelSpec(name, max_concurrency=1000) for name in ("ada", "bob", "cleo")]
    async with a_running_parley(tmp_path, models=models) as parley:
        parley.upstream.reply("Words.", hold_after=0)
        turns = [asyncio.create_task(parley.battle()) for _ in range(8)]
        turns.append(asyncio.create_task(parley.chat(model="ada")))
        await parley.upstream.wait_for_requests(17)
        parley.upstream.release()
        assert {(await turn)["status"] for turn in turns} == {"completed"}
