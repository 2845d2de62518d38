"""Draws that a test decides: who sits where in the battles to come."""

from collections.abc import Sequence
from random import Random

from parley.features.arena.sampling import Drawn, Sampling
from parley.features.arena.service import ArenaService
from parley.kernel.models import Model
from tests.fakes.running import RunningParley


def draw(parley: RunningParley, *models: str) -> None:
    """Let every battle from now on be drawn with these models on its seats, in this order.

    That draws are fair is tested in tests/features/arena; waiting for a draw would take a hundred battles.
    """
    matchmaker = parley.application[ArenaService]._matchmaker
    sampling: Sampling = matchmaker.sampling
    pool = {model.id: model for model in matchmaker.catalog.battle_pool()}
    drawn = Drawn(tuple(pool[model] for model in models), 1 / (len(pool) * (len(pool) - 1)))

    def decided(pool: Sequence[Model], wanted: int, chance: Random) -> Drawn:
        return drawn

    sampling.draw = decided
