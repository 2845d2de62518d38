"""Tests of limits beside blindness: chats at the provider of one side of a battle tell nothing about it."""

import asyncio

import msgspec
import pytest

from parley.kernel.models import Provider
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import CannedEngine, SmallCatalog, Wait, make_model, make_script, open_engine
from parley.testing.engine import decoded
from tests.fakes.virtual_loop import on_virtual_time

Shown = list[tuple[float, dict[str, int]]]
"""How many code points of each side are shown, and when."""

WORDS = tuple(f"word {number} " for number in range(40))
CHATS = 3


async def a_battle_beside_chats(left: str, right: str, *, chats: int) -> tuple[float, Shown]:
    """Return when the battle ended and what was shown of it; other people's chats fill the provider of ada."""
    near = Provider("near", "c", max_concurrency=2)
    catalog = SmallCatalog([make_model("ada", "near"), make_model("bob", "far")], [near])
    async with open_engine(catalog=catalog) as engine:
        for model in ("ada", "bob"):
            engine.connector.says(model, *(part for word in WORDS for part in (word, Wait(0.05))))
        talking = [asyncio.create_task(a_chat(engine, number)) for number in range(chats)]
        await asyncio.sleep(1.0)
        begun = asyncio.get_running_loop().time()
        script = make_script(Battle(), {"left": left, "right": right}, turn_id="battle")
        live = engine.start(Battle(), script)
        shown: Shown = []
        async for frames in live.follow():
            at = round(asyncio.get_running_loop().time() - begun, 3)
            deltas = [event for event in decoded(frames) if event["kind"] == "reply.delta"]
            seats = {reply.id: reply.seat.name for reply in live.replies.values()}
            if deltas:
                shown.append((at, {seats[event["reply_id"]]: event["end"] for event in deltas}))
        ended = round(asyncio.get_running_loop().time() - begun, 3)
        await asyncio.gather(*talking)
        return ended, shown


async def a_chat(engine: CannedEngine, number: int) -> None:
    script = make_script(Chat(), {"assistant": "ada"}, turn_id=f"chat-{number}")
    await engine.play(Chat(), msgspec.structs.replace(script, owner_id=f"somebody-{number}"))


@on_virtual_time
async def test_a_side_whose_provider_is_full_of_chats_is_shown_with_the_other_one() -> None:
    alone, _ = await a_battle_beside_chats("ada", "bob", chats=0)
    ended, shown = await a_battle_beside_chats("ada", "bob", chats=CHATS)
    assert ended > alone + 1.0, "the chats did slow it down"
    assert len(shown) > 20
    assert all(sides["left"] == sides["right"] for _, sides in shown), "no side earlier than the other"
    assert await a_battle_beside_chats("bob", "ada", chats=CHATS) == (ended, shown), "the same when swapped"


@pytest.mark.parametrize("per_minute", [1, 2, 4])
def test_a_used_up_minute_delays_a_battle_and_later_chats_alike_whoever_plays(per_minute: int) -> None:
    async def seen(pair: tuple[str, str]) -> list[float]:
        small = Provider("small", "c", max_per_minute=per_minute)
        catalog = SmallCatalog([make_model("ada", "small"), make_model("bob", "far")], [small])
        async with open_engine(catalog=catalog) as engine:
            begun = asyncio.get_running_loop().time()
            moments: list[float] = []
            await a_chat(engine, 1)
            await engine.play(
                Battle(), make_script(Battle(), dict(zip(("left", "right"), pair, strict=True)))
            )
            moments.append(asyncio.get_running_loop().time() - begun)
            await a_chat(engine, 2)
            moments.append(asyncio.get_running_loop().time() - begun)
            return [round(moment, 3) for moment in moments]

    @on_virtual_time
    async def whole() -> None:
        assert await seen(("ada", "bob")) == await seen(("cleo", "bob"))

    whole()
