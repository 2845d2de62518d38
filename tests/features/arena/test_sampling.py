"""Tests of sampling: draws follow the chance that is stored with them, whatever the method."""

import random
from collections import Counter
from collections.abc import Mapping
from statistics import NormalDist

import pytest

from parley.features.arena.sampling import UNIFORM_SHARE, Method, Sampling
from parley.features.standings.pair_chances import pair_chances
from parley.kernel.errors import Unavailable
from parley.kernel.models import Model, Route
from parley.ratings.counts import Counts
from parley.ratings.outcomes import Outcome

DRAWS = 1_000
WEIGHTS = {"a": 1.0, "b": 2.0, "c": 0.5, "d": 4.0, "e": 1.0}


def a_model(name: str, weight: float = 1.0, **more: object) -> Model:
    given = {
        "name": name,
        "organization": "O",
        "family": "F",
        "license": "MIT",
        "routes": (Route("p", name),),
    }
    return Model(id=name, weight=weight, **(given | more))  # pyright: ignore[reportArgumentType]


POOL = [a_model(name, weight) for name, weight in WEIGHTS.items()]


def chances_of_votes() -> Mapping[tuple[str, str], float]:
    """Chances after many votes between a and b, few between others, and none on e."""
    counts, chance = Counts(), random.Random(5)
    for left, right, votes in (("a", "b", 300), ("b", "c", 12), ("c", "d", 9), ("d", "a", 6)):
        for _ in range(votes):
            counts.add(left, right, chance.choice((Outcome.WIN, Outcome.LOSS)))
    return pair_chances(counts, WEIGHTS)


CHANCES = chances_of_votes()


def a_sampling(method: Method, down: str = "") -> Sampling:
    return Sampling(method, is_down=lambda model: model.id in down, pair_chances=lambda: CHANCES)


def limit(freedom: int) -> float:
    """The 0.9999 quantile of chi-square, after Wilson and Hilferty."""
    z = NormalDist().inv_cdf(0.9999)
    return freedom * (1 - 2 / (9 * freedom) + z * (2 / (9 * freedom)) ** 0.5) ** 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("wanted", [2, 3])
@pytest.mark.parametrize("method", ["equal", "weighted", "informative"])
def test_draws_follow_the_chance_that_is_stored_with_them(method: Method, wanted: int, seed: int) -> None:
    sampling, chance = a_sampling(method), random.Random(seed)
    drawn = [sampling.draw(POOL, wanted, chance) for _ in range(DRAWS * (20 if wanted == 3 else 1))]
    seen = Counter(tuple(model.id for model in one.models) for one in drawn)
    stored = {tuple(model.id for model in one.models): one.propensity for one in drawn}
    expected = {order: len(drawn) * propensity for order, propensity in stored.items()}
    rest = len(drawn) - sum(expected.values())  # of what never came
    assert rest < 60
    gap = sum((seen[order] - number) ** 2 / number for order, number in expected.items()) + max(rest, 0.0)
    assert gap < limit(len(expected))


@pytest.mark.parametrize("method", ["equal", "weighted", "informative"])
def test_sides_are_drawn_by_a_fair_coin_and_chances_add_up(method: Method) -> None:
    sampling, chance = a_sampling(method), random.Random(1)
    stored = {}
    for _ in range(20_000):
        left, right = (drawn := sampling.draw(POOL, 2, chance)).models
        stored[left.id, right.id] = drawn.propensity
    assert len(stored) == 20
    assert sum(stored.values()) == pytest.approx(1.0)
    assert all(stored[left, right] == stored[right, left] for left, right in stored)


def test_weighted_pairs_are_in_proportion_to_the_product_of_the_weights() -> None:
    sampling, chance = a_sampling("weighted"), random.Random(2)
    total = sum(WEIGHTS[one] * WEIGHTS[other] for one in WEIGHTS for other in WEIGHTS if one != other)
    for _ in range(50):
        drawn = sampling.draw(POOL, 2, chance)
        left, right = drawn.models
        assert drawn.propensity == pytest.approx(left.weight * right.weight / total)


def test_informative_draws_seek_what_is_not_known_yet_and_leave_every_pair_a_chance() -> None:
    sampling, chance = a_sampling("informative"), random.Random(3)
    drawn = [sampling.draw(POOL, 2, chance) for _ in range(4_000)]
    seen = Counter(frozenset(model.id for model in one.models) for one in drawn)
    new = sum(votes for pair, votes in seen.items() if "e" in pair)
    assert new > seen[frozenset("ab")] * 10, "a model without votes is drawn, a pair that is known rarely"
    assert min(one.propensity for one in drawn) >= UNIFORM_SHARE / 10 / 2


def test_informative_draws_are_equal_while_nothing_is_known() -> None:
    sampling = Sampling("informative", pair_chances=lambda: None)
    assert sampling.draw(POOL, 2, random.Random(1)).propensity == pytest.approx(1 / 20)


@pytest.mark.parametrize("method", ["equal", "weighted", "informative"])
def test_models_that_are_down_are_left_out_and_the_chance_knows(method: Method) -> None:
    sampling, chance = a_sampling(method, down="cde"), random.Random(4)
    for _ in range(50):
        drawn = sampling.draw(POOL, 2, chance)
        assert {model.id for model in drawn.models} == {"a", "b"}
        assert drawn.propensity == pytest.approx(0.5)


def test_a_model_of_weight_zero_is_drawn_only_where_weights_do_not_matter() -> None:
    pool = [*POOL[:2], a_model("z", 0.0)]
    weighted = {
        model.id for _ in range(200) for model in a_sampling("weighted").draw(pool, 2, random.Random()).models
    }
    equal = {
        model.id for _ in range(200) for model in a_sampling("equal").draw(pool, 2, random.Random()).models
    }
    assert (weighted, equal) == ({"a", "b"}, {"a", "b", "z"})


def test_where_too_few_can_answer_now_it_is_said_so() -> None:
    with pytest.raises(Unavailable) as caught:
        a_sampling("equal", down="bcde").draw(POOL, 2, random.Random(1))
    assert caught.value.leaf_code == "models_resting"
    assert "only one model" in caught.value.title


def test_a_model_never_meets_itself_under_another_name() -> None:
    twin = a_model("a-again", routes=(Route("q", "x"), Route("p", "a")))
    sampling, chance = a_sampling("equal"), random.Random(6)
    drawn = [sampling.draw([POOL[0], twin, POOL[1]], 2, chance) for _ in range(200)]
    assert {model.id for one in drawn for model in one.models} == {"a", "a-again", "b"}
    assert all("b" in {model.id for model in one.models} for one in drawn)
    assert drawn[0].propensity == pytest.approx(1 / 4)
    with pytest.raises(Unavailable) as caught:
        sampling.draw([POOL[0], twin], 2, chance)
    assert caught.value.leaf_code == "not_enough_models"
