"""Alignment: sentences of several answers that are about the same thing."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from parley.text.agreement.statements import Statement

ALIGNED = 0.5
"""From this similarity on, two sentences are about the same thing."""
SAME_NUMBER = 1.5
"""The weight of a number that two sentences share."""
SAME_KEY = 1000.0
LEAST_SHARED = 0.25
"""With a smaller share than this of the smaller sentence in common, ALIGNED is out of reach."""
MOST_RARE, MOST_POSTINGS, MOST_CANDIDATES = 12, 20, 4
"""Per sentence the rarest concepts that lead to others, per concept and seat the sentences, per seat the pairs."""


class Link(msgspec.Struct, frozen=True):
    """Two sentences of different seats that are about the same thing, and their similarity (0 to 1)."""

    left: Statement
    right: Statement
    likeness: float
    other_number: bool = False
    """True if each has a number that the other lacks."""
    denied: bool = False
    """True if one of them has a negation and the other has none: they are not taken for the same."""

    @property
    def differs(self) -> bool:
        """True if the two cannot be counted as the same opinion."""
        return self.other_number or self.denied


def links(statements: Mapping[str, Sequence[Statement]]) -> list[Link]:
    """Return the links between the statements of different seats, strongest first.

    A sentence is linked with the most similar one of each other seat, and with those for which it is the most similar.
    The work is bounded by the number of sentences times the constants above.
    """
    everything = [statement for seat in sorted(statements) for statement in statements[seat]]
    weights = _weights(everything)
    mass = [sum(weights[name] for name in statement.concepts) for statement in everything]
    pairs = _candidates(everything, weights, mass)
    scored = [(_likeness(everything, a, b, weights, mass), a, b) for a, b in sorted(pairs)]
    candidates = [entry for entry in scored if entry[0] >= ALIGNED]
    candidates.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
    return list(_best(everything, candidates))


def _best(everything: Sequence[Statement], candidates: Sequence[tuple[float, int, int]]) -> Iterator[Link]:
    """Yield the links that are the strongest of one of their sentences to the other's seat.

    A sentence that says the same as one of a seat does not differ from another one of that seat.
    """
    related = [(value, _link(everything[a], everything[b], value), a, b) for value, a, b in candidates]
    agreed = {end for _, link, a, b in related if not link.differs for end in _ends(everything, a, b)}
    best: dict[tuple[int, str], float] = {}
    for value, link, a, b in related:
        ends = _ends(everything, a, b)
        if not any(best.get(end, value) == value for end in ends):
            continue
        if link.differs and not agreed.isdisjoint(ends):
            continue
        for end in ends:
            best.setdefault(end, value)
        yield link


def _link(left: Statement, right: Statement, likeness: float) -> Link:
    if left.key == right.key or left.span.form == "code":
        return Link(left, right, likeness)
    other_number = bool(left.numbers - right.numbers) and bool(right.numbers - left.numbers)
    return Link(left, right, likeness, other_number, left.negated != right.negated)


def _ends(everything: Sequence[Statement], a: int, b: int) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return each sentence of a pair with the seat that it is compared with."""
    return (a, everything[b].seat), (b, everything[a].seat)


def _weights(everything: Sequence[Statement]) -> dict[str, float]:
    """Return the weight of each concept: rare ones weigh more."""
    counts = Counter(name for statement in everything for name in statement.concepts)
    total = len(everything) + 6
    return {name: math.log(1 + total / (count + 2)) for name, count in counts.items()}


def _candidates(
    everything: Sequence[Statement], weights: Mapping[str, float], mass: Sequence[float]
) -> set[tuple[int, int]]:
    """Return the pairs of sentences of different seats that share most of their rare concepts."""
    postings: dict[str, list[int]] = {}
    held: Counter[tuple[str, str]] = Counter()
    for number, statement in enumerate(everything):
        for name in (*statement.concepts, f"={statement.key}"):
            if held[name, statement.seat] < MOST_POSTINGS:
                held[name, statement.seat] += 1
                postings.setdefault(name, []).append(number)
    pairs: set[tuple[int, int]] = set()
    for number, statement in enumerate(everything):
        shared: dict[int, float] = {}
        for name in sorted(statement.concepts, key=lambda name: (-weights[name], name))[:MOST_RARE]:
            weight = weights[name]
            for place in postings[name]:
                shared[place] = shared.get(place, 0.0) + weight
        for place in postings[f"={statement.key}"]:
            shared[place] = shared.get(place, 0.0) + SAME_KEY
        pairs.update(_nearest(everything, number, shared, mass))
    return pairs


def _nearest(
    everything: Sequence[Statement], number: int, shared: Mapping[int, float], mass: Sequence[float]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a sentence with the few sentences of each other seat that share most with it."""
    seat, own = everything[number].seat, mass[number]
    enough = [
        (-value, place)
        for place, value in shared.items()
        if value >= LEAST_SHARED * min(own, mass[place]) and everything[place].seat != seat
    ]
    taken: Counter[str] = Counter()
    for _, place in sorted(enough):
        other = everything[place].seat
        if taken[other] < MOST_CANDIDATES:
            taken[other] += 1
            yield min(number, place), max(number, place)


def _likeness(
    everything: Sequence[Statement], a: int, b: int, weights: Mapping[str, float], mass: Sequence[float]
) -> float:
    """Return how much two sentences are about the same thing, 0 to 1; whatever each says of it."""
    left, right = everything[a], everything[b]
    if left.key == right.key:
        return 1.0
    if (left.span.form == "code") != (right.span.form == "code"):
        return 0.0
    shared = sum([weights[name] for name in left.concepts & right.concepts])
    if not shared:
        return 0.0
    bonus = SAME_NUMBER * bool(left.numbers & right.numbers)
    dice = 2 * (shared + bonus) / (mass[a] + mass[b] + 2 * bonus)
    contained = (shared + bonus) / (min(mass[a], mass[b]) + bonus)
    return min(1.0, 0.65 * dice + 0.35 * contained)


def groups_of(statements: Mapping[str, Sequence[Statement]], links: Sequence[Link]) -> dict[int, int]:
    """Return the group of each linked statement, by identity.

    Groups have one sentence per seat; a remaining sentence joins the group of its strongest link.
    """
    place = {
        id(statement): number
        for number, statement in enumerate(s for seat in sorted(statements) for s in statements[seat])
    }
    seat_of = [statement.seat for seat in sorted(statements) for statement in statements[seat]]
    group = list(range(len(seat_of)))
    members: dict[int, list[int]] = {number: [number] for number in group}
    for link in links:
        if link.denied:
            continue
        left, right = group[place[id(link.left)]], group[place[id(link.right)]]
        if left == right:
            continue
        small, large = sorted((left, right), key=lambda name: (len(members[name]), -name))
        seats = {seat_of[number] for number in members[large]}
        if len(members[small]) > 1 and any(seat_of[number] in seats for number in members[small]):
            continue
        for number in members[small]:
            group[number] = large
        members[large] += members.pop(small)
    named = {
        name: rank
        for rank, name in enumerate(
            sorted((n for n in members if len(members[n]) > 1), key=lambda n: min(members[n]))
        )
    }
    return {key: named[group[number]] for key, number in place.items() if group[number] in named}
