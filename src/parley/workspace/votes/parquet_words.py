"""What the process that unpacks Parquet is told, and what it answers: msgpack, each with its length in front."""

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

import msgspec

from parley.workspace.votes.limits import FileLimits

FRAME_BYTES = 1 << 30
"""No answer is longer; rows are sent in pieces of some megabytes."""

_LENGTH = struct.Struct(">I")


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Which file is read, what errors call it, and which columns are wanted; None for all."""

    path: str
    name: str
    columns: list[str] | None
    limits: FileLimits


class Began(msgspec.Struct, frozen=True, tag="began"):
    """The file's columns, the wanted ones among them, and how many rows it says it has."""

    columns: list[str]
    wanted: list[str]
    rows: int


class Rows(msgspec.Struct, frozen=True, tag="rows", gc=False):
    """Some rows, column by column, in the order of the wanted columns."""

    columns: list[list[Any]]


class Oversized(msgspec.Struct, frozen=True, tag="oversized"):
    """One row that is longer than a row may be, or that holds more values."""

    why: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The file cannot be taken, in words."""

    title: str
    detail: str | None


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """All of the file was read."""


Answer: TypeAlias = Began | Rows | Oversized | Refused | Ended


def write_answer(out: BinaryIO, answer: Answer) -> None:
    """Send an answer. Raises BrokenPipeError where nobody hears it any more."""
    data = msgspec.msgpack.encode(answer, enc_hook=str)
    out.write(_LENGTH.pack(len(data)))
    out.write(data)
    out.flush()


def read_answers(source: BinaryIO) -> Iterator[Answer]:
    """Yield answers until the source ends, in the midst of one too. Raises msgspec.DecodeError, and ValueError."""
    decoder: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
    while len(head := source.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        if length > FRAME_BYTES:
            raise ValueError(f"an answer of {length:,} bytes")
        data = source.read(length)
        if len(data) < length:
            return
        yield decoder.decode(data)
