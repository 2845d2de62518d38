"""Length-prefixed frames, for files and pipes that carry many messages."""

import struct
from collections.abc import Iterator
from typing import BinaryIO

MAX_FRAME_BYTES = 1 << 30

_LENGTH = struct.Struct(">I")


def write_frame(out: BinaryIO, data: bytes) -> None:
    """Write one frame."""
    out.write(_LENGTH.pack(len(data)))
    out.write(data)


def read_frames(source: BinaryIO) -> Iterator[bytes]:
    """Yield frames one at a time. Raises EOFError if one is cut off, ValueError if one is too long."""
    while head := source.read(_LENGTH.size):
        if len(head) < _LENGTH.size:
            raise EOFError
        (length,) = _LENGTH.unpack(head)
        if length > MAX_FRAME_BYTES:
            raise ValueError(f"a frame of {length:,} bytes")
        data = source.read(length)
        if len(data) < length:
            raise EOFError
        yield data
