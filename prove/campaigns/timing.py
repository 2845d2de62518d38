"""Even pacing under attack: a classifier on all that a blind viewer can time guesses where a model sits."""

import logging
from typing import Literal, NamedTuple

import numpy as np

from parley.testing import open_engine
from prove import classifier, trees
from prove.blind_viewer import Measured, Profile, Sight, breaks_off, measured, sends, watch, words
from prove.campaign import Batch, Campaign, Tally
from prove.classifier import auc, spread
from tests.fakes.virtual_loop import run

LIMIT = 0.55
SIGMAS = 3.3
"""With few trials the AUC of a coin is not 0.5: so many standard errors are granted where that is more."""


Failing = Literal["nobody", "either", "quick"]


class Pair(NamedTuple):
    """Two models that a stopwatch tells apart at once."""

    name: str
    quick: Profile
    slow: Profile


PAIRS = (
    Pair("speed", Profile(first_s=0.3, rate=350), Profile(first_s=1.5, rate=70)),
    Pair("chunks", Profile(first_s=0.8, rate=120, jitter=0.1), Profile(first_s=0.8, rate=110, chunk=14)),
    Pair(
        "stalls",
        Profile(first_s=0.4, rate=200),
        Profile(first_s=0.8, rate=90, jitter=0.5, stalls=0.6, stall_s=1.0),
    ),
    Pair(
        "everything",
        Profile(first_s=0.2, rate=500, chunk=3),
        Profile(first_s=3.0, rate=60, chunk=5, jitter=0.5, stalls=0.5, stall_s=1.2, ending_s=0.3),
    ),
)


NAMES = (*(pair.name for pair in PAIRS), "all")
TREES = ", trees"


class Watched(NamedTuple):
    """One battle: its pair, what was measured, and whether the model in question was on the left."""

    pair: str
    measured: Measured
    left: int
    apart: bool = False
    """One text was shown whole while the other went on."""


class EvenPacing:
    """Which side is the quick model's?"""

    name = "timing"
    guarantee = (
        "Nothing that a blind viewer can time tells which side is the quick model's: two classifiers on stream, "
        "reloads, second tab and JSON twin come to an AUC ≤ 0.55, or as near to it as chance comes."
    )
    trials = 8000
    batch = 8000
    sample = 120

    def run(self, batch: Batch) -> Tally:
        """Watch battles with even pacing; every pair of models is judged alone, and all together."""
        seen = run(_watch_all(batch, even_pacing=True, failing="nobody"))
        return judged(seen, batch.count)

    def control(self, batch: Batch) -> Tally:
        """Watch them with natural pacing: a classifier must nearly always be right."""
        return caught(run(_watch_all(batch, even_pacing=False, failing="nobody")), 0.9)

    def summary(self, tally: Tally) -> str:
        return aucs(tally)


class VoidBattles:
    """Which side failed?"""

    name = "timing-void"
    guarantee = (
        "A battle that becomes void while both sides speak tells nobody which of them failed: two classifiers "
        "come to an AUC ≤ 0.55."
    )
    trials = 8000
    batch = 8000
    sample = 120

    def run(self, batch: Batch) -> Tally:
        """Watch battles of which one side fails; a failure of the longer text alone is not hidden."""
        seen = run(_watch_all(batch, even_pacing=True, failing="either"))
        tally = judged([each for each in seen if not each.apart], batch.count)
        tally.note("apart", *(float(each.apart) for each in seen))
        return tally

    def control(self, batch: Batch) -> Tally:
        """Watch them with natural pacing, where the quick model fails: it is known until it does."""
        return caught(run(_watch_all(batch, even_pacing=False, failing="quick")), 0.75)

    def summary(self, tally: Tally) -> str:
        apart = tally.figures["apart"]
        share = f"In {sum(apart) / len(apart):.0%} one text had been shown whole: those are left out."
        return f"{aucs(tally)} {share}"


CAMPAIGNS: list[Campaign] = [EvenPacing(), VoidBattles()]


async def _watch_all(batch: Batch, *, even_pacing: bool, failing: Failing) -> list[Watched]:
    seen: list[Watched] = []
    logging.getLogger("parley.engine.asking").disabled = True  # it would tell of every failure
    async with open_engine(even_pacing=even_pacing) as engine:
        for number in range(batch.first, batch.first + batch.count):
            chance = batch.chance(number)
            pair = PAIRS[number % len(PAIRS)]
            left = chance.random() < 0.5
            plans = [sends(profile, words(chance), chance) for profile in (pair.quick, pair.slow)]
            if failing == "either":
                chance.shuffle(plans)
            if failing != "nobody":
                plans[0] = breaks_off(plans[0], chance)
            sight = await watch(engine, plans if left else plans[::-1], chance, number)
            seen.append(Watched(pair.name, measured(sight), int(left), _apart(sight)))
            batch.step()
    logging.getLogger("parley.engine.asking").disabled = False
    return seen


def _apart(sight: Sight) -> bool:
    lengths = {len(text) for text in sight.texts}
    return len(lengths) > 1


def _scored(seen: list[Watched]) -> dict[str, tuple[float, int]]:
    """Return the AUC of each attack on every pair of models, and on all together, with the count of trials."""
    found: dict[str, tuple[float, int]] = {}
    for name in NAMES:
        mine = [each for each in seen if name in (each.pair, "all")]
        labels = np.array([each.left for each in mine])
        for attack, scores in (("", _by_sides(mine)), (TREES, _by_trees(mine))):
            found[name + attack] = auc(scores, labels), len(mine)
    return found


def _by_sides(seen: list[Watched]) -> np.ndarray:
    return classifier.cross_validated([each.measured.plain for each in seen], [each.left for each in seen])


def _by_trees(seen: list[Watched]) -> np.ndarray:
    """Ask first whether the longer text is the quick model's, which is the same on both sides; where one is longer."""
    longer = np.array([each.measured.longer for each in seen])
    if not longer.any():
        return trees.cross_validated([each.measured.plain for each in seen], [each.left for each in seen])
    quick = [int(each.left == (side > 0)) for each, side in zip(seen, longer, strict=True)]
    return trees.cross_validated([each.measured.turned for each in seen], quick) * longer


def judged(seen: list[Watched], trials: int) -> Tally:
    """Return what two classifiers can guess about battles: more than by chance is a failure."""
    tally = Tally(trials=trials)
    for name, (value, count) in _scored(seen).items():
        tally.note(name, value)
        if value > max(LIMIT, 0.5 + SIGMAS * spread(count)):
            tally.failures.append(f"“{name}”: the side is guessed with AUC {value:.3f} in {count} battles")
    return tally


def caught(seen: list[Watched], least: float, planted: str = "natural pacing") -> Tally:
    """Return a failure if a classifier guesses as much as it must about battles with a planted fault."""
    scored = _scored(seen)
    value, count = max(scored["all"], scored["all" + TREES])
    tally = Tally(trials=count)
    if value > least:
        tally.failures.append(f"{planted}: the side is guessed with AUC {value:.3f} in {count} battles")
    return tally


def aucs(tally: Tally) -> str:
    """Return the classifiers' results for the report."""

    def mean(name: str) -> float:
        return sum(tally.figures[name]) / len(tally.figures[name])

    values = [f"{name} {mean(name):.3f} and {mean(name + TREES):.3f}" for name in NAMES]
    return f"AUC by regression and by trees: {', '.join(values)}."
