"""Tests of blindness in the engine: the same text from any two models gives the same bytes at the same time."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from parley.engine.live_turn import LiveTurn
from parley.kernel.connector import Delta, Finish, Usage
from parley.kernel.errors import Rejected
from parley.kernel.mode import Mode
from parley.kernel.models import Model, Prices, Provider, Route
from parley.kernel.ports import TurnScript
from parley.kernel.views import MatchView, ModelCard
from parley.modes.battle import Battle
from parley.testing import (
    CannedEngine,
    Forever,
    Said,
    SmallCatalog,
    Wait,
    make_match,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.deltas import texts
from tests.fakes.recordings import _counted_ids
from tests.fakes.virtual_loop import on_virtual_time, run

MODE: Mode[Any] = Battle()
PROVIDERS = (
    Provider("near", "openai", "http://127.0.0.1:1/v1", "key-one"),
    Provider("far", "anyllm", "https://far.example/api", "key-two", 0.5, "mars", 7, False, 64),
    Provider("here", "demo", local=True),
)
CATALOG: tuple[Model, ...] = (
    make_model("ada", prices=None),
    make_model("bob", "far", prices=Prices(150.0, 600.0), context_window=2048, max_concurrency=1, weight=9.0),
    make_model("cleo", "here", demo=True, local=True, capabilities=("text", "tools", "images")),
    make_model("a-model-with-a-very-long-name", "far", "near", organization="Ø" * 90, license="Apache-2.0"),
    Model("z", "Z", "", "", "", (Route("far", "z"),), tags=("battle", "new"), timeout_s=5.0, description="?"),
)
EXTRAS: dict[str, tuple[Said, ...]] = {
    "ada": (Usage(1, 2), Finish("stop")),
    "bob": (Finish("length"), Usage(9_000, 80_000, 70_000, 5)),
    "cleo": (Finish("stop"),),
    "a-model-with-a-very-long-name": (Usage(0, 0), Usage(3, 4), Finish("length"), Finish("stop")),
    "z": (Finish("stop"), Finish("length")),
}
"""What a model sends beside its text. A viewer is shown nothing of it before the vote."""

Seen = list[tuple[float, str, bytes]]


@dataclass
class Scene:
    """What every model says, and what the person does meanwhile."""

    said: tuple[Said, ...]
    stops_at: float | None = None
    fails: tuple[Said, ...] = ()
    """How one side's answer ends instead; the test tries both sides."""
    looks: tuple[float, ...] = field(default=(0.0, 0.4, 1.0, 2.5, 4.0, 17.0))


def pieces(count: int) -> tuple[Said, ...]:
    return tuple(part for number in range(count) for part in (Wait(0.07), f"Wörd {number} 👩‍👧 "))


SCENES = {
    "whole": Scene((Wait(0.5), *pieces(40))),
    "slow enough for heartbeats": Scene((Wait(16.0), *pieces(5), Wait(16.0), "The end.")),
    "at once": Scene(("Yes.",)),
    "stopped": Scene((Wait(0.5), *pieces(90), Forever()), stops_at=3.0),
    "stopped before a word": Scene((Forever(),), stops_at=3.0),
}
FAILING = {
    "it breaks off": Scene(pieces(30), fails=(*pieces(10), Rejected("CANARY refused", "CANARY"))),
    "it is refused": Scene(pieces(30), fails=(Rejected("CANARY refused", "CANARY"),)),
    "it is empty": Scene(pieces(30), fails=(Wait(1.0),)),
}


def seen(scene: Scene, left: str, right: str, failing: str | None = None) -> Seen:
    """Return every byte that anybody is sent of a battle, with its time and where it came."""
    with _counted_ids():
        return run(_play(scene, left, right, failing))


async def _play(scene: Scene, left: str, right: str, failing: str | None) -> Seen:
    found: Seen = []
    async with open_engine(catalog=SmallCatalog(CATALOG, PROVIDERS)) as engine:
        for model in (left, right):
            thought = Delta("reasoning", f"{model} thinks. " * len(model))
            ends = EXTRAS[model] if not any(isinstance(part, Forever) for part in scene.said) else ()
            engine.connector.says(
                model, thought, *(scene.fails if model == failing else (*scene.said, *ends))
            )
        script = make_script(MODE, {"left": left, "right": right})
        live = begin(engine, script)
        others = [asyncio.create_task(_look(live, found, after)) for after in scene.looks]
        if scene.stops_at is not None:
            others.append(asyncio.create_task(_stop(engine, live, scene.stops_at)))
        await _read(live, found, "stream")
        await asyncio.gather(*others)
        _add(found, "afterwards", msgspec.json.encode(live.snapshot()))
    return sorted(found, key=lambda each: each[:2])


def begin(engine: CannedEngine, script: TurnScript) -> LiveTurn:
    """Start a turn whose match, as handed to the engine, knows who sits where."""
    engine.log.scripts[script.turn_id] = script
    return engine.runner.start(script, knowing(script), MODE, MODE.brief())


def knowing(script: TurnScript) -> MatchView:
    """Return a match whose seats have their cards; to take them out is the engine's duty too."""
    models = {model.id: model for model in CATALOG}
    match = make_match(MODE, script)
    cards = [_card(models[seat.model_id]) for seat in script.seats]
    seats = [msgspec.structs.replace(seat, model=card) for seat, card in zip(match.seats, cards, strict=True)]
    return msgspec.structs.replace(match, seats=tuple(seats))


def _card(model: Model) -> ModelCard:
    names = set(ModelCard.__struct_fields__) - {"provider", "source"}
    return ModelCard(provider=model.routes[0].provider, **{name: getattr(model, name) for name in names})


async def _read(live: LiveTurn, found: Seen, where: str) -> None:
    async for frames in live.follow():
        _add(found, where, frames)


async def _look(live: LiveTurn, found: Seen, after: float) -> None:
    """Reload, and open a second tab, at a moment."""
    await asyncio.sleep(after)
    _add(found, f"reload after {after}", msgspec.json.encode(live.snapshot()))
    if not live.finished.is_set():
        await _read(live, found, f"tab after {after}")


async def _stop(engine: CannedEngine, live: LiveTurn, after: float) -> None:
    await asyncio.sleep(after)
    await engine.runner.stop(live.id)


def _add(found: Seen, where: str, what: bytes) -> None:
    found.append((round(asyncio.get_running_loop().time(), 6), where, what))


PAIRS = list(itertools.permutations((model.id for model in CATALOG), 2))


@pytest.mark.parametrize("scene", SCENES)
def test_every_pair_that_says_the_same_gives_the_same_bytes_at_the_same_time(scene: str) -> None:
    first = seen(SCENES[scene], *PAIRS[0])
    assert sum(len(what) for _, _, what in first) > 1000
    for left, right in PAIRS[1:]:
        other = seen(SCENES[scene], left, right)
        assert [each for each in zip(first, other, strict=True) if each[0] != each[1]] == []


@pytest.mark.parametrize("scene", FAILING)
def test_a_failing_model_gives_the_same_bytes_on_either_side(scene: str) -> None:
    first = seen(FAILING[scene], "ada", "bob", failing="bob")
    assert b"battle_void" in next(what for _, where, what in first if where == "afterwards")
    for left, right in PAIRS:
        for failing in (left, right):
            assert seen(FAILING[scene], left, right, failing) == first, f"{failing} of {left} and {right}"


@pytest.mark.parametrize(
    "fault",
    [lambda live: live.snapshot(), lambda live: live.replies["0" * 31 + "1"].view()],
)
def test_a_difference_between_models_would_be_seen(fault: Callable[[LiveTurn], object]) -> None:
    """The same scenes in a match that is not blind: the comparison above can fail."""

    async def shown(left: str, right: str) -> bytes:
        async with open_engine(catalog=SmallCatalog(CATALOG, PROVIDERS)) as engine:
            for model in (left, right):
                engine.connector.says(model, "The same.", *EXTRAS[model])
            script = make_script(MODE, {"left": left, "right": right})
            match = msgspec.structs.replace(knowing(script), blind=False)
            engine.log.scripts[script.turn_id] = script
            live = engine.runner.start(script, match, MODE, MODE.brief())
            await live.finished.wait()
            return msgspec.json.encode(fault(live))

    bodies = set()
    for left, right in PAIRS[:8]:
        with _counted_ids():
            bodies.add(run(shown(left, right)))
    assert len(bodies) > 1


@on_virtual_time
async def test_stopping_and_asking_again_does_not_tell_who_was_done() -> None:
    """Who stops early and asks again must not learn, from the text that stays the same, which side was quick."""
    async with open_engine() as engine:
        engine.connector.says("ada", "Quick and done. " * 9)
        engine.connector.says("ada", "Something else, which nobody says twice. " * 9)
        engine.connector.says("bob", *("Slow ", Wait(0.5)) * 100)
        engine.connector.says("bob", "The slow one says something else, too. " * 9)
        live = begin(engine, make_script(MODE, {"left": "ada", "right": "bob"}))
        await until(lambda: max((live.visible or {}).values(), default=0) >= 10)
        await engine.runner.stop(live.id)
        before = {reply.seat: reply.text for reply in live.snapshot().turn.replies}
        after = texts(await engine.retry(MODE))
    assert set(before) == {"left", "right"}
    same = {seat for seat, text in before.items() if after[seat].startswith(text)}
    assert same in (set(), {"left", "right"}), "one side says the same again: it had been done"
