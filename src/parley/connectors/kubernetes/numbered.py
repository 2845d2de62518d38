"""An answer as numbered lines of a log: however the log is cut, doubled or reordered, what is read is what was said.

A line is ASCII: `{"n": 17, "sum": "1a2b3c4d", "text": "…"}`. `text` is JSON, in pieces if it is long (`"more": true`);
the sum covers the call's id too, so that nothing else in the log can pass for a line. The last line says “end” or
“error”.
"""

import re
import zlib
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from parley.kernel.connector import Chunk, Delta, Finish, Made, Progress, Rethought, Usage
from parley.kernel.errors import (
    BrokenOff,
    Garbled,
    Overloaded,
    ParleyError,
    Rejected,
    Unreachable,
    Unsent,
    UpstreamError,
)
from parley.kernel.messages import ToolCall

PIECE = 4000
"""The most characters of one line's text: runtimes of containers split lines of 16 kB."""

MOST_EARLY = 20_000
"""The most lines that are kept until those before them arrive; more are dropped, and read again."""

CHUNKS: dict[str, type[Chunk]] = {
    "delta": Delta,
    "finish": Finish,
    "made": Made,
    "progress": Progress,
    "rethought": Rethought,
    "tool_call": ToolCall,
    "usage": Usage,
}
_KINDS = {chunk: kind for kind, chunk in CHUNKS.items()}
_ERRORS: dict[str, type[UpstreamError]] = {
    each.__name__: each
    for each in (BrokenOff, Garbled, Overloaded, Rejected, Unreachable, Unsent, UpstreamError)
}


_NOT_ASCII = re.compile(r"[^ -~]")


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log; the first has the number 0."""

    n: int
    sum: str
    text: str
    more: bool = False


class _Message(msgspec.Struct, frozen=True):
    kind: str
    data: msgspec.Raw


class _Failure(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    title: str
    detail: str | None
    code: str
    retry_after_s: float | None = None


class End(msgspec.Struct, frozen=True):
    """The answer's stream has ended by itself."""


Heard: TypeAlias = "Chunk | End | UpstreamError"


class AnswerWriter:
    """Writes an answer as lines."""

    def __init__(self, call_id: str, write: Callable[[str], None]) -> None:
        self._call_id = call_id
        self._write = write
        self._next = 0

    def chunk(self, chunk: Chunk) -> None:
        """Write a chunk."""
        self._say(_KINDS[type(chunk)], chunk)

    def end(self) -> None:
        """Write that the stream has ended."""
        self._say("end", None)

    def error(self, error: ParleyError) -> None:
        """Write that it failed; the reader raises an error of the same kind."""
        kind = type(error)
        named = next((each.__name__ for each in kind.__mro__ if each.__name__ in _ERRORS), "Rejected")
        self._say(
            "error",
            _Failure(
                type=named,
                title=error.title,
                detail=error.detail,
                code=error.leaf_code,
                retry_after_s=error.retry_after_s if isinstance(error, UpstreamError) else None,
            ),
        )

    def _say(self, kind: str, data: Any) -> None:
        text = _NOT_ASCII.sub(_escaped, msgspec.json.encode({"kind": kind, "data": data}).decode())
        for start in range(0, len(text), PIECE):
            piece, more = text[start : start + PIECE], start + PIECE < len(text)
            line = Line(self._next, _sum(self._call_id, self._next, piece, more=more), piece, more)
            self._next += 1
            self._write(msgspec.json.encode(line).decode())


class AnswerReader:
    """Reads an answer from lines in any order, any number of times."""

    def __init__(self, call_id: str) -> None:
        self._call_id = call_id
        self.next = 0
        """The number of the first line that is missing."""
        self._early: dict[int, Line] = {}
        self._pieces: list[str] = []
        self._decode = msgspec.json.Decoder(Line).decode

    @property
    def has_gap(self) -> bool:
        """True if later lines than the next have arrived."""
        return bool(self._early)

    @property
    def known(self) -> int:
        """The number of lines that have arrived, with those that wait for earlier ones."""
        return self.next + len(self._early)

    def take(self, text: str) -> list[Heard]:
        """Return what a line completes, in order. A line that is none, is torn or was read before adds nothing."""
        try:
            line = self._decode(text)
        except (msgspec.DecodeError, UnicodeEncodeError):
            return []
        if line.n < self.next or line.n in self._early:
            return []
        if len(self._early) >= MOST_EARLY and line.n != self.next:
            return []
        if line.sum != _sum(self._call_id, line.n, line.text, more=line.more):
            return []
        self._early[line.n] = line
        heard: list[Heard] = []
        while (following := self._early.pop(self.next, None)) is not None:
            self.next += 1
            self._pieces.append(following.text)
            if not following.more:
                heard.append(_read("".join(self._pieces)))
                self._pieces.clear()
        return heard


def _read(text: str) -> Heard:
    message = msgspec.json.decode(text, type=_Message)
    if message.kind == "end":
        return End()
    if message.kind == "error":
        failure = msgspec.json.decode(message.data, type=_Failure)
        return _ERRORS.get(failure.type, UpstreamError)(
            failure.title, failure.detail, code=failure.code, retry_after_s=failure.retry_after_s
        )
    if message.kind not in CHUNKS:
        return Garbled(
            "The Job says something that this version of Parley does not know.",
            "Let kubernetes.image be the version of Parley that runs here.",
        )
    return msgspec.json.decode(message.data, type=CHUNKS[message.kind])


def _escaped(match: re.Match[str]) -> str:
    """Return a character as JSON escapes it: a log's reader may take some of them for the end of a line."""
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _sum(call_id: str, number: int, text: str, *, more: bool) -> str:
    return f"{zlib.crc32(f'{call_id}:{number}:{more}:{text}'.encode()):08x}"
