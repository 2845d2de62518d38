"""The similarity of two answers."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from parley.text.agreement.alignment import Link, links
from parley.text.agreement.statements import Statement, statements_of

VOTING_THRESHOLD = 0.5
"""From this similarity on, two answers count as one opinion."""
WORDS_SHARE = 0.5
"""The weight of the words as a whole; the aligned sentences have the rest."""
LONGEST_BAG = 20_000

_PREAMBLE = re.compile(
    r"\s*(?:(?:sure|certainly|of course|absolutely|great question|good question|okay|ok|yes, of course|gladly|"
    r"i'd be happy to help|happy to help|let me explain|thanks for asking|"
    r"natürlich|gerne|klar|selbstverständlich|gute frage|bien sûr|certainement|avec plaisir|bonne question|"
    r"claro|por supuesto|con gusto)(?:[ \u00a0]?[!.,:][ \t]*|[ \t]*\n)"
    r"|(?:here(?:'s|’s| is| are)|below is|hier ist|hier sind|voici|aquí (?:está|tienes))[^\n.!?]{0,120}:[ \t]*\n+)",
    re.IGNORECASE,
)


def similarity(a: str, b: str) -> float:
    """Return the similarity of two answers: 0 to 1, symmetric; 1 for equal texts, 0 if one is empty.

    Preambles are stripped. Aligned sentences with other numbers, or of which one is denied, reduce it by their share.
    """
    return _similarities({"a": a, "b": b})["a", "b"]


def strip_preamble(text: str) -> str:
    """Return a text without its preamble (“Sure! Here is the answer:”)."""
    start = 0
    for _ in range(4):
        match = _PREAMBLE.match(text, start)
        if match is None or not text[match.end() :].strip():
            break
        start = match.end()
    return text[start:].lstrip() if start else text


def groups(answers: Mapping[str, str], threshold: float = VOTING_THRESHOLD) -> tuple[tuple[str, ...], ...]:
    """Return the seats in groups whose answers are all at least this similar to each other.

    The largest group comes first; of equal ones, the more similar one, then that of the first seat by name. Seats
    within a group are in order; an empty answer is a group of its own, after the others.
    """
    seats = sorted(answers)
    alike = _similarities(answers)
    group: dict[str, tuple[str, ...]] = {seat: (seat,) for seat in seats}
    for (left, right), value in sorted(alike.items(), key=lambda entry: (-entry[1], entry[0])):
        if value < threshold:
            break
        ours, theirs = group[left], group[right]
        if ours == theirs or min(alike[_pair(a, b)] for a in ours for b in theirs) < threshold:
            continue
        joined = tuple(sorted(ours + theirs))
        group.update(dict.fromkeys(joined, joined))

    def rank(members: tuple[str, ...]) -> tuple[bool, int, float, str]:
        inside = [alike[pair] for pair in combinations(members, 2)]
        blank = not answers[members[0]].strip()
        return blank, -len(members), -sum(inside) / max(1, len(inside)), members[0]

    return tuple(sorted(set(group.values()), key=rank))


def _similarities(answers: Mapping[str, str]) -> dict[tuple[str, str], float]:
    """Return the similarity of every two answers without their preambles."""
    matter = {seat: strip_preamble(text) for seat, text in answers.items()}
    by_seat = statements_of(matter)
    return scores(by_seat, links(by_seat))


def scores(
    by_seat: Mapping[str, Sequence[Statement]], aligned: Sequence[Link]
) -> dict[tuple[str, str], float]:
    """Return the similarity of each pair of seats, in order of their names, from all statements and links.

    (w · words + (1 - w) · sentences) · (1 - differing): `words` is the token-set ratio of the concepts, `sentences`
    the mean similarity of each sentence's strongest link, weighted by its length; `differing` is the share of the
    linked sentences whose numbers or negations differ.
    """
    between: dict[tuple[str, str], list[Link]] = {pair: [] for pair in combinations(sorted(by_seat), 2)}
    for link in aligned:
        between[link.left.seat, link.right.seat].append(link)
    bags = {
        seat: " ".join(sorted({name for one in some for name in one.concepts}))
        for seat, some in by_seat.items()
    }
    return {
        (a, b): _score(by_seat[a], by_seat[b], some, _words(bags[a], bags[b]))
        for (a, b), some in between.items()
    }


def _score(
    left: Sequence[Statement], right: Sequence[Statement], links_of: Sequence[Link], words: float
) -> float:
    if not left or not right:
        return 0.0
    if [one.key for one in left] == [one.key for one in right]:
        return 1.0
    mass = {id(s): 1.0 + len(s.concepts) for s in (*left, *right)}
    best: dict[int, float] = {}
    against: set[int] = set()
    for link in links_of:
        for side in (id(link.left), id(link.right)):
            best[side] = max(best.get(side, 0.0), link.likeness)
        if link.differs:
            against.update((id(link.left), id(link.right)))
    aligned = sum(value * mass[key] for key, value in best.items()) / sum(mass.values())
    linked = sum(mass[key] for key in best)
    lost = sum(mass[key] for key in against) / linked if linked else 0.0
    return min(1.0, (WORDS_SHARE * words + (1 - WORDS_SHARE) * aligned) * (1 - lost))


def _words(ours: str, theirs: str) -> float:
    from rapidfuzz.fuzz import token_set_ratio

    return token_set_ratio(ours[:LONGEST_BAG], theirs[:LONGEST_BAG]) / 100


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)
