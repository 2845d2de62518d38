"""Properties of ratings: what must not matter does not, and what must move does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.ratings import Counts, Outcome, RatingOptions, rate_counts, rate_votes
from parley.ratings.outcomes import WORDS
from parley.ratings.standings import Standings

SOME = settings(max_examples=40)
NAMES = ("a", "b", "c", "d", "e")
VOTES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(Outcome)).filter(
        lambda it: it[0] != it[1]
    ),
    min_size=1,
    max_size=60,
)
Vote = tuple[str, str, Outcome]
WORD = {outcome: word for word, outcome in reversed(list(WORDS.items()))}


def rated(votes: list[Vote]) -> Standings:
    left, right, outcome = zip(*votes, strict=True)
    return rate_votes(left, right, [WORD[it] for it in outcome])


def ratings(table: Standings) -> dict[str, tuple[float | None, ...]]:
    return {
        line.model: (line.rating, line.ci_lower, line.ci_upper, line.rank, line.rank_ub, line.votes)
        for line in table.standings
    }


def alike(one: Standings, other: Standings) -> None:
    first, second = ratings(one), ratings(other)
    assert first.keys() == second.keys()
    for model, values in first.items():
        assert values == pytest.approx(second[model], abs=2e-4), model


@SOME
@given(VOTES, st.randoms(use_true_random=False))
def test_the_order_of_votes_does_not_matter(votes: list[Vote], random) -> None:
    shuffled = list(votes)
    random.shuffle(shuffled)
    alike(rated(votes), rated(shuffled))


@SOME
@given(VOTES, st.permutations(NAMES))
def test_the_names_of_models_do_not_matter(votes: list[Vote], names: list[str]) -> None:
    renamed: dict[str, str] = dict(zip(NAMES, names, strict=True))
    table = rated([(renamed[left], renamed[right], outcome) for left, right, outcome in votes])
    for line in rated(votes).standings:
        again = table[renamed[line.model]]
        assert again.rating == pytest.approx(line.rating, abs=2e-4)
        assert (again.ci_lower, again.ci_upper) == pytest.approx((line.ci_lower, line.ci_upper), abs=2e-4)
        assert (again.rank, again.rank_ub, again.provisional) == (line.rank, line.rank_ub, line.provisional)


@SOME
@given(VOTES)
def test_the_sides_do_not_matter(votes: list[Vote]) -> None:
    mirror = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}
    alike(
        rated(votes), rated([(right, left, mirror.get(outcome, outcome)) for left, right, outcome in votes])
    )


@SOME
@given(VOTES, st.integers(0, 60))
def test_merging_counts_is_counting_all(votes: list[Vote], cut: int) -> None:
    whole, first, second = Counts(), Counts(), Counts()
    for number, vote in enumerate(votes):
        whole.add(*vote)
        (first if number < cut else second).add(*vote)
    first.merge(second)
    alike(rate_counts(first), rate_counts(whole))
    assert first.table.sum() == whole.table.sum() == len(votes)


@SOME
@given(VOTES, st.integers(0, 59))
def test_a_vote_can_be_taken_back(votes: list[Vote], place: int) -> None:
    counts = Counts()
    for vote in votes:
        counts.add(*vote)
    table = counts.table.copy()
    counts.add(*votes[place % len(votes)])
    counts.add(*votes[place % len(votes)], times=-1)
    assert (counts.table == table).all()


@SOME
@given(VOTES)
def test_a_tie_is_half_a_win_for_either(votes: list[Vote]) -> None:
    halves, doubled = Counts(), Counts()
    for left, right, outcome in votes:
        halves.add(left, right, outcome, 2)
        if outcome in (Outcome.WIN, Outcome.LOSS):
            doubled.add(left, right, outcome, 2)
        else:
            doubled.add(left, right, Outcome.WIN)
            doubled.add(left, right, Outcome.LOSS)
    for line in rate_counts(halves).standings:
        assert rate_counts(doubled)[line.model].rating == pytest.approx(line.rating, abs=2e-4)


@SOME
@given(VOTES)
def test_another_win_never_hurts(votes: list[Vote]) -> None:
    before = rated([*votes, ("a", "b", Outcome.TIE), ("b", "a", Outcome.TIE)])
    after = rated([*votes, ("a", "b", Outcome.TIE), ("b", "a", Outcome.TIE), ("a", "b", Outcome.WIN)])
    lead = before["a"].rating - before["b"].rating
    if not any(line.provisional for line in before.standings):
        assert after["a"].rating - after["b"].rating > lead


@SOME
@given(VOTES)
def test_a_table_adds_up(votes: list[Vote]) -> None:
    table = rated(votes)
    assert sum(line.votes for line in table.standings) == 2 * table.votes == 2 * len(votes)
    assert sum(line.wins for line in table.standings) == sum(line.losses for line in table.standings)
    assert np.mean([line.rating for line in table.standings]) == pytest.approx(1000, abs=1e-3)
    for line in table.standings:
        assert line.votes == line.wins + line.losses + line.ties + line.both_bad
        assert line.ci_lower is not None
        assert line.ci_upper is not None
        assert line.ci_lower <= line.rating <= line.ci_upper
        assert 1 <= line.rank <= len(table.standings)
    scores = [(line.provisional, -line.rating) for line in table.standings]
    assert scores == sorted(scores), "best first, but provisional models after all others"


@SOME
@given(VOTES, st.sampled_from(NAMES), st.floats(-5_000, 5_000))
def test_an_anchor_moves_the_scale_and_nothing_else(votes: list[Vote], name: str, value: float) -> None:
    from parley.ratings import Anchor

    table = rated([*votes, ("a", name, Outcome.TIE)] if name != "a" else [*votes, ("a", "b", Outcome.TIE)])
    left, right, outcome = zip(
        *([*votes, ("a", name, Outcome.TIE)] if name != "a" else [*votes, ("a", "b", Outcome.TIE)]),
        strict=True,
    )
    pinned = rate_votes(
        left, right, [WORD[it] for it in outcome], options=RatingOptions(anchor=Anchor(name, value))
    )
    assert pinned[name].rating == pytest.approx(value, abs=1e-4)
    shift = value - table[name].rating
    for line in table.standings:
        assert pinned[line.model].rating == pytest.approx(line.rating + shift, abs=1e-3)
        assert pinned[line.model].rank == line.rank


@SOME
@given(VOTES, st.integers(2, 50))
def test_the_same_votes_again_narrow_the_interval_by_the_root(votes: list[Vote], times: int) -> None:
    once = Counts()
    for vote in votes:
        once.add(*vote, times=5)
    table = rate_counts(once)
    if any(line.provisional for line in table.standings):
        return
    once.table[...] *= times
    for line in rate_counts(once).standings:
        before = table[line.model]
        assert line.rating == pytest.approx(before.rating, abs=2e-4)
        assert line.ci_upper is not None
        assert before.ci_upper is not None
        assert (line.ci_upper - line.rating) * times**0.5 == pytest.approx(
            before.ci_upper - before.rating, abs=5e-3
        )
