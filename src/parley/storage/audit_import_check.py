"""Verification of an import's entry in the audit log, against the votes that it stands for."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, bindparam, select
from sqlalchemy.exc import DBAPIError

from parley.storage.audit_breaks import Break, differing_vote, missing_vote, out_of_order
from parley.storage.audit_imports import digest_of
from parley.storage.audit_log import COVERED
from parley.storage.database import Database, Transaction
from parley.storage.packed_votes import unpack_contents
from parley.storage.tables.audit import AuditImport
from parley.storage.tables.declared import core
from parley.storage.tables.votes import Vote, seats_of

_VOTE, _IMPORT = core(Vote).c, core(AuditImport).c
_PACKED = select(core(AuditImport)).where(_IMPORT.seq == bindparam("this"))
_VOTES = select(_VOTE.seq, _VOTE.id, _VOTE.created_at, *(_VOTE[name].label(name) for name in COVERED)).where(
    _VOTE.seq >= bindparam("first"), _VOTE.seq <= bindparam("last")
)


class FoundImport(NamedTuple):
    """What is stored of an import: the contents of its votes' entries, and the votes themselves by id.

    `contents` is None where they are missing or can't be read.
    """

    contents: Sequence[str] | None
    votes: Mapping[str, Row[Any]]
    last_vote_seq: int


async def read_import(database: Database, seq: int) -> FoundImport:
    """Return what is stored of the import with an entry. Raises DatabaseBusy."""

    def read(transaction: Transaction) -> FoundImport:
        row = transaction.execute(_PACKED, {"this": seq}).first()
        if row is None:
            return FoundImport(None, {}, 0)
        found = transaction.execute(_VOTES, {"first": row.first_vote_seq, "last": row.last_vote_seq})
        return FoundImport(unpack_contents(row.contents), {it.id: it for it in found}, row.last_vote_seq)

    try:
        return await database.read(read)
    except (ValueError, TypeError, msgspec.MsgspecError, DBAPIError):
        return FoundImport(None, {}, 0)


def check_import(
    seq: int, first_vote: str, entry: Mapping[str, object], found: FoundImport, after: int
) -> Break | None:
    """Return the first break of an import; `after` is the number of the vote before its votes."""
    if found.contents is None:
        words = f"What entry {seq} of the audit log says of its votes is missing or can't be read."
        return Break("entry_changed", words, seq, first_vote)
    if digest_of(found.contents) != entry.get("sha256") or len(found.contents) != entry.get("votes"):
        words = f"Entry {seq} was changed: the hash of what it says of its votes does not match."
        return Break("entry_changed", words, seq, first_vote)
    for content in found.contents:
        said: dict[str, object] = msgspec.json.decode(content)
        vote_id = str(said["vote_id"])
        vote = found.votes.get(vote_id)
        if vote is None:
            return missing_vote(seq, vote_id)
        if broken := differing_vote(seq, said, vote.id, vote.created_at, _covered(vote)):
            return broken
        if vote.seq <= after:
            return out_of_order(seq, vote_id)
        after = vote.seq
    return None


def _covered(vote: Row[Any]) -> dict[str, Any]:
    """Return `covered_of` a row of `_VOTES`, at a third of its time."""
    values = dict(zip(COVERED, vote[-len(COVERED) :], strict=True))
    return {**values, "seats": seats_of(values["seats"], values["left_model_id"], values["right_model_id"])}
