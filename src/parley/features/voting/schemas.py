"""The bodies of voting's requests, validated."""

from typing import Annotated

import msgspec
from pydantic import Field

from parley.kernel.ballot import MAX_REASON_CHARS
from parley.kernel.request import Request
from parley.kernel.views import RatedSeat


class CastVote(Request):
    """A vote on a match, with an optional reason. `turn_id` is the judged turn, by default the last one."""

    vote: str
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None = None
    turn_id: Annotated[str, Field(max_length=32)] | None = None


class VoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A saved vote on a battle, and the models that it revealed."""

    vote_id: str
    vote: str
    reason: str | None
    counted: bool
    not_counted_reason: str | None
    created_at: str
    left: RatedSeat
    right: RatedSeat
