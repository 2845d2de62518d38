"""Which concepts a sentence affirms or denies."""

import re
from bisect import bisect
from collections.abc import Sequence

from parley.text.agreement.opposites import OPPOSITE, OPPOSITES
from parley.text.agreement.words import Word, stem

FORWARD = 3
"""How many content words a negation reaches forwards; if the verb comes first, it reaches one backwards."""

YES = f"{OPPOSITE}yes"
"""The concept of a sentence that begins with yes or no."""

_NOT = frozenset(
    """not no never none nothing nobody neither nor without cannot hardly nowhere unable lack lacks lacking
    avoid avoids avoiding avoided refrain vermeide vermeiden vermeidet évitez éviter évite evitar evite
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder kaum
    ne pas jamais aucun aucune rien sans nunca jamás tampoco sin nadie niet geen nooit non mai não nem
    inte aldrig ingen ikke aldri nie nigdy нет не ни никогда ні
    """.split()  # noqa: SIM905
)
_BACKWARDS = frozenset("nicht pas nie niemals jamais niet".split())  # noqa: SIM905
_WITHOUT = frozenset({"without", "ohne", "sans", "sin"})
_MARKS = re.compile(r"[不没沒無无非未别]|ない|ません|なかっ|なく|ず|ぬ|않|아니|없|못|안 ")
"""Negations in scripts without spaces, or within words; some of them also mean other things."""
_EMPTY = re.compile(
    r"\b(?:not only|not just|not merely|no doubt|no matter|why not|whether or not|or not|if not|nicht nur|ob nicht|"
    r"non seulement|no solo|sans doute|no\.|"
    r"(?:do not|don't|don’t|never) forget|(?:vergiss|vergessen sie) nicht|n'oubliez pas)(?!\w)|^\W*no(?: \w+){1,3}\W*:",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"^\W*(?:it is|it's|it’s|es ist|es stimmt|il est|c'est|es) (?P<off>not |nicht |a |ein |un )?"
    r"(?P<what>true|correct|wahr|richtig|vrai|exact|cierto|false|untrue|wrong|incorrect|myth|falsch|mythos|faux|mythe|falso)"
    r",? (?:that|dass|que)\b",
    re.IGNORECASE,
)
_TRUE = frozenset("true correct wahr richtig vrai exact cierto".split())  # noqa: SIM905
_ANSWER = re.compile(
    r"^\W*(?:(?P<yes>yes|yep|ja|oui|sí|да|はい|是的?)|(?P<no>no|nope|nein|non|нет|いいえ))(?=\W*$|\W*[,.!:;–—])",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:()–—]|\b(?:but|while|whereas|although|because|so|and then|aber|sondern|während|weil|mais|tandis|pero)\b",
    re.IGNORECASE,
)


def polarity(text: str, tokens: Sequence[Word], stops: frozenset[str]) -> dict[str, int]:
    """Return for each concept of a sentence whether it is affirmed (1), denied (-1), or both (0).

    A concept is the stem of a word that is no stop word, or the name of a pair of opposites: “rises” and “does
    not fall” say the same of one concept. `tokens` are the words of `text`, with their places in it.
    """
    found: dict[str, int] = {}
    turned = 1
    if answer := _ANSWER.match(text):
        found[YES] = 1 if answer["yes"] else -1
        tokens = [token for token in tokens if token.start >= answer.end()]
    elif holds := _HOLDS.match(text):
        true = holds["what"].lower() in _TRUE
        turned = 1 if true != (holds["off"] or "").lower().startswith(("not", "nicht")) else -1
        tokens = [token for token in tokens if token.start >= holds.end()]
    empty = [match.span() for match in _EMPTY.finditer(text)]
    clauses = [match.start() for match in _CLAUSE.finditer(text)]
    empty += [(one.start, one.end) for one in tokens if one.start and text[one.start : one.end] == "None"]
    signs = _denied(tokens, stops, empty, clauses)
    for number, token in enumerate(tokens):
        concept = concept_of(token.text, stops)
        if concept is None:
            continue
        name, sign = concept
        sign *= signs[number]
        found[name] = sign if found.get(name, sign) == sign else 0
    return found if turned == 1 else _turned(found)


def _turned(said: dict[str, int]) -> dict[str, int]:
    """Return the meaning of a sentence after “it is false that”: reverse its opposites, or everything without any."""
    opposites = any(name.startswith(OPPOSITE) for name in said)
    return {
        name: -sign if name.startswith(OPPOSITE) or not opposites else sign for name, sign in said.items()
    }


def marks_of_negation(text: str) -> int:
    """Return how many characters of a sentence negate, or may negate, in Chinese, Japanese or Korean."""
    return 0 if text.isascii() else len(_MARKS.findall(text))


def denials(text: str, tokens: Sequence[Word], stops: frozenset[str]) -> frozenset[str]:
    """Return the concepts of all clauses with a negation, however far it reaches."""
    if not any(_negates(token.text) for token in tokens):
        return frozenset()
    starts = [match.start() for match in _CLAUSE.finditer(text)]
    clause = [bisect(starts, token.start) for token in tokens]
    denied = {clause[number] for number, token in enumerate(tokens) if _negates(token.text)}
    found = (concept_of(token.text, stops) for number, token in enumerate(tokens) if clause[number] in denied)
    return frozenset(concept[0] for concept in found if concept)


def concept_of(word: str, stops: frozenset[str]) -> tuple[str, int] | None:
    """Return the concept of a word and its end; None for stop words, negations and numbers."""
    if word in OPPOSITES:
        return OPPOSITES[word]
    if word in stops or _negates(word) or word[0].isdigit():
        return None
    return stem(word), 1


def _negates(word: str) -> bool:
    return word in _NOT or word.endswith("n't")


def _denied(
    tokens: Sequence[Word], stops: frozenset[str], empty: list[tuple[int, int]], clauses: list[int]
) -> list[int]:
    """Return 1 or -1 for each word: -1 if one negation reaches it, 1 again if two do.

    “Not without” equals “with”: such a sentence denies nothing.
    """
    signs = [1] * len(tokens)
    ends = iter([*clauses, 1 << 60])
    end = next(ends)
    clause: list[int] = []
    for token in tokens:
        while token.start >= end:
            end = next(ends)
        clause.append(end)
    negations = [
        number
        for number, token in enumerate(tokens)
        if _negates(token.text) and not any(start <= token.start < stop for start, stop in empty)
    ]
    without = [number for number in negations if tokens[number].text in _WITHOUT]
    if without and without[0] != negations[0]:
        return signs
    last_reach = -1
    for number in negations:
        token = tokens[number]
        if token.text in ("pas", "jamais", "rien") and number <= last_reach + 1:
            continue
        reach = _reach(tokens, stops, clause, number)
        last_reach = max(reach, default=number)
        for other in reach:
            signs[other] = -signs[other]
    return signs


def _reach(tokens: Sequence[Word], stops: frozenset[str], clause: list[int], at: int) -> list[int]:
    """Return the words that the negation at `at` denies."""
    reach: list[int] = []
    for other in range(at + 1, len(tokens)):
        if clause[other] != clause[at] or len(reach) == FORWARD:
            break
        if concept_of(tokens[other].text, stops):
            reach.append(other)
        if tokens[other].text in OPPOSITES:
            break
    if tokens[at].text in _BACKWARDS or not reach:
        for other in range(at - 1, -1, -1):
            if clause[other] != clause[at]:
                break
            if concept_of(tokens[other].text, stops):
                reach.append(other)
                break
    return reach
