"""Pieces of a vote file as they are read, in this process or another, and what all of them amount to."""

import asyncio
from collections.abc import AsyncGenerator
from collections.abc import Set as AbstractSet
from typing import Protocol

import msgspec

from parley.features.vote_files.schemas import BadRowView, ImportProgress, ImportReport, MappedModelView
from parley.features.vote_files.staging import StagedVote
from parley.kernel.views import ModelCard


class Piece(msgspec.Struct, kw_only=True, tag="piece"):
    """The next votes of a file that have not occurred in it; the numbers are of everything up to here.

    `rows` is the file's number of rows where it states it, `share` the part of it that is read. The last piece
    (`ended`) has the models.
    """

    votes: list[StagedVote]
    read: int
    duplicates: int
    bad: int
    bad_rows: list[BadRowView]
    rows: int | None
    share: float
    ended: bool
    models: list[MappedModelView]
    cards: list[ModelCard]


class PieceReader(Protocol):
    """Reads a file piece by piece, in one thread at a time."""

    def piece(self, at_most: int) -> Piece:
        """Return the next piece. Raises Invalid or OSError."""
        ...

    def stop(self) -> None:
        """End the reading; may be called from any thread."""
        ...

    def close(self) -> None:
        """Release what is open, once nothing is read any more."""
        ...


async def read_ahead(reader: PieceReader, at_most: int) -> AsyncGenerator[Piece]:
    """Yield a file's pieces, reading the next one meanwhile; closes the reader in the end."""
    following = asyncio.ensure_future(asyncio.to_thread(reader.piece, at_most))
    try:
        ended = False
        while not ended:
            await asyncio.wait([following])
            piece = following.result()
            ended = piece.ended
            if not ended:
                following = asyncio.ensure_future(asyncio.to_thread(reader.piece, at_most))
            yield piece
    finally:
        reader.stop()
        await asyncio.wait([following])
        if not following.cancelled():
            following.exception()  # whoever ends early does not ask for it
        reader.close()


class Tally:
    """Counts what a file held."""

    def __init__(self) -> None:
        self._fresh = self._not_counted = self._stored = 0
        self._last: Piece | None = None

    def add(self, piece: Piece, existing: AbstractSet[str]) -> list[StagedVote]:
        """Count a piece; return its votes that are not stored yet."""
        votes = piece.votes
        fresh = [it for it in votes if existing.isdisjoint(it.possible_ids())] if existing else votes
        self._stored += len(votes) - len(fresh)
        self._fresh += len(fresh)
        self._not_counted += sum(
            not it.counted or it.excluded_reason is not None or it.kind != "blind" for it in fresh
        )
        self._last = piece
        return fresh

    def progress(self, weight: float) -> ImportProgress:
        """Return the progress; `weight` is the reading's share of the whole import."""
        last = self._read()
        return ImportProgress(
            phase="reading",
            read=last.read,
            imported=0,
            duplicates=last.duplicates + self._stored,
            bad=last.bad,
            total=last.rows,
            done=round(last.share * weight, 4),
        )

    def report(self, *, dry_run: bool) -> ImportReport:
        """Return what the file held."""
        last = self._read()
        return ImportReport(
            read=last.read,
            imported=self._fresh,
            not_counted=self._not_counted,
            duplicates=last.duplicates + self._stored,
            bad=last.bad,
            bad_rows=last.bad_rows,
            models=last.models,
            dry_run=dry_run,
        )

    def new_models(self) -> list[ModelCard]:
        """Return the models that only the file knows."""
        return self._read().cards

    def _read(self) -> Piece:
        if self._last is None:
            raise RuntimeError("nothing was read")
        return self._last
