"""JSON that strict readers refuse as a whole because of one bad place: mended, and taken apart."""

import re
from collections.abc import Iterator

_STRING = rb'"(?:[^"\\]++|\\.|\\\Z)*+(?:"|\Z)'
"""A string, also one that is never closed: its end is looked for once."""

_TOKENS = re.compile(_STRING + rb"|NaN|-?Infinity", re.DOTALL)
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\[^u]|[\x00-\x1f]",
    re.DOTALL,
)
_PARTS = re.compile(_STRING + rb"|[\[\]{},]", re.DOTALL)
_NESTED = re.compile(_STRING + rb"|[\[{]+|[\]}]+", re.DOTALL)
_KEY = re.compile(rb"[\s,]*(" + _STRING + rb")\s*:\s*", re.DOTALL)
_PLAIN = re.compile(rb"(?:" + _STRING + rb"|[^\s,\]}]*)", re.DOTALL)
_SPACE = re.compile(rb"\s*")
_OPENING, _CLOSING, _QUOTE = b"[{", b"]}", b'"'

BREAKS_OFF = "it breaks off"


def mended(document: bytes) -> bytes:
    """Return JSON with U+FFFD for halves of characters and bytes that aren't UTF-8, and null for NaN and infinities.

    Control characters within texts are escaped.
    """
    utf8 = document.decode("utf-8", "replace").encode()
    return _TOKENS.sub(lambda match: _mended_token(match[0]), utf8)


def split_list(document: bytes, at: int) -> Iterator[bytes]:
    """Yield the items of the list that begins at `at`, well-formed or not. Raises ValueError if it doesn't end."""
    start = at + 1
    place = start
    while mark := _PARTS.search(document, place):
        opening = document[mark.start()]
        place = _end(document, mark.start()) if opening in _OPENING else mark.end()
        if opening in _OPENING or opening in _QUOTE:
            continue
        if item := document[start : mark.start()].strip():
            yield item
        start = place
        if opening in _CLOSING:
            return
    raise ValueError(BREAKS_OFF)


def members(document: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    """Yield the quoted name of each member of the object that begins at `at`, and the place of its value.

    Ends where the object is not well-formed. Raises ValueError if it breaks off.
    """
    place = at + 1
    while key := _KEY.match(document, place):
        yield key[1], key.end()
        place = end_of(document, key.end())


def end_of(document: bytes, at: int) -> int:
    """Return the place after the value that begins at `at`. Raises ValueError if it breaks off."""
    if document[at : at + 1] and document[at] in _OPENING:
        return _end(document, at)
    plain = _PLAIN.match(document, at)
    return plain.end() if plain else at


def rest_of(document: bytes, at: int) -> bytes:
    """Return the beginning of what follows after white space."""
    space = _SPACE.match(document, at)
    return document[space.end() : space.end() + 1] if space else b""


def _end(document: bytes, at: int) -> int:
    depth = 0
    for mark in _NESTED.finditer(document, at):
        first = document[mark.start()]
        length = mark.end() - mark.start()
        if first in _OPENING:
            depth += length
        elif first in _CLOSING:
            if length >= depth:
                return mark.start() + depth
            depth -= length
    raise ValueError(BREAKS_OFF)


def _mended_token(token: bytes) -> bytes:
    return _HALF.sub(_mended_character, token) if token.startswith(b'"') else b"null"


def _mended_character(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return rb"\ufffd"
    character = match[0]
    return b"\\u%04x" % character[0] if len(character) == 1 else character
