"""What voting is asked, validated: the bodies of its requests."""

from typing import Annotated

from pydantic import Field

from parley.workspace.arena.schemas import Request

MAX_REASON_CHARS = 2_000


class CastVote(Request):
    """A vote on a match, with an optional reason. `turn_id` is the judged turn, by default the last one."""

    vote: str
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None = None
    turn_id: Annotated[str, Field(max_length=32)] | None = None
