"""Staged votes as rows of the table and entries of the audit log."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from msgspec import Raw

from parley.storage.audit_log import (
    EXCLUSION,
    VOTE,
    VOTE_ENTRY,
    NewEntry,
    VoteEntry,
    canonical,
    exclusion_content,
    time_text,
)
from parley.storage.bulk import stored_time
from parley.storage.documents import encode_document
from parley.storage.tables.declared import core
from parley.storage.tables.judgements import STAGED, Vote
from parley.workspace.vote_files.staging import StagedVote

COLUMNS = tuple(column.name for column in core(Vote).columns if column.name != "seq")
"""The columns of `VoteRecords.rows`, in order."""


class VoteRecords(NamedTuple):
    """What the database stores of some votes."""

    rows: Sequence[tuple[object, ...]]
    entries: Sequence[NewEntry]

    def without(self, ids: set[str]) -> "VoteRecords":
        """Leave out votes that are stored already."""
        return VoteRecords(
            [row for row in self.rows if row[0] not in ids],
            [entry for entry in self.entries if entry.vote_id not in ids],
        )


def vote_records(votes: Sequence[StagedVote], now: datetime, *, sqlite: bool) -> VoteRecords:
    """Return the rows and entries of votes; exclusions get the time `now`."""
    rows: list[tuple[object, ...]] = []
    entries: list[NewEntry] = []
    for vote in votes:
        moment = stored_time(vote.created_at, sqlite=sqlite)
        seats = _seats(vote.left, vote.right)
        rows.append(_values(vote, moment, seats))
        entries.append(NewEntry(VOTE, vote.id, _entry(vote, seats).canonical(), moment))
        if vote.excluded_reason is not None:
            content = canonical(exclusion_content(vote.id, vote.excluded_reason, now))
            entries.append(NewEntry(EXCLUSION, vote.id, content, stored_time(time_text(now), sqlite=sqlite)))
    return VoteRecords(rows, entries)


def _entry(vote: StagedVote, seats: str) -> VoteEntry:
    # Keyword arguments would make this five times slower.
    return VoteEntry(
        Raw(_categories(tuple(vote.categories))),
        vote.categories_by,
        vote.choice,
        vote.counted,
        vote.created_at,
        VOTE_ENTRY,
        vote.kind,
        vote.left,
        vote.id,
        vote.not_counted_reason,
        "import",
        vote.prompt_sha256,
        vote.propensity,
        vote.kind == "blind",
        vote.read_ms,
        vote.right,
        Raw(seats),
        Raw(canonical(vote.style) if vote.style is not None else "null"),
        None,
        vote.id,
        vote.voter_id,
    )


def _values(vote: StagedVote, moment: object, seats: str) -> tuple[object, ...]:
    """Return a vote's row in the order of `COLUMNS`."""
    return (
        vote.id,
        vote.kind,
        vote.id,  # the match: none was played here, and a voter has one vote in each
        None,
        vote.kind == "blind",
        None,
        vote.owner_id,
        vote.voter_id,
        vote.choice,
        vote.comment,
        vote.left,
        vote.right,
        seats,
        vote.propensity,
        vote.counted,
        vote.not_counted_reason,
        STAGED,
        f'{{"question_id":{encode_document(vote.source)}}}' if vote.source else "{}",
        moment,
        vote.excluded_reason,
        _categories(tuple(vote.categories)),
        vote.categories_by,
        vote.prompt_sha256,
        None if vote.style is None else encode_document(vote.style),
        vote.read_ms,
        "import",
    )


@lru_cache(4096)
def _seats(left: str, right: str) -> str:
    return encode_document({"left": left, "right": right})


@lru_cache(4096)
def _categories(categories: tuple[str, ...]) -> str:
    return encode_document(categories)
