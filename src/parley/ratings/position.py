"""Position bias: how many points the left side is worth, whichever model sits there."""

import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import Fit
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.lines import SideEffect, StyleEffect
from parley.ratings.refits import rating_shifts, refit, side_share
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes

FEATURE = "left"

LEAST_SHARE = 0.01
"""With a smaller share of their information left, votes tell sides from models only by a hundred times their number."""


def position_effect(fit: Fit, votes: Votes, *, errors: HalfWidths = half_widths) -> SideEffect | None:
    """Return what the left side is worth in points, with its 95% interval, `fit` being of these votes.

    logit P(left wins) = theta_left − theta_right + left, by maximum likelihood over all of them. The interval is the
    sandwich over (theta, left), by voter where voters are known, since some people prefer a side, and at least that of
    independent votes. Where that is not zero, the shifts of the ratings with the side held constant come with it: even
    sides move hardly any. Where nearly every vote has its models on the same sides, so that a side can't be told from
    them, there is no worth. None where one side got every vote that tells, so that no effect is too large. Raises
    Invalid without votes.
    """
    if not len(votes):
        raise Invalid("votes", "There are no votes yet.", code="no_votes")
    if side_share(fit, votes) < LEAST_SHARE:
        return SideEffect(None, ())
    held = refit(fit, votes, side=True)
    if held is None:
        return None
    scores: Floats = np.asarray(held.scores @ held.inverse[:, -1], dtype=np.float64)
    people = len(scores)
    spread = float(scores @ scores) * people / max(people - 1, 1)
    # The scores of a few voters nearly cancel out, those of a single one do: no interval may be narrower for that.
    half = POINTS * float(errors(np.array([max(spread, 1.0 / held.known)]))[0])
    points = POINTS * held.left
    low, middle, high = (round(value, 4) for value in (points - half, points, points + half))
    shifts = rating_shifts(fit, votes, held, errors=errors) if abs(points) > half else ()
    return SideEffect(StyleEffect(FEATURE, middle, low, high), shifts)
