"""Stage files: the checked votes of an import, ready to be stored, from reading until then."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeAlias

import msgspec

from parley.kernel.views import ModelCard
from parley.storage.audit_imports import PackedVotes
from parley.workspace.vote_files.frames import read_frames, write_frame

ID = re.compile(r"[0-9a-f]{32}")
"""The ids of votes."""


class StagedVote(msgspec.Struct, array_like=True, gc=False):
    """A vote as it will be stored. `created_at` is written as in the audit log (`time_text`).

    `source` is the vote's id in the file, and in files it is exported to. Stage files hold the fields in this order.
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

    def possible_ids(self) -> tuple[str, ...]:
        """Return the ids it may be stored under already: its own, and `source` for a vote that was cast here."""
        return (self.id, self.source) if self.source and ID.fullmatch(self.source) else (self.id,)


class StagedBatch(msgspec.Struct, tag="votes"):
    """Votes in the order of the file, as earlier versions wrote them."""

    votes: list[StagedVote]


class EarlierRecords(msgspec.Struct, tag="records"):
    """`VoteRecords` of earlier versions: ids and statuses are text."""

    rows: list[tuple[Any, ...]]
    packed: list[PackedVotes]
    exclusions: list[tuple[Any, ...]]


class VoteRecords(msgspec.Struct, tag="rows"):
    """What the database stores of some votes, in one transaction.

    `rows` are in the order of the columns of votes, `packed` is what the audit log says of them, and `exclusions` are
    the fields of `NewEntry`.
    """

    rows: list[tuple[Any, ...]]
    packed: list[PackedVotes]
    exclusions: list[tuple[Any, ...]]


class StagedModels(msgspec.Struct, tag="models"):
    """The new models and the number of votes: the last record."""

    cards: list[ModelCard]
    votes: int


StageRecord: TypeAlias = StagedBatch | EarlierRecords | VoteRecords | StagedModels


class StageWriter:
    """Writes a stage file. Only `finish` gives it its name; leaving the context before removes it."""

    def __init__(self, path: Path) -> None:
        self._path, self._part = path, path.with_suffix(".part")
        self._file: BinaryIO = self._part.open("wb")
        self._encoder = msgspec.msgpack.Encoder()

    def add(self, records: VoteRecords) -> None:
        """Write what one transaction stores."""
        self._write(records)

    def finish(self, cards: Sequence[ModelCard], votes: int) -> None:
        """Make the file durable: from here on the import is carried out, even after a crash."""
        self._write(StagedModels(list(cards), votes))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._path)
        _sync_folder(self._path.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._part.unlink(missing_ok=True)

    def _write(self, record: StageRecord) -> None:
        write_frame(self._file, self._encoder.encode(record))


def read_stage(path: Path) -> Iterator[StageRecord]:
    """Yield the records of a finished file, one in memory at a time."""
    decoder: msgspec.msgpack.Decoder[StageRecord] = msgspec.msgpack.Decoder(StageRecord)
    with path.open("rb") as file:
        yield from map(decoder.decode, read_frames(file))


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
