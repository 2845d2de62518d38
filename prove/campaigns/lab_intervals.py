"""The Prompt Lab's intervals under attack: two versions of known quality, compared over and over."""

import math

import msgspec
import numpy as np

from prove.campaign import Batch, Campaign, Tally
from prove.paired_intervals import SETTINGS, Simulated, simulate

LOWEST, HIGHEST = 0.94, 0.96
SIGMAS = 3.0


class LabIntervals:
    name = "lab-intervals"
    guarantee = (
        "The 95% interval of the difference of two prompts, paired by row, holds the truth 94 to 96 times in 100, and "
        "so does that of a mean, clustered by row: with 30 to 200 rows, one or three repeats, pass and fail or scores."
    )
    trials = 24_000
    batch = 2_400
    sample = 960

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, ("difference", "mean"))

    def control(self, batch: Batch) -> Tally:
        """An interval that takes every answer as independent."""
        return self._tally(msgspec.structs.replace(batch, count=self.sample), ("independent",))

    def _tally(self, batch: Batch, names: tuple[str, ...]) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            random = np.random.default_rng(batch.chance(trial).getrandbits(64))
            simulated: Simulated = simulate(SETTINGS[trial % len(SETTINGS)], random)
            for name in names:
                if name != "independent" or SETTINGS[trial % len(SETTINGS)].repeats > 1:
                    tally.note(name, getattr(simulated, name))
            tally.trials += 1
            batch.step()
        return tally

    def judge(self, tally: Tally) -> list[str]:
        """Refute what lies beyond the bounds by more than chance explains."""
        failures: list[str] = []
        for name, values in tally.figures.items():
            share = float(np.mean(values))
            chance = SIGMAS * math.sqrt(0.05 * 0.95 / len(values)) if len(values) < self.trials else 0.0
            if not LOWEST - chance <= share <= HIGHEST + chance:
                failures.append(f"{name}: {share:.4f} of the intervals hold the truth")
        return failures

    def summary(self, tally: Tally) -> str:
        return "; ".join(f"{name} {np.mean(values):.4f}" for name, values in sorted(tally.figures.items()))


CAMPAIGNS: list[Campaign] = [LabIntervals()]
