"""Weighting by the draw: exact, silent where the draw was equal, by luck alone where strengths explain the votes."""

import numpy as np
import pytest
from scipy.optimize import minimize

from parley.ratings.arrays import Floats
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes
from parley.ratings.weighting import FEWEST, weighted_ratings

MODELS = ("a", "b", "c", "d")
PAIRS = np.array([(i, j) for i in range(4) for j in range(4) if i != j])


def drawn(rng: np.random.Generator, number: int, won: Floats, chances: Floats) -> tuple[Votes, Floats]:
    """Draw votes: `won[i, j]` is the probability that i beats j, `chances` those of PAIRS."""
    place = rng.choice(len(PAIRS), size=number, p=chances)
    left, right = PAIRS[place].T.astype(np.int32)
    outcome = np.where(rng.random(number) < won[left, right], 0, 1).astype(np.int32)
    return Votes(models=MODELS, left=left, right=right, outcome=outcome), chances[place]


def explained(theta: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))


UNEQUAL = np.arange(1.0, 13.0) ** 2 / np.sum(np.arange(1.0, 13.0) ** 2)


def test_an_equal_draw_and_too_few_votes_say_nothing() -> None:
    rng = np.random.default_rng(1)
    won = explained(np.array([0.5, 0.2, -0.2, -0.5]))
    assert weighted_ratings(*drawn(rng, 400, won, np.full(12, 1 / 12))) is None
    assert weighted_ratings(*drawn(rng, FEWEST - 1, won, UNEQUAL)) is None


def test_the_shift_is_that_of_the_weighted_likelihood() -> None:
    rng = np.random.default_rng(2)
    votes, chance = drawn(rng, 3000, explained(np.array([1.0, 0.3, -0.3, -1.0])), UNEQUAL)
    score = np.where(votes.outcome == 0, 1.0, 0.0)

    def best(weight: Floats) -> Floats:
        def loss(free: Floats) -> float:
            theta = np.append(free, -free.sum())
            lead = theta[votes.left] - theta[votes.right]
            return float(weight @ (np.logaddexp(0.0, lead) - score * lead))

        free = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-6}).x
        return np.append(free, -free.sum())

    weight = 1.0 / chance
    expected = POINTS * (best(weight / weight.mean()) - best(np.ones(len(votes))))
    found = weighted_ratings(votes, chance)
    assert found is not None
    assert [it.points for it in found.shifts] == pytest.approx(expected.tolist(), abs=0.02)
    assert found.votes == 3000
    assert found.effective_votes == pytest.approx(weight.sum() ** 2 / (weight @ weight), abs=0.1)


def test_votes_without_a_chance_are_left_out() -> None:
    rng = np.random.default_rng(3)
    votes, chance = drawn(rng, 600, explained(np.array([0.4, 0.1, -0.1, -0.4])), UNEQUAL)
    unknown = rng.random(600) < 0.3
    found = weighted_ratings(votes, np.where(unknown, np.nan, chance))
    assert found == weighted_ratings(votes.where(~unknown), chance[~unknown])


def test_strengths_that_explain_the_votes_move_by_luck_alone() -> None:
    rng = np.random.default_rng(4)
    won = explained(np.array([0.8, 0.3, -0.3, -0.8]))
    outside = total = 0
    for _ in range(60):
        found = weighted_ratings(*drawn(rng, 1500, won, UNEQUAL))
        assert found is not None
        outside += sum(not it.ci_lower <= 0.0 <= it.ci_upper for it in found.shifts)
        total += len(found.shifts)
    # 95% of 240 shifts, that are not independent: 12 are expected outside.
    assert total == 240
    assert outside <= 26


def test_a_circle_that_no_strength_explains_is_found() -> None:
    """A beats b, b beats c, c beats a; the draw prefers a against b, so that a looks best."""
    won = np.full((4, 4), 0.5)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        won[one, other], won[other, one] = 0.85, 0.15
    chances = np.array([8.0 if {int(i), int(j)} == {0, 1} else 1.0 for i, j in PAIRS])
    votes, chance = drawn(np.random.default_rng(5), 4000, won, chances / chances.sum())
    found = weighted_ratings(votes, chance)
    assert found is not None
    by_model = {it.model: it for it in found.shifts}
    assert by_model["a"].ci_upper < 0.0 < by_model["b"].ci_lower
