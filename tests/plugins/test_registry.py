"""Tests of the registry, with plugins as plain objects and hand-made entry points."""

import importlib.metadata
from collections.abc import AsyncIterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from parley.kernel.ballot import Ballot
from parley.kernel.connector import ChatRequest, Chunk, Connector, DrawsImages, Finish, ListsModels
from parley.kernel.errors import NotFound, Rejected
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest, PictureSettings
from parley.kernel.seats import Seating
from parley.plugins.hookspecs import hookimpl
from parley.plugins.registry import PluginConflict, load_registry


class Silence(Mode[Brief]):
    title = "Silence"
    summary = "Nobody speaks"
    brief = Brief
    seating = Seating()

    def __init__(self, name: str) -> None:
        self.name = name  # pyright: ignore[reportAttributeAccessIssue]

    async def play(self, stage: Stage, brief: Brief) -> None:
        """Nobody is asked."""


class Mute(Connector):
    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        return
        yield


def factory(provider: Provider, client: object) -> Connector:
    return Mute()


class Modes:
    def __init__(self, *names: str) -> None:
        self._names = names

    @hookimpl
    def parley_modes(self) -> Sequence[Mode[Any]]:
        return [Silence(name) for name in self._names]


class Connectors:
    @hookimpl
    def parley_connectors(self) -> dict[str, object]:
        return {"mute": factory}


class Entry:
    def __init__(self, name: str, plugin: object) -> None:
        self.name = name
        self._plugin = plugin

    def load(self) -> object:
        if isinstance(self._plugin, Exception):
            raise self._plugin
        return self._plugin


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    entries: list[Entry] = []

    def entry_points(*, group: str) -> list[Entry]:
        assert group == "parley"
        return entries

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return entries


def test_built_in_plugins_offer_modes_and_connectors(installed: list[Entry]) -> None:
    registry = load_registry([Modes("silence"), Connectors()])
    assert list(registry.modes) == ["silence"]
    assert dict(registry.connectors) == {"mute": factory}
    assert registry.mode("silence") is registry.modes["silence"]
    assert registry.problems == ()


def test_a_mode_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound, match="no mode named “debate”"):
        load_registry([Modes("silence")], entry_points=False).mode("debate")


def test_an_installed_plugin_adds_to_the_built_in_ones(installed: list[Entry]) -> None:
    installed.append(Entry("debates", Modes("debate")))
    assert set(load_registry([Modes("silence")]).modes) == {"silence", "debate"}


@pytest.mark.parametrize(
    "broken",
    [
        ImportError("no module named it"),
        SimpleNamespace(parley_modes=hookimpl(lambda: 1 / 0)),
        SimpleNamespace(parley_modes=hookimpl(lambda: [object()])),
        SimpleNamespace(parley_connectors=hookimpl(lambda: {"x": "not a function"})),
        SimpleNamespace(parley_dances=hookimpl(lambda: ["waltz"])),
        SimpleNamespace(parley_modes=hookimpl(lambda unexpected: [])),
    ],
    ids=["import", "raises", "no mode", "no function", "unknown hook", "unknown argument"],
)
def test_a_plugin_that_fails_is_skipped_with_a_reason(installed: list[Entry], broken: object) -> None:
    installed.extend([Entry("broken", broken), Entry("debates", Modes("debate"))])
    registry = load_registry([Modes("silence")])
    assert set(registry.modes) == {"silence", "debate"}
    assert [problem.plugin for problem in registry.problems] == ["broken"]
    assert registry.problems[0].reason


@pytest.mark.parametrize(
    ("names", "word"),
    [
        ({"inputs": frozenset({"prompt", "sing"})}, "sing"),
        ({"inputs": frozenset()}, "nothing"),
        ({"listens": frozenset({"steer", "prompt"})}, "prompt"),
    ],
)
def test_a_mode_that_takes_what_nobody_can_give_is_skipped(
    installed: list[Entry], names: dict[str, Any], word: str
) -> None:
    odd = type("Odd", (Silence,), names)
    installed.append(Entry("odd", SimpleNamespace(parley_modes=hookimpl(lambda: [odd("odd")]))))
    (problem,) = load_registry([]).problems
    assert problem.reason.endswith(f"the mode odd cannot take or listen to {word}")


def test_a_built_in_plugin_that_fails_stops_the_start() -> None:
    with pytest.raises(ZeroDivisionError):
        load_registry([SimpleNamespace(parley_modes=hookimpl(lambda: 1 / 0))], entry_points=False)


def test_two_plugins_with_the_same_mode_are_named(installed: list[Entry]) -> None:
    installed.extend([Entry("one", Modes("debate")), Entry("two", Modes("debate"))])
    with pytest.raises(PluginConflict, match="a mode named “debate”: one and two"):
        load_registry([])


def test_two_plugins_with_the_same_connector_are_named(installed: list[Entry]) -> None:
    installed.append(Entry("one", Connectors()))
    with pytest.raises(PluginConflict, match="a connector named “mute”: Connectors and one"):
        load_registry([Connectors()])


def test_two_packages_with_the_same_name_are_reported(installed: list[Entry]) -> None:
    installed.extend([Entry("one", Modes("a")), Entry("one", Modes("b"))])
    with pytest.raises(PluginConflict, match="a plugin named “one”"):
        load_registry([])


def test_installed_plugins_can_be_left_out(installed: list[Entry]) -> None:
    installed.append(Entry("debates", Modes("debate")))
    assert not load_registry([], entry_points=False).modes


class Unjudgeable(Silence):
    ballot = Ballot(choices=("a", "b"), rated=True)


class Wrong:
    @hookimpl
    def parley_modes(self) -> Sequence[Mode[Any]]:
        return [Unjudgeable("unjudgeable")]


def test_a_mode_whose_ballot_does_not_go_with_its_seats_is_skipped_and_reported(
    installed: list[Entry],
) -> None:
    installed.append(Entry("wrong", Wrong()))
    (problem,) = load_registry([]).problems
    assert (
        "the mode unjudgeable has an invalid ballot: a rated ballot needs a blind seating" in problem.reason
    )
    with pytest.raises(TypeError, match="unjudgeable"):
        load_registry([Wrong()])


class Small:
    """One of each small thing."""

    @hookimpl
    def parley_checks(self) -> dict[str, object]:
        return {"kind": factory}

    @hookimpl
    def parley_tools(self) -> Sequence[object]:
        return [SimpleNamespace(name="lamp")]

    @hookimpl
    def parley_measures(self) -> Sequence[object]:
        return [SimpleNamespace(name="warmth")]

    @hookimpl
    def parley_image_models(self) -> dict[str, object]:
        return {"swatch": draw}


async def draw(request: DrawRequest) -> AsyncIterator[Chunk]:
    yield Finish("stop")


async def test_checks_tools_measures_and_image_models_are_registered(installed: list[Entry]) -> None:
    installed.append(Entry("small", Small()))
    registry = load_registry([])
    assert (list(registry.checks), [each.name for each in registry.tools]) == (["kind"], ["lamp"])
    assert [each.name for each in registry.measures] == ["warmth"]
    assert registry.hooks["small"] == (
        *("parley_checks", "parley_image_models", "parley_measures", "parley_tools"),
    )
    model = registry.connectors["swatch"](Provider(id="x", connector="swatch"), cast("Any", None))
    assert isinstance(model, DrawsImages)
    assert isinstance(model, ListsModels)
    assert await model.list_models() == ["swatch"]
    request = DrawRequest(model="swatch", prompt="sea", settings=PictureSettings(), job="1")
    assert [chunk async for chunk in model.draw(request)] == [Finish("stop")]
    with pytest.raises(Rejected):
        await anext(aiter(model.stream(ChatRequest(model="swatch", messages=()))))


@pytest.mark.parametrize(
    "plugin",
    [
        SimpleNamespace(parley_checks=hookimpl(lambda: {"x": "not a function"})),
        SimpleNamespace(parley_tools=hookimpl(lambda: [object()])),
        SimpleNamespace(parley_measures=hookimpl(lambda: ["cost"])),
        SimpleNamespace(parley_image_models=hookimpl(lambda: {"x": 1})),
    ],
)
def test_what_is_none_of_these_is_skipped_with_its_hook_named(installed: list[Entry], plugin: object) -> None:
    installed.append(Entry("odd", plugin))
    (problem,) = load_registry([]).problems
    assert "parley_" in problem.reason
