"""Which model a person prefers: counted by category, and only where it is clearer than chance."""

import pytest
from scipy.stats import binomtest

from parley.features.vote_history.preferred import OwnVote, preferred_models, wilson_lower


def votes(won: int, of: int, *categories: str, models: tuple[str, ...] = ("ada", "bob")) -> list[OwnVote]:
    return [OwnVote(models, "ada" if number < won else "bob", categories) for number in range(of)]


def said(given: list[OwnVote]) -> list[tuple[str, str, int, int]]:
    return [(each.category, each.model_id, each.preferred, each.of) for each in preferred_models(given)]


def test_nine_of_twelve_is_said_for_its_category_and_overall() -> None:
    assert said(votes(9, 12, "coding")) == [("overall", "ada", 9, 12), ("coding", "ada", 9, 12)]


@pytest.mark.parametrize(("won", "of"), [(6, 12), (7, 12), (4, 4), (3, 5)])
def test_what_chance_gives_too_or_too_few_votes_say_nothing(won: int, of: int) -> None:
    assert said(votes(won, of, "coding")) == []


def test_among_four_a_third_is_more_than_chance() -> None:
    four = ("ada", "bob", "cleo", "dora")
    given = [OwnVote(four, ("ada", "bob", "cleo", "dora", "ada")[number % 5], ()) for number in range(60)]
    assert said(given) == [("overall", "ada", 24, 60)]


def test_a_model_in_several_seats_must_exceed_the_share_of_its_seats() -> None:
    seats = ("cyd",) * 5 + ("dee",)
    votes = [OwnVote(seats, "cyd" if number < 9 else "dee", ()) for number in range(12)]
    assert said(votes) == []
    assert said([OwnVote(seats, "dee" if number < 7 else "cyd", ()) for number in range(12)]) != []


def test_ties_count_against_everybody_and_a_model_never_meets_itself() -> None:
    ties = [OwnVote(("ada", "bob"), None, ())] * 6
    assert said(votes(6, 6) + ties) == []
    assert said([OwnVote(("ada", "ada"), "ada", ())] * 20) == []


@pytest.mark.parametrize(("won", "of"), [(0, 7), (3, 9), (9, 12), (40, 40)])
def test_the_bound_is_wilsons(won: int, of: int) -> None:
    expected = binomtest(won, of, alternative="greater").proportion_ci(0.9, method="wilson").low
    assert wilson_lower(won, of) == pytest.approx(expected, abs=1e-12)
