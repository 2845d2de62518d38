"""Tests of Bradley-Terry against closed forms, an independent solver and sums over single votes."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize, root

from parley.kernel.errors import Invalid
from parley.ratings.bradley_terry import MODELS_MAX, fit
from parley.ratings.counts import Counts
from parley.ratings.laplacian import between
from parley.ratings.outcomes import Outcome
from parley.ratings.pairs import Pairs
from parley.ratings.rating import rate_counts
from parley.ratings.scale import POINTS, PRIOR_SD, Z95

WIN, LOSS, TIE, BAD = Outcome


def counted(*results: tuple[str, str, Outcome, int]) -> Counts:
    counts = Counts()
    for left, right, outcome, times in results:
        counts.add(left, right, outcome, times)
    return counts


def random_counts(seed: int, models: int = 8, votes: int = 600) -> Counts:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 1, models)
    counts = Counts(f"m{place}" for place in range(models))
    for _ in range(votes):
        i, j = rng.choice(models, 2, replace=False)
        decided = rng.random() < 0.7
        won = rng.random() < 1 / (1 + math.exp(strength[j] - strength[i]))
        outcome = (WIN if won else LOSS) if decided else (TIE if rng.random() < 0.5 else BAD)
        counts.add(f"m{i}", f"m{j}", outcome)
    return counts


def single_votes(counts: Counts) -> list[tuple[int, int, float]]:
    score = {WIN: 1.0, LOSS: 0.0, TIE: 0.5, BAD: 0.5}
    return [
        (i, j, score[Outcome(o)])
        for i, j, o in zip(*np.nonzero(counts.table), strict=True)
        for _ in range(counts.table[i, j, o])
    ]


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "bad"), [(7, 3, 0, 0), (1, 1, 0, 0), (60, 20, 15, 5), (0, 0, 30, 1)]
)
def test_two_models_have_their_closed_form(wins: int, losses: int, ties: int, bad: int) -> None:
    table = rate_counts(
        counted(("a", "b", WIN, wins), ("a", "b", LOSS, losses), ("a", "b", TIE, ties), ("b", "a", BAD, bad))
    )
    n = wins + losses + ties + bad
    p = (wins + (ties + bad) / 2) / n
    lead = POINTS * math.log(p / (1 - p))
    assert table["a"].rating == pytest.approx(1000 + lead / 2, abs=1e-4)
    assert table["b"].rating == pytest.approx(1000 - lead / 2, abs=1e-4)
    meat = wins * (1 - p) ** 2 + losses * p**2 + (ties + bad) * (0.5 - p) ** 2
    if wins + losses < 3:
        meat = max(meat, n * p * (1 - p))
    half = Z95 * POINTS * math.sqrt(meat) / (n * p * (1 - p)) / 2
    assert table["a"].ci_upper == pytest.approx(1000 + lead / 2 + half, abs=2e-4)
    assert not table["a"].provisional


def test_a_chain_of_models_is_the_sum_of_its_links() -> None:
    shares = [(3, 1), (2, 1), (5, 2)]
    counts = Counts()
    for (one, other), (wins, losses) in zip(pairwise("abcd"), shares, strict=True):
        counts.add(one, other, WIN, wins)
        counts.add(one, other, LOSS, losses)
    theta = fit(counts.pairs()).theta
    assert -np.diff(theta) == pytest.approx([math.log(wins / losses) for wins, losses in shares], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_an_independent_solver_agrees_to_a_millionth_of_a_point(seed: int) -> None:
    counts = random_counts(seed)
    votes = single_votes(counts)

    def slope(free: np.ndarray) -> np.ndarray:
        theta, got = np.append(free, -free.sum()), np.zeros(8)
        for i, j, y in votes:
            missed = y - 1 / (1 + math.exp(theta[j] - theta[i]))
            got[i] += missed
            got[j] -= missed
        return got[:-1] - got[-1]

    found = root(slope, np.zeros(7), tol=1e-13)
    theta = np.append(found.x, -found.x.sum())
    assert np.abs(POINTS * (fit(counts.pairs()).theta - theta)).max() < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_the_covariance_is_the_sandwich_over_single_votes(seed: int) -> None:
    counts = random_counts(seed, models=5, votes=200)
    fitted = fit(counts.pairs())
    bread, meat = np.zeros((5, 5)), np.zeros((5, 5))
    for i, j, y in single_votes(counts):
        p = 1 / (1 + math.exp(fitted.theta[j] - fitted.theta[i]))
        d = np.zeros(5)
        d[i], d[j] = 1, -1
        bread += p * (1 - p) * np.outer(d, d)
        meat += (y - p) ** 2 * np.outer(d, d)
    inverse = np.linalg.pinv(bread)
    assert fitted.information == pytest.approx(inverse, abs=1e-9)
    assert fitted.covariance == pytest.approx(inverse @ meat @ inverse, abs=1e-9)


def test_a_warm_start_changes_nothing() -> None:
    pairs = random_counts(1).pairs()
    cold = fit(pairs)
    warm = fit(pairs, start=cold.theta + np.random.default_rng(0).normal(0, 2, 8))
    assert warm.theta == pytest.approx(cold.theta, abs=1e-12)
    assert warm.covariance == pytest.approx(cold.covariance, rel=1e-5)


def test_a_model_that_always_wins_is_provisional_and_finite() -> None:
    counts = counted(("a", "b", WIN, 10), ("a", "b", LOSS, 8), ("top", "a", WIN, 5), ("top", "b", WIN, 5))
    table = rate_counts(counts)
    assert [line.model for line in table.standings if line.provisional] == ["top"]
    top = table["top"]
    assert 1000 < top.rating < 2000
    assert top.ci_upper is not None
    assert top.ci_upper - top.rating > 200, "a prior must not look like certainty"
    assert table.groups == 1


def test_the_prior_is_in_the_fit_and_in_the_covariance() -> None:
    counts = counted(("a", "b", WIN, 6), ("a", "b", LOSS, 6), ("top", "a", WIN, 3))
    fitted = fit(counts.pairs())
    precision = (POINTS / PRIOR_SD) ** 2

    def loss(x: np.ndarray) -> float:
        a, b, top = x
        lead, away = top - a, top - (a + b) / 2
        likelihood = 12 * math.log1p(math.exp(-(a - b))) + 6 * (a - b) + 3 * math.log1p(math.exp(-lead))
        return likelihood + precision * away**2 / 2 + (a + b + top) ** 2

    found = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-10}).x
    assert fitted.theta == pytest.approx(found - found.mean(), abs=1e-6)
    spread = fitted.covariance[2, 2] + fitted.covariance[0, 0] - 2 * fitted.covariance[0, 2]
    assert POINTS * math.sqrt(spread) < PRIOR_SD


def test_doubt_about_one_model_does_not_widen_the_others() -> None:
    known = random_counts(3)
    alone = rate_counts(known)["m0"]
    known.add("newcomer", "m1", WIN)
    known.add("x", "y", WIN)
    with_others = rate_counts(known)["m0"]
    assert alone.ci_upper is not None
    assert with_others.ci_upper is not None
    assert with_others.ci_upper - with_others.rating == pytest.approx(alone.ci_upper - alone.rating, rel=0.02)


def test_groups_that_never_met_are_distinguished() -> None:
    counts = counted(
        ("a", "b", WIN, 10),
        ("a", "b", LOSS, 5),
        ("b", "c", WIN, 5),
        ("b", "c", LOSS, 4),
        ("x", "y", WIN, 3),
        ("x", "y", LOSS, 2),
    )
    table = rate_counts(counts)
    assert table.groups == 2
    assert {line.model: line.group for line in table.standings} == {"a": 0, "b": 0, "c": 0, "x": 1, "y": 1}
    assert {line.model for line in table.standings if line.provisional} == {"x", "y"}
    assert table["x"].rating > table["y"].rating
    assert table["x"].ci_upper is not None
    assert table["x"].ci_upper - table["x"].rating > 300


def test_a_part_that_always_lost_keeps_its_inner_differences() -> None:
    counts = Counts()
    for one, other, wins in (("a", "b", 5_500), ("c", "d", 600)):
        counts.add(one, other, Outcome.WIN, wins)
        counts.add(one, other, Outcome.LOSS, 10 * wins // 11)
    counts.add("b", "c", Outcome.WIN, 400)
    fitted = fit(counts.pairs())
    assert fitted.provisional.tolist() == [False, False, True, True]
    a, b, c, d = (POINTS * fitted.theta).tolist()
    alone = POINTS * math.log(600 / 545)
    assert a - b == pytest.approx(POINTS * math.log(1.1), abs=0.1)
    assert c - d == pytest.approx(alone, abs=1.0)
    assert b - c > 400


def test_two_groups_of_equal_weight_are_treated_alike() -> None:
    counts = counted(("a", "b", WIN, 3), ("a", "b", LOSS, 2), ("x", "y", WIN, 3), ("x", "y", LOSS, 2))
    table = rate_counts(counts)
    assert table["a"].rating == table["x"].rating
    assert all(line.provisional for line in table.standings)


@pytest.mark.parametrize("models", [(), ("only",)])
def test_no_votes_make_a_table_without_figures(models: tuple[str, ...]) -> None:
    table = rate_counts(Counts(models))
    assert table.votes == 0
    assert [line.rating for line in table.standings] == [1000.0] * len(models)
    assert all(line.provisional and line.win_rate == 0.5 for line in table.standings)


def test_only_ties_make_all_models_equal_but_not_certain() -> None:
    """Nobody knows how votes scatter that were never decided: coins stand in for them."""
    table = rate_counts(counted(("a", "b", TIE, 40), ("b", "c", BAD, 40)))
    assert {line.rating for line in table.standings} == {1000.0}
    assert {line.rank for line in table.standings} == {1}
    coins = rate_counts(
        counted(("a", "b", WIN, 20), ("a", "b", LOSS, 20), ("b", "c", WIN, 20), ("b", "c", LOSS, 20))
    )
    for line in table.standings:
        assert line.ci_upper == pytest.approx(coins[line.model].ci_upper or 0, abs=1e-3)


def test_scatter_of_nothing_at_all_is_computed() -> None:
    inverse = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert between(inverse, np.zeros((2, 2))).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    meat = np.array([[2.0, -2.0], [0.0, 2.0]])
    assert between(inverse, meat) == pytest.approx(8 * inverse)


def test_one_tie_is_no_certainty() -> None:
    counts = random_counts(5)
    counts.add("newcomer", "m0", TIE)
    line = rate_counts(counts)["newcomer"]
    assert not line.provisional
    assert line.ci_upper is not None
    assert line.ci_upper - line.rating > 300


def test_one_win_is_no_certainty() -> None:
    table = rate_counts(counted(("a", "b", WIN, 1)))
    assert table["a"].rating > 1000 > table["b"].rating
    assert [line.rank for line in table.standings] == [1, 1]
    assert all(line.provisional for line in table.standings)


def test_hundred_to_nothing_is_finite() -> None:
    table = rate_counts(counted(("a", "b", WIN, 10_000_000)))
    assert math.isfinite(table["a"].rating)


def test_millions_of_votes_stay_exact() -> None:
    few = fit(random_counts(2).pairs())
    many = random_counts(2)
    many.table[...] *= 10_000
    assert fit(many.pairs()).theta == pytest.approx(few.theta, abs=1e-11)


@pytest.mark.parametrize("models", [12, 100])
def test_strengths_far_apart_are_found(models: int) -> None:
    counts = Counts()
    for one, other in pairwise([f"m{n:03d}" for n in range(models)]):
        counts.add(one, other, WIN, 5_000)
        counts.add(one, other, LOSS, 1)
    theta = fit(counts.pairs()).theta
    assert -np.diff(theta) == pytest.approx([math.log(5_000)] * (models - 1), abs=1e-8)


def test_the_rule_for_large_tables_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = random_counts(4, models=40, votes=900)
    counts.add("m0", "newcomer", LOSS, 2)
    dense = fit(counts.pairs())
    monkeypatch.setattr("parley.ratings.bradley_terry.SPARSE_ABOVE", 10)
    sparse = fit(counts.pairs())
    assert sparse.theta == pytest.approx(dense.theta, abs=1e-9)
    assert sparse.covariance == pytest.approx(dense.covariance, rel=1e-6, abs=1e-12)


def test_too_many_models_are_refused_clearly() -> None:
    none = np.zeros(0, dtype=np.int64)
    pairs = Pairs([str(n) for n in range(MODELS_MAX + 1)], none, none, none, none, none, none)
    with pytest.raises(Invalid, match="at most"):
        fit(pairs)
