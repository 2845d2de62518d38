"""Decisions: how sure it is that one model is better, and how many votes would settle or reverse it."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from parley.kernel.errors import Invalid, NotFound
from parley.ratings.arrays import Floats, Integers
from parley.ratings.bradley_terry import Fit, chances, fit
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.pairs import Pairs
from parley.ratings.scale import POINTS, normal_cdf

DIGITS = 9
"""Strengths that differ only in later digits are equal: what these are depends on the processor."""

CHALLENGERS = 3
"""The nearest models that are tried in the search for votes that flip the top."""

SETTLED = 0.8
"""The chance with which the votes that are said to be needed settle it."""

Z_SETTLED = 0.841621
"""The quantile of SETTLED of a standard normal variable."""

USUAL_SPREAD = 60.0 / POINTS
"""The standard deviation of strengths that is expected before there are votes, in log-odds."""

USUAL_MODELS = 1.0
"""As many models that expectation weighs."""

MOST_NEEDED = 10**9
"""More votes than this are as good as never."""

HARDLY_MET = 10.0
"""With so many votes a pair's own share of ties weighs as much as that of all votes."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The lead within a pair. `model` is the one that is ahead."""

    model: str
    other: str
    lead: float
    """Points."""
    margin: float
    """Half the width of the lead's 95% interval, in points."""
    better: float
    """The chance that `model` is better, given the votes and how far the models of the table are apart."""
    decided: bool
    """True if the 95% interval of the lead is above zero."""
    votes_needed: int | None
    """Votes between the two that decide it with chance SETTLED if the lead is real; None where no lead was seen."""
    comparable: bool
    """True if votes connect the two; else there is only the prior, and nothing is decided."""


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest votes found whose removal puts another model on top, proved by fitting again without them."""

    top: str
    votes: int


def decide(fitted: Fit, model: str, other: str, *, errors: HalfWidths = half_widths) -> Decision:
    """Return how a pair stands; `errors` gives the half width of the lead's interval.

    Raises NotFound for a model without votes, Invalid for a model against itself.
    """
    i, j = _place(fitted, model), _place(fitted, other)
    if i == j:
        raise Invalid("other", f"{model} cannot meet itself.")
    lead = _lead(fitted, i, j)
    if lead < 0.0:
        i, j, lead = j, i, -lead
    variance = _of_difference(fitted.covariance, i, j)
    comparable = bool(fitted.group[i] == fitted.group[j])
    half = float(errors(np.array([variance]))[0])
    decided = comparable and lead > half
    return Decision(
        model=fitted.pairs.models[i],
        other=fitted.pairs.models[j],
        lead=POINTS * lead,
        margin=POINTS * half,
        better=_better(lead, variance, _apart(fitted)),
        decided=decided,
        votes_needed=0 if decided else _votes_needed(fitted, i, j, errors) if comparable else None,
        comparable=comparable,
    )


def _better(lead: float, variance: float, apart: float) -> float:
    """Return P(true lead > 0) where leads are normal with the variance `apart` and the votes show one of them.

    Without `apart`, Φ(lead / standard error), a lead is taken at its word that may be the largest of many by chance.
    """
    return normal_cdf(lead / math.sqrt(variance * (1.0 + variance / apart))) if variance > 0 else 0.5


def _apart(fitted: Fit) -> float:
    """Return the variance of the difference of two models' strengths, estimated from the table (empirical Bayes)."""
    theta, doubt = (it[~fitted.provisional] for it in (fitted.theta, np.diagonal(fitted.covariance)))
    squares = float(np.square(theta - theta.mean()).sum() - doubt.sum()) if len(theta) else 0.0
    usual = USUAL_MODELS * USUAL_SPREAD**2
    return 2.0 * max(squares + usual, 0.1 * usual) / (max(len(theta) - 1, 0) + USUAL_MODELS)


def fewest_votes_to_flip(fitted: Fit) -> Flip | None:
    """Return the fewest votes found whose removal changes which model is on top; None where nothing does.

    Provisional models have no place at the top, so none is looked at. Votes of a public prior stay.

    Votes are taken out by their influence on the lead, (y − p)·(e_i − e_j)ᵀH⁺(e_top − e_other), largest first
    (Broderick, Giordano & Meager 2020; for arenas Huang et al. 2025), against each of the nearest challengers. How many
    it takes is found by fitting again: an upper bound on the true minimum, and exact where only two models met.
    """
    order = np.argsort(-np.round(fitted.theta, DIGITS), kind="stable")
    order = order[~fitted.provisional[order]]
    if len(order) < 2:
        return None
    top = int(order[0])
    rivals = [int(other) for other in order[1:] if fitted.group[other] == fitted.group[top]]
    flips = [votes for other in rivals[:CHALLENGERS] if (votes := _votes_to_turn(fitted, top, other))]
    return Flip(top=fitted.pairs.models[top], votes=min(flips)) if flips else None


def fewest_votes_to_turn(fitted: Fit, model: str, other: str) -> int | None:
    """Return the fewest votes found whose removal puts `other` ahead of `model`; None where nothing does.

    They are found as those that flip the top are. Raises NotFound for a model without votes.
    """
    i, j = _place(fitted, model), _place(fitted, other)
    return _votes_to_turn(fitted, i, j) if fitted.group[i] == fitted.group[j] else None


def _lead(fitted: Fit, i: int, j: int) -> float:
    """Return theta_i − theta_j; where it is only the rounding of a fit, 0."""
    return round(float(fitted.theta[i] - fitted.theta[j]), DIGITS)


def _place(fitted: Fit, model: str) -> int:
    models: Sequence[str] = fitted.pairs.models
    if model not in models:
        raise NotFound(f"There is no model “{model}” among the votes.")
    return models.index(model)


def _of_difference(matrix: Floats, i: int, j: int) -> float:
    return float(matrix[i, i] + matrix[j, j] - 2.0 * matrix[i, j])


def _votes_needed(fitted: Fit, i: int, j: int, errors: HalfWidths) -> int | None:
    """Return how many direct votes settle the lead with chance SETTLED, if its truth is as it is now.

    With k of them the information on the lead, 1/u, becomes 1/u + k·p·q (Sherman & Morrison 1950), and its variance
    (v + k·w·u²) / (1 + k·p·q·u)², where w = p·q − t/4 is how much one vote varies of which a share t are ties. The part
    of k is what the new votes add by chance: the lead must exceed its interval also where they are as unlucky as one
    time in five.
    """
    lead = _lead(fitted, i, j)
    u, v = _of_difference(fitted.information, i, j), _of_difference(fitted.covariance, i, j)
    if lead <= 0 or u <= 0 or v <= 0:
        return None
    p = 1.0 / (1.0 + math.exp(-lead))
    each = p * (1.0 - p) * u
    spread = (p * (1.0 - p) - _tie_share(fitted.pairs, i, j, most=2.0 * (1.0 - p)) / 4.0) * u * u

    def settles(votes: int) -> bool:
        shrunk = (1.0 + votes * each) ** 2
        half = float(errors(np.array([(v + votes * spread) / shrunk]))[0])
        return lead > half + Z_SETTLED * math.sqrt(max(votes * spread, 0.0) / shrunk)

    low, high = 0, 1
    while not settles(high):
        low, high = high, 2 * high
        if high > MOST_NEEDED:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if settles(middle) else (middle, high)
    return high


def _tie_share(pairs: Pairs, i: int, j: int, *, most: float) -> float:
    """Return which part of a pair's votes to expect as ties or both bad, where at most so many can be.

    All votes of the table stand in for a pair that has hardly met.
    """
    direct = ((pairs.first == i) & (pairs.second == j)) | ((pairs.first == j) & (pairs.second == i))
    overall = float(pairs.halves.sum()) / max(float(pairs.votes.sum()), 1.0)
    halves, votes = float(pairs.halves[direct].sum()), float(pairs.votes[direct].sum())
    return min((halves + HARDLY_MET * overall) / (votes + HARDLY_MET), most)


class _Cells(msgspec.Struct, frozen=True, eq=False):
    """Equal votes together, the most influential first."""

    pair: Integers
    kind: Integers
    """0 for `first`, 1 for `second`, 2 half for either."""
    number: Integers


def _votes_to_turn(fitted: Fit, top: int, other: int) -> int | None:
    """Find by halving how many of the most influential votes must go until `other` is ahead of `top`."""
    cells = _influential(fitted, top, other)
    low, high, most = 0, 1, int(cells.number.sum())
    while high < most and not _ahead(_without(fitted, cells, high), top, other):
        low, high = high, 2 * high
    high = min(high, most)
    if high == 0 or not _ahead(_without(fitted, cells, high), top, other):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if _ahead(_without(fitted, cells, middle), top, other):
            high = middle
        else:
            low = middle
    return high


def _influential(fitted: Fit, top: int, other: int) -> _Cells:
    """Return the votes that hold `top` above `other`, by how much each one does."""
    pairs = fitted.pairs
    slope: Floats = fitted.information[:, top] - fitted.information[:, other]
    p = chances(pairs, fitted.theta)
    effect = ((np.array([1.0, 0.0, 0.5])[:, None] - p) * (slope[pairs.first] - slope[pairs.second])).reshape(
        -1
    )
    number = np.concatenate([pairs.wins, pairs.losses, pairs.halves])
    order = np.argsort(-effect, kind="stable")
    order = order[(effect[order] > 0) & (number[order] > 0)]
    return _Cells(order % len(p), order // len(p), number[order])


def _without(fitted: Fit, cells: _Cells, votes: int) -> Floats:
    """Return the strengths when so many of the most influential votes are taken out."""
    pairs = fitted.pairs
    before = np.cumsum(cells.number) - cells.number
    gone = np.clip(votes - before, 0, cells.number)
    left = np.stack([pairs.wins, pairs.losses, pairs.halves])
    left[cells.kind, cells.pair] -= gone
    wins, losses, halves = left
    rest = Pairs(pairs.models, pairs.first, pairs.second, wins, losses, halves, np.zeros_like(halves))
    return fit(rest, start=fitted.theta, public=fitted.public).theta


def _ahead(theta: Floats, top: int, other: int) -> bool:
    """Return whether `other` is ahead, by more than the rounding of a fit."""
    return bool(theta[other] > theta[top] + 1e-9)
