"""Tests of the quantities of a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.text.agreement.dates import dates
from parley.text.agreement.quantities import quantities
from parley.text.agreement.quantity import Quantity, same


def only(text: str) -> Quantity:
    (quantity,) = quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("81,365 people", "81365 people"),
        ("1.234.567 Menschen", "1,234,567 people"),
        ("1'000 m", "1 km"),
        ("1 234,5 kg", "1234.5 kg"),
        ("68 000 000 habitants", "68 millions"),
        ("2.5 million users", "2,500,000 users"),
        ("3 Mrd. Euro", "€3 billion"),
        ("5k tokens", "5000 tokens"),
        ("twenty-five", "25"),
        ("three hundred", "300"),
        ("einundzwanzig", "21"),
        ("two dozen", "24"),
        ("half of the", "50 %"),
        ("two thirds of", "2/3"),
        ("5 Prozent", "5 per cent"),
        ("90 minutes", "1.5 hours"),
        ("100 °C", "212 °F"),
        ("100 degrees Celsius", "100 °C"),
        ("2019-03-04", "March 4, 2019"),
        ("2019-03-04", "4. März 2019"),
        ("04/03/2019", "4 March 2019"),
        ("in May 2019", "on 3 May 2019"),
        ("2019年3月4日", "4 mars 2019"),
        ("3 pm", "15:00"),
        ("3:30 p.m.", "15:30 Uhr"),
        ("about 300,000 km/s", "299,792 km/s"),
        ("3.14", "3.14159"),
        ("5–10 minutes", "7 minutes"),
        ("between 5 and 10 days", "5 to 10 days"),
        ("$1,250", "1250 dollars"),
    ],
)
def test_one_quantity_in_two_notations_is_the_same(left: str, right: str) -> None:
    ours, theirs = only(left), only(right)
    assert ours.dimension == theirs.dimension
    assert same(ours, theirs)
    assert same(theirs, ours)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("330 m", "331 m"),
        ("4.5 hours", "5 hours"),
        ("1889", "1887"),
        ("3 May 2019", "4 May 2019"),
        ("about 8 billion", "about 7 billion"),
        ("5–10 minutes", "12 minutes"),
        ("5–10 minutes", "5–12 minutes"),
        ("15:00", "16:00"),
        ("71%", "51 percent"),
        ("$5", "$7"),
        ("42.195 km", "40,000 m"),
    ],
)
def test_two_quantities_are_not_the_same(left: str, right: str) -> None:
    assert not same(only(left), only(right))


@pytest.mark.parametrize(
    "text",
    ["GPT-4 is here", "Version 3.11.7", "H2O and 3D", "Step 2: stir", "see `x = 5`", "2^n", "https://a.example/5",
     "the 1990s", "open 24/7", "no numbers at all"],
)  # fmt: skip
def test_names_versions_labels_and_code_are_no_quantities(text: str) -> None:
    assert quantities(text) == ()


def test_an_article_is_only_a_weak_one() -> None:
    assert only("one moon").weak
    assert only("eine Million").readings == ((1.0, 1.0),)


def test_dates_are_masked_in_their_places() -> None:
    found, rest = dates("On 3 May 2019, 12 came.")
    assert len(found) == 1
    assert rest == "On " + " " * 10 + ", 12 came."


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789 .,:/-–'’%$€kmhM°CeuroMay年pmo½²٣", max_size=80))
def test_any_text_has_quantities_inside_it(text: str) -> None:
    for quantity in quantities(text):
        assert 0 <= quantity.start <= quantity.end <= len(text) or quantity.weak
        assert same(quantity, quantity)
