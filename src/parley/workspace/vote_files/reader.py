"""Reads a vote file in batches: new votes, duplicates, and rows that are no votes."""

import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.workspace.vote_files.columns import Row
from parley.workspace.vote_files.model_names import ModelNames
from parley.workspace.vote_files.parsing import RowParser
from parley.workspace.vote_files.rows import VoteRows
from parley.workspace.vote_files.schemas import BadRowView, ImportProgress, ImportReport
from parley.workspace.vote_files.staging import StagedVote
from parley.workspace.vote_files.validators import BadRow

BAD_SHOWN = 20
BATCH_S = 0.25
"""How long a batch may take, so that progress is reported and a cancellation takes effect."""

SPREAD, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
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
        self.read = self.fresh = self.not_counted = self.duplicates = self.bad = 0
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

    def keep(self, votes: list[StagedVote], existing: AbstractSet[str]) -> list[StagedVote]:
        """Return the votes that are not stored yet, and count them."""
        fresh = [it for it in votes if existing.isdisjoint(it.possible_ids())] if existing else votes
        self.duplicates += len(votes) - len(fresh)
        self.fresh += len(fresh)
        self.not_counted += sum(
            not it.counted or it.excluded_reason is not None or it.kind != "blind" for it in fresh
        )
        return fresh

    def progress(self, weight: float) -> ImportProgress:
        """Return the progress; `weight` is the reading's share of the whole import."""
        return ImportProgress(
            phase="reading",
            read=self.read,
            imported=0,
            duplicates=self.duplicates,
            bad=self.bad,
            total=self._rows.total,
            done=round(self._rows.share(self.read) * weight, 4),
        )

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return what the file held."""
        return ImportReport(
            read=self.read,
            imported=self.fresh,
            not_counted=self.not_counted,
            duplicates=self.duplicates,
            bad=self.bad,
            bad_rows=list(self._bad_rows),
            models=list(self._models.mapped.values()),
            dry_run=dry_run,
        )

    def close(self) -> None:
        """End the reading, in whatever thread it runs."""
        self._rows.close()
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
    return np.fromiter(
        ((int(it[12:28], 16) ^ (int(it[:12], 16) * SPREAD)) & MASK for it in vote_ids),
        dtype=np.uint64,
        count=len(vote_ids),
    )
