"""The battle pool: who can be drawn, who is left out and why, and a person's choices over any model."""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, Self, TypeAlias

import msgspec
from pydantic import Field, model_validator

from parley.engine.health import ProviderHealth
from parley.features.catalog.repository import StoredEntriesRepository
from parley.features.catalog.schemas import DrawWeight
from parley.features.catalog.sources import CatalogSources
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.models import Model
from parley.kernel.ports import Clock
from parley.kernel.request import Request
from parley.storage.database import Database, Transaction

LeftOut: TypeAlias = Literal["paused", "no_text", "weight_zero", "failing"]

log = logging.getLogger(__name__)


class ChangePlace(Request):
    """A model's place in the pool. Fields that are left out stay as they are."""

    chosen: bool | None = None
    weight: DrawWeight | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.chosen is None and self.weight is None:
            raise ValueError("must change at least one field")
        return self


class ChangePool(Request):
    """The places to change, by the ids of their models."""

    models: Annotated[dict[str, ChangePlace], Field(min_length=1, max_length=1000)]


class PoolPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A model's place in the battle pool.

    `chosen`: it is in the pool. It is drawn only if `out` is null; `why` says in words what keeps it out. `weight` is
    its chance in weighted draws.
    """

    model_id: str
    chosen: bool
    weight: float
    out: LeftOut | None
    why: str | None


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Every model that could be in the battle pool, in the catalog's order. `ready` counts those that can be drawn."""

    places: list[PoolPlace]
    ready: int


class BattlePool:
    """Reads and changes the battle pool. A change is in effect once its request is answered."""

    def __init__(
        self,
        database: Database,
        sources: CatalogSources,
        health: Callable[[Sequence[str]], list[ProviderHealth]],
        clock: Clock,
    ) -> None:
        """`health` says nothing that would reveal the models of an open blind match."""
        self._database = database
        self._sources = sources
        self._health = health
        self._clock = clock

    def read(self) -> Pool:
        """Return the place of every model."""
        catalog = self._sources.catalog
        chosen = {model.id for model in catalog.chosen()}
        places = [self._place(model, chosen=model.id in chosen) for model in catalog.models()]
        return Pool(places=places, ready=sum(place.chosen and place.out is None for place in places))

    async def change(self, caller: Caller, request: ChangePool) -> Pool:
        """Change places; all others stay as they are. Raises NotFound."""
        known = {model.id for model in self._sources.catalog.models()}
        for model_id in request.models:
            if model_id not in known:
                raise NotFound(f"There is no model “{model_id}” in the catalog.", code="model_not_found")
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> None:
            repository = StoredEntriesRepository(transaction)
            for model_id, place in request.models.items():
                repository.choose(model_id, place.chosen, place.weight, now)

        async with self._sources.writing:
            await self._database.write(store)
        log.info("%s changes the battle pool: %s", caller, ", ".join(request.models))
        await self._sources.announce()
        return self.read()

    def _place(self, model: Model, *, chosen: bool) -> PoolPlace:
        out, why = self._left_out(model)
        return PoolPlace(model_id=model.id, chosen=chosen, weight=model.weight, out=out, why=why)

    def _left_out(self, model: Model) -> tuple[LeftOut | None, str | None]:
        problems: Mapping[str, str] = self._sources.stored.problems
        if not model.answers:
            return "no_text", "It neither writes nor draws."
        if not model.enabled:
            why = next(
                (problems[route.provider] for route in model.routes if route.provider in problems), None
            )
            return "paused", why or "It is paused."
        if model.weight == 0:
            return "weight_zero", "Its weight is 0."
        states = self._health([route.provider for route in model.routes])
        if states and all(state.state == "paused" for state in states):
            first = states[0]
            again = f" Parley tries again in {first.retry_in_s} s." if first.retry_in_s else ""
            return "failing", f"{first.error or 'It keeps failing.'}{again}"
        return None, None
