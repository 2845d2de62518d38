"""Compares the details of a vote with its entries in the audit log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, Select, case, select, update

from parley.storage.audit_imports import ImportedVotes
from parley.storage.audit_log import CATEGORIES, EXCLUSION, FINDINGS, FOUND, IMPORT, INCLUSION, VOTE
from parley.storage.tables.audit import AuditEntry
from parley.storage.tables.declared import core
from parley.storage.tables.narrow import digits_of
from parley.storage.tables.votes import Vote
from parley.storage.transaction import Transaction

BESIDE = ("excluded_reason", *FINDINGS)
"""The columns of a vote that entries of more than one kind have."""

PAGE = 2000

_ENTRY, _VOTE = core(AuditEntry).c, core(Vote).c


class Beside(NamedTuple):
    """The stored details of a vote, and those of its entries; None if it has none."""

    seq: int
    vote_id: str
    is_now: Mapping[str, object]
    said: Mapping[str, object] | None

    def differing(self) -> str | None:
        """Return the first column that differs from the log; None if none does."""
        said = self.said or {}
        return next((it for it in BESIDE if it not in said or said[it] != self.is_now[it]), None)


def votes_after(seq: int, limit: int) -> Select[Any]:
    """Return the query of the next votes with all their entries.

    One statement sees both at one moment.
    """
    page = select(_VOTE.seq).where(_VOTE.seq > seq).order_by(_VOTE.seq).limit(limit).subquery()
    # Values that repeat with each entry of a vote are read once: of the entry that all votes have.
    # An imported vote has no such entry, and few of another kind.
    first = _ENTRY.seq.is_(None) | (_ENTRY.kind == VOTE) | _VOTE.match_id.is_(None)
    values = [case((first, _VOTE[name])).label(name) for name in BESIDE]
    return (
        select(_VOTE.seq.label("vote_seq"), _VOTE.id.label("vote_id"), _ENTRY.kind.label("entry_kind"))
        .add_columns(_ENTRY.content.label("content"), *values)
        .join(page, page.c.seq == _VOTE.seq)
        .outerjoin(core(AuditEntry), (_ENTRY.vote_id == digits_of(_VOTE.id)) & (_ENTRY.kind != IMPORT))
        .order_by(_VOTE.seq, _ENTRY.seq)
    )


def imported_in(
    transaction: Transaction, rows: Sequence[Row[Any]], imports: ImportedVotes
) -> Mapping[str, str]:
    """Return what entries of imports say of the votes of such a page, by vote id. Raises ValueError."""
    return imports.of(transaction, rows[0].vote_seq, rows[-1].vote_seq) if rows else {}


def read_beside(rows: Sequence[Row[Any]], imported: Mapping[str, str]) -> Iterator[Beside]:
    """Yield the votes of such a page; `imported` is what `imported_in` returns for it.

    Raises MsgspecError if an entry is not JSON.
    """
    for seq, found in groupby(rows, key=lambda row: row.vote_seq):
        entries = list(found)
        values = next((row for row in entries if row.entry_kind in (None, VOTE)), entries[0])
        is_now = {name: getattr(values, name) for name in BESIDE}
        said = [(row.entry_kind, row.content) for row in entries if row.entry_kind is not None]
        if (content := imported.get(values.vote_id)) is not None:
            said.insert(0, (VOTE, content))
        known = any(kind == VOTE for kind, _ in said)
        yield Beside(seq, values.vote_id, is_now, _folded(said) if known else None)


def restore_beside(transaction: Transaction) -> int:
    """Correct the rows of all votes from their entries; return how many differed."""
    after, restored, imports = 0, 0, ImportedVotes()
    while page := transaction.execute(votes_after(after, PAGE)).all():
        for vote in read_beside(page, imported_in(transaction, page, imports)):
            after = vote.seq
            if vote.said is not None and vote.differing() is not None:
                said = {name: vote.said[name] for name in BESIDE if name in vote.said}
                transaction.execute(update(core(Vote)).where(_VOTE.id == vote.vote_id).values(said))
                restored += 1
    return restored


def _folded(entries: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Return the combined content of entries, oldest first."""
    state: dict[str, object] = {"excluded_reason": None}
    for kind, content in entries:
        said = msgspec.json.decode(content, type=dict[str, object])
        if kind in (VOTE, FOUND, CATEGORIES):
            state.update((name, said[name]) for name in FINDINGS if name in said)
        elif kind == EXCLUSION:
            state["excluded_reason"] = said.get("reason")
        elif kind == INCLUSION:
            state["excluded_reason"] = None
    return state
