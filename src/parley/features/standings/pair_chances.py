"""Pair chances: draw the pairs whose votes would narrow the intervals most."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from parley.engine.loop import Loop
from parley.features.standings.live_tables import LiveTables
from parley.kernel.models import Model
from parley.text.categories.categorise import OVERALL

if TYPE_CHECKING:
    from parley.ratings.counts import Counts

EVERY_S = 60.0


class PairChances:
    """The chances for informative draws.

    They are updated each minute in which the standings or the models changed. Models without votes are included:
    nothing is known of them, so votes on them are worth most.
    """

    def __init__(self, tables: LiveTables, pool: Callable[[], Sequence[Model]]) -> None:
        self._tables = tables
        self._pool = pool
        self._inputs: object = None
        self._loop = Loop("parley-pair-chances", self.refresh, every_s=EVERY_S, soon_s=EVERY_S)
        self.current: Mapping[tuple[str, str], float] | None = None
        """Each pair's chance, by ids in alphabetical order; None until first computed."""

    def start(self) -> None:
        """Start updating; needs a running loop."""
        self._loop.start()

    async def close(self) -> None:
        """Stop updating."""
        await self._loop.close()

    async def refresh(self, _: bool = True) -> None:
        """Update them from the current counts, in a thread. Raises DatabaseBusy."""
        weights = {model.id: model.weight for model in self._pool()}
        await self._tables.load()
        inputs = (self._tables.snapshot.version, tuple(weights.items()))
        if inputs == self._inputs or len(weights) < 2:
            return
        counts = (await self._tables.pair_counts()).counts(OVERALL)
        self.current = await asyncio.to_thread(pair_chances, counts, weights)
        self._inputs = inputs


def pair_chances(counts: "Counts", weights: Mapping[str, float]) -> Mapping[tuple[str, str], float]:
    """Return each pair's chance, by ids in alphabetical order; loads NumPy and SciPy."""
    import numpy as np

    from parley.ratings.bradley_terry import fit
    from parley.ratings.pairing import informative_pairs

    counts.include(sorted(weights))
    fitted = fit(counts.pairs())
    chosen_weights = np.array([weights.get(model, 0.0) for model in counts.models])
    if np.count_nonzero(chosen_weights) < 2:
        return {}
    chances = informative_pairs(fitted.information, fitted.theta, chosen_weights)
    names = counts.models
    rows, columns = np.nonzero(chances)
    pairs = zip(rows.tolist(), columns.tolist(), chances[rows, columns].tolist(), strict=True)
    return {(min(names[i], names[j]), max(names[i], names[j])): chance for i, j, chance in pairs}
