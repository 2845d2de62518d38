"""The agreement of several answers to one question, sentence by sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Literal

import msgspec

from parley.text.agreement.alignment import Link, groups_of, links
from parley.text.agreement.dissent import named_in
from parley.text.agreement.sentences import Span, sentences
from parley.text.agreement.similarity import scores
from parley.text.agreement.statements import Statement, statements

AgreementKind = Literal["all", "some", "one", "number", "disputed"]


class Pair(msgspec.Struct, frozen=True):
    """Two seats, the first by name on the left, and the similarity of their answers: 0 to 1."""

    left: str
    right: str
    similarity: float


class Sentence(msgspec.Struct, frozen=True):
    """A sentence of an answer: code points `start` to `end`, who else says it, and its group.

    `kind` is `all` if every seat that answered says it, `some` if another one does, `one` if no other does,
    `number` if an aligned sentence has another number, `disputed` if the arbiter's dissent names it. Sentences of one
    group are about the same thing; None means no group.
    """

    start: int
    end: int
    kind: AgreementKind
    group: int | None = None


class Agreement(msgspec.Struct, frozen=True):
    """The common ground of several answers. `consensus` is None if fewer than two seats answered.

    `families` are the groups of two or more seats of one family, which count as correlated; `silent` are the seats
    without an answer.
    """

    consensus: float | None
    pairs: tuple[Pair, ...]
    families: tuple[tuple[str, ...], ...]
    silent: tuple[str, ...]
    sentences: dict[str, tuple[Sentence, ...]]


def compare(answers: Mapping[str, str], *, families: Mapping[str, str], dissent: str = "") -> Agreement:
    """Return how answers agree; `families` names each seat's family, `dissent` is the arbiter's text.

    Total: any text gives a result. The order of the seats does not matter. A seat without a family, or with an empty
    one, has none. See docs/reference/agreement.md for the formula and its limits.
    """
    spans = {seat: sentences(text) for seat, text in answers.items()}
    silent = tuple(seat for seat in sorted(answers) if not spans[seat])
    by_seat = statements({seat: answers[seat] for seat in answers if seat not in silent}, spans)
    aligned = links(by_seat)
    pairs = tuple(Pair(a, b, round(value, 4)) for (a, b), value in scores(by_seat, aligned).items())
    return Agreement(
        consensus=consensus(pairs, families),
        pairs=pairs,
        families=_families(answers, families),
        silent=silent,
        sentences=_marked(spans, by_seat, aligned, named_in(dissent, by_seat)),
    )


def consensus(pairs: Sequence[Pair], families: Mapping[str, str]) -> float | None:
    """Return the mean similarity of the pairs, in which each of a family's n members weighs 1/n.

    A pair weighs 1 / (members of the left one's family · members of the right one's). None without a pair.
    """
    seats = {seat for pair in pairs for seat in (pair.left, pair.right)}
    sizes = Counter(families.get(seat) or f"\0{seat}" for seat in seats)
    share = {seat: 1 / sizes[families.get(seat) or f"\0{seat}"] for seat in seats}
    weights = [share[pair.left] * share[pair.right] for pair in pairs]
    if not weights:
        return None
    total = sum(weight * pair.similarity for weight, pair in zip(weights, pairs, strict=True))
    return round(min(1.0, total / sum(weights)), 4)


def _families(answers: Mapping[str, str], families: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    members: dict[str, list[str]] = {}
    for seat in sorted(answers):
        if family := families.get(seat):
            members.setdefault(family, []).append(seat)
    return tuple(sorted(tuple(seats) for seats in members.values() if len(seats) > 1))


def _marked(
    spans: Mapping[str, Sequence[Span]],
    by_seat: Mapping[str, Sequence[Statement]],
    aligned: Sequence[Link],
    named: set[int],
) -> dict[str, tuple[Sentence, ...]]:
    """Return the sentences of each answer with their kinds; `named` are the statements that the dissent names."""
    grouped = groups_of(by_seat, aligned)
    seats: dict[int, set[str]] = {}
    for statement in (statement for some in by_seat.values() for statement in some):
        if (group := grouped.get(id(statement))) is not None:
            seats.setdefault(group, set()).add(statement.seat)
    other = {id(side) for link in aligned if link.other_number for side in (link.left, link.right)}

    def mark(span: Span, statement: Statement | None) -> Sentence:
        group = None if statement is None else grouped.get(id(statement))
        kind: AgreementKind = "one"
        if id(statement) in named:
            kind = "disputed"
        elif group is not None and id(statement) in other:
            kind = "number"
        elif group is not None:
            kind = "all" if len(seats[group]) == len(by_seat) else "some"
        return Sentence(span.start, span.end, kind, group)

    return {
        seat: tuple(mark(span, statement) for span, statement in zip_longest(some, by_seat.get(seat, ())))
        for seat, some in spans.items()
    }
