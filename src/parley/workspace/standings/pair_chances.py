"""Pair chances: which pair of models a vote would tell most about, from the votes so far."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from parley.engine.loop import Loop
from parley.kernel.models import Model
from parley.text.categories.categorise import OVERALL
from parley.workspace.standings.boards import Boards

if TYPE_CHECKING:
    from parley.ratings.counts import Counts

EVERY_S = 60.0


class PairChances:
    """The chances for informative draws, made anew each minute in which the standings or the models changed.

    A model without votes takes part: nothing is known of it, so a vote on it tells much.
    """

    def __init__(self, boards: Boards, pool: Callable[[], Sequence[Model]]) -> None:
        self._boards = boards
        self._pool = pool
        self._made_of: object = None
        self._loop = Loop("parley-pair-chances", self.refresh, every_s=EVERY_S, soon_s=EVERY_S)
        self.current: Mapping[tuple[str, str], float] | None = None
        """How likely each pair is, by ids in alphabetical order; None until they have been made."""

    def start(self) -> None:
        """Begin to make them; needs a running loop."""
        self._loop.start()

    async def close(self) -> None:
        """Stop."""
        await self._loop.close()

    async def refresh(self, _: bool = True) -> None:
        """Make them from the counted votes of now, in a thread. Raises DatabaseBusy."""
        weights = {model.id: model.weight for model in self._pool()}
        await self._boards.open()
        made_of = (self._boards.memory.version, tuple(weights.items()))
        if made_of == self._made_of or len(weights) < 2:
            return
        counts = (await self._boards.book()).counts(OVERALL)
        self.current = await asyncio.to_thread(pair_chances, counts, weights)
        self._made_of = made_of


def pair_chances(counts: "Counts", weights: Mapping[str, float]) -> Mapping[tuple[str, str], float]:
    """Return the chance of each pair of at least two models, by ids in alphabetical order. It loads NumPy and SciPy."""
    import numpy as np

    from parley.ratings.bradley_terry import fit
    from parley.ratings.pairing import informative_pairs

    counts.include(sorted(weights))
    fitted = fit(counts.pairs())
    asked = np.array([weights.get(model, 0.0) for model in counts.models])
    if np.count_nonzero(asked) < 2:
        return {}
    chances = informative_pairs(fitted.information, fitted.theta, asked)
    names = counts.models
    rows, columns = np.nonzero(chances)
    found = zip(rows.tolist(), columns.tolist(), chances[rows, columns].tolist(), strict=True)
    return {(min(names[i], names[j]), max(names[i], names[j])): chance for i, j, chance in found}
