"""Battles that are interrupted and replayed, watched by a viewer with a stopwatch who compares both plays."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import get_args

from parley.engine.live_turn import LiveTurn
from parley.testing import open_engine
from prove.blind_viewer import Interruption, measured_again, sends, watch_interrupted, words
from prove.campaign import Batch, Campaign, Tally
from prove.campaigns.timing import PAIRS, Watched, aucs, caught, judged
from tests.fakes.virtual_loop import run


class InterruptedBattles:
    """Which side was done when the server stopped?"""

    name = "timing-again"
    guarantee = (
        "A battle that is stopped and asked again, or that goes on after a restart or kill -9, tells nobody which "
        "side is the quick model's: two classifiers on both plays come to an AUC ≤ 0.55."
    )
    trials = 12_000
    """3,000 of each pair: with half as many the cross-validated AUC of a coin, on 60 features, varies by 0.022."""
    batch = 12_000
    sample = 60

    def run(self, batch: Batch) -> Tally:
        """Interrupt battles at any moment, in turn by Stop, by a restart, by kill -9."""
        return judged(run(_watch_all(batch, get_args(Interruption))), batch.count)

    def control(self, batch: Batch) -> Tally:
        """Let a finished reply stand after a restart and after kill -9, and only Stop ask both sides anew."""
        with _what_is_finished_stands():
            return caught(run(_watch_all(batch, ("restart", "kill"))), 0.65, "finished replies stand")

    def summary(self, tally: Tally) -> str:
        return aucs(tally)


CAMPAIGNS: list[Campaign] = [InterruptedBattles()]


async def _watch_all(batch: Batch, ways: Sequence[Interruption]) -> list[Watched]:
    seen: list[Watched] = []
    async with open_engine() as engine:
        for number in range(batch.first, batch.first + batch.count):
            chance = batch.chance(number)
            pair = PAIRS[number % len(PAIRS)]
            left = chance.random() < 0.5
            plays = [
                [sends(profile, words(chance), chance) for profile in (pair.quick, pair.slow)]
                for _ in range(2)
            ]
            plays = plays if left else [play[::-1] for play in plays]
            how = ways[number // len(PAIRS) % len(ways)]
            sights = await watch_interrupted(engine, plays, how, chance, number)
            seen.append(Watched(pair.name, measured_again(*sights), int(left)))
            batch.step()
    return seen


@contextmanager
def _what_is_finished_stands() -> Iterator[None]:
    rule = LiveTurn.starts_over

    def stopped(self: LiveTurn) -> bool:
        return self.judged and any(step.status == "stopped" for step in self.script.steps)

    LiveTurn.starts_over = property(stopped)  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        LiveTurn.starts_over = rule  # pyright: ignore[reportAttributeAccessIssue]
