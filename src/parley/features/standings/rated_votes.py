"""Rated votes: what of a vote enters the counts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from parley.ratings.outcomes import Outcome
from parley.text.categories.categorise import OVERALL

OUTCOMES = {"left": Outcome.WIN, "right": Outcome.LOSS, "tie": Outcome.TIE, "both_bad": Outcome.BOTH_BAD}
"""The outcome of each choice between a left and a right side: the first and the second seat."""


class RatedVote(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A rated vote between two models, as the counts see it."""

    seq: int
    left: str
    right: str
    outcome: Outcome
    categories: tuple[str, ...]
    """`overall` first."""
    reason: str | None
    """Why the vote is kept but not counted; None where it counts."""
    processed: bool
    """True if it is in the counts already."""
    at: datetime


class VoteColumns(Protocol):
    """The columns of a vote that decide how it counts. `categories` may be JSON text.

    Rows read as columns have the side in `choice` (`sided_choice`) and may lack `seats`.
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


class PendingVote(msgspec.Struct, gc=False):
    """A vote that is not counted yet, as columns.

    `result` is the response to its voter; None for imported votes. `voter_id` is None where the vote is no evidence
    about its voter.
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


def rated_vote(vote: VoteColumns) -> RatedVote | None:
    """Return what of a vote enters the counts; None if unrated or without two models."""
    if not vote.rated:
        return None
    left, right = vote.left_model_id, vote.right_model_id
    if not left or not right or left == right:
        return None
    reason = vote.excluded_reason or (None if vote.counted else vote.not_counted_reason or "not_counted")
    return RatedVote(
        seq=vote.seq,
        left=left,
        right=right,
        outcome=outcome_of(vote),
        categories=categories_of(vote.categories),
        reason=reason,
        processed=vote.processing_status == "processed",
        at=vote.created_at,
    )


def outcome_of(vote: VoteColumns) -> Outcome:
    """Return the outcome of a vote between two models, from the left side's view."""
    if (outcome := OUTCOMES.get(vote.choice)) is not None:
        return outcome
    seats: Mapping[str, str] = getattr(vote, "seats", {})
    chosen = seats.get(vote.choice)
    return {vote.left_model_id: Outcome.WIN, vote.right_model_id: Outcome.LOSS}.get(chosen, Outcome.TIE)


def categories_of(categories: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the categories that a vote counts in, `overall` first; they may be JSON text."""
    if isinstance(categories, str):
        return _decoded(categories)
    return tuple(dict.fromkeys((OVERALL, *(categories or ()))))


@lru_cache(maxsize=4096)
def _decoded(text: str) -> tuple[str, ...]:
    return categories_of(msgspec.json.decode(text, type=list[str] | None))
