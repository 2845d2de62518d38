"""Open preferences among several replies, as Plackett-Luce first choices; kept apart from blind votes.

The chance that i is chosen among a set S is exp(theta_i) / Σ_{j in S} exp(theta_j) (Luce 1959; Plackett 1975). With two
replies it is Bradley-Terry.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings import blas, laplacian
from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import Fit
from parley.ratings.comparability import comparability
from parley.ratings.pairs import Pairs
from parley.ratings.prior import Prior
from parley.ratings.scale import POINTS, PRIOR_SD
from parley.ratings.standings import Anchor, Standings, standings_of

STEPS_MAX = 100
STEP_SMALL = 1e-8


class Choice(msgspec.Struct, frozen=True):
    """A first choice: the chosen model, and those it was preferred to."""

    chosen: str
    over: tuple[str, ...]


def rate_choices(
    choices: Iterable[Choice] | Mapping[Choice, int], *, anchor: Anchor | None = None
) -> Standings:
    """Return the table of first choices, given one by one or counted. Its wins count pairs “chosen before”.

    The interval is the sandwich over choices. Raises Invalid for a choice with fewer than two different models.
    """
    counted: Counter[Choice] = Counter()
    for choice, times in Counter(choices).items():
        counted[_canonical(choice)] += times
    models = sorted({model for choice in counted for model in (choice.chosen, *choice.over)})
    places = {model: place for place, model in enumerate(models)}
    sets = [
        ([places[it.chosen], *(places[other] for other in it.over)], times) for it, times in counted.items()
    ]
    pairs = _implied_pairs(models, sets)
    compared = comparability(pairs)
    prior = Prior.on(~compared.settled, sd=PRIOR_SD / POINTS)
    with blas.one_thread():
        theta, information = _maximise(len(models), sets, prior)
        _, _, meat = _derivatives(theta, sets)
        prior.add_to(meat)
        covariance = prior.referred(information @ meat @ information)
    fitted = Fit(pairs, theta, information, covariance, prior, compared.group, ~compared.settled)
    table = standings_of(fitted, anchor=anchor)
    return msgspec.structs.replace(table, method="plackett-luce", votes=sum(counted.values()))


def _canonical(choice: Choice) -> Choice:
    others = tuple(sorted(set(choice.over)))
    if not others or choice.chosen in others or len(others) < len(choice.over):
        raise Invalid("over", "A choice is between two or more different models.")
    return Choice(choice.chosen, others)


def _implied_pairs(models: Sequence[str], sets: Sequence[tuple[list[int], int]]) -> Pairs:
    """Return for every pair how often one was chosen where the other stood by."""
    wins: Counter[tuple[int, int]] = Counter()
    for (chosen, *others), times in sets:
        for other in others:
            wins[chosen, other] += times
    keys = sorted({(min(pair), max(pair)) for pair in wins})
    first, second = np.array(keys, dtype=np.int64).reshape(-1, 2).T
    won = np.array([wins[i, j] for i, j in keys], dtype=np.int64)
    lost = np.array([wins[j, i] for i, j in keys], dtype=np.int64)
    return Pairs(models, first, second, won, lost, np.zeros_like(won), np.zeros_like(won))


def _maximise(size: int, sets: Sequence[tuple[list[int], int]], prior: Prior) -> tuple[Floats, Floats]:
    theta = np.zeros(size)
    precision = np.zeros((size, size))
    prior.add_to(precision)
    for _ in range(STEPS_MAX):
        gradient, information, _ = _derivatives(theta, sets)
        curvature = information + precision
        fill = float(np.trace(curvature)) / max(size, 1) ** 2
        inverse = laplacian.inverse(laplacian.cholesky(curvature + fill))
        inverse -= inverse.mean() if size else 0.0
        step = inverse @ (gradient - precision @ theta)
        # The step of a softmax may be taken in full while it changes no utility by more than one (Bach 2010).
        longest = float(np.ptp(step)) if size else 0.0
        theta = theta + (1.0 if longest <= 1.0 else np.log1p(longest) / longest) * step
        if np.abs(step).max(initial=0.0) <= STEP_SMALL:
            return theta - (theta.mean() if size else 0.0), inverse
    raise ArithmeticError("Newton's method did not come to rest")


def _derivatives(theta: Floats, sets: Sequence[tuple[list[int], int]]) -> tuple[Floats, Floats, Floats]:
    """Return gradient, information and the sum of squared scores."""
    size = len(theta)
    gradient, information, squares = np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
    for members, times in sets:
        place = np.array(members)
        raised = np.exp(theta[place] - theta[place].max())
        p = raised / raised.sum()
        score = -p
        score[0] += 1.0
        block = np.ix_(place, place)
        gradient[place] += times * score
        information[block] += times * (np.diag(p) - np.outer(p, p))
        squares[block] += times * np.outer(score, score)
    return gradient, information, squares
