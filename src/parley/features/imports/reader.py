"""Reads a vote file in batches: votes, duplicates, and rows that are no votes."""

import hashlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.features.imports.schemas import BadRowView, FirstRow
from parley.features.vote_files.columns import NEEDED, READ, FileRow, needed_columns
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.model_names import MappedModelView, ModelNames
from parley.features.vote_files.parsing import FileVote, RowParser
from parley.features.vote_files.rows import VoteRows
from parley.features.vote_files.validators import BadRow
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard

BAD_SHOWN, FIRST_SHOWN = 20, 5
BATCH_S = 0.25
"""Seconds that a batch may take, so that progress is reported and a cancellation takes effect."""


class VoteFileReader:
    """Reads one file and counts what it holds. Used by one thread at a time."""

    def __init__(
        self, path: Path, kind: Format, name: str, parser: RowParser, models: ModelNames, limits: FileLimits
    ) -> None:
        self._rows = VoteRows(path, kind, self._check, name=name, columns=READ, limits=limits, lazy=True)
        self._parser, self._models = parser, models
        self._numbered_rows = iter(self._rows)
        self._seen = Seen()
        self._bad_out: BinaryIO | None = None
        self.columns: list[str] = []
        self.bad_rows: list[BadRowView] = []
        self.first_rows: list[FirstRow] = []
        self.read = self.duplicates = self.bad = 0
        self.ended = False

    def take(self, at_most: int) -> list[FileVote]:
        """Return the next votes that have not occurred in the file; sets `ended` at its end. Raises Invalid."""
        votes: list[FileVote] = []
        until = time.monotonic() + BATCH_S
        for line, row in self._numbered_rows:
            self.read += 1
            if isinstance(row, str):
                self._refuse(BadRowView(line, None, row), None)
            else:
                try:
                    votes.append(self._parser.parse(row))
                except BadRow as bad:
                    self._refuse(BadRowView(line, bad.field, bad.why), row)
                else:
                    if len(self.first_rows) < FIRST_SHOWN:
                        self.first_rows.append(_first(row, votes[-1]))
            if len(votes) >= at_most or time.monotonic() > until:
                break
        else:
            self.ended = True
        return self._fresh(votes)

    def write_bad_to(self, path: Path) -> None:
        """Write the bad rows to a file too. Raises OSError."""
        self._bad_out = path.open("wb")

    def share(self) -> float:
        """Return which part of the file is read."""
        return self._rows.share(self.read)

    @property
    def total(self) -> int | None:
        """The number of rows, where the file states it."""
        return self._rows.total

    @property
    def models(self) -> list[MappedModelView]:
        """The models that the names in the file stand for."""
        return list(self._models.mapped.values())

    @property
    def new_models(self) -> list[ModelCard]:
        """Models that only the file knows."""
        return self._models.cards

    @property
    def categories(self) -> list[str]:
        """The categories of the votes."""
        return sorted(self._parser.categories)

    def stop(self) -> None:
        """End the reading; may be called from any thread."""
        self._rows.close()

    def close(self) -> None:
        """Close the files, once nothing is read any more."""
        if self._bad_out is not None:
            self._bad_out.close()

    def _check(self, name: str, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        needed_columns(NEEDED)(name, self.columns)

    def _fresh(self, votes: list[FileVote]) -> list[FileVote]:
        keyed = [vote.row_key for vote in votes if vote.row_key is not None]
        if not keyed:
            return votes
        first = iter(self._seen.new(np.array(keyed, dtype=np.int64)).tolist())
        fresh = [vote for vote in votes if vote.row_key is None or next(first)]
        self.duplicates += len(votes) - len(fresh)
        return fresh

    def _refuse(self, bad: BadRowView, row: FileRow | None) -> None:
        self.bad += 1
        if len(self.bad_rows) < BAD_SHOWN:
            self.bad_rows.append(bad)
        if self._bad_out is not None:
            record = {**msgspec.structs.asdict(bad), "row": row}
            self._bad_out.write(msgspec.json.encode(record, enc_hook=str) + b"\n")


class Seen:
    """A set of 64-bit numbers as sorted arrays, each at least twice as long as the next."""

    def __init__(self) -> None:
        self._levels: list[NDArray[np.int64]] = []

    def new(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Add numbers; return which of them occur for the first time."""
        fresh, places = np.unique(numbers, return_index=True)
        for level in self._levels:
            at = np.minimum(np.searchsorted(level, fresh), len(level) - 1)
            unknown = level[at] != fresh
            fresh, places = fresh[unknown], places[unknown]
        first = np.zeros(len(numbers), dtype=np.bool_)
        first[places] = True
        if len(fresh):
            self._levels.append(fresh)
        while len(self._levels) > 1 and len(self._levels[-2]) < 2 * len(self._levels[-1]):
            last = self._levels.pop()
            self._levels[-1] = np.sort(np.concatenate((self._levels[-1], last)), kind="stable")
        return first


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file. Raises Invalid if it can't be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Invalid("file", f"{path} cannot be read: {error.strerror or error}.") from None


def _first(row: FileRow, vote: FileVote) -> FirstRow:
    voter = row.get("judge") or row.get("judge_hash")
    return FirstRow(
        model_a=vote.left,
        model_b=vote.right,
        winner=str(row["winner"])[:40],
        voter=None if voter is None else str(voter)[:40],
        seconds=vote.seconds,
        categories=vote.categories,
    )
