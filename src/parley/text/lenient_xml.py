"""Elements read out of what a model wrote as XML, however carelessly.

Tags may be in any case, with white space or attributes inside; text may stand around them, Markdown fences too; an
element that is never closed ends where the next known one begins, or where the text breaks off, even inside a tag. A
text that speaks of its own closing tag goes on to the last one before another element begins.
Reading takes time linear in the length of the text.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&#34;": '"', "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_RAW = re.compile(r"<|&(?!(?:lt|gt|quot|apos|amp|#39|#34);)")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ESCAPE = re.compile("[&<>]")
_BROKEN_TAG = re.compile(r"</?([A-Za-z_]{0,40})\Z")


class Element(NamedTuple):
    """An element: `text` is its content, unescaped and stripped.

    `start` to `end` are the code points of the source where `text` stands just so; both are 0 if it does not.
    `attributes` is what stands in the opening tag after the name; `opening` and `after` span element and tags.
    """

    name: str
    text: str
    start: int
    end: int
    attributes: str
    opening: int
    after: int


class _Tag(NamedTuple):
    name: str
    closing: bool
    start: int
    end: int
    attributes: str


def read_elements(text: str, names: Sequence[str], *, around: Sequence[str] = ()) -> tuple[Element, ...]:
    """Return the outermost elements of these names, in order; what stands inside of one is not looked into.

    `around` are elements that hold the others: they are looked into, and one that is never closed ends at their tags.
    """
    tags = _tags(text, (*names, *around))
    closings: dict[str, list[int]] = {}
    for index, tag in enumerate(tags):
        if tag.closing:
            closings.setdefault(tag.name, []).append(index)
    elements: list[Element] = []
    at = 0
    while at < len(tags):
        tag = tags[at]
        if tag.closing or tag.name in around:
            at += 1
            continue
        ends = closings.get(tag.name, [])
        place = bisect_left(ends, at)
        if place < len(ends):
            last = _last_closing(text, tags, ends[place])
            end, after, at = tags[last].start, tags[last].end, last + 1
        else:
            at += 1
            while at < len(tags) and tags[at].name == tag.name:
                at += 1
            end = max(tag.end, tags[at].start if at < len(tags) else _unbroken(text, (*names, *around)))
            after = end if at < len(tags) else len(text)
        elements.append(_element(text, tag, end, after))
    return tuple(elements)


def outside_of(text: str, elements: Sequence[Element]) -> tuple[int, int]:
    """Return the span of the longest stretch that stands in no element, without white space at its ends."""
    edges = [0, *(edge for element in elements for edge in (element.opening, element.after)), len(text)]
    spans = [strip_span(text, edges[at], edges[at + 1]) for at in range(0, len(edges), 2)]
    return max(spans, key=lambda span: span[1] - span[0])


def first_of(elements: Sequence[Element], *names: str) -> Element | None:
    """Return the first element that has one of the names and says something."""
    return next((element for element in elements if element.name in names and element.text), None)


def strip_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the white space at both its ends."""
    whole = text[start:end]
    inner = whole.strip()
    begin = start + len(whole) - len(whole.lstrip()) if inner else start
    return begin, begin + len(inner)


def escape(text: str) -> str:
    """Return a text as it may stand inside of an element."""
    return _ESCAPE.sub(lambda match: _ESCAPES[match[0]], text)


def _tags(text: str, names: Sequence[str]) -> list[_Tag]:
    either = "|".join(sorted((re.escape(name) for name in names), key=len, reverse=True))
    pattern = re.compile(rf"<\s{{0,8}}(/?)\s{{0,8}}({either})(?![\w-])([^<>]{{0,400}})>", re.IGNORECASE)
    return [
        _Tag(match[2].lower(), bool(match[1]), match.start(), match.end(), match[3].strip())
        for match in pattern.finditer(text)
    ]


def _last_closing(text: str, tags: Sequence[_Tag], first: int) -> int:
    """Return the closing tag that ends an element: what follows the first one belongs to it if it is closed again."""
    last = first
    while last + 1 < len(tags):
        this, other = tags[last], tags[last + 1]
        if not other.closing or other.name != this.name or not text[this.end : other.start].strip():
            break
        last += 1
    return last


def _unbroken(text: str, names: Sequence[str]) -> int:
    """Return where a text ends, not counting a known tag that broke off."""
    tail = max(0, len(text) - 64)
    broken = _BROKEN_TAG.search(text[tail:])
    known = broken is not None and any(name.startswith(broken[1].lower()) for name in names)
    return tail + broken.start() if broken and known else len(text)


def _element(text: str, tag: _Tag, end: int, after: int) -> Element:
    start, end = strip_span(text, tag.end, end)
    raw = text[start:end]
    whole = _CDATA.fullmatch(raw)
    if whole:
        start, end = strip_span(text, start + whole.start(1), start + whole.end(1))
        return Element(tag.name, text[start:end], start, end, tag.attributes, tag.start, after)
    plain = _unescaped(raw)
    if plain != raw:
        start = end = 0
    return Element(tag.name, plain, start, end, tag.attributes, tag.start, after)


def _unescaped(text: str) -> str:
    """Undo escapes, unless raw marks beside them show that the author did not escape at all."""
    if "&" not in text or _RAW.search(text):
        return text
    return _ENTITY.sub(lambda match: _ENTITIES[match[0]], text)
