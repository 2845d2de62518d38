"""Statements: what simulated people say in a team, and what they read in its prompts."""

import re
from collections import Counter
from typing import NamedTuple

from prove.deliberation.people import OPTIONS, Person, Question, Seen, weigh

_STATEMENT = re.compile(
    r"<ref>[\d.]+ ([^<]*)</ref>\s*<said>[^<]*answer is ([A-D])\. I am (\d+)% sure", re.DOTALL
)
_ROLE = re.compile(r"<role>([^<]*)</role>\s*Your colleagues: ([^<\n]*)\.")
_AGAINST = ("Make the case against", "Attack the latest plan")
CHAIRS = ("Moderator", "Judge")
CHOSEN = 2
"""How many speakers a moderator chooses."""


class Place(NamedTuple):
    """Who somebody is in a team: the role, and the colleagues who take a side."""

    role: str
    colleagues: tuple[str, ...]


def reply_in_team(person: Person, question: Question, rules: str, text: str) -> str:
    """Return what somebody says who is given a prompt of a team."""
    found = _ROLE.search(rules)
    if found is None:
        raise ValueError(f"no role in {rules!r}")
    place = Place(found[1], tuple(role for role in found[2].split(", ") if role not in CHAIRS))
    heard = last_words(text, place)
    if "Write the synthesis" in text:
        return _synthesis(person, heard)
    if "Choose who speaks next" in text:
        return _choice(person, place, heard)
    if place.role in CHAIRS:
        scores = weigh(person, list(heard.values()))
        letter = max(scores, key=lambda option: scores[option])
        return _statement(letter, scores[letter])
    if heard:
        _hear(person, question, place, heard)
    against = any(task in text for task in _AGAINST)
    return _statement(person.argue(question.trap) if against else person.belief, person.confidence)


def last_words(text: str, place: Place) -> dict[str, Seen]:
    """Return the last statement of each colleague in a prompt, by role."""
    found = _STATEMENT.findall(text)
    return {
        role: Seen(number, letter, int(sure) / 100, None)
        for number, (role, letter, sure) in enumerate(found, 1)
        if role != place.role
    }


def _hear(person: Person, question: Question, place: Place, heard: dict[str, Seen]) -> None:
    """Think again: what most colleagues hold persuades in proportion to how many they are."""
    votes = Counter[str]()
    for seen in heard.values():
        votes[seen.letter] += 1
    sure = {letter: sum(it.confidence for it in heard.values() if it.letter == letter) for letter in votes}
    letter = max(votes, key=lambda option: (votes[option], sure[option]))
    person.hear(letter, question, share=votes[letter] / max(len(place.colleagues), len(heard)))


def _statement(letter: str, confidence: float) -> str:
    return (
        f"The answer is {letter}. I am {100 * confidence:.0f}% sure.\n"
        f"Answers: none\nPosition: {letter}\nChanged my mind: no"
    )


def _choice(person: Person, place: Place, heard: dict[str, Seen]) -> str:
    """Choose two colleagues by lot, those first who have not spoken; enough is when all have spoken and agree."""
    enough = len(heard) == len(place.colleagues) and len({seen.letter for seen in heard.values()}) == 1
    by_lot = person.chance.sample(place.colleagues, len(place.colleagues))
    chosen = sorted(by_lot, key=lambda role: role in heard)[:CHOSEN]
    return f"Next: {', '.join(chosen)}\nAsk: Why?\nEnough: {'yes' if enough else 'no'}"


def _synthesis(person: Person, heard: dict[str, Seen]) -> str:
    scores = weigh(person, list(heard.values()))
    letter = max(OPTIONS, key=lambda option: scores[option])
    return (
        "## Consensus\nNone.\n## Disagreements\nNone.\n## Assumptions\nNone.\n"
        f"## Recommendation\n- The answer is {letter}.\n## Minority report\nNone."
    )
