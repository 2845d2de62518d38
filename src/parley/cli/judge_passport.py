"""A judge's passport: agreement with people, liking for a place and for length, cost, and the win rates it corrects."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import isfinite
from statistics import fmean, median

import msgspec
import numpy as np

from parley.cli.judge_cases import Case, clusters_of, find_cases, numbers_of, votes_of
from parley.cli.judge_comparisons import Comparison
from parley.cli.judge_rates import Rate, find_rates
from parley.cli.judge_run import Plan
from parley.cli.measuring_record import Record
from parley.ratings.influence import Clusters, Estimate
from parley.ratings.judging import Agreement, LengthEffect, agreement, lean, length_effect, share

CATEGORY_VOTES = 10
"""Votes that a category needs to be reported by itself."""

TIE = 2


class CategoryAgreement(msgspec.Struct, frozen=True):
    """Agreement with people in one category; `overall` is all of them."""

    category: str
    votes: int
    agreement: Agreement


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of the order on verdicts, over comparisons of which both could be read.

    Shares of comparisons: `flipped` (another answer is preferred, or a tie called, when the order is turned), `first`
    and `second` (that place is preferred both times). `lean` is the share of verdicts for the first place less that for
    the second, 0 for a judge without a favourite.
    """

    comparisons: int
    flipped: Estimate
    first: Estimate
    second: Estimate
    lean: Estimate


class Passport(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a judge's verdicts, null where there is nothing to take them from.

    `votes` and `unvoted` count comparisons that were judged in both orders, with and without a vote, `left` those that
    were not. `clustered_by` is what the intervals take as independent. `people` is agreement between people. `own`
    counts votes on the judge's own answers. Cost, tokens and seconds are per comparison, both orders together.
    """

    judge: str
    name: str
    votes: int
    unvoted: int
    left: int
    left_out: dict[str, int]
    voters: int
    clustered_by: tuple[str, ...]
    agreement: tuple[CategoryAgreement, ...]
    people: CategoryAgreement | None
    position: Position | None
    length: LengthEffect | None
    verdicts: int
    unread: int
    own: int
    cost_usd: float | None
    tokens: float
    seconds: float
    spent_usd: float
    models: tuple[Rate, ...]
    pairs: tuple[Rate, ...]


def make_passport(plan: Plan, record: Record) -> Passport | None:
    """Return what the verdicts in a record show; None unless something with a vote was judged in both orders."""
    voted, unvoted = (find_cases(plan, record, each) for each in (plan.voted, plan.unvoted))
    if not voted:
        return None
    texts = {each.comparison.key: each for each in (*voted, *unvoted)}
    replies = [reply for each in texts.values() for reply in each.judged.replies]
    costs = [reply.cost_micros for reply in replies if reply.cost_micros is not None]
    verdicts = [verdict for each in texts.values() for verdict in each.judged.verdicts]
    compared = [each.comparison for each in voted]
    return Passport(
        judge=plan.judge,
        name=plan.names.get(plan.judge, plan.judge),
        votes=len(voted),
        unvoted=len(unvoted),
        left=len(plan.distinct) - len(texts),
        left_out=dict(plan.left_out),
        voters=len({each.voter for each in compared} - {None}),
        clustered_by=tuple(clusters_of(compared).kinds),
        agreement=_by_category(voted),
        people=_between_people(compared),
        position=_position(list(texts.values())),
        length=_length(voted),
        verdicts=len(verdicts),
        unread=verdicts.count(None),
        own=sum(plan.judge in (each.left_model, each.right_model) for each in compared),
        cost_usd=2 * fmean(costs) / 1e6 if len(costs) == len(replies) else None,
        tokens=2 * fmean(reply.tokens for reply in replies),
        seconds=2 * median(reply.duration_ms for reply in replies) / 1000,
        spent_usd=record.spent_micros / 1e6,
        models=tuple(find_rates(plan.names, voted, unvoted, pairwise=False)),
        pairs=tuple(find_rates(plan.names, voted, unvoted, pairwise=True)),
    )


def saved_figures(it: Passport) -> dict[str, object]:
    """Return the figures that the Prompt Lab shows beside a judge, as its API takes them."""
    overall, position = it.agreement[0] if it.agreement else None, it.position
    return {
        "votes": overall.votes if overall else it.votes,
        "agreement": _figure(overall.agreement.share) if overall else None,
        "comparisons": position.comparisons if position else 0,
        "flipped": _figure(position.flipped) if position else None,
        "lean": _figure(position.lean) if position else None,
    }


def _figure(it: Estimate) -> dict[str, float]:
    if not (isfinite(it.ci_lower) and isfinite(it.ci_upper)):
        return {"value": it.value}
    return {"value": it.value, "low": max(-1.0, it.ci_lower), "high": min(1.0, it.ci_upper)}


def _choice(case: Case) -> int | None:
    """Return 0 or 1 if the judge prefers the left or right answer in both orders, else 2; None for what is unread."""
    one, other = case.judged.scores
    if one is None or other is None:
        return None
    return TIE if one != other or one == 0.5 else 1 - int(one)


def _people_choice(comparison: Comparison) -> int:
    return min(int(comparison.outcome or 0), TIE)


def _by_category(voted: Sequence[Case]) -> tuple[CategoryAgreement, ...]:
    """Return agreement overall, then by category, the one with most votes first."""
    read = [(each.comparison, choice) for each in voted if (choice := _choice(each)) is not None]
    counts = Counter(category for each, _ in read for category in each.categories)
    named = [name for name, votes in counts.most_common() if votes >= CATEGORY_VOTES]
    groups = [("overall", read), *((name, [it for it in read if name in it[0].categories]) for name in named)]
    return tuple(CategoryAgreement(name, len(group), _agreement(group)) for name, group in groups if group)


def _agreement(read: Sequence[tuple[Comparison, int]]) -> Agreement:
    judge = np.array([choice for _, choice in read], dtype=np.int32)
    people = np.array([_people_choice(each) for each, _ in read], dtype=np.int32)
    return agreement(judge, people, clusters_of([each for each, _ in read]))


def _between_people(voted: Sequence[Comparison]) -> CategoryAgreement | None:
    """Return how far people agree on the same texts: each vote with those of the others, as one vote together."""
    by_key: defaultdict[str, list[Comparison]] = defaultdict(list)
    for each in voted:
        by_key[each.key].append(each)
    pairs: list[tuple[Comparison, Comparison, float]] = []
    for group in by_key.values():
        others = Counter(each.voter for each in group)
        for one, other in permutations(group, 2):
            if one.voter is None or one.voter != other.voter:
                alone = 1 if one.voter is None else others[one.voter]
                pairs.append((one, other, 1.0 / (len(group) - alone)))
    if not pairs:
        return None
    choices = [[_people_choice(it) if not it.swapped else _turned(it) for it in pair[:2]] for pair in pairs]
    first, second = np.array(choices, dtype=np.int32).T
    clusters = Clusters(numbers_of([one.prompt for one, _, _ in pairs]))
    weights = np.array([weight for _, _, weight in pairs])
    return CategoryAgreement(
        "overall", round(float(weights.sum())), agreement(first, second, clusters, weights)
    )


def _turned(comparison: Comparison) -> int:
    choice = _people_choice(comparison)
    return choice if choice == TIE else 1 - choice


def _position(cases: Sequence[Case]) -> Position | None:
    read = [(each.comparison, each.judged.verdicts) for each in cases if None not in each.judged.verdicts]
    if not read:
        return None
    same = {("first", "second"), ("second", "first"), ("tie", "tie")}
    clusters = clusters_of([each for each, _ in read])
    worth = {"first": 0.5, "second": -0.5, "tie": 0.0, None: 0.0}

    def shared(flags: Iterable[bool]) -> Estimate:
        return share(np.array(list(flags), dtype=np.float64), clusters)

    return Position(
        comparisons=len(read),
        flipped=shared(each not in same for _, each in read),
        first=shared(each == ("first", "first") for _, each in read),
        second=shared(each == ("second", "second") for _, each in read),
        lean=lean(np.array([worth[one] + worth[other] for _, (one, other) in read]), clusters),
    )


def _length(voted: Sequence[Case]) -> LengthEffect | None:
    """Return the effect of a doubled length in characters, on verdicts that can be read."""
    read = [each for each in voted if None not in each.judged.scores]
    compared = [each.comparison for each in read]
    ratio = np.array([np.log2(len(each.left) / len(each.right)) for each in compared], dtype=np.float64)
    judge = np.array([each.judged.score for each in read], dtype=np.float64)
    return length_effect(ratio, judge, votes_of(compared), clusters_of(compared))
