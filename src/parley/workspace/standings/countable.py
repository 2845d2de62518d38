"""What of a vote enters the counts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from parley.text.categories.categorise import OVERALL

WIN, LOSS, TIE, BOTH_BAD = range(4)
"""Outcomes as `ratings.Outcome` has them, seen from the left side."""

OUTCOMES = {"left": WIN, "right": LOSS, "tie": TIE, "both_bad": BOTH_BAD}
"""The outcome of each choice between a left and a right side, which are the first and the second seat."""


class Countable(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A rated vote between two models, as the counts see it."""

    seq: int
    left: str
    right: str
    outcome: int
    categories: tuple[str, ...]
    """`overall` first."""
    reason: str | None
    """Why it is kept but not counted; None where it is counted."""
    processed: bool
    """Whether it is in the counts already."""
    at: datetime


class Judged(Protocol):
    """A vote as far as the counts look at it: a row, or columns of it, whose categories may be JSON text.

    Of columns `choice` is that of a side already (`sided_choice`), and `seats` may be left out.
    """

    seq: Any
    rated: Any
    choice: Any
    left_model_id: Any
    right_model_id: Any
    counted: Any
    not_counted_reason: Any
    excluded_reason: Any
    categories: Any
    processing_status: Any
    created_at: Any


class Waiting(msgspec.Struct, gc=False):
    """A vote that waits, as columns; `result` is what its voter was answered, None of an imported one.

    `voter_id` is None where nobody knows who voted.
    """

    seq: int
    rated: bool
    choice: str
    left_model_id: str | None
    right_model_id: str | None
    counted: bool
    not_counted_reason: str | None
    excluded_reason: str | None
    processing_status: str
    created_at: datetime
    categories: str
    voter_id: str | None
    result: dict[str, Any] | None


def countable(vote: Judged) -> Countable | None:
    """Return what of a vote enters the counts; None where nothing does, as of a vote that is not rated."""
    if not vote.rated:
        return None
    outcome = outcome_of(vote)
    left, right = vote.left_model_id, vote.right_model_id
    if not left or not right or left == right:
        return None
    reason = vote.excluded_reason or (None if vote.counted else vote.not_counted_reason or "not_counted")
    return Countable(
        seq=vote.seq,
        left=left,
        right=right,
        outcome=outcome,
        categories=_whole(vote.categories),
        reason=reason,
        processed=vote.processing_status == "processed",
        at=vote.created_at,
    )


def outcome_of(vote: Judged) -> int:
    """Return how a vote between two went, seen from the left side."""
    if (outcome := OUTCOMES.get(vote.choice)) is not None:
        return outcome
    seats: Mapping[str, str] = getattr(vote, "seats", {})
    chosen = seats.get(vote.choice)
    return {vote.left_model_id: WIN, vote.right_model_id: LOSS}.get(chosen, TIE)


def _whole(categories: str | Sequence[str] | None) -> tuple[str, ...]:
    if isinstance(categories, str):
        return _decoded(categories)
    return tuple(dict.fromkeys((OVERALL, *(categories or ()))))


@lru_cache(maxsize=4096)
def _decoded(text: str) -> tuple[str, ...]:
    return _whole(msgspec.json.decode(text, type=list[str] | None))
