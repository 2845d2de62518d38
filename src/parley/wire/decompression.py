"""Decompressing bodies that a server compressed although it was asked not to."""

import zlib
from typing import Protocol

from parley.kernel.errors import Garbled
from parley.wire.failures import too_large

SLICE_BYTES = 64 << 10
"""The most bytes returned at a time: a small packet can become a very large one."""

MAX_DECOMPRESSED_BYTES = 16 << 20
"""Limit of one body, compressed and decompressed together; far more than an answer has."""

MEMBER_COST = 4 << 10
"""The bytes that each further gzip member counts as: very many empty ones would keep the process busy."""


class _Stream(Protocol):
    """The type of `zlib.decompressobj`'s objects."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes: ...


class Decompressor:
    """Decompresses one body; while `waiting` is true, `take` may return more."""

    def __init__(self, coding: str) -> None:
        self.waiting = False
        self._known = coding in ("gzip", "x-gzip", "deflate")
        self._stream: _Stream = zlib.decompressobj(wbits=47)
        self._compressed = b""
        self._budget = MAX_DECOMPRESSED_BYTES

    def feed(self, compressed: bytes) -> None:
        """Add the next part of the body. Raises Garbled: an unknown content encoding."""
        if not self._known:
            raise Garbled(
                "The model's server compresses its responses in a format that Parley didn't ask for.",
                "Turn compression off at the server.",
            )
        self._spend(len(compressed))
        self._compressed += compressed
        self.waiting = True

    def take(self) -> bytes:
        """Return the next slice; empty if more input is needed. Raises Garbled."""
        if self._stream.eof:
            # A gzip body may have several members, and zeros as padding.
            self._compressed = self._compressed.lstrip(b"\0")
            self.waiting = bool(self._compressed)
            if not self.waiting:
                return b""
            self._spend(MEMBER_COST)
            self._stream = zlib.decompressobj(wbits=47)
        try:
            plain = self._stream.decompress(self._compressed, SLICE_BYTES)
        except zlib.error:
            raise Garbled(
                "The model's server sent a response that can't be decompressed.",
                "Ask again, or choose another model.",
            ) from None
        self._compressed = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
        # After a full slice the stream may hold output although all its input is used up.
        self.waiting = bool(self._compressed) or len(plain) == SLICE_BYTES
        self._spend(len(plain))
        return plain

    def _spend(self, size: int) -> None:
        self._budget -= size
        if self._budget < 0:
            raise too_large()
