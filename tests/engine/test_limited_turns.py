"""Tests of turns with limited models: the calls that a turn may make at once decide whether it waits for another."""

import asyncio
from typing import Any

import pytest

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.kernel.errors import NotFound
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.models import Model, Provider
from parley.kernel.ports import Ensemble
from parley.kernel.seats import Group, Seat, Seating
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.modes.compare import Compare
from parley.testing import (
    CannedEngine,
    SmallCatalog,
    Wait,
    decoded,
    make_card,
    make_model,
    make_script,
    open_engine,
)
from tests.fakes.virtual_loop import on_virtual_time

MODELS = ("ada", "bob", "cleo", "dora")
ENSEMBLES = {"trio": MODELS[:3], "nested": ("trio", "dora")}


class Chorus(Mode[Brief]):
    """Every member answers at once."""

    name = "chorus"
    title = "Chorus"
    summary = "For tests"
    brief = Brief
    seating = Seating(groups=(Group("member", 1, 10),))
    voice = "member"

    async def play(self, stage: Stage, brief: Brief) -> None:
        await stage.ask_all(stage.seats)


async def seconds(
    *turns: tuple[Mode[Any], dict[str, str]], providers: list[Provider], models: list[Model] | None = None
) -> list[float]:
    """Play turns of one person at once, each answer taking a second; return after how long each ended."""
    ensembles = [] if models else [_ensemble(model_id) for model_id in ENSEMBLES]
    catalog = SmallCatalog([*(models or map(make_model, MODELS)), *ensembles], providers)
    async with open_engine(catalog=catalog, even_pacing=False) as engine:
        _admit(engine)
        for model in MODELS:
            engine.connector.says(model, Wait(1), "One.")

        async def played(at: int, mode: Mode[Any], seats: dict[str, str]) -> float:
            await asyncio.sleep(at / 1000)
            await engine.play(mode, make_script(mode, seats, turn_id=f"turn-{at}"))
            return round(asyncio.get_running_loop().time() - begun)

        begun = asyncio.get_running_loop().time()
        return await asyncio.gather(*(played(at, *turn) for at, turn in enumerate(turns)))


def _ensemble(model_id: str) -> Model:
    return Model(
        id=model_id, name=model_id, organization="", family="", license="", routes=(), kind="ensemble"
    )


def _admit(engine: CannedEngine) -> None:
    def find(model_id: str) -> Ensemble:
        if model_id not in ENSEMBLES:
            raise NotFound("no such ensemble")
        seats = tuple(
            Seat(id=f"{model_id}-{model}", name=chr(97 + at), role="member", model_id=model)
            for at, model in enumerate(ENSEMBLES[model_id])
        )
        return Ensemble(mode="chorus", brief={}, seats=seats)

    engine.gateway.admit(
        PlayedEnsembles(
            find=find,
            modes={"chorus": Chorus()},
            card=make_card,
            hub=engine.hub,
            recorder=engine.recorder,
            open_stage=engine.runner.open_stage,
            clock=WallClock(),
        )
    )


def near(size: int) -> list[Provider]:
    return [Provider("near", "c", max_concurrency=size)]


BATTLE = (Battle(), {"left": "ada", "right": "bob"})
CHAT = (Chat(), {"assistant": "cleo"})


@on_virtual_time
async def test_fifty_battles_and_a_chat_run_at_once_under_a_limit_that_they_cannot_reach() -> None:
    turns = [BATTLE] * 50 + [CHAT]
    assert set(await seconds(*turns, providers=near(1000))) == {1}


@on_virtual_time
async def test_a_battle_counts_both_seats_at_each_limited_model() -> None:
    models = [make_model(name, max_concurrency=4) for name in MODELS]
    assert await seconds(BATTLE, BATTLE, CHAT, providers=[], models=models) == [1, 1, 2]


@pytest.mark.parametrize(("size", "ends"), [(16, [1, 1]), (15, [1, 2])])
def test_a_battle_counts_as_if_the_largest_ensemble_of_the_catalog_sat_in_it(
    size: int, ends: list[float]
) -> None:
    """Nested makes four calls at once: a battle of two seats counts eight, whoever was drawn."""

    @on_virtual_time
    async def whole() -> None:
        assert await seconds(BATTLE, BATTLE, providers=near(size)) == ends

    whole()


@pytest.mark.parametrize(("model", "ends"), [("cleo", [1, 1]), ("trio", [1, 1]), ("nested", [1, 2])])
def test_a_seat_with_an_ensemble_counts_all_its_members(model: str, ends: list[float]) -> None:
    @on_virtual_time
    async def whole() -> None:
        turns = (BATTLE, (Chat(), {"assistant": model}))
        assert await seconds(*turns, providers=near(11)) == ends

    whole()


@on_virtual_time
async def test_the_fallback_of_a_model_counts_too() -> None:
    models = [make_model("ada", "near"), make_model("bob", "far"), make_model("cleo", "far", fallback="ada")]
    assert await seconds(BATTLE, CHAT, providers=near(1), models=models) == [1, 2]


async def queue_seen(mode: Mode[Any], seats: dict[str, str]) -> tuple[bool, bool, list[int]]:
    """Return whether viewers saw the turn, or a reply, in a queue beside a long chat, and what the replies waited."""
    catalog = SmallCatalog([make_model(name, "near") for name in MODELS], near(1))
    async with open_engine(catalog=catalog, even_pacing=False) as engine:
        for model in MODELS:
            engine.connector.says(model, Wait(3), "One.")
        chat = asyncio.create_task(
            engine.play(Chat(), make_script(Chat(), {"assistant": "dora"}, turn_id="a"))
        )
        await asyncio.sleep(0.1)
        live = engine.start(mode, make_script(mode, seats, turn_id="b"))
        turn = reply = False
        async for frames in live.follow():
            for event in decoded(frames):
                if event["kind"] == "turn.snapshot":
                    turn = turn or event["turn"].get("queued", False)
                    reply = reply or any(each.get("queued") for each in event["turn"]["replies"])
        await chat
        waited = [each.metrics.queued_ms or 0 for each in live.replies.values() if each.metrics]
        assert {each.metrics.ttft_ms for each in live.replies.values() if each.metrics} == {3000}
        return turn, reply, waited


@on_virtual_time
async def test_a_reply_that_waits_for_a_place_shows_it_and_says_afterwards_how_long() -> None:
    assert await queue_seen(Compare(), {"a": "ada", "b": "bob"}) == (False, True, [2900, 5900])


@on_virtual_time
async def test_a_blind_turn_shows_that_it_waits_but_not_which_side_does() -> None:
    assert await queue_seen(Battle(), {"left": "ada", "right": "bob"}) == (True, False, [0, 3000])
