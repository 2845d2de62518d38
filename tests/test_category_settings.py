"""Tests of an operator's own categories in the settings: read from file and variable, refused by line and field."""

import re
from pathlib import Path

import pytest

from parley.settings import SettingsError
from parley.settings_loading import load_settings
from parley.text.categories.ids import PAGES

FILE = """
categories:
  - id: legal
    title: Legal questions
    any: [contract, "liab*", Vertrag]
  - id: office
    title: Office
    description: Letters and minutes.
    all: [letter]
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_categories_are_read_from_the_file() -> None:
    Path("parley.yaml").write_text(FILE)
    legal, office = (category.own() for category in load_settings({"config": "parley.yaml"}, {}).categories)
    assert (legal.id, legal.title, legal.any) == (
        "legal",
        "Legal questions",
        ("contract", "liab*", "Vertrag"),
    )
    assert (office.description, office.all) == ("Letters and minutes.", ("letter",))
    assert legal.match("What is my LIABILITY here?") == ("liability",)


def test_categories_are_read_from_a_variable_as_json() -> None:
    given = {"PARLEY_CATEGORIES": '[{"id": "legal", "title": "Legal", "any": ["law"]}]'}
    assert load_settings({}, given).categories[0].id == "legal"
    with pytest.raises(SettingsError) as caught:
        load_settings({}, {"PARLEY_CATEGORIES": "legal"})
    assert caught.value.title == "PARLEY_CATEGORIES: must be a list in JSON"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "id: Legal!\n    title: T\n    any: [law]",
            "parley.yaml:2: categories[0].id: must be lower-case letters",
        ),
        (
            "id: coding\n    title: T\n    any: [law]",
            "categories[0].id: is a built-in category",
        ),
        ("id: language-xx\n    title: T\n    any: [law]", "categories[0].id: is a built-in category"),
        (
            "id: method\n    title: T\n    any: [law]",
            "parley.yaml:2: categories[0].id: is the name of a leaderboard page; choose another id",
        ),
        ("id: law\n    any: [law]", "categories[0].title: is required"),
        ("id: law\n    title: T", "parley.yaml:2: categories[0]: needs words in “any”, “all” or both"),
        ("id: law\n    title: T\n    any: ['*']", "parley.yaml:4: categories[0].any: “*” would match almost"),
        ("id: law\n    title: T\n    any: [a*b*c]", "categories[0].any: “a*b*c” has more than one *"),
        (
            "id: law\n    title: T\n    words: [law]",
            "parley.yaml:4: categories[0].words: is not a known field",
        ),
        ("id: law\n    title: T\n    any: law", "parley.yaml:4: categories[0].any: must be a list"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_field(entry: str, said: str) -> None:
    Path("parley.yaml").write_text(f"categories:\n  - {entry}\n")
    with pytest.raises(SettingsError) as caught:
        load_settings({"config": "parley.yaml"}, {})
    assert said in caught.value.title


def test_no_page_of_the_leaderboard_can_hide_a_category() -> None:
    areas = (Path(__file__).parents[1] / "web/src/features").glob("*/area.ts")
    path = r'path: "/leaderboard/([a-z][a-z0-9-]*)"'
    pages = [page for area in areas for page in re.findall(path, area.read_text())]
    assert set(pages) == PAGES


def test_an_id_is_there_once() -> None:
    entry = "  - {id: law, title: T, any: [law]}\n"
    Path("parley.yaml").write_text(f"categories:\n{entry}{entry}")
    with pytest.raises(SettingsError) as caught:
        load_settings({"config": "parley.yaml"}, {})
    assert "“law” appears twice" in caught.value.title
