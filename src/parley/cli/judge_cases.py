"""Comparisons with what a judge said of them, as the arrays and clusters that figures are made from."""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from parley.cli.judge_comparisons import Comparison
from parley.cli.judge_run import Judged, Plan, find_judged
from parley.cli.measuring_record import Record
from parley.ratings.arrays import Codes, Floats
from parley.ratings.influence import Clusters
from parley.ratings.outcomes import SCORES


class Case(msgspec.Struct, frozen=True):
    """A comparison that was judged in both orders."""

    comparison: Comparison
    judged: Judged


def find_cases(plan: Plan, record: Record, comparisons: Iterable[Comparison]) -> list[Case]:
    """Return those comparisons that were judged in both orders."""
    cases = ((each, find_judged(plan, record, each)) for each in comparisons)
    return [Case(each, judged) for each, judged in cases if judged is not None]


def clusters_of(comparisons: Sequence[Comparison], *, votes: int | None = None) -> Clusters:
    """Return the clusters of comparisons, of which the first `votes` are voted on, by default all."""
    voters = [each.voter for each in comparisons]
    return Clusters(numbers_of([each.prompt for each in comparisons]), numbers_of(voters), votes=votes)


def numbers_of(values: Sequence[str | None]) -> Codes:
    """Return a number for each distinct value, -1 for None."""
    known: dict[str | None, int] = {None: -1}
    return np.array([known.setdefault(each, len(known) - 1) for each in values], dtype=np.int32)


def votes_of(comparisons: Sequence[Comparison]) -> Floats:
    """Return what the left answers got from people, a tie being half."""
    return np.array([SCORES[each.outcome or 0] for each in comparisons], dtype=np.float64)
