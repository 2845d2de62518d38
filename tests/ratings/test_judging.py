"""Agreement with people, liking for a place and for length: against independent computations, and by coverage."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Floats
from parley.ratings.influence import Clusters
from parley.ratings.judging import agreement, kappa, lean, length_effect, share

SHARES = np.array([0.45, 0.35, 0.2])


def alone(size: int) -> Clusters:
    return Clusters(np.arange(size, dtype=np.int32))


def drawn(chance: np.random.Generator, table: Floats, size: int) -> tuple[Codes, Codes]:
    cells = chance.choice(9, size=size, p=table.reshape(-1))
    return (cells // 3).astype(np.int32), (cells % 3).astype(np.int32)


def agreeing(how_far: float) -> Floats:
    """Return a table of chances whose kappa is `how_far`."""
    return (1 - how_far) * np.outer(SHARES, SHARES) + how_far * np.diag(SHARES)


def test_kappa_and_its_interval_are_those_of_the_textbook() -> None:
    """Fleiss, Levin & Paik 2003, table 18.3: κ = 0.676, s.e. 0.088 for 100 subjects."""
    table = np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    cells = np.repeat(np.arange(9), table.reshape(-1))
    one, other = (cells // 3).astype(np.int32), (cells % 3).astype(np.int32)
    found = kappa(one, other, alone(100), np.ones(100))
    assert found is not None
    assert found.value == pytest.approx(0.676, abs=0.001)
    half = (found.ci_upper - found.ci_lower) / 2
    assert half == pytest.approx(1.984 * 0.088, rel=0.08)


@pytest.mark.parametrize("how_far", [0.0, 0.4, 0.7])
def test_the_interval_of_kappa_holds_the_truth_95_times_in_100(how_far: float) -> None:
    chance = np.random.default_rng(11)
    inside = 0
    for _ in range(600):
        one, other = drawn(chance, agreeing(how_far), 80)
        found = kappa(one, other, alone(80), np.ones(80))
        assert found is not None
        inside += found.ci_lower <= how_far <= found.ci_upper
    assert 0.93 <= inside / 600 <= 0.975


def test_a_prompt_that_is_there_five_times_counts_once() -> None:
    one, other = drawn(np.random.default_rng(3), agreeing(0.5), 60)
    five = np.repeat(np.arange(60, dtype=np.int32), 5)
    once = agreement(one, other, alone(60))
    often = agreement(one[five], other[five], Clusters(five))
    careless = agreement(one[five], other[five], alone(300))
    assert once.kappa is not None
    assert often.kappa is not None
    assert careless.kappa is not None
    assert often.kappa.value == pytest.approx(once.kappa.value)
    assert often.kappa.ci_upper - often.kappa.ci_lower == pytest.approx(
        once.kappa.ci_upper - once.kappa.ci_lower, rel=0.1
    )
    assert careless.kappa.ci_lower > often.kappa.ci_lower
    assert careless.share.ci_lower > often.share.ci_lower


def test_people_are_clusters_where_there_are_enough() -> None:
    """Each person is either always agreed with or never: 20 people say much less than 400 votes."""
    chance = np.random.default_rng(5)
    voter = np.repeat(np.arange(20, dtype=np.int32), 20)
    prompts = np.arange(400, dtype=np.int32)
    inside = 0
    for _ in range(300):
        values = (chance.random(20) < 0.6).astype(np.float64)[voter]
        found = share(values, Clusters(prompts, voter))
        inside += found.ci_lower <= 0.6 <= found.ci_upper
    assert 0.92 <= inside / 300 <= 0.99
    values = (np.arange(400) % 2).astype(np.float64)
    assert share(values, Clusters(prompts, voter // 10)) == share(values, Clusters(prompts))


def test_one_prompt_or_one_category_says_nothing() -> None:
    same = np.zeros(10, dtype=np.int32)
    found = agreement(same, same, alone(10))
    assert (found.share.value, found.kappa) == (1.0, None)
    assert found.share.ci_lower < 0.8
    bare = share(np.ones(10), Clusters(same))
    assert (bare.ci_lower, bare.ci_upper) == (0.0, 1.0)
    with pytest.raises(Invalid):
        lean(np.array([]), Clusters(np.array([], dtype=np.int32)))


def test_few_that_all_agree_are_not_certain() -> None:
    one = np.array([0, 1, 2, 0, 1, 0, 1, 2], dtype=np.int32)
    found = kappa(one, one, alone(8), np.ones(8))
    assert found is not None
    assert (found.value, found.ci_upper) == (1.0, 1.0)
    assert found.ci_lower < 0.75


def test_a_weight_of_two_is_two_observations() -> None:
    one, other = drawn(np.random.default_rng(9), agreeing(0.3), 40)
    weights = np.full(40, 2.0)
    twice = np.tile(np.arange(40, dtype=np.int32), 2)
    weighted = agreement(one, other, alone(40), weights)
    repeated = agreement(one[twice], other[twice], Clusters(twice))
    assert weighted.kappa is not None
    assert repeated.kappa is not None
    assert weighted.kappa.ci_lower == pytest.approx(repeated.kappa.ci_lower)
    assert weighted.share.ci_upper == pytest.approx(repeated.share.ci_upper)


@pytest.mark.parametrize(("chance_of_first", "caught"), [(0.5, False), (0.7, True)])
def test_a_favourite_place_is_caught_and_none_is_made_up(chance_of_first: float, caught: bool) -> None:
    chance = np.random.default_rng(2)
    seen = 0
    for _ in range(200):
        verdicts = np.where(chance.random((120, 2)) < chance_of_first, 0.5, -0.5).sum(axis=1)
        found = lean(verdicts, alone(120))
        seen += found.ci_lower > 0 or found.ci_upper < 0
    assert seen >= 198 if caught else seen <= 18


def test_the_effect_of_length_is_that_of_a_logistic_regression() -> None:
    chance = np.random.default_rng(4)
    ratio = chance.normal(size=400)
    judge = (chance.random(400) < 1 / (1 + np.exp(-0.8 * ratio))).astype(np.float64)
    people = np.where(chance.random(400) < 0.2, 0.5, (chance.random(400) < 0.5).astype(np.float64))
    found = length_effect(ratio, judge, people, alone(400))
    assert found is not None

    def slope(scores: Floats) -> float:
        return brentq(lambda it: float(ratio @ (scores - 1 / (1 + np.exp(-it * ratio)))), -5, 5)

    assert found.judge.value == pytest.approx(slope(judge), abs=0.01)
    assert found.people.value == pytest.approx(slope(people), abs=0.01)
    assert found.difference.value == pytest.approx(found.judge.value - found.people.value)
    assert found.difference.ci_lower > 0.3
    information = float(ratio**2 @ (1 / (2 + 2 * np.cosh(found.judge.value * ratio))))
    half = (found.judge.ci_upper - found.judge.ci_lower) / 2
    assert half == pytest.approx(1.966 / math.sqrt(information), rel=0.1)


def test_the_interval_of_the_effect_of_length_holds_the_truth() -> None:
    chance = np.random.default_rng(8)
    inside = different = 0
    for _ in range(400):
        ratio = chance.normal(size=100)
        likes = 1 / (1 + np.exp(-0.5 * ratio))
        judge, people = ((chance.random(100) < likes).astype(np.float64) for _ in range(2))
        found = length_effect(ratio, judge, people, alone(100))
        assert found is not None
        inside += found.judge.ci_lower <= 0.5 <= found.judge.ci_upper
        different += not found.difference.ci_lower <= 0.0 <= found.difference.ci_upper
    assert 0.92 <= inside / 400 <= 0.98
    assert different / 400 <= 0.08


def test_a_judge_that_always_takes_the_longer_has_a_finite_effect() -> None:
    ratio = np.array([1.0, -1.0, 2.0, -0.5] * 5)
    found = length_effect(ratio, (ratio > 0).astype(np.float64), np.full(20, 0.5), alone(20))
    assert found is not None
    assert 2.0 < found.judge.value < 10.0
    assert 0.0 < found.difference.ci_lower < found.difference.ci_upper < 20.0
    assert length_effect(np.zeros(5), np.ones(5), np.ones(5), alone(5)) is None
