"""Answers taken apart into what they say: sentences in groups of the same meaning, and pieces that stay whole."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parley.text.agreement.compare import compare

MOST_CHARACTERS = 6_000
"""How much of an answer is compared: it happens between two pieces of a stream."""
MOST_COMPARED = 40
"""With how many others one sentence is compared."""
VERSE_LINES = 3
VERSE_WORDS = 9
"""From so many lines on, each of at most so many words, a paragraph counts as verse and stays whole."""

_FENCE = re.compile(r"^```.*?^```[ \t]*$", re.DOTALL | re.MULTILINE)
_HELD = re.compile(r"^(?:[ \t]*(?:>|\|).*(?:\n|\Z))+", re.MULTILINE)
_MARKS = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_LABEL = re.compile(r"\A\s*(?:\*\*[^\s*:.]{1,20} ?[.:]\*\*|[^\s\d:]{1,20}:(?=\s*\Z))\s*")
_LIST = re.compile(r"\s*(?:[-*•—–#]|\d{1,3}[.)])\s")
_QUOTED = re.compile(r"[“„«\"]\s?([^“”„«»\"]{2,400}?)\s?[”“»\"](?!\w)")
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")
_BOLD_NUMBER = re.compile(r"\*\*[^*\d\n]{0,12}?([-−]?\d+(?:,\d{3})*(?:\.\d+)?)[^*\n]{0,30}\*\*")
_ROUGH = re.compile(
    r"\b(about|roughly|around|approximately|etwa|ungefähr|rund|environ|à peu près)\b|≈", re.IGNORECASE
)


@dataclass(frozen=True)
class Saying:
    """A sentence without its marks; sayings of one `group` mean the same. `contested`: another one says otherwise."""

    text: str
    group: int
    contested: bool = False

    @property
    def asks(self) -> bool:
        """True for a question: it belongs into no synthesis."""
        return self.text.rstrip('"”»* ').endswith("?")


@dataclass(frozen=True)
class Figure:
    """The number that an answer comes down to; `rough` where it says so itself."""

    value: float
    shown: str
    rough: bool

    def rounds(self, other: "Figure") -> bool:
        """Tell whether this is the other number with fewer figures."""
        return self.value != other.value and abs(self.value - other.value) <= 0.05 * abs(other.value)


@dataclass(frozen=True)
class Compared:
    """What several answers say, by name, and how much they have in common (None with fewer than two)."""

    sayings: Mapping[str, tuple[Saying, ...]]
    consensus: float | None


def split(answer: str) -> tuple[str, str]:
    """Return the sentences of an answer as prose, and what stays whole: code, quotations, tables, verse."""
    held: list[str] = []

    def take(match: re.Match[str]) -> str:
        held.append(match[0].strip())
        return "\n\n"

    prose = _HELD.sub(take, _FENCE.sub(take, answer[:MOST_CHARACTERS]))
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n\s*\n", prose):
        if _is_verse(paragraph):
            held.append("\n".join(f"> {line.strip()}  " for line in paragraph.strip().splitlines()).rstrip())
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs).strip(), "\n\n".join(held)


def compared(answers: Mapping[str, str]) -> Compared:
    """Return the sayings of several answers in common groups; labels of one word are left out."""
    agreement = compare(answers, families={})
    number = 1 + max(
        (one.group for some in agreement.sentences.values() for one in some if one.group is not None),
        default=0,
    )
    found: dict[str, tuple[Saying, ...]] = {}
    for name, places in agreement.sentences.items():
        taken: list[Saying] = []
        for place in places:
            text = plain(_LABEL.sub("", answers[name][place.start : place.end], count=1))
            if not text:
                continue
            number += 1
            taken.append(
                Saying(text, number if place.group is None else place.group, place.kind == "contradicted")
            )
        found[name] = tuple(taken)
    return Compared(found, agreement.consensus)


def plain(text: str) -> str:
    """Return a sentence without marks of Markdown."""
    return " ".join(_MARKS.sub("", text).split())


def quoted(text: str) -> list[str]:
    """Return what a text quotes, the longest first."""
    return sorted((match[1].strip() for match in _QUOTED.finditer(text)), key=len, reverse=True)


def figure_of(answer: str) -> Figure | None:
    """Return the number that an answer comes down to: a bold one, what follows the first “=”, or a bare one."""
    prose, _ = split(answer)
    first = next((line for line in prose.splitlines() if line.strip() and not line.startswith("#")), "")
    bold = _BOLD_NUMBER.search(prose)
    shown = bold[1] if bold else None
    if shown is None:
        equals = re.search(rf"[=≈]\s*({_NUMBER.pattern})", first)
        shown = equals[1] if equals else None
    if shown is None and len(first.split()) <= 5:
        numbers = _NUMBER.findall(first)
        shown = numbers[0] if len(numbers) == 1 else None
    if shown is None:
        return None
    return Figure(float(shown.replace(",", "").replace("−", "-")), shown, _ROUGH.search(first) is not None)


def same_meaning(sentence: str, others: Sequence[str]) -> int | None:
    """Return the place of the one among `others` that says the same as a sentence, or None."""
    if sentence in others:
        return others.index(sentence)
    for place, other in enumerate(others[:MOST_COMPARED]):
        both = compared({"a": sentence, "b": other}).sayings
        if groups_of(both["a"]) & groups_of(both["b"]):
            return place
    return None


def groups_of(sayings: Sequence[Saying]) -> set[int]:
    """Return the groups of the sayings that nothing speaks against."""
    return {said.group for said in sayings if not said.contested}


def _is_verse(paragraph: str) -> bool:
    lines = [line for line in paragraph.strip().splitlines() if line.strip()]
    if len(lines) < VERSE_LINES or any(_LIST.match(line) for line in lines):
        return False
    return all(len(line.split()) <= VERSE_WORDS for line in lines)
