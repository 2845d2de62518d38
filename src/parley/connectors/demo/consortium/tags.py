"""Reading and writing the simple tags of a consortium's prompts."""

import re
from functools import lru_cache
from html import escape, unescape


def inside(text: str, tag: str) -> str | None:
    """Return what stands in the first such tag, unescaped and trimmed; a tag that is cut off reaches to the end."""
    match = _pattern(tag).search(text)
    return unescape(match[1]).strip() if match else None


def each_inside(text: str, tag: str) -> list[str]:
    """Return what stands in every such tag, still escaped: it may hold tags of its own."""
    return [match[1].strip() for match in _pattern(tag).finditer(text)]


def opens(text: str, tag: str) -> bool:
    """Tell whether a line of the text begins with the tag."""
    return re.search(rf"^[ \t]*<\s*{tag}\b[^<>]*>", text, re.IGNORECASE | re.MULTILINE) is not None


def tagged(tag: str, text: str) -> str:
    """Return a text in its tag, on lines of its own and without anything that would close the tag early."""
    return f"<{tag}>\n{escape(text, quote=False) if f'</{tag}' in text.lower() else text}\n</{tag}>"


@lru_cache(maxsize=64)
def _pattern(tag: str) -> re.Pattern[str]:
    return re.compile(rf"<\s*{tag}\b[^<>]*>(.*?)(?:<\s*/\s*{tag}\s*>|\Z)", re.IGNORECASE | re.DOTALL)
