"""Kinds of questions: which of them a question is, by its words and by what the session has."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from parley.text.categories.categorise import categorise

Kind: TypeAlias = Literal["tools", "data", "picture", "code", "maths", "writing", "chat"]

PresetKind: TypeAlias = Literal["code", "maths", "writing", "chat"]
"""The kinds that a preset can be chosen for: the models in it are given no tools and no pictures."""

NEEDS_TOOLS: frozenset[Kind] = frozenset(("tools", "data"))

CATEGORY_OF: dict[Kind, str] = {
    "code": "coding",
    "maths": "maths",
    "writing": "creative-writing",
    "picture": "vision",
}
"""The category whose ratings count; the overall ones for other kinds."""

_DATA = re.compile(
    r"\b(how many|how much|average|mean|median|sum|total|count|percent(age)?|share of|trend|correlat\w+|outliers?|"
    r"highest|lowest|most|least|top \d+|per (day|week|month|year|region|customer|product)|group(ed)? by|distribution|"
    r"rows?|columns?|table|csv|spreadsheet|dataset|data|sql|chart|plot|filter|sort(ed)? by|missing values)\b",
    re.IGNORECASE,
)
_ABOUT_FILE = re.compile(
    r"\b(this|that|the|these|my|attached) (file|table|csv|sheet|data\w*|numbers|export)\b", re.IGNORECASE
)
_ACTS = re.compile(
    r"\b(look (it |this |that )?up|search (for|the|in|my)|find (the|my|all|any) (latest|newest|open|ticket|issue|page|"
    r"note|file|message|meeting|event)s?|fetch|check (the|my) \w+|"
    r"create (a|an|the) (ticket|issue|event|note|page|task|reminder)|"
    r"send (a|an|the|it|this)|book (a|the|me)|schedule|add (a|an|the|this|it) .*\b(note|list|calendar|ticket|board)|"
    r"open (a|the) (ticket|issue)|close (the )?(ticket|issue)|update (the|my) \w+|delete (the|my) \w+|"
    r"list (my|all|the) \w+)\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(write|compose|draft|rephrase|translate|explain|poem|story|joke|essay|e-?mail|letter|imagine|brainstorm|"
    r"what is the meaning|who (was|is)|why (is|are|do|does)|define|recommend|advice|feel)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"```|\bdef \w+\(|\bfunction\b|\bclass \w+|;\s*$|\b(python|javascript|typescript|rust|bash|regex)\b",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(rephrase|rewrite|paraphrase|proofread|translate)\b|"
    r"\b(write|compose|draft)\b.{0,60}?\b(poem|sonnet|haiku|limerick|song|lyrics|story|tale|novel|scene|dialogue|essay|"
    r"speech|toast|letter|e-?mail|article|post|paragraph|text)s?\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{3,}")


class Guess(NamedTuple):
    """A kind, how sure it is, and why, in plain words."""

    kind: Kind
    confidence: float
    why: str


def kind_of(
    text: str,
    *,
    picture: bool,
    fresh_table: bool,
    columns: Sequence[str],
    tools: Sequence[str],
    last: Kind | None,
) -> Guess:
    """Return the kind of a question.

    `columns` are words of the session's tables, `tools` words of its other tools, `last` is the kind before it in the
    same conversation.
    """
    if picture:
        return Guess("picture", 0.99, "a picture is attached")
    words = {word.lower().rstrip("s") for word in _WORD.findall(text.replace("_", " "))}
    if columns and (guess := _data(text, words, columns, fresh=fresh_table, last=last)):
        return guess
    if tools and (guess := _tools(text, words, tools, last)):
        return guess
    if _CODE.search(text):
        return Guess("code", 0.8, "it has or asks for code")
    topics = categorise([text])
    if "coding" in topics:
        return Guess("code", 0.8, "it asks about code")
    if "maths" in topics:
        return Guess("maths", 0.8, "it asks to calculate or prove")
    if _WRITES.search(text):
        return Guess("writing", 0.8, "it asks to write")
    return Guess("chat", 0.7, "it needs no tools")


def _data(
    text: str, words: set[str], columns: Sequence[str], *, fresh: bool, last: Kind | None
) -> Guess | None:
    names = {word.lower().rstrip("s") for name in columns for word in _WORD.findall(name.replace("_", " "))}
    named = sorted(words & names)
    asks, about = bool(_DATA.search(text)), bool(_ABOUT_FILE.search(text))
    score = 0.4 * bool(named) + 0.2 * (len(named) > 1) + 0.35 * asks + 0.45 * about
    score += 0.3 * fresh + 0.15 * (last == "data") - 0.35 * bool(_TALK.search(text) and not (named and asks))
    if score < 0.5:
        return None
    reasons = [f"it names {', '.join(named[:3])}"] if named else []
    reasons += ["it asks for a figure"] if asks else []
    why = "a table is loaded" + "".join(f", {reason}" for reason in reasons)
    return Guess("data", min(0.99, 0.55 + score / 2.5), why)


def _tools(text: str, words: set[str], tools: Sequence[str], last: Kind | None) -> Guess | None:
    names = {word.lower().rstrip("s") for name in tools for word in _WORD.findall(name.replace("_", " "))}
    named = sorted(words & names)
    acts = bool(_ACTS.search(text))
    score = 0.35 * bool(named) + 0.15 * (len(named) > 1) + 0.45 * acts + 0.15 * (last == "tools")
    score -= 0.4 * bool(_TALK.search(text) and not acts)
    if score < 0.5:
        return None
    why = "tools are on" + (
        f", and it is about {', '.join(named[:3])}" if named else ", and it asks to do something"
    )
    return Guess("tools", min(0.99, 0.5 + score / 2.2), why)
