"""The marks of Markdown, which stand around words and between them."""

import re

_MARKS = re.compile(
    r"\*\*|~~|`+|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])|(?<!\S)(?:#{1,6}|>|\*|\||[-:|]*-{3,}[-:|]*)(?!\S)"
)


def without_marks(text: str) -> str:
    """Return a text without marks of Markdown, with single spaces."""
    return re.sub(r"\s+", " ", _MARKS.sub("", text))
