"""Documents that a model wrote beside the conversation, such as a canvas or an artifact, as Markdown in its answer."""

import re

_TICKS = re.compile(r"`{3,}")
_PROSE = frozenset(("", "document", "markdown", "text/markdown", "text/plain"))


def written_document(what: str, title: str, content: str, language: str = "") -> str:
    """Return a document under a note such as “[Canvas: Packing list]”; code is fenced."""
    note = f"*[{what}: {title}]*" if title else f"*[{what}]*"
    body = content if language in _PROSE else fenced(content, language)
    return f"{note}\n\n{body}"


def changed_document(what: str, earlier: str, later: str) -> str:
    """Return a change of a document: the text that was replaced, and the new one."""
    return f"*[{what}: this was replaced]*\n\n{fenced(earlier)}\n\n*[by this]*\n\n{fenced(later)}"


def fenced(content: str, language: str = "") -> str:
    """Return a text as a block of code that nothing within it ends."""
    fence = "`" * (max(map(len, _TICKS.findall(content)), default=2) + 1)
    return f"{fence}{language}\n{content}\n{fence}"
