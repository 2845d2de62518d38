"""The audit log: a chain of hashes over every vote, extended in the vote's transaction.

An entry's hash is SHA-256 over the previous entry's hash (64 hex digits, zeros before the first) followed by
the entry's content (UTF-8): changing, removing or inserting anything breaks every hash that comes after.

**Covered** is what a vote says and what the ratings are made of: its id, kind, match, turn, voter, choice, whether
it is rated, seats with their models, propensity, whether and why not it is counted, its time, by the order of the chain
its place among all votes, and what was found when it was cast (`FINDINGS`). The voter is a random pseudonym.

**Not covered** is what may be forgotten or is kept for convenience: the links to the session and to its owner,
the free-text reason, the answer that is repeated to a second try, and the bookkeeping of `processing_status`.
So deleting a session or a person removes texts and links, the vote stays under its pseudonym, and the chain
stays valid.

A vote is never changed. What stands beside it may be, by an entry of its own in the same transaction: `exclusion`
takes a vote out of the ratings with a reason (`replaced`: its voter has changed their mind; `withdrawn`: its voter
took it back at once; `excluded_voter`: an operator excluded its voter), `inclusion` takes it in again, `categories`
puts it into others. An entry `import` has the SHA-256 of a file whose votes were imported, or removed again, and their
number (`import/1`, of before the release, stood for some two thousand votes). An entry `findings` tells what stood
beside a vote that was cast before entries told of it, when the database was upgraded. An entry `prior` tells that
published results count besides the votes, by their digest, or no longer do. An entry `act` tells what somebody did that
must be provable: an administrator's change, a sign-in, a key, an export. Neither has a vote.

Nothing is hidden from somebody who may write to the database: the last entries can be cut off together with
their votes, or all be hashed anew. A head hash that was noted elsewhere shows both (`audit_check`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import insert, select, update

from parley.kernel.acts import Act
from parley.storage.bulk import bulk_insert
from parley.storage.tables.audit import AuditEntryRow, AuditHeadRow
from parley.storage.tables.votes import VoteRow, seats_of
from parley.storage.transaction import Transaction

START = "0" * 64
"""The hash before the first entry."""

VOTE, EXCLUSION, INCLUSION, CATEGORIES, FOUND = "vote", "exclusion", "inclusion", "categories", "findings"
IMPORT, PRIOR, ACT = "import", "prior", "act"

FINDINGS = ("categories", "categories_by", "origin", "prompt_sha256", "read_ms", "style")
"""The details of a vote that its entry also has; only the categories may change."""

COVERED = (
    *("kind", "match_id", "turn_id", "rated", "voter_id", "choice", "left_model_id", "right_model_id"),
    *("seats", "propensity", "counted", "not_counted_reason"),
)
"""The columns of a vote whose values its entry has unchanged, besides `vote_id` and `created_at`."""

VOTE_ENTRY = "vote/3"

NO_VOTE = "none"
"""In place of a vote's id, in entries that are about none."""

VERSIONS = {
    VOTE: ("vote/1", "vote/2", VOTE_ENTRY),
    EXCLUSION: ("exclusion/1",),
    INCLUSION: ("inclusion/1",),
    CATEGORIES: ("categories/1",),
    FOUND: ("findings/1",),
    IMPORT: ("import/1", "import/2"),
    PRIOR: ("prior/1",),
    ACT: ("act/1",),
}
"""The value of `entry` by kind. `vote/1` had no `FINDINGS`. Before `vote/3` entries had no turn, and the rated votes
were the blind ones.
"""

_EPOCH = date(1970, 1, 1).toordinal()
_TWO = tuple(f"{number:02d}" for number in range(60))
_COLUMNS = ("seq", "vote_id", "kind", "content", "previous_sha256", "sha256", "created_at")
_LOCKED_HEAD = select(AuditHeadRow.c.seq, AuditHeadRow.c.sha256).with_for_update()
_INSERT = insert(AuditEntryRow.table)
_MOVE_HEAD = update(AuditHeadRow.table)


class NewEntry(NamedTuple):
    """An entry to be added; `created_at` is as `bulk.stored_time` gives it."""

    kind: str
    vote_id: str
    content: str
    created_at: str | datetime


class Head(NamedTuple):
    """The chain's last entry, by number and hash; 0 and zeros if it is empty."""

    seq: int
    sha256: str


def lock_head(transaction: Transaction) -> Head:
    """Lock the end of the chain until the transaction ends, and return it.

    On PostgreSQL everything that adds to the chain takes this lock before any lock on a rating, so two votes can't
    deadlock. Votes are numbered and rated in the order of the chain.
    """
    return transaction.rows(_LOCKED_HEAD, {}, Head)[0]


def append_vote(transaction: Transaction, head: Head, vote: VoteRow) -> Head:
    """Add a vote's entry after the head, which the transaction has locked; return the new head."""
    return _append(transaction, head, VOTE, vote.id, vote_content(vote), vote.created_at)


def append_exclusion(transaction: Transaction, head: Head, vote_id: str, reason: str, now: datetime) -> Head:
    """Add an exclusion of a vote after the head, which the transaction has locked."""
    return _append(transaction, head, EXCLUSION, vote_id, exclusion_content(vote_id, reason, now), now)


def append_categories(
    transaction: Transaction, head: Head, vote_id: str, categories: Sequence[str], by: str, now: datetime
) -> Head:
    """Add new categories of a vote after the head, which the transaction has locked."""
    change = {"categories": list(categories), "categories_by": by}
    content = {"entry": "categories/1", "vote_id": vote_id, **change, "created_at": time_text(now)}
    return _append(transaction, head, CATEGORIES, vote_id, content, now)


def append_prior(
    transaction: Transaction, head: Head, prior_content: Mapping[str, object], now: datetime
) -> Head:
    """Add what is known of a public prior after the head, which the transaction has locked; `said` may be nothing."""
    content = {
        "entry": "prior/1",
        "vote_id": NO_VOTE,
        "prior": prior_content or None,
        "created_at": time_text(now),
    }
    return _append(transaction, head, PRIOR, NO_VOTE, content, now)


def append_act(transaction: Transaction, head: Head, act: Act, now: datetime) -> Head:
    """Add what somebody did after the head, which the transaction has locked."""
    content = {
        **msgspec.to_builtins(act),
        "entry": "act/1",
        "vote_id": NO_VOTE,
        "created_at": time_text(now),
    }
    return _append(transaction, head, ACT, NO_VOTE, content, now)


def append_import(
    transaction: Transaction, head: Head, facts: Mapping[str, object], now: datetime, *, removed: bool
) -> Head:
    """Add the hash of a file and the number of its votes, which were imported or removed, after the locked head."""
    content = {
        **facts,
        "entry": "import/2",
        "vote_id": NO_VOTE,
        "removed": removed,
        "created_at": time_text(now),
    }
    return _append(transaction, head, IMPORT, NO_VOTE, content, now)


def last_prior(transaction: Transaction) -> Mapping[str, object]:
    """Return what the last entry about a public prior says; nothing where there is none, or it was removed."""
    entry = AuditEntryRow.c
    query = select(entry.content).where(entry.vote_id == NO_VOTE, entry.kind == PRIOR)
    content = transaction.execute(query.order_by(entry.seq.desc()).limit(1)).scalar()
    prior = msgspec.json.decode(content, type=dict[str, Any]).get("prior") if content else None
    return prior or {}


def append_entries(transaction: Transaction, head: Head, entries: Sequence[NewEntry]) -> Head:
    """Add many entries after the head, which the transaction has locked; return the new head."""
    rows: list[tuple[object, ...]] = []
    seq, previous = head
    for kind, vote_id, content, created_at in entries:
        seq, digest = seq + 1, linked(previous, content)
        rows.append((seq, vote_id, kind, content, previous, digest, created_at))
        previous = digest
    if rows:
        bulk_insert(transaction, AuditEntryRow, _COLUMNS, rows)
        transaction.run(_MOVE_HEAD, [{"seq": seq, "sha256": previous}])
    return Head(seq, previous)


def vote_content(vote: VoteRow) -> dict[str, object]:
    """Return the content of a vote's entry, as JSON values."""
    covered = {name: getattr(vote, name) for name in (*COVERED, *FINDINGS)}
    return content_of(vote.id, vote.created_at, covered)


def content_of(vote_id: str, created_at: datetime | str, covered: Mapping[str, object]) -> dict[str, object]:
    """Return the content of the entry of a vote with these values.

    `covered` has the names of `COVERED` and `FINDINGS`. A time given as text must be as `time_text` writes it.
    """
    moment = created_at if isinstance(created_at, str) else time_text(created_at)
    return {**covered, "entry": VOTE_ENTRY, "vote_id": vote_id, "created_at": moment}


def covered_of(row: Any, prefix: str = "") -> dict[str, Any]:
    """Return the values of `COVERED` in a row of a query, which has them under a prefix."""
    values = {name: getattr(row, prefix + name) for name in COVERED}
    return {**values, "seats": seats_of(values["seats"], values["left_model_id"], values["right_model_id"])}


def exclusion_content(vote_id: str, reason: str, now: datetime) -> dict[str, object]:
    """Return the content of an exclusion's entry, as JSON values."""
    return {"entry": "exclusion/1", "vote_id": vote_id, "reason": reason, "created_at": time_text(now)}


def inclusion_content(vote_id: str, now: datetime) -> dict[str, object]:
    """Return what the entry of a vote that counts again says, as JSON values."""
    return {"entry": "inclusion/1", "vote_id": vote_id, "reason": "reinstated", "created_at": time_text(now)}


def canonical(content: Mapping[str, object]) -> str:
    """Return JSON with sorted keys and without spaces."""
    return msgspec.json.encode(content, order="sorted").decode()


def linked(previous_sha256: str, content: str) -> str:
    """Return the hash of an entry: SHA-256 over the previous hash and its own content, in hex."""
    return hashlib.sha256((previous_sha256 + content).encode()).hexdigest()


def time_text(moment: datetime) -> str:
    """Return a time in the format of entries: UTC, ISO 8601, with six digits of a second."""
    moment = moment.astimezone(UTC)
    hour, minute, second = _TWO[moment.hour], _TWO[moment.minute], _TWO[moment.second]
    return f"{_day(moment.date())}T{hour}:{minute}:{second}.{moment.microsecond:06d}Z"


def seconds_text(seconds: float) -> str:
    """Return `time_text` of seconds since 1970, at a third of the cost."""
    whole = int(seconds)
    # As `fromtimestamp` rounds, half to even; what it carries over is left to it.
    micros = round((seconds - whole) * 1e6)
    if not 0 <= micros < 1_000_000:
        return time_text(datetime.fromtimestamp(seconds, UTC))
    day, second = divmod(whole, 86_400)
    minute, second = divmod(second, 60)
    return f"{_numbered_day(day)}T{_TWO[minute // 60]}:{_TWO[minute % 60]}:{_TWO[second]}.{micros:06d}Z"


@lru_cache(4096)
def _numbered_day(number: int) -> str:
    return date.fromordinal(_EPOCH + number).isoformat()


@lru_cache(1024)
def _day(day: date) -> str:
    return day.isoformat()


def _append(
    transaction: Transaction,
    head: Head,
    kind: str,
    vote_id: str,
    content: Mapping[str, object],
    now: datetime,
) -> Head:
    text = canonical(content)
    new = Head(head.seq + 1, linked(head.sha256, text))
    entry = {
        "seq": new.seq,
        "vote_id": vote_id,
        "kind": kind,
        "content": text,
        "previous_sha256": head.sha256,
        "sha256": new.sha256,
        "created_at": now,
    }
    transaction.run(_INSERT, [entry])
    transaction.run(_MOVE_HEAD, [{"seq": new.seq, "sha256": new.sha256}])
    return new
