"""Breaks of the audit log, in words that name the entry, the vote and the column."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

from parley.storage.audit_log import FINDINGS, VOTE_ENTRY, content_of

Fault: TypeAlias = Literal[
    "entry_missing",
    "entry_changed",
    "wrong_order",
    "vote_missing",
    "vote_changed",
    "state_changed",
    "vote_without_entry",
    "wrong_end",
    "head_unknown",
]


class Break(msgspec.Struct, frozen=True):
    """The first break of the chain. `seq` is the entry's number, if there is one."""

    fault: Fault
    text: str
    seq: int | None = None
    vote_id: str | None = None


def differing_vote(
    seq: int, stated: Mapping[str, object], vote_id: str, created_at: datetime, covered: Mapping[str, object]
) -> Break | None:
    """Return the break of a vote that differs from what its entry says of it; `covered` is by name."""
    is_now = {**content_of(vote_id, created_at, covered), "entry": stated.get("entry")}
    stated = dict(_in_full(stated))
    for name in FINDINGS:
        # A later entry may have changed these details of the vote.
        stated.pop(name, None)
    if stated == is_now:
        return None
    for name in sorted(stated.keys() | is_now.keys()):
        if name not in stated or name not in is_now or stated[name] != is_now[name]:
            words = change_text(vote_id, name, is_now, stated, f"entry {seq} says")
            return Break("vote_changed", words, seq, vote_id)
    return None


def missing_vote(seq: int, vote_id: str) -> Break:
    """Return the break of an entry without its vote."""
    return Break("vote_missing", f"Vote {vote_id} of entry {seq} is missing.", seq, vote_id)


def out_of_order(seq: int, vote_id: str) -> Break:
    """Return the break of an entry whose vote has a lower number than the vote before."""
    words = f"Vote {vote_id} (entry {seq}) comes before the vote of the previous entry."
    return Break("wrong_order", words, seq, vote_id)


def change_text(
    vote_id: str, name: str, is_now: Mapping[str, object], stated: Mapping[str, object], source: str
) -> str:
    """Describe how a vote differs from its entry."""
    return (
        f"Vote {vote_id} was changed after it was stored: its {name} is “{_shown(is_now.get(name))}”, "
        f"{source} “{_shown(stated.get(name))}”."
    )


def _in_full(stated: Mapping[str, object]) -> Mapping[str, object]:
    """Return the content of a vote's entry, with what entries of earlier versions imply."""
    if stated.get("entry") == VOTE_ENTRY:
        return stated
    return {"turn_id": None, "rated": stated.get("kind") == "blind", **stated}


def _shown(value: object) -> object:
    return "nothing" if value is None else value
