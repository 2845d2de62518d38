"""Repairing text whose characters a server split or encoded wrongly.

Some servers split an answer at bytes or UTF-16 units: half of an emoji is in one chunk, the rest in the next.
"""

import codecs
import json
import re

import msgspec

_HIGH_AT_END = re.compile("[\ud800-\udbff]\\Z")
_ESCAPED_BYTES = re.compile("[\udc80-\udcff]+")
_LONE = re.compile("[\ud800-\udfff]")
_LENIENT = json.JSONDecoder(strict=False)
_ASCII = json.JSONEncoder(separators=(",", ":"))


def decode_leniently(payload: bytes) -> object:
    """Decode JSON that may contain invalid UTF-8, lone surrogates or bare control characters.

    Invalid bytes come out as U+DC80…U+DCFF, as `surrogateescape` writes them. Raises ValueError.
    """
    return _LENIENT.decode(payload.decode("utf-8", "surrogateescape"))


def encode_leniently(document: object) -> str:
    """Return JSON of what `decode_leniently` returned; a lone surrogate is written as an escape."""
    try:
        return msgspec.json.encode(document).decode()
    except UnicodeEncodeError:
        return _ASCII.encode(document)


def mended(text: str) -> str:
    """Return a text with split characters joined; NUL and what stays invalid become U+FFFD."""
    if not text.isascii():
        joiner = SurrogateJoiner()
        text = joiner.feed(text) + joiner.end()
    # NUL is valid in Unicode, but databases refuse it.
    return text.replace("\x00", "\ufffd")


class SurrogateJoiner:
    """Joins split characters of one text that arrives in pieces; what stays invalid becomes U+FFFD."""

    def __init__(self) -> None:
        self._half = ""
        self._bytes = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, text: str) -> str:
        """Return the text repaired; half a character at the end waits for the next piece."""
        text = self._half + text
        self._half = ""
        if _HIGH_AT_END.search(text):
            text, self._half = text[:-1], text[-1]
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return "".join(self._repair(run) for run in re.split("([\udc80-\udcff]+)", joined) if run)

    def end(self) -> str:
        """Return U+FFFD for what is still held back."""
        rest = self._bytes.decode(b"", final=True) + ("\ufffd" if self._half else "")
        self._half = ""
        self._bytes.reset()
        return rest

    def _repair(self, run: str) -> str:
        if _ESCAPED_BYTES.fullmatch(run):
            return self._bytes.decode(run.encode("utf-8", "surrogateescape"))
        return self._bytes.decode(_LONE.sub("\ufffd", run).encode())
