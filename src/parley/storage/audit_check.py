"""Verification of the audit log: walks the chain beside the votes and tells the first break in words."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from sqlalchemy import Row, and_, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from parley.storage import schema
from parley.storage.audit_log import COVERED, START, VOTE, Head, content_of, linked, time_text
from parley.storage.database import Database
from parley.storage.tables.audit import AuditEntry, AuditHead
from parley.storage.tables.declared import core
from parley.storage.tables.judgements import Vote

PAGE = 2000
"""Entries read at a time: this many are in memory, however long the chain is."""

Fault: TypeAlias = Literal[
    "entry_missing",
    "entry_changed",
    "wrong_order",
    "vote_missing",
    "vote_changed",
    "vote_without_entry",
    "wrong_end",
    "head_unknown",
]

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many rows of how many were looked at."""

_ENTRY, _VOTE = core(AuditEntry).c, core(Vote).c
_CHAIN = (
    select(core(AuditEntry), _VOTE.seq.label("vote_seq"), _VOTE.id.label("found_id"))
    .add_columns(_VOTE.created_at.label("vote_created_at"))
    .add_columns(*(_VOTE[name].label(f"vote_{name}") for name in COVERED))
    .select_from(core(AuditEntry).outerjoin(core(Vote), _VOTE.id == _ENTRY.vote_id))
    .order_by(_ENTRY.seq)
)
_MEASURE = select(
    select(core(AuditHead).c.seq).scalar_subquery().label("head_seq"),
    select(core(AuditHead).c.sha256).scalar_subquery().label("head_sha256"),
    select(func.coalesce(func.max(_ENTRY.seq), 0)).scalar_subquery().label("last"),
    select(func.count()).select_from(core(Vote)).scalar_subquery().label("votes"),
)
_UNLOGGED = (
    select(_VOTE.seq, _VOTE.id, _ENTRY.seq.label("entry_seq"))
    .select_from(
        core(Vote).outerjoin(core(AuditEntry), and_(_ENTRY.vote_id == _VOTE.id, _ENTRY.kind == VOTE))
    )
    .order_by(_VOTE.seq)
    .limit(PAGE)
)


class Break(msgspec.Struct, frozen=True):
    """The first place where the chain does not hold. `seq` is the entry's number, where there is one."""

    fault: Fault
    text: str
    seq: int | None = None
    vote_id: str | None = None


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a verification found. `noted_at`: the entry whose hash was noted elsewhere, 0 for the empty chain."""

    ok: bool
    entries: int
    votes: int
    exclusions: int
    head: str
    noted_at: int | None
    broken: Break | None


async def verify_audit(url: str, noted: str | None, progress: Progress) -> AuditReport:
    """Check the audit log of the database at an address, also while a server uses it.

    Raises Unavailable where it cannot be opened, is not there, or has the tables of another version.
    """
    database = Database(url)
    try:
        await schema.require_current(database)
        return await check_audit(database, noted, progress)
    finally:
        await database.close()


async def check_audit(
    database: Database, noted: str | None = None, progress: Progress = lambda _done, _all: None
) -> AuditReport:
    """Walk the whole chain, then all votes; stops at the first break. Only reads, page by page.

    Every page is one statement, and a vote is committed together with its entry: so votes that come in
    meanwhile are no breaks. What came after the beginning is looked at in the next verification.
    """
    head, last, votes = await database.read(_measure)
    walk = _Walk(noted)
    broken = None if last == head.seq else _wrong_end(head, last)
    while broken is None and walk.seq < head.seq:
        page, unreadable = await _next_page(database, walk.seq)
        broken = walk.take([row for row in page if row.seq <= head.seq]) or unreadable
        progress(walk.seq, head.seq + votes)
    if broken is None and walk.sha256 != head.sha256:
        broken = _wrong_end(head, walk.seq)
    if broken is None:
        broken = await _look_at_votes(database, lambda done: progress(head.seq + done, head.seq + votes))
    if broken is None and noted is not None and walk.noted_at is None:
        words = "The noted hash is not in the chain: entries were cut off or hashed anew since it was noted."
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

    def take(self, page: Sequence[Row[Any]]) -> Break | None:
        """Take the next entries; returns the first break."""
        for row in page:
            content = _decoded(row.content)
            broken = self._missing(row) or _changed(row, content) or _differing(row, content)
            if broken := broken or self._out_of_order(row):
                return broken
            self.seq, self.sha256 = row.seq, row.sha256
            if row.kind == VOTE:
                self.votes += 1
                self._vote_seq = row.vote_seq
            else:
                self.exclusions += 1
            if row.sha256 == self._noted:
                self.noted_at = row.seq
        return None

    def _missing(self, row: Row[Any]) -> Break | None:
        if row.seq != self.seq + 1:
            return Break("entry_missing", f"Entry {self.seq + 1} of the audit log is missing.", self.seq + 1)
        if row.previous_sha256 != self.sha256:
            before = f"entry {self.seq}" if self.seq else "the beginning"
            words = f"Entry {row.seq} does not follow {before}: one of them was changed, moved or put in."
            return Break("wrong_order", words, row.seq, row.vote_id)
        return None

    def _out_of_order(self, row: Row[Any]) -> Break | None:
        if row.kind == VOTE and row.vote_seq <= self._vote_seq:
            words = f"Vote {row.vote_id} (entry {row.seq}) stands before the vote of the entry before it."
            return Break("wrong_order", words, row.seq, row.vote_id)
        return None


def _changed(row: Row[Any], content: dict[str, object]) -> Break | None:
    """Tell whether an entry is not what was hashed, or its columns not what its content says."""
    words = f"Entry {row.seq} was changed: "
    if not isinstance(row.content, str) or linked(row.previous_sha256, row.content) != row.sha256:
        return Break("entry_changed", f"{words}its hash is not that of its content.", row.seq, row.vote_id)
    columns = {
        "entry": f"{row.kind}/1",
        "vote_id": row.vote_id,
        "created_at": time_text(row.created_at),
    }
    for name, value in columns.items():
        if content.get(name) != value:
            found = content.get(name)
            words += f"its {name} is “{value}”, its content says “{found}”."
            return Break("entry_changed", words, row.seq, row.vote_id)
    return None


def _differing(row: Row[Any], said: dict[str, object]) -> Break | None:
    """Tell whether an entry's vote is not there, or is not what the entry says."""
    if row.found_id is None:
        words = f"Vote {row.vote_id} of entry {row.seq} is missing."
        return Break("vote_missing", words, row.seq, row.vote_id)
    if row.kind != VOTE:
        return None
    covered = dict(zip(COVERED, row[-len(COVERED) :], strict=True))
    is_now = content_of(row.found_id, row.vote_created_at, covered)
    if said == is_now:
        return None
    for name in sorted(said.keys() | is_now.keys()):
        if name not in said or name not in is_now or said[name] != is_now[name]:
            words = (
                f"Vote {row.vote_id} was changed after it was stored: its {name} is "
                f"“{_shown(is_now.get(name))}”, entry {row.seq} says “{_shown(said.get(name))}”."
            )
            return Break("vote_changed", words, row.seq, row.vote_id)
    return None


async def _next_page(database: Database, after: int) -> tuple[Sequence[Row[Any]], Break | None]:
    """Return the next entries with their votes, and a break where the one after them cannot be read."""
    for size in (PAGE, 200, 20, 1):
        query = _CHAIN.where(_ENTRY.seq > after).limit(size)
        with contextlib.suppress(ValueError, TypeError, msgspec.MsgspecError, DBAPIError):
            page = await database.read(lambda session, query=query: session.execute(query).all())
            missing = Break("entry_missing", f"Entry {after + 1} of the audit log is missing.", after + 1)
            return page, None if page else missing
    words = f"Entry {after + 1} or its vote was changed: what stands there cannot be read."
    return (), Break("entry_changed", words, after + 1)


async def _look_at_votes(database: Database, progress: Callable[[int], None]) -> Break | None:
    """Look for a vote without an entry."""
    after = done = 0
    while True:
        query = _UNLOGGED.where(_VOTE.seq > after)
        page = await database.read(lambda session, query=query: session.execute(query).all())
        if not page:
            return None
        for row in page:
            if row.entry_seq is None:
                return Break("vote_without_entry", f"Vote {row.id} has no entry.", None, row.id)
        after, done = page[-1].seq, done + len(page)
        progress(done)


def _wrong_end(head: Head, last: int) -> Break:
    if head.seq < 0:
        return Break("wrong_end", "The record of where the audit log ends is missing.", last)
    words = f"The audit log should end with entry {head.seq}, but "
    words += f"it ends with entry {last}." if last != head.seq else "that entry has another hash."
    return Break("wrong_end", words, last)


def _measure(session: Session) -> tuple[Head, int, int]:
    """Return the head (before everything where it is lost), the last entry's number, and how many votes there are."""
    # One statement: on PostgreSQL each has its own view of what is committed.
    row = session.execute(_MEASURE).one()
    return Head(-1 if row.head_seq is None else row.head_seq, row.head_sha256 or START), row.last, row.votes


def _decoded(content: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(content, type=dict[str, object])
    except msgspec.DecodeError:
        return {}


def _shown(value: object) -> object:
    return "nothing" if value is None else value
