"""Tests of the models beside Bradley-Terry: style, clusters, position, forecast, choices, Elo, integrity."""

import math

import msgspec
import numpy as np
import pytest
from scipy.optimize import minimize, root
from scipy.stats import t

from parley.kernel.errors import Invalid
from parley.ratings import Counts, Outcome, RatingOptions, Votes, rate, rate_counts
from parley.ratings.baseline import Ballots, Baseline
from parley.ratings.bradley_terry import fit
from parley.ratings.choices import Choice, rate_choices
from parley.ratings.clusters import clustered, crowding
from parley.ratings.elo import update
from parley.ratings.elo_replay import replay
from parley.ratings.forecast import fit_forecast
from parley.ratings.integrity import examine_voter
from parley.ratings.position import position_effect
from parley.ratings.scale import POINTS
from parley.ratings.style import contrasts, fit_styled
from parley.ratings.tastes import ASSUMED, taste_size
from parley.text.style import style_of


def random_votes(
    seed: int, models: int = 5, number: int = 400, *, left: float = 0.0, beta: float = 0.0
) -> Votes:
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.7, models)
    one = rng.integers(0, models, number)
    other = (one + rng.integers(1, models, number)) % models
    x = rng.normal(0, 0.5, (number, 2)).astype(np.float32)
    won = rng.random(number) < 1 / (1 + np.exp(-(strength[one] - strength[other] + left + beta * x[:, 0])))
    outcome = np.where(rng.random(number) < 0.2, rng.integers(2, 4, number), np.where(won, 0, 1))
    return Votes(
        models=tuple(f"m{n}" for n in range(models)),
        left=one.astype(np.int32),
        right=other.astype(np.int32),
        outcome=outcome.astype(np.int32),
        voter=rng.integers(0, 40, number).astype(np.int32),
        features=x,
        feature_names=("length", "bold"),
    )


def test_style_is_fitted_as_an_independent_solver_fits_it() -> None:
    votes = random_votes(1, beta=0.8)
    assert votes.features is not None
    y = np.array([1.0, 0.0, 0.5, 0.5])[votes.outcome]
    spread = np.sqrt((votes.features.astype(float) ** 2).mean(axis=0))
    z = np.zeros((len(votes), 7))
    z[np.arange(len(votes)), votes.left] += 1
    z[np.arange(len(votes)), votes.right] -= 1
    z[:, 5:] = votes.features

    def slope(point: np.ndarray) -> np.ndarray:
        got = z.T @ (y - 1 / (1 + np.exp(-z @ point)))
        got[0] = point[:5].sum()
        return got

    found = root(slope, np.zeros(7), tol=1e-13).x
    fitted, effects = fit_styled(votes)
    assert fitted.theta == pytest.approx(found[:5], abs=1e-8)
    assert [effect.points for effect in effects] == pytest.approx(POINTS * spread * found[5:], abs=1e-4)
    p = 1 / (1 + np.exp(-z @ found))
    inverse = np.linalg.pinv(z.T @ (z * (p * (1 - p))[:, None]))
    sandwich = inverse @ (z.T @ (z * ((y - p) ** 2)[:, None])) @ inverse
    assert fitted.covariance == pytest.approx(sandwich[:5, :5], abs=1e-8)
    assert effects[0].ci_upper - effects[0].points == pytest.approx(
        1.959964 * POINTS * spread[0] * math.sqrt(sandwich[5, 5]), abs=1e-3
    )


def test_style_without_effect_changes_nothing_that_matters_and_constants_are_left_out() -> None:
    votes = random_votes(2)
    still = msgspec.structs.replace(votes, features=np.zeros((400, 2)))
    fitted, effects = fit_styled(still)
    assert effects == ()
    assert fitted.theta == pytest.approx(fit(votes.pairs()).theta, abs=1e-9)


def test_style_does_not_mind_which_side_a_reply_was_on() -> None:
    votes = random_votes(3, beta=0.5)
    assert votes.features is not None
    mirrored = Votes(
        models=votes.models,
        left=votes.right,
        right=votes.left,
        outcome=np.array([1, 0, 2, 3], dtype=np.int32)[votes.outcome],
        features=-votes.features,
        feature_names=votes.feature_names,
    )
    (one, effects), (other, again) = fit_styled(votes), fit_styled(mirrored)
    assert one.theta == pytest.approx(other.theta, abs=1e-9)
    assert [it.points for it in effects] == pytest.approx([it.points for it in again], abs=1e-4)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("copy", ["the same", "in other units", "of two others", "nearly the same"])
def test_features_that_say_the_same_are_refused_clearly(copy: str, seed: int) -> None:
    votes = random_votes(seed)
    assert votes.features is not None
    one, other = votes.features.T
    columns = {
        "the same": [one, one],
        "in other units": [one, one / 3],
        "of two others": [one, other, one - 2 * other],
        "nearly the same": [one, one * (1 + 1e-6 * np.random.default_rng(seed).standard_normal(len(one)))],
    }[copy]
    names = tuple("abc"[: len(columns)])
    same = msgspec.structs.replace(votes, features=np.stack(columns, axis=1), feature_names=names)
    with pytest.raises(Invalid, match="do not show what each feature does"):
        fit_styled(same)


@pytest.mark.parametrize("seed", range(5))
def test_features_that_differ_a_little_have_effects_with_wide_intervals(seed: int) -> None:
    votes = random_votes(seed)
    assert votes.features is not None
    one = votes.features[:, 0]
    near = one + 0.003 * np.random.default_rng(seed).standard_normal(len(one))
    alike = msgspec.structs.replace(votes, features=np.stack([one, near], axis=1))
    (_, (alone, _)), (_, (wide, _)) = fit_styled(votes), fit_styled(alike)
    assert wide.ci_upper - wide.ci_lower > 50 * (alone.ci_upper - alone.ci_lower)


def test_many_votes_are_styled_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = random_votes(5, number=5_000, beta=0.5)
    whole, _ = fit_styled(votes)
    monkeypatch.setattr("parley.ratings.covariates.CHUNK", 97)
    monkeypatch.setattr("parley.ratings.covariates.SAMPLE", 500)
    monkeypatch.setattr("parley.ratings.covariates.KEYS_MAX", 5)
    parts, _ = fit_styled(votes)
    assert parts.theta == pytest.approx(whole.theta, abs=1e-9)
    assert parts.covariance == pytest.approx(whole.covariance, rel=1e-6, abs=1e-12)


def test_style_is_counted_from_markdown() -> None:
    text = "# Title\n\nSome **bold** words.\n\n- one\n- two\n1. three\n\n```python\n# no header\n- no list\n```\n"
    tokens, headers, lists, bold = style_of(text)
    assert (headers, lists, bold) == (1, 3, 1)
    assert tokens > 15
    assert style_of("") == (0, 0, 0, 0)
    assert contrasts(np.array([[3, 0]]), np.array([[1, 0]])).tolist() == [[pytest.approx(0.4), 0.0]]


def test_clustered_intervals_are_a_jackknife_over_voters() -> None:
    """Held against fits without each voter in turn, where one of them casts a quarter of the votes."""
    votes = random_votes(6, number=1_200)
    assert votes.voter is not None
    busy = np.where(np.arange(1_200) % 4 == 0, 7, votes.voter).astype(np.int32)
    votes = msgspec.structs.replace(votes, voter=busy)
    whole, voters = fit(votes.pairs()), np.unique(busy)
    moved = np.array([fit(votes.where(busy != voter).pairs()).theta - whole.theta for voter in voters])
    fitted = clustered(whole, votes)
    alike = crowding(whole, votes)
    narrow = np.diagonal(moved.T @ moved) * (len(voters) - 1) / len(voters)
    least = np.sqrt(np.maximum(np.diagonal(whole.covariance) / narrow, 1.0))
    wider = least * t.ppf(0.975, alike.effective / 2) / t.ppf(0.975, np.inf)
    jackknife = moved.T @ moved * (len(voters) - 1) / len(voters) * np.outer(wider, wider)
    assert np.diagonal(fitted.covariance) == pytest.approx(np.diagonal(jackknife), rel=0.05)
    share = np.array([np.mean(busy[(votes.left == it) | (votes.right == it)] == 7) for it in range(5)])
    assert alike.top_share == pytest.approx(share, abs=0.03)
    assert (alike.effective < 1 / share**2).all()


def test_the_left_side_is_worth_what_an_independent_fit_says_also_where_sides_are_uneven() -> None:
    votes = random_votes(9, number=3_000, left=0.4)
    uneven = votes.where((votes.left < votes.right) | (np.arange(3_000) % 3 == 0))
    found = position_effect(fit(uneven.pairs()), msgspec.structs.replace(uneven, voter=None))
    y = np.array([1.0, 0.0, 0.5, 0.5])[uneven.outcome]

    def loss(point: np.ndarray) -> float:
        lead = point[uneven.left] - point[uneven.right] + point[5]
        return float((np.logaddexp(0.0, lead) - y * lead).sum() + 1e-6 * point[:5].sum() ** 2)

    expected = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-4}).x[5]
    assert found is not None
    assert found.worth is not None
    assert found.worth.points == pytest.approx(POINTS * expected, abs=0.01)
    assert found.worth.ci_lower < POINTS * 0.4 * 0.8 < found.worth.ci_upper, "a fifth of the votes are ties"
    with pytest.raises(Invalid):
        position_effect(fit(votes.pairs()), votes.where(np.zeros(3_000, dtype=np.bool_)))


def test_one_person_alone_leaves_the_left_side_as_uncertain_as_independent_votes() -> None:
    votes = random_votes(9, number=13)
    fitted = fit(votes.pairs())
    widths: list[float] = []
    for voter in (np.zeros(13, dtype=np.int32), None):
        found = position_effect(fitted, msgspec.structs.replace(votes, voter=voter))
        assert found is not None
        assert found.worth is not None
        widths.append(found.worth.ci_upper - found.worth.ci_lower)
    assert widths[0] > 0.5 * widths[1] > 100


def test_a_side_that_wins_every_vote_has_no_effect_of_a_size() -> None:
    votes = random_votes(9, number=40)
    left = msgspec.structs.replace(votes, outcome=np.zeros(40, dtype=np.int32))
    assert position_effect(fit(left.pairs()), left) is None


def test_somebody_who_alone_knows_a_model_leaves_a_finite_interval() -> None:
    votes = random_votes(6)
    alone = (votes.left == 4) | (votes.right == 4)
    assert votes.voter is not None
    votes = msgspec.structs.replace(votes, voter=np.where(alone, 50, votes.voter).astype(np.int32))
    whole = fit(votes.pairs())
    variance = np.diagonal(clustered(whole, votes).covariance)
    assert np.isfinite(variance).all()
    assert variance[4] > 25 * whole.covariance[4, 4]
    assert crowding(whole, votes).top_share[4] == pytest.approx(1.0)


def test_voters_who_are_nobody_are_clusters_of_their_own() -> None:
    votes = random_votes(7, number=100)
    strangers, everyone = (
        rate(msgspec.structs.replace(votes, voter=voter), RatingOptions(interval="clustered")).uncertainty
        for voter in (np.full(100, -1, np.int32), np.arange(100, dtype=np.int32))
    )
    assert strangers is not None
    assert everyone is not None
    assert strangers.covariance == pytest.approx(everyone.covariance, abs=1e-9)


def test_one_person_alone_makes_no_clustered_interval() -> None:
    votes = msgspec.structs.replace(random_votes(7), voter=np.full(400, 3, np.int32))
    for style_control in (False, True):
        with pytest.raises(Invalid, match="several people"):
            rate(votes, RatingOptions(interval="clustered", style_control=style_control))


def test_a_forecast_matches_an_independent_solver_and_adds_up() -> None:
    votes = random_votes(10, models=4, number=600)
    pairs = votes.pairs()
    size, own, wide = 4, 0.5, 3.0
    numbers = np.stack([pairs.wins, pairs.losses, pairs.ties, pairs.both_bad], axis=1)

    def loss(point: np.ndarray) -> float:
        theta, tie, bad = point.reshape(3, size)
        half = (theta[pairs.first] - theta[pairs.second]) / 2
        u = np.stack(
            [half, -half, tie[pairs.first] + tie[pairs.second], bad[pairs.first] + bad[pairs.second]], axis=1
        )
        logs = u - np.log(np.exp(u).sum(axis=1, keepdims=True))
        prior = (theta**2).sum() / wide**2 + sum(
            ((it - it.mean()) ** 2).sum() / own**2 + it.mean() ** 2 / 100 for it in (tie, bad)
        )
        return -float((numbers * logs).sum()) + prior / 2

    found = minimize(loss, np.zeros(12), method="BFGS", options={"gtol": 1e-6}).x
    forecast = fit_forecast(pairs)
    assert np.concatenate([forecast.theta, forecast.tie, forecast.both_bad]) == pytest.approx(found, abs=1e-4)
    chances = forecast.chances("m0", "m1")
    mirrored = forecast.chances("m1", "m0")
    assert chances.win + chances.loss + chances.tie + chances.both_bad == pytest.approx(1.0)
    assert (chances.win, chances.tie) == (pytest.approx(mirrored.loss), pytest.approx(mirrored.tie))


def test_a_forecast_knows_models_that_tie_and_models_that_are_bad() -> None:
    counts = Counts()
    for one, other, numbers in (
        ("dull", "x", (10, 10, 80, 0)),
        ("poor", "x", (5, 20, 5, 70)),
        ("dull", "poor", (30, 10, 30, 30)),
    ):
        for outcome, number in zip(Outcome, numbers, strict=True):
            counts.add(one, other, outcome, number)
    forecast = fit_forecast(counts.pairs())
    assert forecast.chances("dull", "x").tie > 0.5
    assert forecast.chances("poor", "x").both_bad > 0.5
    for call in (lambda: forecast.chances("x", "x"), lambda: fit_forecast(Counts().pairs())):
        with pytest.raises(Invalid):
            call()


def test_choices_between_two_are_bradley_terry() -> None:
    choices = [Choice("a", ("b",))] * 7 + [Choice("b", ("a",))] * 3
    counts = Counts()
    counts.add("a", "b", Outcome.WIN, 7)
    counts.add("a", "b", Outcome.LOSS, 3)
    one, other = rate_choices(choices)["a"], rate_counts(counts)["a"]
    assert one.rating == pytest.approx(other.rating, abs=1e-4)
    assert one.ci_upper == pytest.approx(other.ci_upper, abs=1e-3)


def test_choices_among_the_same_three_are_shares() -> None:
    picks = {"a": 50, "b": 30, "c": 20}
    choices = [
        Choice(name, tuple(set(picks) - {name})) for name, times in picks.items() for _ in range(times)
    ]
    table = rate_choices(choices)
    assert table.votes == 100
    for one, other in (("a", "b"), ("b", "c")):
        assert table[one].rating - table[other].rating == pytest.approx(
            POINTS * math.log(picks[one] / picks[other]), abs=1e-3
        )
    for over in ((), ("a",), ("b", "b")):
        with pytest.raises(Invalid):
            rate_choices([Choice("a", over)])
    assert rate_choices([]).standings == ()


def test_a_replay_is_the_online_rating() -> None:
    votes = random_votes(11, number=60)
    rating = [1500.0] * 5
    for i, j, outcome in zip(votes.left, votes.right, votes.outcome, strict=True):
        rating[i], rating[j] = update(rating[i], rating[j], (1.0, 0.0, 0.5, 0.5)[outcome])
    assert replay(votes) == pytest.approx(rating, abs=1e-9)
    table = rate(votes, RatingOptions(method="elo", k=16, initial=1000))
    assert table.method == "elo"
    assert sum(line.rating for line in table.standings) == pytest.approx(5_000, abs=1e-3)
    assert all(line.ci_lower is None for line in table.standings)


@pytest.mark.parametrize(
    ("k", "initial"), [(0.0, 1500.0), (-3.0, 1500.0), (math.nan, 1500.0), (32.0, math.inf)]
)
def test_elo_refuses_settings_that_make_no_sense(k: float, initial: float) -> None:
    with pytest.raises(Invalid):
        rate(random_votes(11), RatingOptions(method="elo", k=k, initial=initial))


def test_somebody_who_pushes_a_model_is_found_and_the_others_are_left_alone() -> None:
    votes = random_votes(12, models=8, number=3_000)
    target = votes.models[3]
    pushed = (votes.voter == 7) & ((votes.left == 3) | (votes.right == 3))
    assert votes.voter is not None
    rng = np.random.default_rng(1)
    other = rng.choice([0, 1, 2, 4, 5, 6, 7], 45).astype(np.int32)
    three = np.full(45, 3, dtype=np.int32)
    rigged = Votes(
        models=votes.models,
        left=np.concatenate([votes.left, three]),
        right=np.concatenate([votes.right, other]),
        outcome=np.concatenate(
            [np.where(pushed, np.where(votes.left == 3, 0, 1), votes.outcome), np.zeros(45)]
        ).astype(np.int32),
        voter=np.concatenate([votes.voter, np.full(45, 7)]).astype(np.int32),
    )
    assert rigged.voter is not None
    baseline = Baseline(rigged.counts())
    seen = {
        voter: seen_by(baseline, rigged.where(rigged.voter == voter)) for voter in set(rigged.voter.tolist())
    }
    taste = taste_size(list(seen.values()))
    flags = {voter: examine_voter(ballots, taste) for voter, ballots in seen.items()}
    flag = flags.pop(7)
    assert flag is not None
    assert (flag.pattern, flag.model) == ("pushes", target)
    assert not any(flags.values())


def seen_by(baseline: Baseline, own: Votes, prompts: int = 10**9) -> Ballots:
    """Return a voter's votes as evidence; they take turns with so many prompts."""
    return baseline.ballots(own, np.arange(len(own)) % prompts, own.counts(), 10)


@pytest.mark.parametrize("points", [0.0, 70.0, 139.0, 208.0])
def test_the_size_of_tastes_is_found_in_the_votes(points: float) -> None:
    rng, models, each = np.random.default_rng(8), 10, 120
    voters = 150
    voter = np.repeat(np.arange(voters, dtype=np.int32), each)
    left = rng.integers(0, models, len(voter)).astype(np.int32)
    right = ((left + rng.integers(1, models, len(voter))) % models).astype(np.int32)
    theta, likes = rng.normal(0, 0.5, models), rng.normal(0, points / POINTS, (voters, models))
    lead = theta[left] - theta[right] + likes[voter, left] - likes[voter, right]
    lost = (rng.random(len(voter)) > 1 / (1 + np.exp(-lead))).astype(np.int32)
    names = tuple(f"m{place}" for place in range(models))
    votes = Votes(models=names, left=left, right=right, outcome=lost, voter=voter)
    baseline = Baseline(votes.counts())
    found = taste_size([seen_by(baseline, votes.where(voter == it)) for it in range(voters)])
    assert abs(POINTS * found - points) < 15 + 0.25 * points, "strong tastes flatten the table itself"
    assert taste_size([]) == ASSUMED, "too few votes show nothing"


def test_the_baseline_of_a_voter_is_the_table_fitted_without_the_voter() -> None:
    votes = random_votes(13, number=4_000)
    assert votes.voter is not None
    mine = votes.voter == 3
    own = votes.where(mine)
    seen = seen_by(Baseline(votes.counts()), own, prompts=30)
    rest = fit(votes.where(~mine).pairs().decisive())
    i, j = votes.left[mine], votes.right[mine]
    v = rest.covariance
    assert seen.lead == pytest.approx(rest.theta[i] - rest.theta[j], abs=1e-2)
    assert seen.variance == pytest.approx(v[i, i] + v[j, j] - 2 * v[i, j], rel=0.1)
    assert (seen.prompts, seen.weight.sum()) == (30, pytest.approx(30))
