"""What holding the left side constant moves: exact, nothing where sides are even, towards the truth where not."""

import numpy as np
import pytest
from scipy.optimize import minimize

from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import fit
from parley.ratings.intervals import half_widths
from parley.ratings.position import position_effect
from parley.ratings.refits import rating_shifts, refit
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes

STRENGTH = np.array([0.6, 0.2, -0.2, -0.6])


def voted(seed: int, number: int, *, left: float, uneven: bool, people: int = 60) -> Votes:
    """Draw votes of people; where sides are uneven, a model sits left the more often the lower its number."""
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 4, number)
    other = (one + rng.integers(1, 4, number)) % 4
    turned = (one > other) & (rng.random(number) < 0.8) if uneven else np.zeros(number, dtype=np.bool_)
    first, second = np.where(turned, other, one), np.where(turned, one, other)
    won = rng.random(number) < 1.0 / (1.0 + np.exp(STRENGTH[second] - STRENGTH[first] - left))
    return Votes(
        models=("a", "b", "c", "d"),
        left=first.astype(np.int32),
        right=second.astype(np.int32),
        outcome=np.where(won, 0, 1).astype(np.int32),
        voter=rng.integers(0, people, number).astype(np.int32),
    )


def shifts(votes: Votes) -> Floats:
    plain = fit(votes.pairs())
    held = refit(plain, votes, side=True)
    assert held is not None
    found = rating_shifts(plain, votes, held, errors=half_widths)
    return np.array([[it.points, it.ci_lower, it.ci_upper] for it in found])


def test_the_shift_is_that_of_the_likelihood_with_a_side() -> None:
    votes = voted(1, 3_000, left=0.8, uneven=True)
    won = votes.outcome == 0

    def loss(point: Floats) -> float:
        lead = point[votes.left] - point[votes.right] + point[4]
        return float((np.logaddexp(0.0, lead) - won * lead).sum() + 1e-6 * point[:4].sum() ** 2)

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-4}).x[:4]
    expected = POINTS * (best - best.mean() - fit(votes.pairs()).theta)
    assert shifts(votes)[:, 0].tolist() == pytest.approx(expected.tolist(), abs=0.02)


def test_sides_that_are_even_move_hardly_anything() -> None:
    assert np.abs(shifts(voted(2, 20_000, left=0.4, uneven=False))[:, 0]).max() < 6


def test_uneven_sides_are_corrected_towards_the_truth() -> None:
    votes = voted(3, 20_000, left=0.8, uneven=True)
    plain, truth = fit(votes.pairs()).theta, STRENGTH * POINTS
    moved = shifts(votes)
    before = np.abs(POINTS * plain - truth).max()
    after = np.abs(POINTS * plain + moved[:, 0] - truth).max()
    assert before > 40
    assert after < 12
    assert ((moved[:, 1] > 0) | (moved[:, 2] < 0)).any(), "more than chance"


def test_shifts_come_only_with_a_side_that_is_preferred() -> None:
    for left, named in ((0.8, 4), (0.0, 0)):
        votes = voted(5, 2_000, left=left, uneven=True)
        found = position_effect(fit(votes.pairs()), votes)
        assert found is not None
        assert len(found.shifts) == named


def test_without_a_side_that_is_preferred_ratings_move_by_luck_alone() -> None:
    found = np.concatenate([shifts(voted(seed, 1_500, left=0.0, uneven=True)) for seed in range(10, 70)])
    outside = int(((found[:, 1] > 0) | (found[:, 2] < 0)).sum())
    # 95% of 240 shifts, of which the four of a table move together: 12 are expected outside.
    assert len(found) == 240
    assert outside <= 32


def test_models_that_always_sat_on_one_side_leave_its_worth_open() -> None:
    votes = voted(4, 4_000, left=0.4, uneven=False)
    always = votes.where(votes.left < votes.right)
    found = position_effect(fit(always.pairs()), always)
    assert found is not None
    assert found.worth is not None, "b is on either side: left of c, right of a"
    baseline = votes.where(votes.left == 0)
    found = position_effect(fit(baseline.pairs()), baseline)
    assert found is not None
    assert (found.worth, found.shifts) == (None, ())
