"""A judge's open comparisons and its verdicts: each comparison in both orders."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from parley.cli.judge_comparisons import Comparison, ComparisonSet
from parley.cli.measuring import MeasuredCall, Work
from parley.cli.measuring_record import MeasuredReply, Record
from parley.text.verdicts import JUDGE, judge_prompt, read_verdict

TAG = "judge"

ORDERS: tuple[tuple[str, str], ...] = (("a", "b"), ("b", "a"))
"""The two orders in which the texts of a comparison's key are shown."""

Verdict: TypeAlias = Literal["first", "second", "tie"] | None


class Plan(NamedTuple):
    """Who judges what. `voted` are all votes on the chosen comparisons, `unvoted` has one comparison for each text."""

    judge: str
    voted: Sequence[Comparison]
    unvoted: Sequence[Comparison]
    left_out: Mapping[str, int]
    names: Mapping[str, str]

    @property
    def distinct(self) -> list[Comparison]:
        """One comparison for each text, in the order of the draw, so that a cap leaves some with votes and without."""
        by_key = {each.key: each for each in (*self.voted, *self.unvoted)}
        return [by_key[key] for key in _drawn(set(by_key), None)]


class Judged(NamedTuple):
    """A judge's verdicts on a comparison when its left answer came first, and when it came second.

    `verdicts` are the places that it preferred; None for what can't be read.
    """

    replies: tuple[MeasuredReply, MeasuredReply]
    verdicts: tuple[Verdict, Verdict]

    @property
    def scores(self) -> tuple[float | None, float | None]:
        """The left answer's score each time, a tie being half; None if it can't be read."""
        one, other = self.verdicts
        value = {"first": 1.0, "second": 0.0, "tie": 0.5, None: None}
        turned = value[other]
        return value[one], None if turned is None else 1.0 - turned

    @property
    def score(self) -> float:
        """The mean of both scores; what can't be read is a tie."""
        one, other = (0.5 if each is None else each for each in self.scores)
        return (one + other) / 2


def make_plan(
    judge: str, source: ComparisonSet, names: Mapping[str, str], *, limit: int | None, unvoted: int | None
) -> Plan:
    """Choose what is judged: at most `limit` texts with votes and `unvoted` without, drawn by their hash.

    The draw is the same each time, and adding votes changes little of it.
    """
    voted = [each for each in source.comparisons if each.outcome is not None]
    keys = {each.key for each in voted}
    chosen = set(_drawn(keys, limit))
    waiting = {each.key: each for each in source.comparisons if each.key not in keys}
    return Plan(
        judge,
        [each for each in voted if each.key in chosen],
        [waiting[key] for key in _drawn(set(waiting), unvoted)],
        source.left_out,
        names,
    )


def _drawn(keys: set[str], most: int | None) -> list[str]:
    return sorted(keys, key=lambda key: sha256(key.encode()).digest())[:most]


def work_of(plan: Plan, record: Record, *, at_once: int) -> Work:
    """Return the calls of a plan."""
    items = [partial(due, plan, record, each) for each in plan.distinct]
    return Work(items, record, TAG, "comparison", "a verdict", at_once)


def due(plan: Plan, record: Record, comparison: Comparison) -> Iterator[MeasuredCall]:
    """Yield the verdicts that a comparison lacks."""
    texts = dict(zip("ab", sorted((comparison.left, comparison.right)), strict=True))
    for shown in ORDERS:
        if record.find(comparison.key, plan.judge, shown) is None:
            prompt = partial(judge_prompt, comparison.question, *(texts[place] for place in shown))
            yield MeasuredCall(comparison.key, plan.judge, len(JUDGE) + len(comparison.key), prompt, shown)


def find_judged(plan: Plan, record: Record, comparison: Comparison) -> Judged | None:
    """Return what the judge said of a comparison; None unless it has read both orders."""
    orders = reversed(ORDERS) if comparison.swapped else ORDERS
    first, second = (record.find(comparison.key, plan.judge, shown) for shown in orders)
    if first is None or second is None:
        return None
    return Judged((first, second), (read_verdict(first.text), read_verdict(second.text)))
