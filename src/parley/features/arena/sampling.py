"""Sampling: draws the models of a match, with known probabilities."""

import random
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from parley.kernel.errors import Unavailable
from parley.kernel.models import Model

Method: TypeAlias = Literal["equal", "weighted", "informative"]
PairChances: TypeAlias = Mapping[tuple[str, str], float]
"""The probability of each pair of models, by ids in alphabetical order; 0 for a missing pair."""

UNIFORM_SHARE = 0.1
"""The share of informative draws that are equal, so that every pair has a known chance that is not too small."""

ADD_MODELS = "Add models on the Models page, or to the model list (models.yaml)."


class Drawn(NamedTuple):
    """Models in the order of their seats, and the probability of drawing exactly these in this order."""

    models: tuple[Model, ...]
    propensity: float


class Sampling:
    """Draws models for a match. Models that are down are left out; a model never meets itself under another name.

    `equal`: every pair is equally likely. `weighted`: in proportion to the product of both models' weights.
    `informative`: by the probabilities from the standings, mixed with equal ones; equal while there are none. Sides are
    always decided by a fair coin.
    """

    def __init__(
        self,
        method: Method = "equal",
        *,
        is_down: Callable[[Model], bool] = lambda _: False,
        pair_chances: Callable[[], PairChances | None] = lambda: None,
    ) -> None:
        self._method: Method = method
        self._is_down = is_down
        self._pair_chances = pair_chances
        self._table: _Table | None = None

    def draw(self, pool: Sequence[Model], wanted: int, chance: random.Random) -> Drawn:
        """Draw this many models from a pool. Raises Unavailable if there are too few."""
        if len(pool) < wanted:
            raise _too_few(wanted, len(pool))
        up = [model for model in pool if self._weight(model) > 0 and not self._is_down(model)]
        if len(up) < wanted:
            raise _resting(wanted, len(up))
        return self._pair(up, chance) if wanted == 2 else self._several(up, wanted, chance)

    def _pair(self, up: Sequence[Model], chance: random.Random) -> Drawn:
        table = self._table_of(up)
        place = bisect_right(table.running, chance.random() * table.running[-1])
        place = min(place, len(table.pairs) - 1)
        one, other = table.pairs[place]
        before = table.running[place - 1] if place else 0.0
        propensity = (table.running[place] - before) / table.running[-1] / 2.0
        models = (one, other) if chance.random() < 0.5 else (other, one)
        return Drawn(models, propensity)

    def _several(self, up: Sequence[Model], wanted: int, chance: random.Random) -> Drawn:
        """Draw models one after the other by weight, without replacement."""
        rest, drawn, propensity = list(up), list[Model](), 1.0
        for _ in range(wanted):
            if not rest:
                raise _one_and_the_same(wanted)
            weights = [self._weight(model) for model in rest]
            (place,) = chance.choices(range(len(rest)), weights)
            propensity *= weights[place] / sum(weights)
            drawn.append(rest[place])
            rest = [model for model in rest if model is not drawn[-1] and _may_meet(model, drawn[-1])]
        return Drawn(tuple(drawn), propensity)

    def _weight(self, model: Model) -> float:
        return model.weight if self._method == "weighted" else 1.0

    def _table_of(self, up: Sequence[Model]) -> "_Table":
        """Return the table of pairs, reusing that of the last draw if nothing has changed."""
        chances = self._pair_chances() if self._method == "informative" else None
        key = tuple((model.id, model.weight) for model in up)
        if self._table is None or self._table.key != key or self._table.chances is not chances:
            self._table = self._make_table(key, up, chances)
        return self._table

    def _make_table(self, key: "_Key", up: Sequence[Model], chances: PairChances | None) -> "_Table":
        pairs = [
            (one, other) for place, one in enumerate(up) for other in up[place + 1 :] if _may_meet(one, other)
        ]
        if not pairs:
            raise _one_and_the_same(2)
        weights = [self._weight(one) * self._weight(other) for one, other in pairs]
        if chances is not None:
            weights = _mixed([chances.get(_ids(one, other), 0.0) for one, other in pairs])
        return _Table(key, chances, pairs, list(accumulate(weights)))


_Key: TypeAlias = tuple[tuple[str, float], ...]


class _Table(NamedTuple):
    """Pairs that can meet and the running sums of their weights, for given models and probabilities."""

    key: _Key
    chances: PairChances | None
    pairs: list[tuple[Model, Model]]
    running: list[float]


def _mixed(wanted: list[float]) -> list[float]:
    total, equal = sum(wanted), 1.0 / len(wanted)
    if total <= 0.0:
        return [equal] * len(wanted)
    return [(1.0 - UNIFORM_SHARE) * weight / total + UNIFORM_SHARE * equal for weight in wanted]


def _ids(one: Model, other: Model) -> tuple[str, str]:
    return (one.id, other.id) if one.id < other.id else (other.id, one.id)


def _may_meet(one: Model, other: Model) -> bool:
    """Return whether two entries can meet: with a route in common they are one model under two names."""
    return not any(route in other.routes for route in one.routes)


def _one_and_the_same(wanted: int) -> Unavailable:
    several = "two" if wanted == 2 else str(wanted)
    return Unavailable(
        f"A blind match needs {several} different models, but the ready ones are all the same model.",
        ADD_MODELS,
        code="not_enough_models",
    )


def _too_few(wanted: int, there: int) -> Unavailable:
    have = "only one model is" if there == 1 else "no model is" if there == 0 else f"only {there} models are"
    return Unavailable(
        f"A blind match needs {wanted} models, but {have} ready.", ADD_MODELS, code="not_enough_models"
    )


def _resting(wanted: int, up: int) -> Unavailable:
    have = "only one model" if up == 1 else "no model" if up == 0 else f"only {up} models"
    return Unavailable(
        f"A blind match needs {wanted} models, but {have} can answer right now.",
        "The others keep failing. Parley retries them within 30 seconds. Ask again then, or check each provider's "
        "state in Models.",
        code="models_resting",
    )
