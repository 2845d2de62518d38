"""Unpacking bodies that a server packed, although it was asked not to."""

import zlib
from typing import Protocol

from parley.kernel.errors import Garbled

SLICE_BYTES = 64 << 10
"""How much is handed on at a time: a small packet can become a very large one."""

MAX_UNPACKED_BYTES = 16 << 20
"""How much one body may bring, packed and unpacked together; far more than an answer has."""

PART_COSTS = 4 << 10
"""What each further part of a packed body counts: very many empty ones would keep us busy."""


class _Stream(Protocol):
    """What `zlib.decompressobj` returns."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes: ...


class Unpacker:
    """Unpacks one body. `waiting` tells whether `take` may have more."""

    def __init__(self, coding: str) -> None:
        self.waiting = False
        self._known = coding in ("gzip", "x-gzip", "deflate")
        self._stream: _Stream = zlib.decompressobj(wbits=47)
        self._packed = b""
        self._room = MAX_UNPACKED_BYTES

    def feed(self, packed: bytes) -> None:
        """Take the next part of the body. Raises Garbled: packed in a way that nobody asked for."""
        if not self._known:
            raise Garbled("The model's server packs its answers in a way that Parley did not ask for.")
        self._spend(len(packed))
        self._packed += packed
        self.waiting = True

    def take(self) -> bytes:
        """Return the next slice, empty where more must come first. Raises Garbled."""
        if self._stream.eof:
            # A packed body may consist of several, and may be padded with zeros.
            self._packed = self._packed.lstrip(b"\0")
            self.waiting = bool(self._packed)
            if not self.waiting:
                return b""
            self._spend(PART_COSTS)
            self._stream = zlib.decompressobj(wbits=47)
        try:
            plain = self._stream.decompress(self._packed, SLICE_BYTES)
        except zlib.error:
            raise Garbled("The model's server sent an answer that cannot be unpacked.") from None
        self._packed = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
        # A full slice may leave something inside the stream although all its bytes are used up.
        self.waiting = bool(self._packed) or len(plain) == SLICE_BYTES
        self._spend(len(plain))
        return plain

    def _spend(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise Garbled("The model's server sent more than an answer can be.")
