"""Tests of the error rates that docs/reference/agreement.md states."""

import re
from pathlib import Path

import pytest

from tests.text.agreement.agreement_cases import cases, outcomes, report

DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "agreement.md"
HALVES = ("cases.yaml", "held_out.yaml")


def stated() -> dict[str, list[tuple[int, int, int]]]:
    """Group → expectations, wrong, misleading, for both halves in order, as the document has them."""
    rows = re.findall(
        r"^\| \*{0,2}([a-z]+)\*{0,2} \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|",
        DOCUMENT.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return {row[0]: [tuple(map(int, row[1:4])), tuple(map(int, row[4:]))] for row in rows}  # type: ignore[misc]


@pytest.mark.parametrize(("half", "number"), [(name, number) for number, name in enumerate(HALVES)])
def test_no_group_is_worse_than_the_document_says(half: str, number: int) -> None:
    figures = report(half)
    wrong = [f"{o.case.case}: {o.expectation} → {o.found}" for o in outcomes(half) if not o.right]
    assert figures.keys() == stated().keys()
    for group, (total, errors, misleading) in figures.items():
        expected = stated()[group][number]
        assert total == expected[0], group
        assert errors <= expected[1], (group, wrong)
        assert misleading <= expected[2], (group, wrong)


def test_there_are_enough_cases_of_each_group_in_both_halves() -> None:
    for half in HALVES:
        groups = [case.group for case in cases(half)]
        assert len(groups) >= 30
        assert all(groups.count(group) >= 2 for group in groups)
    names = [case.case for half in HALVES for case in cases(half)]
    assert len(names) >= 60
