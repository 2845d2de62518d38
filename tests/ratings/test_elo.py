"""Tests of Elo against its closed form."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.ratings.elo import INITIAL, K, expected_score, update

RATINGS = st.floats(0, 4000)
SCORES = st.sampled_from([0.0, 0.5, 1.0])


def test_equals_expect_half_and_move_by_half_of_k() -> None:
    assert expected_score(INITIAL, INITIAL) == 0.5
    assert update(INITIAL, INITIAL, 1.0) == (1516.0, 1484.0)
    assert update(INITIAL, INITIAL, 0.5) == (1500.0, 1500.0)
    assert update(INITIAL, INITIAL, 0.0) == (1484.0, 1516.0)


@pytest.mark.parametrize(
    ("lead", "chance"), [(400, 10 / 11), (-400, 1 / 11), (800, 100 / 101), (400 * math.log10(3), 3 / 4)]
)
def test_the_expected_score_has_its_closed_form(lead: float, chance: float) -> None:
    assert expected_score(1500 + lead, 1500) == pytest.approx(chance, rel=1e-12)


def test_an_upset_moves_more_than_an_expected_result() -> None:
    assert update(1900, 1500, 0.0) == (pytest.approx(1900 - K * 10 / 11), pytest.approx(1500 + K * 10 / 11))
    assert update(1900, 1500, 1.0) == (pytest.approx(1900 + K / 11), pytest.approx(1500 - K / 11))
    assert update(1900, 1500, 0.5, k=22) == (pytest.approx(1891.0), pytest.approx(1509.0))


@given(RATINGS, RATINGS, SCORES)
def test_what_one_side_gains_the_other_loses(left: float, right: float, score: float) -> None:
    new_left, new_right = update(left, right, score)
    assert new_left + new_right == pytest.approx(left + right, abs=1e-8)
    assert abs(new_left - left) <= K


@given(RATINGS, RATINGS, SCORES)
def test_the_sides_are_treated_alike(left: float, right: float, score: float) -> None:
    new_left, new_right = update(left, right, score)
    assert update(right, left, 1 - score) == (
        pytest.approx(new_right, abs=1e-8),
        pytest.approx(new_left, abs=1e-8),
    )
    assert expected_score(left, right) + expected_score(right, left) == pytest.approx(1.0)


@given(st.integers(0, 50), st.integers(0, 50))
def test_ratings_come_to_rest_where_wins_are_as_expected(wins: int, losses: int) -> None:
    rating = 1500 + 400 * math.log10((wins + 1) / (losses + 1))
    drift = (wins + 1) * (update(rating, 1500, 1.0)[0] - rating)
    drift += (losses + 1) * (update(rating, 1500, 0.0)[0] - rating)
    assert drift == pytest.approx(0.0, abs=1e-8)
