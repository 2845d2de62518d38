"""Markdown texts that stand in a larger document: what they leave open is closed."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MAY_STAY_OPEN = re.compile(r"`{3}|~{3}|<[!?/A-Za-z]")
_NEXT = "\n\n### x"
_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
"""The ends of blocks of HTML; others end at an empty line or are elements."""

_ELEMENT = re.compile(r"\s*<(script|pre|style|textarea)\b", re.IGNORECASE)
NESTING = 20


def closed(text: str) -> str:
    """Return a text after which a heading is a heading, whatever code or HTML the text leaves open."""
    if not _MAY_STAY_OPEN.search(text):
        return text
    last = _blocks().parse(text + _NEXT)[-1]
    if last.type == "fence":
        return f"{text}\n{last.markup}"
    if last.type == "html_block":
        element = _ELEMENT.match(last.content)
        end = f"</{element[1]}>" if element else _end(last.content.lstrip())
        return f"{text}\n{end}"
    return text


def _end(block: str) -> str:
    return next((end for start, end in _ENDS.items() if block.startswith(start)), "")


@cache
def _blocks() -> "MarkdownIt":
    # Slow to load, and few runs export.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": NESTING}).disable("inline")
