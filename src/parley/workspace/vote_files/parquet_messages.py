"""Messages between the Parquet reader and its worker process: one task, then answers, as msgpack frames."""

from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

import msgspec

from parley.workspace.vote_files.frames import read_frames, write_frame
from parley.workspace.vote_files.limits import FileLimits

TOO_LARGE = 75
"""The worker's exit code once it needs more memory than allowed."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The file to read, its name in errors, and the columns to return (None: all)."""

    path: str
    name: str
    columns: list[str] | None
    limits: FileLimits


class Began(msgspec.Struct, frozen=True, tag="began"):
    """The file's columns, those that are returned, and the row count its footer states."""

    columns: list[str]
    wanted: list[str]
    rows: int


class Rows(msgspec.Struct, frozen=True, tag="rows", gc=False):
    """Some rows, column by column, in the order of `Began.wanted`."""

    columns: list[list[Any]]


class Oversized(msgspec.Struct, frozen=True, tag="oversized"):
    """One row that exceeds a limit, which `why` names."""

    why: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The file cannot be read; title and detail of the error."""

    title: str
    detail: str | None


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The whole file was read."""


Answer: TypeAlias = Began | Rows | Oversized | Refused | Ended


def write_answer(out: BinaryIO, answer: Answer) -> None:
    """Send an answer. Raises BrokenPipeError once the reader is gone."""
    write_frame(out, msgspec.msgpack.encode(answer, enc_hook=str))
    out.flush()


def read_answers(source: BinaryIO) -> Iterator[Answer]:
    """Yield answers until the pipe closes. Raises EOFError, ValueError or msgspec.DecodeError for a broken one."""
    decoder: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
    yield from map(decoder.decode, read_frames(source))
