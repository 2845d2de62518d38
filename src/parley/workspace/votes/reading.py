"""Reading a file of votes batch by batch: what is new, what is a duplicate, what is no vote."""

import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np

from parley.workspace.votes.models_of_files import ModelNames
from parley.workspace.votes.parsing import BadRow, RowParser
from parley.workspace.votes.rows import Row, VoteRows
from parley.workspace.votes.schemas import BadRowView, ImportProgress, ImportReport, MappedModelView
from parley.workspace.votes.seen import Seen
from parley.workspace.votes.staged import StagedVote

BAD_SHOWN = 20
SLICE_S = 0.25
"""How long a batch may take, so that progress is told and a cancel is heard."""

SPREAD, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
"""An odd number that spreads the bits of a time over all 64."""


class FileReading:
    """A file on its way in. Used by one thread at a time."""

    def __init__(self, rows: VoteRows, parser: RowParser, models: ModelNames, bad_file: Path | None) -> None:
        """`bad_file` is where rows that are no votes are written to."""
        self._rows, self._parser, self._models = rows, parser, models
        self._lines: Iterator[tuple[int, Row | str]] = iter(rows)
        self._seen = Seen()
        self._bad_file, self._bad_out = bad_file, None
        self._bad_rows: list[BadRowView] = []
        self.read = self.fresh = self.not_counted = self.duplicates = self.bad = 0
        self.ended = False

    def take(self, at_most: int) -> list[StagedVote]:
        """Return the next votes that were not in the file before; none may be left (`ended`). Raises Invalid."""
        votes: list[StagedVote] = []
        until = time.monotonic() + SLICE_S
        for line, row in self._lines:
            self.read += 1
            if isinstance(row, str):
                self._refuse(line, None, row, None)
            else:
                try:
                    votes.append(self._parser.parse(row))
                except BadRow as bad:
                    self._refuse(line, bad.field, bad.why, row)
            if len(votes) >= at_most or time.monotonic() > until:
                break
        else:
            self.ended = True
        return self._first_ones(votes)

    def keep(self, votes: list[StagedVote], existing: AbstractSet[str]) -> list[StagedVote]:
        """Return those votes that are not stored yet, and count them."""
        fresh = votes
        if existing:
            fresh = [it for it in votes if existing.isdisjoint(it.told_ids())]
            self.duplicates += len(votes) - len(fresh)
        self.fresh += len(fresh)
        self.not_counted += sum(
            not it.counted or it.excluded_reason is not None or it.kind != "blind" for it in fresh
        )
        return fresh

    def progress(self) -> ImportProgress:
        """Return how far it is; `done` is the share of the reading alone."""
        return ImportProgress(
            phase="reading",
            read=self.read,
            imported=0,
            duplicates=self.duplicates,
            bad=self.bad,
            total=self._rows.total,
            done=self._rows.share(self.read),
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
            models=[
                MappedModelView(name=it.name, model_id=it.model_id, new=it.new)
                for it in self._models.mapped.values()
            ],
            dry_run=dry_run,
        )

    def close(self) -> None:
        """End the reading, in whatever thread it goes on, and close the file of bad rows."""
        self._rows.close()
        if self._bad_out is not None:
            self._bad_out.close()

    def _first_ones(self, votes: list[StagedVote]) -> list[StagedVote]:
        if not votes:
            return votes
        numbers = np.fromiter((_number(it.id) for it in votes), dtype=np.uint64, count=len(votes))
        first = self._seen.new(numbers)
        if first.all():
            return votes
        self.duplicates += int(len(votes) - first.sum())
        return [vote for vote, new in zip(votes, first.tolist(), strict=True) if new]

    def _refuse(self, line: int, field: str | None, why: str, row: Row | None) -> None:
        self.bad += 1
        if len(self._bad_rows) < BAD_SHOWN:
            self._bad_rows.append(BadRowView(line, field, why))
        if self._bad_file is None:
            return
        if self._bad_out is None:
            self._bad_out: BinaryIO | None = self._bad_file.open("wb")
        told = {"line": line, "field": field, "why": why, "row": row}
        self._bad_out.write(msgspec.json.encode(told, enc_hook=str) + b"\n")


def _number(vote_id: str) -> int:
    """Return 64 bits of all of an id, its beginning too: what is one vote to the database is one here."""
    return (int(vote_id[12:28], 16) ^ (int(vote_id[:12], 16) * SPREAD)) & MASK
