"""The lead over the best of several rivals: picked anew in each resample, never surer than the questions allow."""

import numpy as np
import pytest

from parley.ratings.rivals import lead_over_best


def test_the_interval_of_one_rival_is_the_ordinary_one() -> None:
    leads = np.array([1.0] * 60 + [0.0] * 110 + [-1.0] * 30)[:, None]
    found = lead_over_best(leads)
    half = 1.96 * float(leads.std()) / len(leads) ** 0.5
    assert found.lead == pytest.approx(0.15)
    assert (found.low, found.high) == (
        pytest.approx(0.15 - half, abs=0.01),
        pytest.approx(0.15 + half, abs=0.01),
    )


def test_the_best_rival_is_the_one_with_the_smallest_lead() -> None:
    leads = np.array([[1.0, 0.0, 1.0]] * 30 + [[1.0, 0.0, 0.0]] * 30)
    found = lead_over_best(leads)
    assert (found.place, found.lead) == (1, 0.0)
    assert found.low < 0.0 < found.high


def test_the_best_is_picked_within_each_resample() -> None:
    """Of five rivals as good as the contestant, one seems better by luck; the interval takes that back."""
    chance = np.random.default_rng(7)
    below = above = beyond = 0
    for _ in range(40):
        right = (chance.random((60, 6)) < 0.75).astype(float)
        leads = right[:, :1] - right[:, 1:]
        found = lead_over_best(leads)
        alone = lead_over_best(leads[:, [found.place]])
        below += found.low > 0.0
        above += found.high < 0.0
        beyond += alone.high < 0.0
        assert (found.low + found.high) / 2 > found.lead
    assert below <= 3
    assert above <= 6
    assert beyond > above


@pytest.mark.parametrize("lead", [-1.0, 0.0, 1.0])
def test_a_few_questions_that_agree_prove_little(lead: float) -> None:
    found = lead_over_best(np.full((3, 2), lead))
    assert found.high - found.low > 0.3
    assert -1.0 <= found.low <= found.lead <= found.high <= 1.0
