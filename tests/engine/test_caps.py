"""Tests of caps: all calls of a capped match are paid from one purse, those within ensembles too."""

import asyncio
from typing import Any

import pytest

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.engine.purse import Purse
from parley.kernel.caps import Cap, Used
from parley.kernel.connector import Finish, Usage
from parley.kernel.errors import NotFound, OverBudget
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.models import Model, Prices
from parley.kernel.ports import Ensemble
from parley.kernel.seats import Group, Seat, Seating
from parley.modes.chat import Chat
from parley.modes.team.mode import Team
from parley.testing import CannedEngine, SmallCatalog, Wait, make_card, make_model, make_script, open_engine
from tests.fakes.virtual_loop import on_virtual_time

MEMBERS = tuple("abcdefgh")
A_CALL = 1000
"""The micro-dollars of each call."""

DOLLARS = 0.003
"""A cap that three calls use up."""


class Chorus(Mode[Brief]):
    """Every member answers at once, three times over."""

    name = "chorus"
    title = "Chorus"
    summary = "For tests"
    brief = Brief
    seating = Seating(groups=(Group("member", 1, 10),))
    voice = "member"

    async def play(self, stage: Stage, brief: Brief) -> None:
        for _ in stage.rounds(3):
            await stage.ask_all(stage.seats)


def an_ensemble(mode: str, models: tuple[str, ...], **brief: object) -> Ensemble:
    seats = tuple(Seat(f"s-{at}", MEMBERS[at], "member", model) for at, model in enumerate(models))
    return Ensemble(mode=mode, brief=brief, seats=seats)


ENSEMBLES = {
    "chorus-of-8": an_ensemble("chorus", ("ada",) * 8),
    "nested": an_ensemble("chorus", ("chorus-of-8",) * 3),
    "capped": an_ensemble("team", ("nested", "chorus-of-8"), max_cost_usd=DOLLARS, rounds=1),
}


async def spent(engine_of: Mode[Any], seats: dict[str, str], **brief: object) -> tuple[int, int, str]:
    """Play a turn; return what it cost in micro-dollars, its calls, and how it ended."""
    catalog = SmallCatalog(
        [
            make_model("ada", prices=Prices(0, 1000)),
            *(
                Model(id=name, name=name, organization="", family="", license="", routes=(), kind="ensemble")
                for name in ENSEMBLES
            ),
        ]
    )
    async with open_engine(catalog=catalog, even_pacing=False) as engine:
        _admit(engine)
        engine.connector.says("ada", Wait(1), "One.", Usage(0, 1), Finish("stop"))
        events = await engine.play(engine_of, make_script(engine_of, seats, brief=brief))
        calls = len(engine.connector.requests)
        return calls * A_CALL, calls, events[-1]["kind"]


def _admit(engine: CannedEngine) -> None:
    def find(model_id: str) -> Ensemble:
        if model_id not in ENSEMBLES:
            raise NotFound("no such ensemble")
        return ENSEMBLES[model_id]

    engine.gateway.admit(
        PlayedEnsembles(
            find=find,
            modes={"chorus": Chorus(), "team": Team()},
            card=make_card,
            hub=engine.hub,
            recorder=engine.recorder,
            open_stage=engine.runner.open_stage,
            clock=WallClock(),
        )
    )


@pytest.mark.parametrize(
    ("mode", "seats", "brief"),
    [
        (Team(), {"a": "ada", "b": "ada", "c": "ada", "d": "ada", "e": "ada"}, {"max_cost_usd": DOLLARS}),
        (Team(), {"a": "chorus-of-8", "b": "chorus-of-8"}, {"max_cost_usd": DOLLARS}),
        (Team(), {"a": "nested", "b": "chorus-of-8"}, {"max_cost_usd": DOLLARS}),
        (Team(), {"a": "nested", "b": "nested", "c": "ada"}, {"max_cost_usd": DOLLARS, "strategy": "panel"}),
        (Chat(), {"assistant": "capped"}, {}),
        (Team(), {"a": "capped", "b": "nested"}, {"max_cost_usd": DOLLARS}),
    ],
    ids=["models", "ensembles", "nested", "moderated", "a team in a chat", "a team in a team"],
)
def test_a_cap_holds_wherever_the_calls_are_made(
    mode: Mode[Any], seats: dict[str, str], brief: dict[str, object]
) -> None:
    @on_virtual_time
    async def whole() -> None:
        cost, calls, _ = await spent(mode, seats, **brief)
        assert 0 < calls <= 4
        assert cost <= DOLLARS * 1e6 + A_CALL

    whole()


@on_virtual_time
async def test_a_cap_of_tokens_holds_within_ensembles() -> None:
    _, calls, _ = await spent(Team(), {"a": "chorus-of-8", "b": "nested"}, max_tokens=1)
    assert calls == 1


@on_virtual_time
async def test_without_a_cap_nothing_is_held() -> None:
    _, calls, end = await spent(Chat(), {"assistant": "chorus-of-8"})
    assert (calls, end) == (24, "turn.completed")


async def pay(purse: Purse, most: int, used: int, seconds: float) -> str:
    held = Used(cost_micros=most)
    try:
        await purse.hold(held)
    except OverBudget as error:
        return error.leaf_code
    await asyncio.sleep(seconds)
    purse.settle(held, Used(cost_micros=used))
    return f"{asyncio.get_running_loop().time():.0f}"


@on_virtual_time
async def test_calls_that_fit_together_run_together_and_others_wait_for_what_is_left() -> None:
    begun = asyncio.get_running_loop().time()
    purse = Purse(Cap(cost_micros=100))
    ends = await asyncio.gather(*(pay(purse, most, 30, 1) for most in (50, 50, 60, 200, 60)))
    assert [end if not end.isdigit() else int(end) - round(begun) for end in ends] == [
        1,
        1,
        2,
        3,
        "mode_cap_reached",
    ]


@on_virtual_time
async def test_a_call_that_gives_up_waiting_holds_nothing() -> None:
    outer = Purse(Cap(cost_micros=100))
    inner = Purse(Cap(cost_micros=50), parent=outer)
    first = asyncio.create_task(pay(inner, 50, 10, 5))
    second = asyncio.create_task(pay(inner, 50, 10, 5))
    await asyncio.sleep(1)
    second.cancel()
    await asyncio.wait([second])
    assert (await pay(outer, 50, 10, 0)).isdigit()
    await first


@on_virtual_time
async def test_a_purse_can_be_extended_by_a_share_of_its_cap() -> None:
    purse = Purse(Cap(cost_micros=100), Used(cost_micros=150))
    assert await pay(purse, 1, 1, 0) == "mode_cap_reached"
    purse.extend(0.2)
    assert (await pay(purse, 1, 20, 0)).isdigit()
    assert await pay(purse, 1, 1, 0) == "mode_cap_reached"
