"""Demand: how many calls may need a slot at once, for each limit (`max_concurrency`) that a model can meet."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from parley.kernel.errors import NotFound
from parley.kernel.models import Model, Provider
from parley.kernel.paths import MOST_DEPTH
from parley.kernel.ports import Catalog, Ensembles


class Pool(NamedTuple):
    """The slots of one model or provider: how many calls run there at once."""

    name: str
    size: int


Demand: TypeAlias = Mapping[Pool, int]
"""The most calls at once, by pool. Empty if nothing is limited."""


def model_pool(model: Model) -> Pool | None:
    """Return the pool of a model; None without a limit."""
    return Pool(f"model:{model.id}", model.max_concurrency) if model.max_concurrency else None


def provider_pool(provider: Provider) -> Pool | None:
    """Return the pool of a provider; None without a limit."""
    return Pool(f"provider:{provider.id}", provider.max_concurrency) if provider.max_concurrency else None


PoolOf: TypeAlias = Callable[[Provider], Pool | None]
"""Returns the pool of a provider; None without a limit."""


class Demands:
    """Counts the calls that a turn may make at once. An ensemble's seat makes those of all its members, nested.

    The counts are upper bounds: a call takes one of its routes and seldom its fallback, and a mode may ask its seats
    one after another.
    """

    def __init__(self, catalog: Catalog, pool: PoolOf = provider_pool) -> None:
        self._catalog = catalog
        self._pool = pool
        self.ensembles: Ensembles | None = None

    def of(self, model_ids: Iterable[str]) -> Demand:
        """Return the demand of a turn with these models, or of a call to one."""
        return _sum(self._of_model(model_id) for model_id in model_ids)

    def of_any(self, seats: int) -> Demand:
        """Return the most that a turn with so many seats can demand, whichever models of the catalog sit on them."""
        most: Counter[Pool] = Counter()
        for model in self._catalog.models():
            most |= Counter(self._of_model(model.id))
        return {pool: seats * calls for pool, calls in most.items()}

    def _of_model(self, model_id: str, depth: int = 0) -> Demand:
        try:
            model = self._catalog.model(model_id)
            if model.kind == "ensemble":
                seats = self.ensembles.seats(model.id) if self.ensembles and depth <= MOST_DEPTH else ()
                return _sum(self._of_model(seat.model_id, depth + 1) for seat in seats)
        except NotFound:
            return {}
        pools = self._pools_of(model)
        if model.fallback is not None and depth == 0:
            # Asked after the model has failed, never beside it.
            with suppress(NotFound):
                pools |= self._pools_of(self._catalog.model(model.fallback))
        return dict.fromkeys(pools, 1)

    def _pools_of(self, model: Model) -> set[Pool]:
        pools = {model_pool(model)}
        for route in model.routes:
            try:
                pools.add(self._pool(self._catalog.provider(route.provider)))
            except NotFound:
                continue
        return {pool for pool in pools if pool is not None}


def _sum(demands: Iterable[Demand]) -> Demand:
    total: Counter[Pool] = Counter()
    for demand in demands:
        total.update(demand)
    return total
