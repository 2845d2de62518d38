"""The number of a consortium's calls, known before it runs."""

from collections.abc import Sequence

from parley.kernel.outline import Calls, Outline
from parley.kernel.seats import Seat
from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.strategies import LEAST_COUNCIL, leaving


def outline(brief: ConsortiumBrief, seats: Sequence[Seat]) -> Outline:
    """Return the calls of one turn, for the fewest and the most rounds.

    Every call reads the rules, about as long as a reply. In later rounds a member also reads the last synthesis and its
    own answers; the arbiter reads all answers of the round and the syntheses so far. The last seats represent members
    that are eliminated.
    """
    members = [seat for seat in seats if seat.role == "member"]
    sizes = _sizes(brief, len(members))
    least, most = brief.minimum_iterations, brief.max_iterations
    calls: list[Calls] = []
    for place, seat in enumerate(members):
        stays = sum(size > place for size in sizes)
        calls.append(
            Calls(
                seat=seat.name,
                least=min(least, stays),
                most=stays,
                hears_least=min(least, stays) + 2 * _pairs(min(least, stays)),
                hears_most=stays + 2 * _pairs(stays),
            )
        )
    if brief.strategy == "council" and len(members) >= LEAST_COUNCIL:
        others = len(members) - 1
        calls += [
            Calls(
                seat=seat.name,
                purpose="ranking",
                least=least,
                most=most,
                hears_least=least * others,
                hears_most=most * others,
            )
            for seat in members
        ]
    calls.append(
        Calls(
            seat="arbiter",
            purpose="synthesis",
            least=least,
            most=most,
            hears_least=least + sum(sizes[:least]) + _pairs(least),
            hears_most=most + sum(sizes) + _pairs(most),
        )
    )
    return Outline(tuple(calls), len(brief.system_prompt or ""))


def _sizes(brief: ConsortiumBrief, members: int) -> list[int]:
    """Return how many members answer in each round."""
    sizes: list[int] = []
    for number in range(1, brief.max_iterations + 1):
        sizes.append(members)
        if brief.strategy == "elimination" and number >= brief.elimination_delay:
            members -= len(leaving([""] * members, brief))
    return sizes


def _pairs(rounds: int) -> int:
    """Return how many earlier rounds are read in `rounds` rounds together."""
    return rounds * (rounds - 1) // 2
