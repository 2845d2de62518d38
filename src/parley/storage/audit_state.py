"""Compares the details of a vote with its entries in the audit log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, Select, case, select, update

from parley.storage.audit_log import CATEGORIES, EXCLUSION, FINDINGS, FOUND, INCLUSION, VOTE
from parley.storage.tables.audit import AuditEntryRow
from parley.storage.tables.compact_types import digits_of
from parley.storage.tables.votes import VoteRow
from parley.storage.transaction import Transaction

BESIDE = ("excluded_reason", *FINDINGS)
"""The columns of a vote that entries of more than one kind have."""

PAGE = 2000

_ENTRY, _VOTE = AuditEntryRow.c, VoteRow.c


class Beside(NamedTuple):
    """The stored details of a vote, and those of its entries; None if it has none."""

    seq: int
    vote_id: str
    is_now: Mapping[str, object]
    stated: Mapping[str, object] | None

    def differing(self) -> str | None:
        """Return the first column that differs from the log; None if none does."""
        stated = self.stated or {}
        return next((it for it in BESIDE if it not in stated or stated[it] != self.is_now[it]), None)


def votes_after(seq: int, limit: int) -> Select[Any]:
    """Return the query of the next votes that were cast here, with all their entries.

    One statement sees both at one moment.
    """
    page = (
        select(_VOTE.seq)
        .where(_VOTE.seq > seq, _VOTE.match_id.is_not(None))
        .order_by(_VOTE.seq)
        .limit(limit)
        .subquery()
    )
    # Values that repeat with each entry of a vote are read once: of the entry that all votes have.
    first = _ENTRY.seq.is_(None) | (_ENTRY.kind == VOTE)
    values = [case((first, _VOTE[name])).label(name) for name in BESIDE]
    return (
        select(_VOTE.seq.label("vote_seq"), _VOTE.id.label("vote_id"), _ENTRY.kind.label("entry_kind"))
        .add_columns(_ENTRY.content.label("content"), *values)
        .join(page, page.c.seq == _VOTE.seq)
        .outerjoin(AuditEntryRow.table, _ENTRY.vote_id == digits_of(_VOTE.id))
        .order_by(_VOTE.seq, _ENTRY.seq)
    )


def read_beside(rows: Sequence[Row[Any]]) -> Iterator[Beside]:
    """Yield the votes of such a page. Raises MsgspecError if an entry is not JSON."""
    for seq, entries_of_vote in groupby(rows, key=lambda row: row.vote_seq):
        entries = list(entries_of_vote)
        values = next((row for row in entries if row.entry_kind in (None, VOTE)), entries[0])
        is_now = {name: getattr(values, name) for name in BESIDE}
        contents = [(row.entry_kind, row.content) for row in entries if row.entry_kind is not None]
        known = any(kind == VOTE for kind, _ in contents)
        yield Beside(seq, values.vote_id, is_now, _folded(contents) if known else None)


def restore_beside(transaction: Transaction) -> int:
    """Correct the rows of all votes from their entries; return how many differed."""
    after, restored = 0, 0
    while page := transaction.execute(votes_after(after, PAGE)).all():
        for vote in read_beside(page):
            after = vote.seq
            if vote.stated is not None and vote.differing() is not None:
                values = {name: vote.stated[name] for name in BESIDE if name in vote.stated}
                transaction.execute(update(VoteRow.table).where(_VOTE.id == vote.vote_id).values(values))
                restored += 1
    return restored


def _folded(entries: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Return the combined content of entries, oldest first."""
    state: dict[str, object] = {"excluded_reason": None}
    for kind, content in entries:
        content_fields = msgspec.json.decode(content, type=dict[str, object])
        if kind in (VOTE, FOUND, CATEGORIES):
            state.update((name, content_fields[name]) for name in FINDINGS if name in content_fields)
        elif kind == EXCLUSION:
            state["excluded_reason"] = content_fields.get("reason")
        elif kind == INCLUSION:
            state["excluded_reason"] = None
    return state
