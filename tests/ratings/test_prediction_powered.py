"""Win rates corrected by verdicts: valid with any judge, narrower with a good one."""

import numpy as np
import pytest

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.influence import Clusters
from parley.ratings.prediction_powered import corrected

TRUTH = 0.6


def alone(size: int, votes: int) -> Clusters:
    return Clusters(np.arange(size, dtype=np.int32), votes=votes)


def a_crowd(
    chance: np.random.Generator, size: int, accuracy: float, bias: float = 0.0
) -> tuple[Floats, Floats]:
    """Return votes, won with a chance of TRUTH, and verdicts that repeat them with a chance, else like the first."""
    votes = (chance.random(size) < TRUTH).astype(np.float64)
    repeats = chance.random(size) < accuracy
    return votes, np.where(repeats, votes, (chance.random(size) < 0.5 + bias).astype(np.float64))


def test_the_correction_is_that_of_the_paper() -> None:
    """θ = mean(Y) − λ (mean(f) − mean(F)) with λ = cov(Y, f) / ((1 + n/N) var(f)): PPI++, example 6.1."""
    chance = np.random.default_rng(1)
    votes, verdicts = a_crowd(chance, 2_000, 0.7)
    n = 500
    found = corrected(votes[:n], verdicts[:n], verdicts[n:], alone(2_000, n))
    assert found is not None
    power = float(np.cov(votes[:n], verdicts[:n])[0, 1] / ((1 + n / 1_500) * verdicts.var()))
    assert found.power == pytest.approx(power, rel=0.02)
    theta = votes[:n].mean() - found.power * (verdicts[:n].mean() - verdicts[n:].mean())
    assert found.both.value == pytest.approx(float(theta))
    rest = votes[:n] - found.power * verdicts[:n]
    error = np.sqrt(rest.var() / n + found.power**2 * verdicts[n:].var() / 1_500)
    assert (found.both.ci_upper - found.both.ci_lower) / 2 == pytest.approx(1.965 * error, rel=0.02)
    assert (found.people.ci_upper - found.people.ci_lower) / 2 == pytest.approx(
        1.965 * votes[:n].std() / n**0.5, rel=0.02
    )
    assert (found.votes, found.unvoted, found.judge) == (n, 1_500, pytest.approx(float(verdicts.mean())))


@pytest.mark.parametrize(
    ("accuracy", "bias", "least", "most"),
    [(0.85, 0.0, 0.5, 0.65), (0.4, 0.4, 0.8, 0.95), (0.0, -0.4, 0.98, 1.0 + 1e-9)],
)
def test_the_interval_holds_the_truth_95_times_in_100_with_any_judge(
    accuracy: float, bias: float, least: float, most: float
) -> None:
    chance = np.random.default_rng(6)
    inside = alike = 0
    width: list[float] = []
    for _ in range(600):
        votes, verdicts = a_crowd(chance, 480, accuracy, bias)
        found = corrected(votes[:80], verdicts[:80], verdicts[80:], alone(480, 80))
        assert found is not None
        inside += found.both.ci_lower <= TRUTH <= found.both.ci_upper
        alike += found.people.ci_lower <= TRUTH <= found.people.ci_upper
        width.append(found.width)
    assert 0.93 <= inside / 600 <= 0.975
    assert 0.93 <= alike / 600 <= 0.975
    assert least < float(np.mean(width)) < most


def test_shared_prompts_and_people_are_allowed_for() -> None:
    """Twenty people with a taste of their own, and prompts asked three times."""
    chance = np.random.default_rng(12)
    size, n = 600, 300
    prompt = np.arange(size, dtype=np.int32) // 3
    voter = np.full(size, -1, dtype=np.int32)
    inside = careless = 0
    for _ in range(400):
        order = chance.permutation(size)
        easy = chance.normal(size=size // 3)[prompt[order]]
        voter[:n] = chance.integers(0, 20, n)
        taste = np.concatenate([chance.normal(size=20)[voter[:n]], chance.normal(size=size - n)])
        noise = chance.normal(size=size)
        votes = (easy + taste * 0.7 + noise > 0).astype(np.float64)
        verdicts = (easy + noise > 0).astype(np.float64)
        clusters = Clusters(prompt[order], voter, votes=n)
        found = corrected(votes[:n], verdicts[:n], verdicts[n:], clusters)
        plain = corrected(votes[:n], verdicts[:n], verdicts[n:], alone(size, n))
        assert found is not None
        assert plain is not None
        inside += found.both.ci_lower <= 0.5 <= found.both.ci_upper
        careless += plain.both.ci_lower <= 0.5 <= plain.both.ci_upper
    assert 0.92 <= inside / 400 <= 0.98
    assert careless < inside - 20


def test_other_opponents_among_the_unvoted_do_not_move_the_rate() -> None:
    """The weak opponent is met in half of the votes, but in nine of ten comparisons without one."""
    chance = np.random.default_rng(10)
    weak = np.concatenate([np.arange(400) % 2 == 0, chance.random(2_000) < 0.9])
    votes = (chance.random(2_400) < np.where(weak, 0.9, 0.3)).astype(np.float64)
    strata = weak.astype(np.int32)
    found = corrected(votes[:400], votes[:400], votes[400:], alone(2_400, 400), strata)
    blind = corrected(votes[:400], votes[:400], votes[400:], alone(2_400, 400))
    assert found is not None
    assert blind is not None
    assert found.both.ci_lower < TRUTH < found.both.ci_upper
    assert abs(found.shift) < 3.5 < blind.shift
    half = corrected(
        votes[:400],
        votes[:400],
        votes[400:][~weak[400:]],
        alone(400 + sum(~weak[400:]), 400),
        np.concatenate([strata[:400], np.zeros(sum(~weak[400:]), dtype=np.int32)]),
    )
    assert half is not None
    assert abs(half.both.value - TRUTH) < 0.08
    assert found.width < half.width < 1.0


def test_nothing_to_correct_with_is_none() -> None:
    votes = np.ones(10)
    assert corrected(votes, votes, np.array([]), alone(10, 10)) is None
    strata = np.array([0] * 10 + [1] * 5, dtype=np.int32)
    assert corrected(votes, votes, np.zeros(5), alone(15, 10), strata) is None
    with pytest.raises(Invalid):
        corrected(np.array([]), np.array([]), votes, alone(10, 0))
    found = corrected(votes, votes, np.ones(20), alone(30, 10))
    assert found is not None
    assert (found.power, found.width, found.both.value) == (0.0, 1.0, 1.0)
    assert found.both.ci_lower < 0.9
