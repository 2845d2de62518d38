"""Tests of a public prior: it is votes like any others, own ones outweigh it, and the forecast says if it helps."""

import msgspec
import numpy as np
import pytest

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import fit, known_before
from parley.ratings.clusters import clustered
from parley.ratings.decision import decide, fewest_votes_to_flip
from parley.ratings.lines import PriorForecast
from parley.ratings.pairs import Pairs
from parley.ratings.prior_forecast import FEWEST, prior_forecast
from parley.ratings.public_prior import PublicPrior, PublishedPair, public_prior
from parley.ratings.votes import Votes

NAMES = tuple(f"m{place}" for place in range(20))


def voted(
    rng: np.random.Generator, theta: Floats, number: int, *, people: int = 40, tied: float = 0.2
) -> Votes:
    """Return votes between random models, a fifth of them ties unless said otherwise."""
    left = rng.integers(0, len(theta), number)
    right = (left + rng.integers(1, len(theta), number)) % len(theta)
    lost = rng.random(number) > 1.0 / (1.0 + np.exp(theta[right] - theta[left]))
    outcome = np.where(rng.random(number) < tied, 2, lost)
    return Votes(
        models=NAMES[: len(theta)],
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=outcome.astype(np.int32),
        voter=rng.integers(0, people, number).astype(np.int32),
    )


def published(pairs: Pairs) -> list[PublishedPair]:
    columns = (pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.halves)
    return [
        PublishedPair(str(pairs.models[i]), str(pairs.models[j]), won, lost, tied)
        for i, j, won, lost, tied in zip(*(it.tolist() for it in columns), strict=True)
    ]


def exact(theta: Floats) -> list[PublishedPair]:
    """Return what a very large crowd of these strengths publishes."""
    return [
        PublishedPair(NAMES[i], NAMES[j], 1e6 * p, 1e6 * (1 - p), 0.0)
        for i in range(len(theta))
        for j in range(i)
        for p in [1.0 / (1.0 + np.exp(theta[j] - theta[i]))]
    ]


def together(one: Pairs, other: Pairs, times: int) -> Pairs:
    """Return the votes of both, those of the second so many times; both know every pair."""
    assert (one.first == other.first).all()
    assert (one.second == other.second).all()
    numbers = {
        name: getattr(one, name) + times * getattr(other, name)
        for name in ("wins", "losses", "ties", "both_bad")
    }
    return msgspec.structs.replace(one, **numbers, sides=None)


@pytest.mark.parametrize("times", [1, 3])
def test_a_prior_is_the_fit_of_its_votes_added_to_ones_own(times: int) -> None:
    rng = np.random.default_rng(1)
    theta = rng.normal(0.0, 0.5, 6)
    own, theirs = voted(rng, theta, 400).pairs(), voted(rng, theta, 900).pairs()
    # Three times as many were published; they count as their number times `times` / 3.
    tripled = together(theirs, theirs, 2)
    prior = public_prior(published(tripled), times * theirs.total)
    found, due = fit(own, public=prior), fit(together(own, theirs, times))
    assert np.abs(found.theta - due.theta).max() < 1e-9
    assert np.abs(found.information - due.information).max() < 1e-9
    assert found.pairs.total == own.total
    assert found.pairs.per_model().tolist() == own.per_model().tolist()
    assert not found.provisional.any()


def test_the_gradient_and_the_information_are_those_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    own = voted(rng, np.zeros(6), 60).pairs()
    prior = public_prior(exact(rng.normal(0.0, 0.5, 6)), 33.3)
    found = fit(own, public=prior)
    place = {name: number for number, name in enumerate(own.models)}

    def likelihood(theta: Floats) -> float:
        lead = theta[own.first] - theta[own.second]
        total = float(((own.wins + own.halves / 2) * lead - own.votes * np.logaddexp(0, lead)).sum())
        for one, other, won, votes in zip(prior.one, prior.other, prior.won, prior.votes, strict=True):
            ahead = theta[place[one]] - theta[place[other]]
            total += won * ahead - votes * np.logaddexp(0, ahead)
        return float(total)

    step, unit = 1e-4, np.eye(6)
    slope = [
        (likelihood(found.theta + step * it) - likelihood(found.theta - step * it)) / (2 * step)
        for it in unit
    ]
    assert np.abs(slope).max() < 1e-6
    bend = np.array(
        [
            [
                -sum(
                    a * b * likelihood(found.theta + step * (a * one + b * other))
                    for a in (-1, 1)
                    for b in (-1, 1)
                )
                / (4 * step**2)
                for other in unit
            ]
            for one in unit
        ]
    )
    centred = np.eye(6) - 1 / 6
    assert np.abs(found.information @ bend - centred).max() < 1e-3


def test_a_prior_speaks_of_models_with_own_votes_alone_and_of_pairs_that_never_met() -> None:
    own = Pairs(("a", "b", "c"), *(np.array(it) for it in ([0], [1], [3], [2], [0], [0])))
    rows = [PublishedPair("c", "a", 6, 2, 0), PublishedPair("zed", "a", 80, 2, 0)]
    prior = public_prior(rows, 90)
    assert (
        dict(zip(zip(prior.one, prior.other, strict=True), prior.votes.tolist(), strict=True))["a", "c"] == 8
    )
    found = fit(own, public=prior)
    assert found.group.tolist() == [0, 0, 0]
    assert not found.provisional.any()
    assert found.theta[2] - found.theta[0] == pytest.approx(np.log(3), abs=1e-9)
    nothing = fit(own, public=public_prior(rows[1:], 10))
    assert nothing.public is None
    assert nothing.theta.tolist() == fit(own).theta.tolist()


def test_a_prior_counts_as_no_more_votes_than_were_published() -> None:
    rows = [PublishedPair("a", "b", 2, 1, 1), PublishedPair("b", "a", 2, 0, 0)]
    prior = public_prior(rows, 6)
    assert (prior.one, prior.other, prior.won.tolist(), prior.weight) == (("a",), ("b",), [2.5], 6.0)
    for weight in (6.5, 0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(Invalid, match="weight"):
            public_prior(rows, weight)


def test_votes_of_a_prior_are_no_votes_that_could_be_removed_to_flip_the_top() -> None:
    own = Pairs(("a", "b"), *(np.array(it) for it in ([0], [1], [30], [20], [0], [0])))
    alone, far = fit(own), fit(own, public=public_prior([PublishedPair("a", "b", 900, 100, 0)], 500))
    flip = fewest_votes_to_flip(alone)
    assert flip is not None
    assert flip.votes == 11
    assert fewest_votes_to_flip(far) is None
    assert decide(far, "a", "b").decided
    assert not decide(alone, "a", "b").decided


def test_intervals_by_voter_hold_what_the_prior_knows_once() -> None:
    rng = np.random.default_rng(3)
    theta = rng.normal(0.0, 0.5, 6)
    votes = voted(rng, theta, 400)
    prior = public_prior(exact(theta), 4_000)
    plain = fit(votes.pairs(), public=prior)
    assert np.linalg.matrix_rank(known_before(plain), tol=1e-6) == 5
    by_voter = clustered(plain, votes)
    half, alone = (
        np.sqrt(np.diagonal(it.covariance)) for it in (by_voter, clustered(fit(votes.pairs()), votes))
    )
    assert (half < 0.5 * alone).all()
    assert (half >= np.sqrt(np.diagonal(plain.covariance)) - 1e-12).all()


def far_off(number: int, prior: PublicPrior, theta: Floats) -> float:
    """Return by how much strengths are off on average, over arenas with so many own votes."""
    errors = [
        fit(voted(np.random.default_rng((number, seed)), theta, number, tied=0.0).pairs(), public=prior).theta
        - (theta - theta.mean())
        for seed in range(10)
    ]
    return float(np.sqrt(np.square(errors).mean()))


def test_own_votes_outweigh_a_wrong_prior() -> None:
    theta = np.linspace(-0.8, 0.8, 6)
    wrong = public_prior(exact(-theta), 300)
    errors = [far_off(number, wrong, theta) for number in (100, 300, 1_000, 10_000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 0.5
    assert errors[-1] < 0.12


def test_the_forecast_tells_a_good_prior_from_a_wrong_one() -> None:
    found: list[PriorForecast] = []
    for models, sign in ((20, 1.0), (6, -1.0)):
        theta = np.linspace(-0.8, 0.8, models)
        votes = voted(np.random.default_rng(4), theta, 3_000, tied=0.0)
        one = prior_forecast(votes, public_prior(exact(sign * theta), 300))
        assert one is not None
        assert one.gain == pytest.approx(one.loss_without - one.loss_with, abs=2e-6)
        assert one.ci_lower < one.gain < one.ci_upper
        found.append(one)
        few = votes.where(np.arange(FEWEST + 10))
        assert prior_forecast(few, public_prior(exact(theta), 300)) is None
    assert [it.verdict for it in found] == ["helps", "harms"]


def test_a_prior_that_says_what_votes_say_rarely_has_a_verdict() -> None:
    """Under a null: the published strengths differ from the crowd's as much as the table without them does."""
    theta = np.zeros(6)
    verdicts: list[str] = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        found = prior_forecast(voted(rng, theta, 300), public_prior(exact(rng.normal(0, 1e-6, 6)), 1.0))
        assert found is not None
        verdicts.append(found.verdict)
    assert verdicts.count("harms") <= 2
