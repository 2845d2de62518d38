"""Tests of seating: fair draws, honest chances, and wishes that can or cannot be."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist

import pytest

from parley.kernel.errors import Invalid, Unavailable
from parley.kernel.models import Model, Provider, Route
from parley.kernel.seats import Draw, Seating
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.workspace.arena.sampling import Sampling
from parley.workspace.arena.seating import take_seats
from parley.workspace.catalog.service import CatalogService

DRAWS = 20_000
EQUAL = Sampling()
TEAM = Seating(roles=("arbiter",), members=(2, 3), draw=Draw.CHOSEN)


def a_catalog(
    names: Sequence[str], *, weight: float = 1.0, tagged: Sequence[str] = (), off: Sequence[str] = ()
):
    models = [
        Model(
            id=name,
            name=name,
            organization="O",
            family="F",
            license="MIT",
            routes=(Route("p", name),),
            weight=weight if name == "a" else 1.0,
            tags=("battle",) if name in tagged else (),
            enabled=name not in off,
        )
        for name in names
    ]
    return CatalogService((Provider("p", "openai"),), models)


def drawn(catalog: CatalogService, seed: int = 7) -> Counter[tuple[str, ...]]:
    chance = random.Random(seed)
    seats = (take_seats(Battle.seating, None, catalog, chance, EQUAL).seats for _ in range(DRAWS))
    return Counter(tuple(seat.model_id for seat in pair) for pair in seats)


def chi_square(counts: Counter[tuple[str, ...]], cells: int) -> float:
    expected = counts.total() / cells
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (cells - len(counts)) * expected


def limit(freedom: int) -> float:
    """The 0.9999 quantile of chi-square, after Wilson and Hilferty."""
    z = NormalDist().inv_cdf(0.9999)
    return freedom * (1 - 2 / (9 * freedom) + z * (2 / (9 * freedom)) ** 0.5) ** 3


@pytest.mark.parametrize("pool", ["ab", "abc", "abcdefgh"])
def test_every_ordered_pair_is_as_likely_as_any_other(pool: str) -> None:
    counts = drawn(a_catalog(pool))
    cells = len(pool) * (len(pool) - 1)
    assert len(counts) == cells
    assert chi_square(counts, cells) < limit(cells - 1)
    assert all(left != right for left, right in counts)


def test_the_statistic_catches_a_draw_that_prefers_a_side() -> None:
    chance = random.Random(7)
    unfair = Counter(("a", "b") if chance.random() < 0.53 else ("b", "a") for _ in range(DRAWS))
    assert chi_square(unfair, 2) > limit(1)


def test_draws_do_not_depend_on_the_one_before() -> None:
    catalog, chance = a_catalog("abc"), random.Random(11)
    sequence = [
        tuple(seat.model_id for seat in take_seats(Battle.seating, None, catalog, chance, EQUAL).seats)
        for _ in range(DRAWS)
    ]
    following = Counter(before + after for before, after in pairwise(sequence))
    assert chi_square(following, 36) < limit(35)


def test_a_models_weight_changes_nothing_in_an_equal_draw() -> None:
    counts = drawn(a_catalog("abc", weight=50.0))
    assert chi_square(counts, 6) < limit(5)


def test_the_stored_chance_is_that_of_the_draw() -> None:
    for pool, chance in (("ab", 1 / 2), ("abc", 1 / 6), ("abcdefgh", 1 / 56)):
        seated = take_seats(Battle.seating, None, a_catalog(pool), random.Random(1), EQUAL)
        assert seated.propensity == pytest.approx(chance)


def test_seats_have_names_roles_and_ids_of_their_own() -> None:
    seats = take_seats(Battle.seating, None, a_catalog("ab"), random.Random(1), EQUAL).seats
    assert [(seat.name, seat.role) for seat in seats] == [("left", "left"), ("right", "right")]
    assert len({seat.id for seat in seats}) == 2
    assert all(len(seat.id) == 32 for seat in seats)


def test_only_tagged_and_enabled_models_are_drawn() -> None:
    catalog = a_catalog("abcd", tagged="abc", off="c")
    assert {name for pair in drawn(catalog) for name in pair} == {"a", "b"}


@pytest.mark.parametrize(("pool", "words"), [("", "no model is"), ("a", "only one model is")])
def test_too_few_models_are_told_with_what_to_do(pool: str, words: str) -> None:
    with pytest.raises(Unavailable) as caught:
        take_seats(Battle.seating, None, a_catalog(pool), random.Random(1), EQUAL)
    assert caught.value.leaf_code == "not_enough_models"
    assert words in caught.value.title
    assert "models.yaml" in (caught.value.detail or "")


def test_nobody_chooses_in_a_blind_match() -> None:
    with pytest.raises(Invalid) as caught:
        take_seats(Battle.seating, {"left": "a"}, a_catalog("ab"), random.Random(1), EQUAL)
    assert caught.value.field == "seats"


def test_a_chosen_seat_gets_its_model_and_no_chance() -> None:
    seated = take_seats(Chat.seating, {"assistant": "b"}, a_catalog("abc"), random.Random(1), EQUAL)
    assert [(seat.name, seat.model_id) for seat in seated.seats] == [("assistant", "b")]
    assert seated.propensity is None
    assert (
        take_seats(Chat.seating, None, a_catalog("abc", off="a"), random.Random(1), EQUAL).seats[0].model_id
        == "b"
    )


@pytest.mark.parametrize(
    ("wished", "field"),
    [
        ({"a": "a"}, "seats"),
        ({"a": "a", "b": "b", "c": "c", "d": "a"}, "seats.d"),
        ({"a": "a", "b": "nobody"}, "seats.b"),
        ({"arbiter": "nobody", "a": "a", "b": "b"}, "seats.arbiter"),
        ({"a": "a", "b": "b"}, "seats.arbiter"),
    ],
)
def test_wishes_that_cannot_be_name_their_seat(wished: dict[str, str], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        take_seats(TEAM, wished, a_catalog("abc"), random.Random(1), EQUAL)
    assert caught.value.field == field


def test_roles_come_first_and_members_follow() -> None:
    seated = take_seats(TEAM, {"b": "b", "arbiter": "c", "a": "a"}, a_catalog("abc"), random.Random(1), EQUAL)
    assert [(seat.name, seat.role, seat.model_id) for seat in seated.seats] == [
        ("arbiter", "arbiter", "c"),
        ("b", "member", "b"),
        ("a", "member", "a"),
    ]
