"""Verification of the audit log: walks the chain and the votes, and describes the first break."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Row, Select, func, select, text
from sqlalchemy.exc import DBAPIError

from parley.storage import schema
from parley.storage.audit_breaks import Break, change_text, differing_vote, missing_vote, out_of_order
from parley.storage.audit_log import (
    COVERED,
    EXCLUSION,
    INCLUSION,
    START,
    VERSIONS,
    VOTE,
    Head,
    covered_of,
    linked,
    time_text,
)
from parley.storage.audit_state import Beside, read_beside, votes_after
from parley.storage.bulk import STORED_TIME
from parley.storage.database import Database, Transaction
from parley.storage.tables.audit import AuditEntryRow, AuditHeadRow
from parley.storage.tables.compact_types import ID_BYTES, bytes_of
from parley.storage.tables.votes import VoteRow

PAGE = 2000
"""Entries read at a time: this many are in memory, however long the chain is."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many rows of how many were checked."""

_ENTRY, _VOTE, _HEAD = AuditEntryRow.c, VoteRow.c, AuditHeadRow.c
_CHAIN = (
    select(AuditEntryRow.table, _VOTE.seq.label("vote_seq"), _VOTE.id.label("found_id"))
    .add_columns(_VOTE.created_at.label("vote_created_at"))
    .add_columns(*(_VOTE[name].label(f"vote_{name}") for name in COVERED))
    .select_from(AuditEntryRow.table.outerjoin(VoteRow.table, _VOTE.id == bytes_of(_ENTRY.vote_id)))
    .order_by(_ENTRY.seq)
)
_MEASURE = select(
    *(
        select(_HEAD[name]).where(_HEAD.id == 1).scalar_subquery().label(f"head_{name}")
        for name in ("seq", "sha256")
    ),
    select(func.coalesce(func.max(_ENTRY.seq), 0)).scalar_subquery().label("last"),
    select(func.count())
    .select_from(VoteRow.table)
    .where(_VOTE.match_id.is_not(None))
    .scalar_subquery()
    .label("votes"),
    select(func.coalesce(func.max(_VOTE.seq), 0)).scalar_subquery().label("last_vote"),
)
_ODD_VOTES = text(
    "SELECT lower(hex(id)) FROM votes WHERE counted NOT IN (0, 1) OR rated NOT IN (0, 1) "  # noqa: S608 - ours
    f"OR created_at NOT GLOB '{STORED_TIME}' OR typeof(processing_status) <> 'integer' "
    f"OR typeof(id) || length(id) || typeof(voter_id) || length(voter_id) <> 'blob{ID_BYTES}blob{ID_BYTES}' LIMIT 1"
)
_ODD_ENTRIES = text(f"SELECT seq FROM audit_log WHERE created_at NOT GLOB '{STORED_TIME}' LIMIT 1")  # noqa: S608 - ours


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification. `noted_at` is the entry whose hash was noted elsewhere, 0 for the empty chain."""

    ok: bool
    entries: int
    votes: int
    exclusions: int
    """Votes that are currently excluded from the ratings."""
    head: str
    noted_at: int | None
    broken: Break | None


async def verify_audit(url: str, noted: str | None, progress: Progress) -> AuditReport:
    """Check the audit log of the database at an address, even while a server uses it.

    Raises Unavailable if it can't be opened, does not exist, or has the tables of another version.
    """
    database = Database(url).patient()
    try:
        await schema.require_current(database)
        return await check_audit(database, noted, progress)
    finally:
        await database.close()


async def check_audit(
    database: Database, noted: str | None = None, progress: Progress = lambda _done, _all: None
) -> AuditReport:
    """Walk the whole chain, then all votes; stop at the first break.

    Only reads, page by page. Every page is one statement, and a vote is committed together with its entry, so votes
    that arrive meanwhile are not breaks. They are checked by the next verification. Nobody waits for single statements,
    so they may be slow.
    """
    database = database.patient()
    head, last, votes, last_vote = await _measured(database)
    walk = _Walk(noted)
    broken = None if last == head.seq else _wrong_end(head, last)
    while broken is None and walk.seq < head.seq:
        page, unreadable = await _next_page(database, walk.seq)
        for row in page:
            if broken is None and row.seq <= head.seq:
                broken = walk.take(row)
        broken = broken or unreadable
        progress(walk.seq, head.seq + votes)
    if broken is None and walk.sha256 != head.sha256:
        broken = _wrong_end(head, walk.seq)
    if broken is None:
        broken = await _look_at_votes(
            database, last_vote, lambda done: progress(head.seq + done, head.seq + votes)
        )
    if broken is None and database.is_sqlite:
        broken = await database.read(_look_at_values)
    if broken is None and noted is not None and walk.noted_at is None:
        words = "The hash that you noted is not in the chain: entries were removed or rehashed since."
        broken = Break("head_unknown", words)
    return AuditReport(
        ok=broken is None,
        entries=walk.seq,
        votes=walk.votes,
        exclusions=walk.exclusions,
        head=walk.sha256,
        noted_at=walk.noted_at,
        broken=broken,
    )


class _Walk:
    """One walk along the chain, from its first entry on."""

    def __init__(self, noted: str | None) -> None:
        self.seq, self.sha256 = 0, START
        self.votes = self.exclusions = 0
        self.noted_at = 0 if noted == START else None
        self._noted = noted
        self._vote_seq = 0

    def take(self, row: Row[Any]) -> Break | None:
        """Check the next entry; return the first break."""
        content = _decoded(row.content)
        broken = self._missing(row) or _changed(row, content) or _differing(row, content)
        if broken := broken or self._out_of_order(row):
            return broken
        self.seq, self.sha256 = row.seq, row.sha256
        if row.kind == VOTE:
            self.votes += 1
            self._vote_seq = row.vote_seq
        self.exclusions += {EXCLUSION: 1, INCLUSION: -1}.get(row.kind, 0)
        if row.sha256 == self._noted:
            self.noted_at = row.seq
        return None

    def _missing(self, row: Row[Any]) -> Break | None:
        if row.seq != self.seq + 1:
            return Break("entry_missing", f"Entry {self.seq + 1} of the audit log is missing.", self.seq + 1)
        if row.previous_sha256 != self.sha256:
            before = f"entry {self.seq}" if self.seq else "the beginning"
            words = f"Entry {row.seq} does not follow {before}: one of them was changed, moved or inserted."
            return Break("wrong_order", words, row.seq, row.vote_id)
        return None

    def _out_of_order(self, row: Row[Any]) -> Break | None:
        if row.kind == VOTE and row.vote_seq <= self._vote_seq:
            return out_of_order(row.seq, row.vote_id)
        return None


def _differing(row: Row[Any], stated: dict[str, object]) -> Break | None:
    """Return the break of an entry whose vote is missing or differs from it."""
    # What was said later of an imported vote stays when its import is removed.
    if row.kind != VOTE:
        return None
    if row.found_id is None:
        return missing_vote(row.seq, row.vote_id)
    return differing_vote(row.seq, stated, row.found_id, row.vote_created_at, covered_of(row, "vote_"))


def _changed(row: Row[Any], content: dict[str, object]) -> Break | None:
    """Return the break of an entry whose hash or columns do not match its content."""
    words = f"Entry {row.seq} was changed: "
    if not isinstance(row.content, str) or linked(row.previous_sha256, row.content) != row.sha256:
        return Break("entry_changed", f"{words}its hash does not match its content.", row.seq, row.vote_id)
    if content.get("entry") not in VERSIONS.get(row.kind, ()):
        words += f"its entry is a {row.kind}, its content says “{content.get('entry')}”."
        return Break("entry_changed", words, row.seq, row.vote_id)
    columns = {
        "vote_id": row.vote_id,
        "created_at": time_text(row.created_at),
    }
    for name, value in columns.items():
        if content.get(name) != value:
            stored = content.get(name)
            words += f"its {name} is “{value}”, its content says “{stored}”."
            return Break("entry_changed", words, row.seq, row.vote_id)
    return None


async def _next_page(database: Database, after: int) -> tuple[Sequence[Row[Any]], Break | None]:
    """Return the next entries with their votes, and a break if no entry can be read."""
    page = await _readable(database, lambda size: _CHAIN.where(_ENTRY.seq > after).limit(size))
    if page is None:
        words = f"Entry {after + 1} or its vote was changed: it can't be read."
        return (), Break("entry_changed", words, after + 1)
    missing = Break("entry_missing", f"Entry {after + 1} of the audit log is missing.", after + 1)
    return page, None if page else missing


async def _look_at_votes(database: Database, last_vote: int, progress: Callable[[int], None]) -> Break | None:
    """Return the break of the first vote without an entry, or with values of no entry."""
    after, done = 0, 0
    while after < last_vote:
        page = await _readable(database, lambda size, after=after: votes_after(after, size))
        if page is None:
            return Break("vote_changed", f"The details of the vote after number {after} can't be read.")
        votes = list(read_beside(page))
        if not votes:
            return None
        for vote in votes:
            if broken := _unsaid(vote):
                return broken
        after, done = votes[-1].seq, done + len(votes)
        progress(done)
    return None


def _unsaid(vote: Beside) -> Break | None:
    if vote.stated is None:
        return Break("vote_without_entry", f"Vote {vote.vote_id} has no entry.", None, vote.vote_id)
    if (name := vote.differing()) is None:
        return None
    words = change_text(vote.vote_id, name, vote.is_now, vote.stated, "the audit log says")
    return Break("state_changed", words, None, vote.vote_id)


async def _readable(database: Database, query: Callable[[int], Select[Any]]) -> Sequence[Row[Any]] | None:
    """Return as many rows as can be read; None if not even the next one can."""
    for size in (PAGE, 200, 20, 1):
        with contextlib.suppress(ValueError, TypeError, msgspec.MsgspecError, DBAPIError):
            return await database.read(lambda session, size=size: session.execute(query(size)).all())
    return None


def _look_at_values(session: Transaction) -> Break | None:
    """Return the first value that Parley would not write, such as a boolean that is 3.

    SQLite stores such values, and they are read as other ones.
    """
    if (vote_id := session.execute(_ODD_VOTES).scalar()) is not None:
        words = f"Vote {vote_id} was changed after it was stored: it has a value that Parley does not write."
        return Break("vote_changed", words, None, vote_id)
    if (seq := session.execute(_ODD_ENTRIES).scalar()) is not None:
        words = f"Entry {seq} was changed: it has a time that Parley does not write."
        return Break("entry_changed", words, seq)
    return None


def _wrong_end(head: Head, last: int) -> Break:
    if head.seq < 0:
        return Break("wrong_end", "The record of where the audit log ends is missing.", last)
    words = f"The audit log should end with entry {head.seq}, but "
    words += f"it ends with entry {last}." if last != head.seq else "that entry has a different hash."
    return Break("wrong_end", words, last)


async def _measured(database: Database) -> tuple[Head, int, int, int]:
    """Return the result of `_measure`; an unreadable end of the log in SQLite counts as lost."""
    try:
        return await database.read(_measure)
    except (ValueError, TypeError, DBAPIError):
        if not database.is_sqlite:
            raise
        return Head(-1, START), 0, 0, 0


def _measure(session: Transaction) -> tuple[Head, int, int, int]:
    """Return the head, the last entry, the number of votes, and the last vote. A lost head has the number -1."""
    # One statement: on PostgreSQL each has its own view of what is committed.
    row = session.execute(_MEASURE).one()
    head = Head(-1 if row.head_seq is None else row.head_seq, row.head_sha256 or START)
    return head, row.last, row.votes, row.last_vote


def _decoded(content: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(content, type=dict[str, object])
    except msgspec.DecodeError:
        return {}
