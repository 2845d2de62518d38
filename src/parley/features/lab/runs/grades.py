"""Grades: a person's word on an answer as a whole, stored beside the verdicts of checks."""

from collections.abc import Mapping

from parley.features.lab.prompts.body import digest_of
from parley.features.lab.tables import ScoreRow

GRADE = digest_of("grade")
"""The grade's place among the verdicts of an answer: the hash of no check."""


def grade_in(verdicts: Mapping[str, ScoreRow]) -> bool | None:
    """Return whether a person called the answer good; None if nobody has graded it."""
    row = verdicts.get(GRADE)
    return None if row is None else row.passed
