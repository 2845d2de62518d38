"""A vote of a file between reading and storing, and stage files as earlier versions wrote them."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from parley.features.vote_files.frames import read_frames
from parley.kernel.errors import Unavailable
from parley.kernel.views import ModelCard
from parley.storage.audit_imports import PackedVotes
from parley.storage.vote_stages import COLUMNS, StageWriter

ID = re.compile(r"[0-9a-f]{32}")
"""The ids of votes."""

Styles: TypeAlias = tuple[int, int, int, int, int, int, int, int]
"""Features of style (`text.style.FEATURES`) of the left side, then of the right one."""

_SQLITE = b"SQLite format 3\0"

_EARLIER_COLUMNS = (
    *("id", "kind", "rated", "owner_id", "voter_id", "choice", "reason", "left_model_id", "right_model_id"),
    *("seats", "propensity", "counted", "not_counted_reason", "processing_status", "result", "created_at"),
    *("excluded_reason", "categories", "categories_by", "prompt_sha256", "style", "read_ms", "origin"),
)


class StagedVote(msgspec.Struct, array_like=True, gc=False):
    """A vote as it will be stored. `seconds` is its time since 1970; null for the time of the import.

    `source` is the vote's id in the file, and in files it is exported to.
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
    seconds: float | None
    categories: list[str]
    categories_by: str
    prompt_sha256: str | None
    style: Styles | None
    read_ms: int | None

    def possible_ids(self) -> tuple[str, ...]:
        """Return the ids it may be stored under already: its own, and `source` for a vote that was cast here."""
        return (self.id, self.source) if self.source and ID.fullmatch(self.source) else (self.id,)


class EarlierRecords(msgspec.Struct, tag="rows"):
    """A part of a stage file as it was before stages were databases."""

    rows: list[tuple[Any, ...]]
    packed: list[PackedVotes]


class EarlierModels(msgspec.Struct, tag="models"):
    """The last record of such a file: its new models."""

    cards: list[ModelCard]


def renew_stage(path: Path) -> None:
    """Replace a stage file of an earlier version by a stage of the same parts. Raises OSError, and Unavailable."""
    with path.open("rb") as file:
        if file.read(len(_SQLITE)) == _SQLITE:
            return
    decoder: msgspec.msgpack.Decoder[EarlierRecords | EarlierModels]
    decoder = msgspec.msgpack.Decoder(EarlierRecords | EarlierModels)
    cards: list[ModelCard] = []
    with StageWriter(path) as writer:
        with path.open("rb") as file:
            try:
                for record in map(decoder.decode, read_frames(file)):
                    if isinstance(record, EarlierModels):
                        cards += record.cards
                    else:
                        columns = list(zip(*map(_renewed, record.rows), strict=True))
                        writer.add(columns, record.packed)
            except (msgspec.MsgspecError, EOFError, ValueError):
                raise Unavailable(
                    f"The votes in {path} can't be stored: another version of Parley wrote this file.",
                    "Remove it, and import its votes again. None of them is shown until then.",
                    code="import_interrupted",
                ) from None
        writer.finish(map(msgspec.json.encode, cards))


def _renewed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    values = dict(zip(_EARLIER_COLUMNS, row, strict=True))
    values |= {name: _narrow(values[name]) for name in ("id", "voter_id", "created_at")}
    return tuple(values[name] for name in COLUMNS)


def _narrow(value: Any) -> Any:
    """Return an id or a time for SQLite, also from the values of a file for PostgreSQL."""
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return bytes.fromhex(value) if isinstance(value, str) and ID.fullmatch(value) else value
