"""Win rates of models and pairs that verdicts on unvoted comparisons correct."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from parley.cli.judge_cases import Case, clusters_of, numbers_of
from parley.cli.judge_comparisons import Comparison
from parley.ratings.outcomes import SCORES
from parley.ratings.prediction_powered import Corrected, corrected

RATE_VOTES = 10
"""Votes that a model or a pair needs for a win rate."""


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """A model's win rate, over all opponents or, in a pair, against `opponent`; ties count half."""

    model: str
    name: str
    opponent: str | None = None
    opponent_name: str | None = None
    rate: Corrected


class _Side(msgspec.Struct, frozen=True):
    """A comparison as one of its models sees it."""

    comparison: Comparison
    model: str
    opponent: str
    vote: float
    verdict: float


def find_rates(
    names: Mapping[str, str], voted: Sequence[Case], unvoted: Sequence[Case], *, pairwise: bool
) -> list[Rate]:
    """Return the win rates of models or of pairs, the best one first; `names` are by model id."""
    groups: defaultdict[tuple[str, str | None], tuple[list[_Side], list[_Side]]]
    groups = defaultdict(lambda: ([], []))
    for place, cases in enumerate((voted, unvoted)):
        for side in _sides(cases):
            if not pairwise or side.model < side.opponent:
                groups[side.model, side.opponent if pairwise else None][place].append(side)
    rates: list[Rate] = []
    for (model, opponent), (mine, waiting) in groups.items():
        corrected = _corrected(mine, waiting) if len(mine) >= RATE_VOTES and waiting else None
        if corrected is not None:
            name = names.get(model, model)
            against = None if opponent is None else names.get(opponent, opponent)
            rates.append(
                Rate(model=model, name=name, opponent=opponent, opponent_name=against, rate=corrected)
            )
    return sorted(rates, key=lambda each: -each.rate.both.value)


def _sides(cases: Sequence[Case]) -> list[_Side]:
    sides: list[_Side] = []
    for case in cases:
        it, verdict = case.comparison, case.judged.score
        vote = SCORES[it.outcome or 0]
        sides.append(_Side(it, it.left_model, it.right_model, vote, verdict))
        sides.append(_Side(it, it.right_model, it.left_model, 1.0 - vote, 1.0 - verdict))
    return sides


def _corrected(voted: Sequence[_Side], unvoted: Sequence[_Side]) -> Corrected | None:
    each = [*voted, *unvoted]
    votes, verdicts, waiting = (
        np.array(values, dtype=np.float64)
        for values in (
            [side.vote for side in voted],
            [side.verdict for side in voted],
            [side.verdict for side in unvoted],
        )
    )
    clusters = clusters_of([side.comparison for side in each], votes=len(voted))
    return corrected(votes, verdicts, waiting, clusters, numbers_of([side.opponent for side in each]))
