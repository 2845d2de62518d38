"""Titles: the name of a session before a person names it."""

import re

TITLE_CHARS = 80

_FENCE = re.compile(r"\s*(```|~~~)")
_BEGINNING = re.compile(r"^(?:\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
_MARKS = re.compile(r"(\*\*|__|~~|`+)(?=\S)(.+?)(?<=\S)\1")
_LABEL = re.compile(r"^title:\s*", re.IGNORECASE)
_QUOTED = ('""', "''", "``", "“”", "„“", "”“", "””", "‘’", "‚‘", "«»", "»«", "‹›", "「」", "『』")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
"""Characters that a title of one line never needs: controls, changes of the writing direction, halves of characters."""

_LOOKED_AT = 2_000
"""A line may be a whole document, so only its beginning is read."""


def title_of(prompt: str) -> str:
    """Return a session's first title: the first line of its first prompt, shortened at a word.

    Marks of Markdown are left out; a line of nothing else counts only where there is no other.
    """
    lines = [_UNSEEN.sub(" ", line[:_LOOKED_AT]) for line in prompt.splitlines() if line.strip()]
    plain = (_plain(line) for line in lines if not _FENCE.match(line))
    line = next(filter(None, plain), " ".join(lines[0].split()) if lines else "")
    if len(line) <= TITLE_CHARS:
        return line
    return line[:TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def clean_title(answer: str) -> str:
    """Return the title in a model's answer: its first line without quotes and period; empty if it says nothing."""
    line = title_of(answer)
    if len(line) > TITLE_CHARS:
        line = line[: TITLE_CHARS - 1].rstrip("…,;:. ") + "…"
    before = None
    while line != before:
        before = line
        line = _LABEL.sub("", line.strip().rstrip("。").removesuffix(".").strip())
        if len(line) > 1 and line[0] + line[-1] in _QUOTED and not set(line[1:-1]) & {line[0], line[-1]}:
            line = line[1:-1]
    return line if any(map(str.isalnum, line)) else ""


def _plain(line: str) -> str:
    text = _MARKS.sub(r"\2", _LINK.sub(r"\1", _BEGINNING.sub("", line)))
    return " ".join(text.split()) if any(map(str.isalnum, text)) else ""
