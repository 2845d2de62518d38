"""Imported votes in the audit log: one entry for many votes, with what it says of each packed beside it.

An entry for each vote would take a thousand bytes, most of them field names and the random keys of two indexes. Here it
takes a seventeenth, and everything that the log can prove or restore of a vote cast here, it can of an imported one.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, insert, select

from parley.storage.audit_log import (
    IMPORT,
    Head,
    NewEntry,
    VoteEntry,
    append_entries,
    canonical,
    canonical_lines,
    time_text,
)
from parley.storage.bulk import stored_time
from parley.storage.packed_votes import pack_entries, unpack_contents
from parley.storage.tables.audit import AuditEntry, AuditImport
from parley.storage.tables.declared import core
from parley.storage.tables.votes import Vote
from parley.storage.transaction import Transaction

VOTES_TOGETHER = 2_000
"""Imported votes that share an entry."""

READ_AT_ONCE = 2
"""Imports that are kept unpacked: pages of votes cross from one to the next."""

_INSERT = insert(core(AuditImport))
_SEQ_OF = select(core(Vote).c.seq).where(core(Vote).c.id == bindparam("this"))
_IMPORT = core(AuditImport).c
# A row without its entry says nothing.
_LOGGED = core(AuditImport).join(
    core(AuditEntry), (core(AuditEntry).c.seq == _IMPORT.seq) & (core(AuditEntry).c.kind == IMPORT)
)
_OF_VOTES = (
    select(_IMPORT.seq, _IMPORT.contents)
    .select_from(_LOGGED)
    .where(_IMPORT.first_vote_seq <= bindparam("last"), _IMPORT.last_vote_seq >= bindparam("first"))
    .order_by(_IMPORT.seq)
)


class PackedVotes(NamedTuple):
    """The contents of some votes' entries as they are stored, with what identifies them."""

    first_id: str
    last_id: str
    votes: int
    sha256: str
    contents: bytes


def pack_votes(entries: Sequence[VoteEntry]) -> PackedVotes:
    """Pack votes' entries; there is at least one."""
    digest = hashlib.sha256(canonical_lines(entries)).hexdigest()
    return PackedVotes(entries[0].vote_id, entries[-1].vote_id, len(entries), digest, pack_entries(entries))


def digest_of(contents: Sequence[str]) -> str:
    """Return the hash that the entry of an import has."""
    return hashlib.sha256("\n".join(contents).encode()).hexdigest()


def append_imports(
    transaction: Transaction, head: Head, packed: Sequence[PackedVotes], now: datetime
) -> Head:
    """Add an entry for each group of votes, which are stored already, after the locked head."""
    stored = stored_time(time_text(now), sqlite=transaction.dialect == "sqlite")
    entries: list[NewEntry] = []
    for group in packed:
        said = {"entry": "import/1", "vote_id": group.first_id, "votes": group.votes, "sha256": group.sha256}
        content = canonical({**said, "created_at": time_text(now)})
        entries.append(NewEntry(IMPORT, group.first_id, content, stored))
    end = append_entries(transaction, head, entries)
    for seq, group in enumerate(packed, head.seq + 1):
        first, last = (
            int(transaction.execute(_SEQ_OF, {"this": it}).scalar_one())
            for it in (group.first_id, group.last_id)
        )
        row = {"seq": seq, "first_vote_seq": first, "last_vote_seq": last, "contents": group.contents}
        transaction.run(_INSERT, [row])
    return end


class ImportedVotes:
    """What entries of imports say of single votes, a few imports in memory at a time."""

    def __init__(self) -> None:
        self._read: OrderedDict[int, Mapping[str, str]] = OrderedDict()

    def of(self, transaction: Transaction, first: int, last: int) -> Mapping[str, str]:
        """Return the contents by vote id of the imports that have votes with numbers from `first` to `last`.

        Raises ValueError or MsgspecError if one can't be read.
        """
        found: dict[str, str] = {}
        for seq, contents in transaction.execute(_OF_VOTES, {"first": first, "last": last}):
            if seq not in self._read:
                self._read[seq] = {_vote_id(content): content for content in unpack_contents(contents)}
            found |= self._read[seq]
        while len(self._read) > READ_AT_ONCE:
            self._read.popitem(last=False)
        return found


class _Identified(msgspec.Struct):
    vote_id: str


_identify = msgspec.json.Decoder(_Identified).decode


def _vote_id(content: str) -> str:
    return _identify(content).vote_id
