"""A feature: a capability of Parley as one value, with everything that others need to know of it."""

import asyncio
import inspect
import logging
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from parley.api.contract import Routes
from parley.engine.replicas import Replicas
from parley.kernel.caller import Caller
from parley.kernel.errors import ParleyError
from parley.kernel.parts import Parts
from parley.storage.tables.rows import Row

if TYPE_CHECKING:
    import typer

LEAD_S = 2.0
"""Seconds between looks whether this replica leads by now."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Personal:
    """A feature's data of a person, which is counted, exported and erased with all that is theirs.

    `noun` names one thing. `export` yields each as the API shows it; what has no `export` goes with something else.
    `erase` deletes all permanently and returns how many there were.
    """

    noun: str
    erase: Callable[[Parts, Caller], Awaitable[int]]
    count: Callable[[Parts, Caller], Awaitable[int]]
    export: Callable[[Parts, Caller], AsyncIterator[object]] | None = None


@dataclass(frozen=True, kw_only=True)
class Retained:
    """Things of everybody that can be deleted by their age: `nouns` and `about` are for people.

    `count` returns how many were last changed before a time, or at all. `forget` deletes those, and returns how many.
    `exists`: there can be such things here.
    """

    name: str
    nouns: str
    about: str
    count: Callable[[Parts, datetime | None], Awaitable[int]]
    forget: Callable[[Parts, datetime], Awaitable[int]]
    exists: Callable[[Parts], bool] = lambda _: True


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A capability: what it builds, what it opens, and what it shows.

    `build` returns its services, made from parts that the engine or the features in `needs` have built. `start` and
    `stop` run when Parley opens and closes, `interrupt` when it ends its streams before it closes; they may be
    coroutines. `background` are loops that run meanwhile. `commands` are groups of the command line, by name.
    """

    name: str
    build: Callable[[Parts], Iterable[object]] = lambda _: ()
    needs: Sequence[str] = ()
    tables: Sequence[type[Row]] = ()
    routes: Sequence[Routes] = ()
    commands: "Mapping[str, typer.Typer]" = field(default_factory=dict[str, "typer.Typer"])
    personal: Sequence[Personal] = ()
    retained: Sequence[Retained] = ()
    start: Callable[[Parts], object] | None = None
    interrupt: Callable[[Parts], object] | None = None
    stop: Callable[[Parts], object] | None = None
    background: Sequence[Callable[[Parts], Coroutine[Any, Any, None]]] = ()


@dataclass(frozen=True)
class StartOptions:
    """Options of Parley's start. Without `resume` interrupted turns wait for the next start."""

    resume: bool = True


class FeatureError(Exception):
    """The features do not fit together."""


class Features:
    """Features in the order of their needs: each after those that it is built from."""

    def __init__(self, features: Iterable[Feature]) -> None:
        """Raises FeatureError for needs that are missing or go in a circle, and for two features of one name."""
        self._known: dict[str, Feature] = {}
        self._ordered: dict[str, Feature] = {}
        for feature in features:
            if self._known.setdefault(feature.name, feature) is not feature:
                raise FeatureError(f"There are two features named “{feature.name}”.")
        for name in self._known:
            self._add(name, ())

    def __iter__(self) -> Iterator[Feature]:
        return iter(self._ordered.values())

    def __reversed__(self) -> Iterator[Feature]:
        return reversed(self._ordered.values())

    @property
    def personal(self) -> list[Personal]:
        """The stored data of a person, the dependent things first."""
        return [personal for feature in reversed(self) for personal in feature.personal]

    def _add(self, name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise FeatureError(f"Features need each other in a circle: {' → '.join((*path, name))}.")
        if name not in self._known:
            raise FeatureError(f"The feature “{path[-1]}” needs “{name}”, which is not there.")
        if name not in self._ordered:
            for needed in self._known[name].needs:
                self._add(needed, (*path, name))
            self._ordered[name] = self._known[name]


async def run_hook(hook: Callable[[Parts], object] | None, parts: Parts) -> None:
    """Run a hook of a feature, if it has it, and wait for it if it is a coroutine."""
    if hook is not None and inspect.isawaitable(result := hook(parts)):
        await result


def every(
    seconds: float,
    work: Callable[[Parts], Awaitable[object]],
    purpose: str,
    *,
    at_start: bool = True,
    once: bool = True,
) -> Callable[[Parts], Coroutine[Any, Any, None]]:
    """Return a loop that does some work again and again; a failure is logged, and does not end it.

    `once`: of several replicas one does the work, for all.
    """

    async def loop(parts: Parts) -> None:
        if not at_start:
            await asyncio.sleep(seconds)
        while True:
            while once and not parts[Replicas].leads:  # noqa: ASYNC110 - the lead comes from the database
                await asyncio.sleep(LEAD_S)
            try:
                await work(parts)
            except (ParleyError, OSError) as error:
                log.warning("Could not %s yet: %s", purpose, error)
            await asyncio.sleep(seconds)

    return loop
