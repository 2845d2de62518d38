"""Improve under attack: a better prompt is planted, and the rows held out are leaked."""

import asyncio
import math

import msgspec
import numpy as np

from parley.features.lab.improve.improving import Improvement, improve
from parley.features.lab.improve.rows import HoldOut, OpenRow, Scored, SealedRow, Texts
from parley.features.lab.improve.searching import Budget
from prove.campaign import Batch, Campaign, Tally
from tests.features.lab.scripted_search import LIFT, PLANTED, SEED, ScriptedModel, rows, split

BUDGET = Budget(answers=800, patience=20)
SIGMAS = 3.0


class Opinionated(ScriptedModel):
    """Answers a row under a prompt always alike, so that a prompt chosen on a row is overrated on it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, lift=0.0)
        self.right: dict[tuple[str, str], bool] = {}

    async def evaluate(self, texts: Texts, row: OpenRow | SealedRow) -> Scored:
        scored = await super().evaluate(texts, row)
        score = float(self.right.setdefault((texts["message 1"], str(row.values)), bool(scored.score)))
        return msgspec.structs.replace(scored, score=score)


class Unguarded(HoldOut):
    """Lets a row be open and held out at once."""

    def refuse_leaks(self, rows: object) -> None:
        del rows


class LabImprove:
    name = "lab-improve"
    guarantee = (
        "Improve finds a better prompt that was planted (+30 points), never passes its budget, and the interval on the "
        "rows held out holds the true difference 95 times in 100."
    )
    trials = 200
    batch = 50
    sample = 40

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(self._run(batch))

    def control(self, batch: Batch) -> Tally:
        """The rows for validation are leaked into those held out, with the guard taken away."""
        return asyncio.run(self._leaked(msgspec.structs.replace(batch, count=self.sample)))

    async def _run(self, batch: Batch) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            seed = batch.chance(trial).getrandbits(32)
            model = ScriptedModel(seed)
            result = await improve(SEED, *split(seed), model.evaluate, model.reflect, BUDGET)
            planted = PLANTED in result.candidates[result.best].texts["message 1"]
            tally.note("planted prompt found", planted)
            _note(tally, result, LIFT if planted else 0.0)
            if model.answers > BUDGET.answers + 160:
                tally.failures.append(f"trial {trial}: {model.answers} answers")
            batch.step()
        return tally

    async def _leaked(self, batch: Batch) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            seed = batch.chance(trial).getrandbits(32)
            model = Opinionated(seed)
            leaked = Unguarded(rows(SealedRow, "valid", 40, seed))
            training, validation, _ = split(seed)
            result = await improve(SEED, training, validation, leaked, model.evaluate, model.reflect, BUDGET)
            _note(tally, result, 0.0)
            batch.step()
        return tally

    def judge(self, tally: Tally) -> list[str]:
        """Refute shares that chance does not explain."""
        failures: list[str] = []
        for name, least in (("planted prompt found", 0.95), ("interval holds", 0.95)):
            values = tally.figures.get(name, [])
            share = float(np.mean(values)) if values else 1.0
            if share < least - SIGMAS * math.sqrt(0.05 * 0.95 / max(1, len(values))):
                failures.append(f"{name}: {share:.3f}")
        if "planted prompt found" not in tally.figures and np.mean(tally.figures["difference"]) > 0.05:
            failures.append(
                f"no prompt is better, and the mean difference is {np.mean(tally.figures['difference']):.3f}"
            )
        return failures

    def summary(self, tally: Tally) -> str:
        return "; ".join(f"{name} {np.mean(values):.3f}" for name, values in sorted(tally.figures.items()))


def _note(tally: Tally, result: Improvement, truth: float) -> None:
    tally.trials += 1
    if result.rows:
        tally.note("interval holds", (result.low or 0) <= truth <= (result.high or 0))
        tally.note("difference", result.difference or 0)


CAMPAIGNS: list[Campaign] = [LabImprove()]
