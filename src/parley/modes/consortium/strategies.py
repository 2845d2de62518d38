"""Strategies: whose answers count, who stays, and how a council ranks."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.notes import MeanRank, MemberBallot
from parley.text.agreement.similarity import groups

LEAST_MEMBERS = 2
"""The members that elimination leaves."""
LEAST_COUNCIL = 3
"""With fewer answers there is nothing to rank: members do not rank their own."""


def largest_group(answers: Mapping[str, str], threshold: float) -> tuple[str, ...]:
    """Return the seats of the largest group of similar answers; all seats if no two are similar.

    From the similarity `threshold` on, two answers are similar.
    """
    largest = groups(answers, threshold)[0]
    return tuple(seat for seat in answers if seat in largest or len(largest) == 1)


def mean_ranks(ballots: Sequence[MemberBallot], seats: Sequence[str]) -> tuple[MeanRank, ...]:
    """Return each seat's mean rank over the ballots, best first.

    Seats that a ballot leaves out share the mean of its remaining ranks.
    """
    places: dict[str, list[float]] = {seat: [] for seat in seats}
    for ballot in ballots:
        others = [seat for seat in seats if seat != ballot.judge]
        rest = (len(ballot.order) + 1 + len(others)) / 2
        for seat in others:
            places[seat].append(ballot.order.index(seat) + 1.0 if seat in ballot.order else rest)
    means = [MeanRank(seat=seat, mean_rank=round(fmean(at), 3)) for seat, at in places.items() if at]
    return tuple(sorted(means, key=lambda mean: mean.mean_rank))


def by_confidence(seats: Sequence[str], confidences: Mapping[str, Sequence[float | None]]) -> tuple[str, ...]:
    """Return the seats by their mean confidence, highest first, those without one last; empty if none has one."""
    means: dict[str, float] = {}
    for seat in seats:
        values = [value for value in confidences.get(seat, ()) if value is not None]
        if values:
            means[seat] = fmean(values)
    return tuple(sorted(seats, key=lambda seat: -means.get(seat, -1.0))) if means else ()


def leaving(order: Sequence[str], brief: ConsortiumBrief) -> tuple[str, ...]:
    """Return the seats that leave after a round: the last ones, but at least two members stay."""
    wanted = brief.elimination_count
    if brief.elimination_fraction is not None:
        wanted = max(1, int(len(order) * brief.elimination_fraction + 0.5))
    count = min(wanted, len(order) - LEAST_MEMBERS)
    return tuple(order[-count:]) if count > 0 else ()
