"""Position bias: how many points the left side is worth, whichever model sits there."""

from typing import NamedTuple

import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats, sums
from parley.ratings.bradley_terry import Fit
from parley.ratings.clusters import VALUES, numbered
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.lines import StyleEffect
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes

FEATURE = "left"
STEPS_MAX = 100
STEP_SMALL = 1e-10
NEVER = 1e-12
ENDLESS = 20.0
"""A side worth more, in natural-log units, has no largest likelihood: 3,500 points."""


def position_effect(fit: Fit, votes: Votes, *, errors: HalfWidths = half_widths) -> StyleEffect | None:
    """Return what the left side is worth in points, with its 95% interval, `fit` being of these votes.

    logit P(left wins) = theta_left − theta_right + left, by maximum likelihood over all of them: Newton's steps with
    the information of the fit. The interval is the sandwich over (theta, left), by voter where voters are known, since
    some people prefer a side, and at least that of independent votes. None where one side got every vote that tells,
    so that no effect is too large. Raises Invalid without votes.
    """
    if not len(votes):
        raise Invalid("votes", "There are no votes yet.", code="no_votes")
    theta, left = fit.theta, 0.0
    for _ in range(STEPS_MAX):
        step = _step(fit, votes, theta, left)
        theta, left = theta + step.moved, left + step.left
        if abs(left) > ENDLESS or not np.isfinite(theta).all():
            return None
        if max(abs(step.left), float(np.abs(step.moved).max())) <= STEP_SMALL:
            break
    last, (residual, _) = _step(fit, votes, theta, left), _moments(votes, theta, left)
    scores: Floats = residual * (1.0 - (last.pulled[votes.left] - last.pulled[votes.right]))
    if votes.voter is not None:
        voter = numbered(votes.voter)
        scores = sums(voter, scores, int(voter.max()) + 1)
    people = len(scores)
    spread = float(scores @ scores) * people / max(people - 1, 1) / last.known**2
    # The scores of a few voters nearly cancel out, those of a single one do: no interval may be narrower for that.
    variance = max(spread, 1.0 / last.known)
    half = POINTS * float(errors(np.array([variance]))[0])
    points = POINTS * left
    low, middle, high = (round(value, 4) for value in (points - half, points, points + half))
    return StyleEffect(FEATURE, middle, low, high)


class _Step(NamedTuple):
    """Newton's step, and what it is made of."""

    left: float
    moved: Floats
    """By how much the strengths move."""
    pulled: Floats
    """By how much a unit of the left side moves them."""
    known: float
    """The information on the left side that the strengths leave."""


def _step(fit: Fit, votes: Votes, theta: Floats, left: float) -> _Step:
    residual, weight = _moments(votes, theta, left)
    across = _net(votes, weight, len(theta))
    pulled: Floats = fit.information @ across
    known = max(float(weight.sum() - across @ pulled), NEVER)
    slope = _net(votes, residual, len(theta)) - fit.prior.pull(theta)
    step = (float(residual.sum()) - float(pulled @ slope)) / known
    moved: Floats = fit.information @ slope - pulled * step
    return _Step(step, moved, pulled, known)


def _moments(votes: Votes, theta: Floats, left: float) -> tuple[Floats, Floats]:
    """Return each vote's residual y − p and its information p·q."""
    p = 1.0 / (1.0 + np.exp(theta[votes.right] - theta[votes.left] - left))
    return VALUES[votes.outcome] - p, p * (1.0 - p)


def _net(votes: Votes, values: Floats, size: int) -> Floats:
    """Return Σ value (e_left − e_right)."""
    return sums(votes.left, values, size) - sums(votes.right, values, size)
