"""Votes of a file on their way in: checked, and kept in a file of their own until they are stored."""

import os
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Self, TypeAlias

import msgspec

from parley.kernel.views import ModelCard


class StagedVote(msgspec.Struct, array_like=True, gc=False):
    """A vote as it will be stored. `created_at` is ISO 8601 with six digits and “Z”, as the audit log has it.

    `source` is the id that the file gave it, under which it is written to files again.
    """

    id: str
    source: str | None
    voter_id: str
    owner_id: str | None
    kind: str
    choice: str
    comment: str | None
    left: str
    right: str
    propensity: float | None
    counted: bool
    not_counted_reason: str | None
    excluded_reason: str | None
    created_at: str
    categories: list[str]
    categories_by: str
    prompt_sha256: str | None
    style: dict[str, dict[str, int]] | None
    read_ms: int | None

    def told_ids(self) -> tuple[str, ...]:
        """Return the ids under which it may be stored already: its own, and that of a vote which was cast here."""
        return (self.id, self.source) if self.source and ID.fullmatch(self.source) else (self.id,)


class StagedBatch(msgspec.Struct, tag="votes"):
    """Votes, in the order of the file."""

    votes: list[StagedVote]


class StagedModels(msgspec.Struct, tag="models"):
    """The models that nobody knew before, and how many votes there are: the last record."""

    cards: list[ModelCard]
    votes: int


_Record: TypeAlias = StagedBatch | StagedModels

ID = re.compile(r"[0-9a-f]{32}")
"""What an id of a vote looks like."""

_LENGTH = struct.Struct(">I")


class StageWriter:
    """Writes staged votes. What is not finished is no import: only `finish` gives the file its name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO = path.with_suffix(".part").open("wb")
        self._encoder = msgspec.msgpack.Encoder()

    def add(self, votes: Sequence[StagedVote]) -> None:
        """Write a batch."""
        self._write(StagedBatch(list(votes)))

    def finish(self, cards: Sequence[ModelCard], votes: int) -> None:
        """Write the end and make it durable: from here on the import is carried out, whatever happens."""
        self._write(StagedModels(list(cards), votes))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self.path.with_suffix(".part").replace(self.path)
        _sync_folder(self.path.parent)

    def discard(self) -> None:
        """Remove what was written; does nothing after `finish`."""
        self._file.close()
        self.path.with_suffix(".part").unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def _write(self, record: _Record) -> None:
        data = self._encoder.encode(record)
        self._file.write(_LENGTH.pack(len(data)))
        self._file.write(data)


def read_stage(path: Path) -> Iterator[StagedBatch | StagedModels]:
    """Yield the records of a finished file, one in memory at a time."""
    decoder: msgspec.msgpack.Decoder[_Record] = msgspec.msgpack.Decoder(_Record)
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            yield decoder.decode(file.read(_LENGTH.unpack(head)[0]))


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
