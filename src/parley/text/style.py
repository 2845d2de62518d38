"""The looks of a reply: how much it says, and how much Markdown it uses."""

import re
from typing import TypeAlias

FEATURES = ("tokens", "headers", "lists", "bold")
Style: TypeAlias = tuple[int, int, int, int]
"""A number of each of FEATURES."""

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HEADER = re.compile(r"^ {0,3}#{1,6}\s", re.MULTILINE)
_LIST = re.compile(r"^[^\S\n]*(?:[-*+]|\d{1,9}[.)])[^\S\n]+\S", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def style_of(text: str) -> Style:
    """Return tokens (words and marks), Markdown headers, list items and bold passages, code blocks left aside."""
    prose = _FENCED.sub("", text)
    counts = (_HEADER, _LIST, _BOLD)
    return (len(_TOKEN.findall(text)), *(len(pattern.findall(prose)) for pattern in counts))  # type: ignore[return-value]
