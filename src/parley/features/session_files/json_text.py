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
_STRUCTURE = re.compile(_STRING + rb"|[\[\]{},]", re.DOTALL)
_OPENING, _CLOSING = b"[{", b"]}"


def mended(document: bytes) -> bytes:
    """Return JSON with U+FFFD for halves of characters and bytes that aren't UTF-8, and null for NaN and infinities.

    Control characters within texts are escaped.
    """
    utf8 = document.decode("utf-8", "replace").encode()
    return _TOKENS.sub(lambda found: _mended_token(found[0]), utf8)


def split_list(document: bytes) -> Iterator[bytes]:
    """Yield the items of a list, well-formed or not. Raises ValueError if the list doesn't end."""
    depth, start = 0, 1
    for found in _STRUCTURE.finditer(document):
        token = found[0]
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
        if (depth == 1 and token == b",") or depth == 0:
            if item := document[start : found.start()].strip():
                yield item
            start = found.end()
        if depth == 0:
            if document[start:].strip():
                raise ValueError("more follows after its end")
            return
    raise ValueError("it breaks off")


def _mended_token(token: bytes) -> bytes:
    return _HALF.sub(_mended_character, token) if token.startswith(b'"') else b"null"


def _mended_character(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return rb"\ufffd"
    character = found[0]
    return b"\\u%04x" % character[0] if len(character) == 1 else character
