"""Tests of seating: fair draws, honest chances, and wishes that can or cannot be."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import NormalDist

import msgspec
import pytest

from parley.features.arena.sampling import Sampling
from parley.features.arena.seating import take_seats
from parley.features.catalog.service import CatalogService
from parley.kernel.errors import Invalid, Unavailable
from parley.kernel.models import Model, Provider, Route
from parley.kernel.seats import Draw, Group, Seating, SeatSettings
from parley.modes.battle import Battle
from parley.modes.chat import Chat

DRAWS = 20_000
EQUAL = Sampling()
TEAM = Seating(groups=(Group("arbiter"), Group("member", 2, 3)))


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
def test_too_few_models_are_reported_with_what_to_do(pool: str, words: str) -> None:
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


DRAWN_PANEL = Seating(
    groups=(Group("chair"), Group("panelist", 3, 3, Draw.DRAWN), Group("critic", 0, 2, names=("x", "y")))
)


def test_groups_are_drawn_or_chosen_each() -> None:
    wished = {"y": "b", "chair": "a"}
    for seed in range(20):
        seated = take_seats(DRAWN_PANEL, wished, a_catalog("abcdefg"), random.Random(seed), EQUAL)
        assert [(seat.name, seat.role) for seat in seated.seats] == [
            ("chair", "chair"),
            ("a", "panelist"),
            ("b", "panelist"),
            ("c", "panelist"),
            ("y", "critic"),
        ]
        sitting = {seat.name: seat.model_id for seat in seated.seats}
        assert (sitting["chair"], sitting["y"]) == ("a", "b")
        assert len(set(sitting.values())) == 5, "nobody meets itself"
        assert seated.propensity == pytest.approx(1 / 5 / 4 / 3)


@pytest.mark.parametrize(
    ("wished", "field"),
    [({"a": "b"}, "seats.a"), ({"z": "b"}, "seats.z"), ({"x": "a"}, "seats.chair")],
)
def test_wishes_against_drawn_seats_name_their_seat(wished: dict[str, str], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        take_seats(DRAWN_PANEL, wished, a_catalog("abcdefg"), random.Random(1), EQUAL)
    assert caught.value.field == field


def test_a_model_under_two_names_is_drawn_once() -> None:
    catalog = a_catalog("abcd")
    twin = msgspec.structs.replace(catalog.model("a"), id="twin", name="twin")
    catalog = CatalogService((Provider("p", "openai"),), [*catalog.models(), twin])
    seating = Seating(groups=(Group("panelist", 4, 4, Draw.DRAWN),))
    for seed in range(20):
        seats = take_seats(seating, None, catalog, random.Random(seed), EQUAL).seats
        assert not {"a", "twin"} <= {seat.model_id for seat in seats}


@pytest.mark.parametrize(
    "make",
    [
        lambda: Group("panelist", 3, 2),
        lambda: Group("panelist", 2, 3, Draw.DRAWN),
        lambda: Group("panelist", 1, 3, names=("x", "y")),
        lambda: Seating(groups=(Group("chair"), Group("chair"))),
        lambda: Seating(groups=(Group("panelist", 1, 3), Group("critic", 1, 3))),
        lambda: Seating(groups=(Group("x"), Group("critic", 2, 2, names=("x", "y")))),
    ],
)
def test_groups_whose_seats_could_not_be_distinguished_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"seats|number|names"):
        make()


def test_a_seat_that_can_be_one_only_may_be_called_otherwise_than_its_role() -> None:
    seating = Seating(groups=(Group("judge", names=("bench",)),))
    for wished in (None, {"bench": "a"}):
        (seat,) = take_seats(seating, wished, a_catalog("ab"), random.Random(1), EQUAL).seats
        assert (seat.name, seat.role, seat.model_id) == ("bench", "judge", "a")


def test_a_drawn_seat_is_asked_as_it_is() -> None:
    seating = msgspec.structs.replace(DRAWN_PANEL, settings=True)
    for name, field in (("a", "seat_settings.a"), ("x", "seat_settings.x")):
        settings = {name: SeatSettings(temperature=1.0)}
        with pytest.raises(Invalid) as caught:
            take_seats(seating, {"chair": "a"}, a_catalog("abcdefg"), random.Random(1), EQUAL, settings)
        assert caught.value.field == field
