"""Reads a vote file in batches: new votes, duplicates, and rows that are no votes."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.features.vote_files.columns import Row
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.parsing import RowParser
from parley.features.vote_files.pieces import Piece
from parley.features.vote_files.rows import VoteRows
from parley.features.vote_files.schemas import BadRowView
from parley.features.vote_files.staging import StagedVote
from parley.features.vote_files.validators import BadRow

BAD_SHOWN = 20
BATCH_S = 0.25
"""How long a batch may take, so that progress is reported and a cancellation takes effect."""

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads the bits of a time over all 64."""


class VoteFileReader:
    """Reads one file and counts what it holds. Used by one thread at a time."""

    def __init__(self, rows: VoteRows, parser: RowParser, models: ModelNames, bad_file: Path | None) -> None:
        """`bad_file` receives the bad rows."""
        self._rows, self._parser, self._models = rows, parser, models
        self._numbered_rows = iter(rows)
        self._seen = Seen()
        self._bad_file = bad_file
        self._bad_out: BinaryIO | None = None
        self._bad_rows: list[BadRowView] = []
        self.read = self.duplicates = self.bad = 0
        self.ended = False

    def take(self, at_most: int) -> list[StagedVote]:
        """Return the next votes that have not occurred in the file; sets `ended` at its end. Raises Invalid."""
        votes: list[StagedVote] = []
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
            if len(votes) >= at_most or time.monotonic() > until:
                break
        else:
            self.ended = True
        first = self._seen.new(numbers_of([vote.id for vote in votes])).tolist()
        self.duplicates += first.count(False)
        return [vote for vote, new in zip(votes, first, strict=True) if new]

    def piece(self, at_most: int) -> Piece:
        """Return the next votes with what is known of the file so far. Raises Invalid or OSError."""
        votes = self.take(at_most)
        return Piece(
            votes=votes,
            read=self.read,
            duplicates=self.duplicates,
            bad=self.bad,
            bad_rows=list(self._bad_rows),
            rows=self._rows.total,
            share=self._rows.share(self.read),
            ended=self.ended,
            models=list(self._models.mapped.values()) if self.ended else [],
            cards=self._models.cards if self.ended else [],
        )

    def stop(self) -> None:
        """End the reading; may be called from any thread."""
        self._rows.close()

    def close(self) -> None:
        """Close the files, once nothing is read any more."""
        if self._bad_out is not None:
            self._bad_out.close()

    def _refuse(self, bad: BadRowView, row: Row | None) -> None:
        self.bad += 1
        if len(self._bad_rows) < BAD_SHOWN:
            self._bad_rows.append(bad)
        if self._bad_file is None:
            return
        if self._bad_out is None:
            self._bad_out = self._bad_file.open("wb")
        record = {**msgspec.structs.asdict(bad), "row": row}
        self._bad_out.write(msgspec.json.encode(record, enc_hook=str) + b"\n")


class Seen:
    """A set of 64-bit numbers as sorted arrays, each at least twice as long as the next."""

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []

    def new(self, numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
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


def numbers_of(vote_ids: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 bits of each id, its time included: as unlikely to collide as the ids in one file are."""
    halves = np.frombuffer(bytes.fromhex("".join(vote_ids)), dtype=">u8").astype(np.uint64).reshape(-1, 2)
    return (halves[:, 0] * SPREAD) ^ halves[:, 1]
