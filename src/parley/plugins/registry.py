"""The registry: everything that built-in and installed plugins offer, by name."""

import importlib.metadata
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import pluggy

from parley.kernel import ballot
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.inputs import INPUT_TYPES, INTERJECTED
from parley.kernel.mode import Mode
from parley.plugins import hookspecs
from parley.plugins.hookspecs import PROJECT, ConnectorFactory
from parley.plugins.image_models import image_connector

log = logging.getLogger(__name__)


class PluginProblem(NamedTuple):
    """An installed plugin that was skipped, and why."""

    plugin: str
    reason: str


@dataclass(frozen=True)
class Registry:
    """All modes and connectors, and what plugins add beside these.

    `problems` lists installed plugins that were skipped, `hooks` what each plugin implements.
    """

    modes: Mapping[str, Mode[Any]]
    connectors: Mapping[str, ConnectorFactory]
    problems: tuple[PluginProblem, ...] = ()
    features: tuple[Any, ...] = ()
    checks: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    tools: tuple[Any, ...] = ()
    measures: tuple[Any, ...] = ()
    hooks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def mode(self, name: str) -> Mode[Any]:
        """Return a mode by its name. Raises NotFound."""
        if name not in self.modes:
            raise NotFound(
                f"There is no mode named “{name}”.", f"The modes are {', '.join(sorted(self.modes))}."
            )
        return self.modes[name]


class PluginConflict(Conflict):
    """Two plugins offer the same name."""

    def __init__(self, kind: str, name: str, first: str, second: str) -> None:
        super().__init__(
            f"Two plugins offer a {kind} named “{name}”: {first} and {second}.",
            "Uninstall one of them.",
            code="plugin_conflict",
        )


def load_registry(builtins: Sequence[object], *, entry_points: bool = True) -> Registry:
    """Load the built-in plugins, then the installed ones (entry-point group `parley`).

    A broken built-in raises; a broken installed plugin is logged and skipped. Raises PluginConflict if two plugins
    offer the same name.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    collected = _Collected()
    for builtin in builtins:
        name = getattr(builtin, "__name__", type(builtin).__name__)
        collected.add(name, _offer(manager, builtin, name))
    for entry in importlib.metadata.entry_points(group=PROJECT) if entry_points else ():
        if manager.has_plugin(entry.name):
            raise PluginConflict("plugin", entry.name, "one package", "another")
        try:
            offer = _offer(manager, entry.load(), entry.name)
        except Exception as error:
            log.warning("The plugin %s was skipped.", entry.name, exc_info=True)
            collected.problems.append(PluginProblem(entry.name, f"{type(error).__name__}: {error}"))
        else:
            collected.add(entry.name, offer)
    return Registry(
        MappingProxyType(collected.modes),
        MappingProxyType(collected.connectors),
        tuple(collected.problems),
        tuple(collected.features),
        MappingProxyType(collected.checks),
        tuple(collected.tools),
        tuple(collected.measures),
        MappingProxyType(collected.hooks),
    )


class _Offer(NamedTuple):
    modes: Sequence[Mode[Any]]
    connectors: Mapping[str, ConnectorFactory]
    features: Sequence[Any]
    checks: Mapping[str, Callable[..., Any]]
    tools: Sequence[Any]
    measures: Sequence[Any]
    hooks: tuple[str, ...]


@dataclass
class _Collected:
    """The parts loaded so far, and the plugin of each."""

    modes: dict[str, Mode[Any]] = field(default_factory=dict[str, Mode[Any]])
    connectors: dict[str, ConnectorFactory] = field(default_factory=dict[str, ConnectorFactory])
    features: list[Any] = field(default_factory=list[Any])
    checks: dict[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    tools: list[Any] = field(default_factory=list[Any])
    measures: list[Any] = field(default_factory=list[Any])
    hooks: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    problems: list[PluginProblem] = field(default_factory=list[PluginProblem])
    _owners: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def add(self, plugin: str, offer: _Offer) -> None:
        for mode in offer.modes:
            self._register("mode", mode.name, plugin)
            self.modes[mode.name] = mode
        for name, factory in offer.connectors.items():
            self._register("connector", name, plugin)
            self.connectors[name] = factory
        for feature in offer.features:
            self._register("feature", feature.name, plugin)
            self.features.append(feature)
        for name, check in offer.checks.items():
            self._register("check", name, plugin)
            self.checks[name] = check
        for source in offer.tools:
            self._register("source of tools", source.name, plugin)
            self.tools.append(source)
        for measure in offer.measures:
            self._register("measure", measure.name, plugin)
            self.measures.append(measure)
        self.hooks[plugin] = offer.hooks

    def _register(self, kind: str, name: str, plugin: str) -> None:
        if (kind, name) in self._owners:
            raise PluginConflict(kind, name, self._owners[kind, name], plugin)
        self._owners[kind, name] = plugin


def _offer(manager: pluggy.PluginManager, plugin: object, name: str) -> _Offer:
    """Call one plugin's hooks alone, so that a failure can be attributed."""
    manager.register(plugin, name)
    try:
        manager.check_pending()
        offer = _called(manager, plugin)
        _check(offer.modes, offer.connectors)
        _check_more(offer)
    except BaseException:
        manager.unregister(plugin)
        raise
    return offer


def _called(manager: pluggy.PluginManager, plugin: object) -> _Offer:
    """Call every hook of a plugin."""

    def listed(hook: pluggy.HookCaller) -> list[Any]:
        return [each for part in _call(hook, plugin) for each in part]

    def named(hook: pluggy.HookCaller) -> dict[str, Any]:
        return {name: each for part in _call(hook, plugin) for name, each in part.items()}

    hooks = manager.hook
    images = {name: image_connector(name, draw) for name, draw in named(hooks.parley_image_models).items()}
    connectors = named(hooks.parley_connectors)
    if both := images.keys() & connectors.keys():
        raise TypeError(f"a connector and an image model are both named {min(both)}")
    return _Offer(
        modes=listed(hooks.parley_modes),
        connectors={**connectors, **images},
        features=listed(hooks.parley_features),
        checks=named(hooks.parley_checks),
        tools=listed(hooks.parley_tools),
        measures=listed(hooks.parley_measures),
        hooks=tuple(sorted(caller.name for caller in manager.get_hookcallers(plugin) or ())),
    )


def _call(hook: pluggy.HookCaller, plugin: object) -> list[Any]:
    functions: list[Callable[[], Any]] = [
        impl.function for impl in hook.get_hookimpls() if impl.plugin is plugin
    ]
    return [function() for function in functions]


def _check(modes: Sequence[object], factories: Mapping[Any, object]) -> None:
    for mode in modes:
        name: object = getattr(mode, "name", None)
        if not isinstance(mode, Mode) or not isinstance(name, str):
            raise TypeError("parley_modes must return Mode objects that have a name")
        if mode.ballot is not None and (wrong := ballot.ballot_problem(mode.ballot, mode.seating)):
            raise TypeError(f"the mode {name} has an invalid ballot: {wrong}")
        unknown = (mode.inputs - set(INPUT_TYPES)) | (mode.listens - INTERJECTED)
        if unknown or not mode.inputs:
            raise TypeError(
                f"the mode {name} cannot take or listen to {', '.join(sorted(unknown)) or 'nothing'}"
            )
    for name, factory in factories.items():
        if not isinstance(name, str) or not callable(factory):
            raise TypeError("parley_connectors must return functions by name")


def _check_more(offer: _Offer) -> None:
    for check in offer.checks.values():
        if not callable(check):
            raise TypeError("parley_checks must return functions by name")
    for hook, objects in (("parley_tools", offer.tools), ("parley_measures", offer.measures)):
        if not all(isinstance(getattr(each, "name", None), str) for each in objects):
            raise TypeError(f"{hook} must return objects that have a name")
