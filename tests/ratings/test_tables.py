"""Tests of what is told about a table: ranks, predictions, decisions, pairing."""

import math
from random import Random

import msgspec
import numpy as np
import pytest

from parley.kernel.errors import Invalid, NotFound
from parley.ratings import Counts, Outcome, RatingOptions, rate_counts
from parley.ratings.bradley_terry import fit
from parley.ratings.decision import decide, fewest_votes_to_flip, fewest_votes_to_turn
from parley.ratings.intervals import anytime_half_widths, half_widths
from parley.ratings.lines import last_places, rank_text
from parley.ratings.pairing import informative_pairs, weighted_pairs
from parley.ratings.predictions import chance_matrix, predict
from parley.ratings.ranks import rank_by_differences, rank_by_intervals, rank_by_order
from parley.ratings.scale import POINTS, Z95, normal_cdf
from parley.ratings.standings import Columns, lines_of


def duel(wins: int, losses: int) -> Counts:
    counts = Counts(("a", "b"))
    counts.add("a", "b", Outcome.WIN, wins)
    counts.add("a", "b", Outcome.LOSS, losses)
    return counts


def ring(models: int = 6, votes: int = 40) -> Counts:
    counts = Counts(f"m{n}" for n in range(models))
    for one in range(models):
        for other in range(one + 1, models):
            share = 1 / (1 + math.exp((one - other) * 0.3))
            counts.add(f"m{one}", f"m{other}", Outcome.WIN, round(votes * share))
            counts.add(f"m{one}", f"m{other}", Outcome.LOSS, votes - round(votes * share))
    return counts


def test_the_rank_by_intervals_counts_who_is_surely_above() -> None:
    lower, upper = np.array([90.0, 60.0, 40.0, 10.0]), np.array([110.0, 95.0, 61.0, 39.0])
    assert rank_by_intervals(lower, upper).tolist() == [1, 1, 2, 4]


def test_a_rank_reaches_down_to_where_a_model_is_surely_above_all_that_are_shown() -> None:
    lower, upper = np.array([90.0, 60.0, 40.0, 10.0, 0.0]), np.array([110.0, 95.0, 61.0, 39.0, 200.0])
    provisional = np.array([False, False, False, False, True])
    columns = Columns(
        rating=(lower + upper) / 2,
        lower=lower,
        upper=upper,
        rank_ub=np.array([1, 1, 2, 4, 5]),
        rank=np.array([1, 1, 2, 4, 5]),
        provisional=provisional,
        group=np.zeros(5, dtype=np.int32),
    )
    lines = lines_of(("a", "b", "c", "d", "new"), np.zeros((5, 4), dtype=np.int64), columns)
    ranges = [rank_text(line.rank_ub, last) for line, last in zip(lines, last_places(lines), strict=True)]
    assert ranges == ["1–2", "1–3", "2–3", "4", "5"]
    unsure = [msgspec.structs.replace(line, ci_lower=None, ci_upper=None) for line in lines]
    assert last_places(unsure) == [1, 1, 2, 4, 5]


def test_last_bits_of_a_rating_decide_neither_rank_nor_order() -> None:
    rating = np.array([1000.0, np.nextafter(1000.0, 2000.0), 1016.0])
    rank = rank_by_order(rating)
    assert rank.tolist() == [2, 2, 1]
    nobody = np.zeros(3, dtype=np.int32)
    columns = Columns(
        rating=rating, rank_ub=rank, rank=rank, provisional=nobody.astype(np.bool_), group=nobody
    )
    numbers = np.zeros((3, 4), dtype=np.int64)
    assert [line.model for line in lines_of(("a", "b", "c"), numbers, columns)] == ["c", "a", "b"]


def test_models_that_differ_only_by_rounding_are_equal_and_no_number_of_votes_decides() -> None:
    fitted = fit(duel(50, 50).pairs())
    for bits in (0.0, 1e-15, -1e-15):
        nearly = msgspec.structs.replace(fitted, theta=fitted.theta + np.array([bits, 0.0]))
        found = decide(nearly, "a", "b")
        assert (found.model, found.lead, found.better, found.votes_needed) == ("a", 0.0, 0.5, None)


def test_differences_are_sharper_than_intervals() -> None:
    theta, covariance = np.array([0.3, -0.3]), np.array([[0.05, 0.0], [0.0, 0.05]])
    half = half_widths(np.diagonal(covariance))
    assert rank_by_intervals(theta - half, theta + half).tolist() == [1, 1]
    covariance += np.array([[0.0, 0.04], [0.04, 0.0]])
    assert rank_by_differences(theta, covariance).tolist() == [1, 2]


def test_a_watched_table_does_not_call_a_difference_sure_too_early() -> None:
    counts = duel(60, 40)
    assert [line.rank for line in rate_counts(counts).standings] == [1, 2]
    watched = rate_counts(counts, RatingOptions(interval="anytime"))
    assert [(line.rank, line.rank_ub) for line in watched.standings] == [(1, 1), (1, 1)]


def test_ranks_of_many_models_are_counted_one_by_one() -> None:
    table = rate_counts(ring(12))
    for line in table.standings:
        above = sum((other.ci_lower or 0) > (line.ci_upper or 0) for other in table.standings)
        assert line.rank_ub == 1 + above
        sure = 0
        for other in table.standings:
            if other.model != line.model:
                found = predict(table, other.model, line.model)
                sure += found.lead > Z95 * found.lead_error
        assert line.rank == 1 + sure


def test_a_prediction_has_its_closed_form() -> None:
    found = predict(rate_counts(duel(30, 10)), "a", "b")
    assert found.chance == pytest.approx(0.75, abs=1e-9)
    assert found.lead == pytest.approx(POINTS * math.log(3), abs=1e-6)
    error = math.sqrt(1 / (40 * 0.75 * 0.25))
    assert found.lead_error == pytest.approx(POINTS * error, rel=1e-6)
    assert found.better == pytest.approx(normal_cdf(math.log(3) / error))
    assert found.comparable
    with pytest.raises(NotFound):
        predict(rate_counts(duel(1, 1)), "a", "z")


def test_the_matrix_of_chances_is_the_win_rate_of_two_models_that_met() -> None:
    counts = duel(30, 10)
    counts.include(["idle"])
    chances = chance_matrix(fit(counts.pairs()).theta)
    assert chances[0, 1] == pytest.approx(0.75, abs=1e-3)
    assert chances + chances.T == pytest.approx(np.ones((3, 3)))


def test_a_decision_says_how_many_votes_are_missing() -> None:
    fitted = fit(duel(30, 20).pairs())
    found = decide(fitted, "b", "a")
    assert (found.model, found.other, found.decided) == ("a", "b", False)
    assert found.votes_needed is not None

    def left_over(votes: int) -> float:
        """Return by how much the lead exceeds its interval where new votes are as unlucky as one time in five."""
        information, new = (50 + votes) * 0.24, votes * 0.24
        return math.log(1.5) - Z95 / math.sqrt(information) - 0.8416 * math.sqrt(new) / information

    assert left_over(found.votes_needed) >= 0.0 > left_over(found.votes_needed - 1)
    assert (watched := decide(fitted, "a", "b", errors=anytime_half_widths).votes_needed) is not None
    assert watched > 1.5 * found.votes_needed, "a lead that is watched takes more votes"
    assert decide(fit(duel(300, 100).pairs()), "a", "b").votes_needed == 0
    assert decide(fit(duel(5, 5).pairs()), "a", "b").votes_needed is None
    with pytest.raises(Invalid):
        decide(fitted, "a", "a")
    with pytest.raises(NotFound):
        decide(fitted, "a", "z")


@pytest.mark.parametrize("ties", [0.0, 0.25, 0.5])
def test_so_many_votes_more_settle_it_four_times_in_five_also_where_many_are_ties(ties: float) -> None:
    """Votes are drawn as the votes so far foretell, and the table is made again with them."""
    chance = Random(7)
    won, decided = 0.56, 1.0 - ties
    votes = 120
    counts = Counts(("a", "b"))
    wins = round(votes * (won - ties / 2))
    counts.add("a", "b", Outcome.WIN, wins)
    counts.add("a", "b", Outcome.TIE, round(votes * ties))
    counts.add("a", "b", Outcome.LOSS, votes - wins - round(votes * ties))
    found = decide(fit(counts.pairs()), "a", "b")
    assert found.votes_needed is not None
    settled = 0
    for _ in range(300):
        more = Counts(("a", "b"))
        more.merge(counts)
        drawn = chance.choices(
            (Outcome.WIN, Outcome.TIE, Outcome.LOSS),
            (won - ties / 2, ties, decided - won + ties / 2),
            k=found.votes_needed,
        )
        for outcome in (Outcome.WIN, Outcome.TIE, Outcome.LOSS):
            more.add("a", "b", outcome, drawn.count(outcome))
        settled += decide(fit(more.pairs()), "a", "b").decided
    assert 0.75 <= settled / 300 <= 0.85


def test_a_pair_that_never_met_is_expected_to_tie_as_often_as_all() -> None:
    def through_a_third(ties: int) -> int | None:
        counts = Counts(("a", "b", "c"))
        for model, wins in (("a", 55), ("b", 45)):
            counts.add(model, "c", Outcome.WIN, wins - ties // 2)
            counts.add(model, "c", Outcome.LOSS, 100 - wins - ties // 2)
            counts.add(model, "c", Outcome.TIE, ties)
        return decide(fit(counts.pairs()), "a", "b").votes_needed

    decided, tied = through_a_third(0), through_a_third(50)
    assert decided is not None
    assert tied is not None
    assert tied < 0.6 * decided


def test_nothing_is_decided_between_models_that_never_met() -> None:
    counts = duel(500, 100)
    counts.add("x", "y", Outcome.WIN, 300)
    counts.add("x", "y", Outcome.LOSS, 100)
    fitted = fit(counts.pairs())
    for other in ("x", "y"):
        found = decide(fitted, "b", other)
        assert (found.comparable, found.decided, found.votes_needed) == (False, False, None)
    assert decide(fitted, "a", "b").comparable
    flip = fewest_votes_to_flip(fitted)
    assert flip is not None
    assert (flip.top, flip.votes) == ("a", 401)


@pytest.mark.parametrize(("wins", "losses", "fewest"), [(60, 40, 21), (51, 50, 2), (3, 2, 2), (10, 1, 10)])
def test_the_fewest_votes_that_flip_a_duel_are_exact(wins: int, losses: int, fewest: int) -> None:
    found = fewest_votes_to_flip(fit(duel(wins, losses).pairs()))
    assert found is not None
    assert (found.top, found.votes) == ("a", fewest)


def test_the_fewest_votes_that_flip_a_table_are_as_few_as_any_search_finds() -> None:
    counts = Counts()
    rng = np.random.default_rng(3)
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        for _ in range(9):
            counts.add(one, other, Outcome.WIN if rng.random() < 0.55 else Outcome.LOSS)
    fitted = fit(counts.pairs())
    found = fewest_votes_to_flip(fitted)
    assert found is not None
    cells = [
        (i, j, o)
        for i, j, o in zip(*np.nonzero(counts.table), strict=True)
        for _ in range(counts.table[i, j, o])
    ]
    top = int(np.argmax(fitted.theta))

    def flips(number: int, begin: int = 0) -> bool:
        if number == 0:
            theta = fit(counts.pairs(), start=fitted.theta).theta
            return bool((np.delete(theta, top) > theta[top] + 1e-9).any())
        for place in range(begin, len(cells)):
            counts.table[cells[place]] -= 1
            flipped = flips(number - 1, place + 1)
            counts.table[cells[place]] += 1
            if flipped:
                return True
        return False

    assert not any(flips(number) for number in range(1, min(found.votes, 3)))


def test_the_fewest_votes_that_turn_a_pair_round_leave_the_rest_of_the_table_out_of_it() -> None:
    counts = duel(51, 50)
    counts.add("a", "c", Outcome.WIN, 40)
    counts.add("a", "c", Outcome.LOSS, 10)
    counts.add("x", "y", Outcome.WIN, 3)
    counts.add("y", "x", Outcome.WIN, 2)
    fitted = fit(counts.pairs())
    assert fewest_votes_to_turn(fitted, "a", "b") == 2
    assert fewest_votes_to_turn(fitted, "a", "c") == 31
    assert fewest_votes_to_turn(fitted, "a", "x") is None, "they never met"
    with pytest.raises(NotFound):
        fewest_votes_to_turn(fitted, "a", "z")


def test_nothing_flips_a_table_of_one() -> None:
    assert fewest_votes_to_flip(fit(Counts(["a"]).pairs())) is None


def test_equal_weights_draw_all_pairs_alike_and_a_model_that_is_down_not_at_all() -> None:
    chances = weighted_pairs(np.array([1.0, 1.0, 0.0, 1.0]))
    assert chances[0, 1] == chances[0, 3] == chances[1, 3] == pytest.approx(1 / 3)
    assert chances.sum() == pytest.approx(1.0)
    assert chances[2].sum() + chances[:, 2].sum() == 0.0
    for weights in ([1.0, 0.0], [0.0, 0.0], [1.0]):
        with pytest.raises(Invalid):
            weighted_pairs(np.array(weights))
    for weights in ([1.0, -1.0], [1.0, math.nan]):
        with pytest.raises(Invalid):
            weighted_pairs(np.array(weights))


def test_the_informative_gain_is_what_another_vote_would_bring() -> None:
    fitted = fit(ring().pairs())
    chances = informative_pairs(fitted.information, fitted.theta, np.ones(6))
    wanted = (chances - 0.1 * weighted_pairs(np.ones(6))) / 0.9
    gains = np.zeros((6, 6))
    precision = np.linalg.pinv(fitted.information)
    for i in range(6):
        for j in range(i + 1, 6):
            p = 1 / (1 + math.exp(fitted.theta[j] - fitted.theta[i]))
            d = np.zeros(6)
            d[i], d[j] = 1, -1
            better = np.linalg.pinv(precision + p * (1 - p) * np.outer(d, d))
            gains[i, j] = np.trace(fitted.information) - np.trace(better)
    assert wanted == pytest.approx(gains / gains.sum(), abs=1e-9)


def test_informative_draws_keep_a_tenth_equal_and_leave_out_who_is_down() -> None:
    fitted = fit(ring().pairs())
    chances = informative_pairs(fitted.information, fitted.theta, np.array([1, 1, 0, 1, 1, 1.0]))
    up = np.delete(np.delete(chances, 2, 0), 2, 1)
    assert (up[np.triu_indices(5, 1)] >= 0.1 / 10 - 1e-12).all()
    assert chances[2].sum() + chances[:, 2].sum() == 0.0


def test_anytime_bands_are_the_published_ones() -> None:
    variance = np.array([1e-4, 1e-2, 1.0])
    for v, found in zip(variance, anytime_half_widths(variance), strict=True):
        t, bands = 1 / v, list[float]()
        for tight, alpha in ((20.0, 0.03), (80.0, 0.015), (320.0, 0.005)):
            rho_squared_t = -2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))
            rho2 = rho_squared_t / (Z95 * POINTS / tight) ** 2
            logs = math.log(math.sqrt(t * rho2 + 1) / alpha)
            bands.append(math.sqrt(2 * (t * rho2 + 1) / (t * t * rho2) * logs))
        assert found == pytest.approx(min(bands), rel=1e-9)
    points = np.array([3.0, 20.0, 100.0, 400.0])
    cost = anytime_half_widths((points / Z95 / POINTS) ** 2) * POINTS / points
    assert cost == pytest.approx([1.84, 1.64, 1.77, 1.93], abs=0.01), "as the guide says"
    assert (anytime_half_widths(variance) > half_widths(variance)).all()
    assert anytime_half_widths(np.zeros(1)).tolist() == [0.0]


def newcomer(seen: Counts) -> Counts:
    """A model that won all of its few votes, against the best one."""
    seen.add("newcomer", seen.models[0], Outcome.WIN, 4)
    return seen


def test_a_provisional_model_ranks_after_all_others_whatever_its_score() -> None:
    table = rate_counts(newcomer(ring(5)))
    assert table["newcomer"].provisional
    assert table["newcomer"].rating > max(line.rating for line in table.standings if not line.provisional)
    assert table.standings[-1].model == "newcomer"
    assert (table["newcomer"].rank, table["newcomer"].rank_ub) == (6, 6)
    alone = rate_counts(ring(5))
    assert [line.rank for line in table.standings[:-1]] == [line.rank for line in alone.standings]


def test_a_table_of_provisional_models_alone_has_ranks_among_them() -> None:
    counts = Counts(("a", "b"))
    counts.add("a", "b", Outcome.WIN, 3)
    table = rate_counts(counts)
    assert [(line.model, line.provisional, line.rank_ub) for line in table.standings] == [
        ("a", True, 1),
        ("b", True, 1),
    ]


def test_no_provisional_model_is_on_top_where_votes_are_sought_that_flip_it() -> None:
    found = fewest_votes_to_flip(fit(newcomer(ring(4)).pairs()))
    plain = fewest_votes_to_flip(fit(ring(4).pairs()))
    assert found is not None
    assert plain is not None
    assert found.top == plain.top
    assert abs(found.votes - plain.votes) <= 1, "the newcomer is ahead already, so it would take none"
