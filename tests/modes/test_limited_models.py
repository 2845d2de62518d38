"""Turns that may wait for a limited model: how long one waits never tells who sits in a battle."""

import asyncio

import msgspec
import pytest

from parley.kernel.models import Provider
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import CannedEngine, SmallCatalog, Wait, make_model, make_script, open_engine, until
from tests.fakes.virtual_loop import on_virtual_time

LIMITED = SmallCatalog(
    [
        make_model("ada", "small"),
        make_model("bob"),
        make_model("cleo"),
        make_model("dora", max_concurrency=2),
    ],
    [Provider("small", "canned", max_concurrency=1)],
)


async def ended_at(engine: CannedEngine, turn_id: str) -> float:
    await until(lambda: engine.log.ended(turn_id))
    return asyncio.get_running_loop().time()


async def side_by_side(
    seats: dict[str, str], chat_with: str, chat_after_s: float
) -> tuple[float, float, float]:
    """Return when the battle ended, when the chat's model was asked, and when the chat ended."""
    begun = asyncio.get_running_loop().time()
    async with open_engine(catalog=LIMITED) as engine:
        for model in ("ada", "bob", "cleo", "dora"):
            engine.connector.says(model, *("Some words. ", Wait(0.2)) * 20)
        battle = make_script(Battle(), seats, turn_id="battle")
        chat = make_script(Chat(), {"assistant": chat_with}, turn_id="chat")
        ends = [asyncio.create_task(ended_at(engine, turn_id)) for turn_id in ("battle", "chat")]
        turns = [(0.0, Battle(), battle), (chat_after_s, Chat(), chat)]
        if chat_after_s < 0:
            turns = [(0.0, Chat(), chat), (-chat_after_s, Battle(), battle)]
        for pause, mode, script in turns:
            await asyncio.sleep(pause)
            engine.start(mode, script)
        await until(lambda: "reply.started" in engine.log.kinds("chat"))
        asked = asyncio.get_running_loop().time()
        battle_end, chat_end = await asyncio.gather(*ends)
        return battle_end - begun, asked - begun, chat_end - begun


@pytest.mark.parametrize("after_s", [1.0, 5.0, -1.0], ids=["at first", "in the middle", "before it"])
@pytest.mark.parametrize("model", ["ada", "dora"], ids=["provider", "model"])
@on_virtual_time
async def test_a_chat_with_a_limited_model_waits_whichever_models_play(model: str, after_s: float) -> None:
    there = await side_by_side({"left": model, "right": "bob"}, model, after_s)
    absent = await side_by_side({"left": "cleo", "right": "bob"}, model, after_s)
    assert there == pytest.approx(absent, abs=0.05)
    battle_end, asked, chat_end = there
    assert asked >= battle_end if after_s > 0 else battle_end > chat_end


@on_virtual_time
async def test_a_chat_with_any_other_model_waits_for_nothing() -> None:
    battle_end, asked, chat_end = await side_by_side({"left": "ada", "right": "bob"}, "cleo", 1.0)
    assert (asked < 3.0, chat_end < battle_end) == (True, True)


@on_virtual_time
async def test_a_turn_that_is_stopped_while_it_waits_ends_and_keeps_what_it_had() -> None:
    async with open_engine(catalog=LIMITED) as engine:
        engine.connector.says("ada", "Half ", Wait(1.0), "of it.", Wait(50.0))
        script = make_script(Chat(), {"assistant": "ada"}, turn_id="chat")
        engine.start(Chat(), script)
        await asyncio.sleep(0.5)
        await engine.runner.stop("chat")
        engine.start(Battle(), make_script(Battle(), {"left": "bob", "right": "cleo"}, turn_id="battle"))
        engine.log.renew("chat")
        live = engine.start(Chat(), await engine.log.read("chat"))
        await asyncio.sleep(0.01)
        assert live.status == "running"
        await engine.runner.stop("chat")
        ended = engine.log.ended("chat")
        assert ended is not None
        assert (ended.status, ended.dropped) == ("stopped", ())
        assert msgspec.structs.asdict(engine.log.replies()["assistant"])["text"] == "Half "
        await until(lambda: engine.log.ended("battle"))
