"""Tests of categories: labelled prompts, reasons, and times on any text. The figures stand in docs/reference."""

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from parley.text.categories.categorise import CATEGORIES, LOOKED_AT, categorise, explain
from parley.text.categories.ids import BUILT_IN, LANGUAGE_PREFIX
from parley.text.categories.language import LANGUAGES, detect
from parley.text.categories.rule import Rule
from parley.text.categories.technical_rules import CODING, MATHS

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "reference" / "categories.md"
RULES = (*CODING, *MATHS)
BY_MODEL = {"creative-writing", "instruction-following", "hard-prompts"}
"""Topics that no rule recognises."""
PIECES = (
    *("a", "a ", "1", "1 ", "- a\n", "\n", "(a)", "?", "? aaaaaaaaaaaa", "1 a ", "def ", "select ", "write "),
    *("write a ", "the ", "in the ", "in a ", "<", "1.", "first aaaa ", "as a ", "return ", "without ", "$1"),
    *("\t", "{", "=", "x=", "a.a", "a_", "answer with ", "git ", "write poe ", "1 km ", "const a", "\\frac"),
    *(
        " _ ",
        "é",
        "def a",
        "import a ",
        "return a b c",
        "each 1 ",
        "1 each ",
        "SELECT ",
        "SELECT a FROM ",
        "AError",
    ),
)


class Labelled(msgspec.Struct):
    """A prompt and the categories that a person put it into."""

    prompt: str
    categories: list[str]


def labelled() -> list[Labelled]:
    lines = (ROOT / "tests" / "fixtures" / "categories" / "prompts.jsonl").read_text().splitlines()
    return [msgspec.json.decode(line, type=Labelled) for line in lines]


def measured() -> dict[str, tuple[int, float, float]]:
    """Return prompts, precision and recall by category; all languages as one."""
    right, found, there = Counter[str](), Counter[str](), Counter[str]()
    for it in labelled():
        given = set(categorise([it.prompt])) - {"long-prompts"}
        for counter, ids in (
            (found, given),
            (there, set(it.categories) - BY_MODEL),
            (right, given & set(it.categories)),
        ):
            counter.update("a language" if name.startswith(LANGUAGE_PREFIX) else name for name in ids)
    return {
        name: (there[name], round(right[name] / found[name], 2), round(right[name] / there[name], 2))
        for name in there
    }


def test_the_document_has_the_figures_of_the_labelled_prompts() -> None:
    rows = re.findall(
        r"^\| `?([a-z -]+?)`? \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", DOCUMENT.read_text(), re.MULTILINE
    )
    documented = {
        name: (int(number), float(precision), float(recall)) for name, number, precision, recall in rows
    }
    assert documented == measured()


def test_no_category_is_worse_than_it_was() -> None:
    for name, (number, precision, recall) in measured().items():
        assert precision >= 0.95, name
        assert recall >= 0.95, name
        assert number >= 25, name


def test_a_topic_that_no_rule_recognises_says_where_it_comes_from() -> None:
    for category in CATEGORIES:
        assert (category.id in BY_MODEL) == ("category model" in category.description)


def test_every_prompt_is_explained_by_what_stands_in_it() -> None:
    for it in labelled():
        for reason in explain([it.prompt]):
            assert reason.rule
            assert reason.matched


def test_a_long_prompt_and_a_second_one_are_reported() -> None:
    assert "long-prompts" in categorise(["word " * 400])
    assert "long-prompts" in categorise(["字" * 700])
    assert "long-prompts" not in categorise(["word " * 399])
    assert "multi-turn" in categorise(["Hello", "And now?"])
    assert "multi-turn" not in categorise(["Hello"])


def test_a_language_that_is_not_known_is_not_guessed() -> None:
    for text in (
        "",
        "12345",
        "👍",
        "xyzzy plugh",
        "ok",
        "Sveiki, kaip laikotės? Ačiū labai",
        "ꆈꌠꉙ",
        "```python\nx = 1\n```",
    ):
        assert detect(text) is None, text


def test_code_in_a_prompt_does_not_make_it_english() -> None:
    found = detect("Was macht das?\n```\nfor the item in list: print the name of this and that\n```")
    assert found == "de"


def test_ids_are_those_of_the_registry() -> None:
    ids = [category.id for category in CATEGORIES]
    assert len(ids) == len(set(ids))
    assert set(ids) == BUILT_IN | {LANGUAGE_PREFIX + code for code in LANGUAGES}
    assert len(LANGUAGES) >= 20


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.says)
def test_no_rule_is_slow_on_any_text(rule: Rule) -> None:
    for piece in PIECES:  # a pattern of cubic time would take minutes
        text = (piece * LOOKED_AT)[:LOOKED_AT]
        rule.search(text, text.lower())


def test_a_prompt_of_any_length_is_read_at_once() -> None:
    for piece in PIECES[::5]:
        categorise([(piece * 30_000)[:30_000]] * 30)
