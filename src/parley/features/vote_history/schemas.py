"""Votes as their voter sees them, and the filters of their list."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from parley.kernel.request import Moment
from parley.kernel.views import Metrics, ModelCard
from parley.text.categories.categorise import Reason

Outcome: TypeAlias = Literal["won", "lost", "tie", "both_bad"]
Word = Annotated[str, Field(max_length=64)]


class EloMove(msgspec.Struct, frozen=True):
    """A model's Elo around a vote."""

    before: float
    after: float


class SeatOfVote(msgspec.Struct, frozen=True):
    """A seat that a person could choose. `elo` is null if the vote did not change it."""

    seat: str
    model: ModelCard
    elo: EloMove | None


class VoteCard(msgspec.Struct, frozen=True, kw_only=True):
    """A vote as its voter sees it.

    `session_id`, `turn_id` (the judged turn, or the match's first) and `prompt` (its beginning) are null if the session
    was deleted or the vote was imported. `choice` is one of the `seats`, or a word. `not_counted_reason` includes later
    exclusions, such as `replaced`. An open vote has the reason `open`, any other unrated vote `unrated`.
    """

    vote_id: str
    session_id: str | None
    match_id: str | None
    turn_id: str | None
    prompt: str | None
    seats: list[SeatOfVote]
    choice: str
    reason: str | None
    categories: list[str]
    """Without `overall`, in which every vote is."""
    categories_by: Literal["rules", "model", "person"]
    counted: bool
    not_counted_reason: str | None
    excluded: bool
    """Taken out after it was counted."""
    created_at: str
    kind: Literal["blind", "open"]
    origin: Literal["here", "import"]


class VotePage(msgspec.Struct, frozen=True):
    """A page of votes, newest first. `next_cursor` is null on the last page."""

    votes: list[VoteCard]
    next_cursor: str | None


class VoteFilter(BaseModel):
    """A filter of votes; fields that are left out do not narrow it.

    `outcome` is seen from `model`, or without it from the first of two seats. `tie` is any choice that is not a seat,
    except `both_bad`. `reason` is why votes are not counted. `since` is inclusive, `until` exclusive. `search` covers
    the prompts and the title of the vote's session, and the voter's reason.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Annotated[Word | None, Field(description="The id of a model.")] = None
    opponent: Annotated[
        Word | None,
        Field(description="Only votes with this model as well as `model`."),
    ] = None
    outcome: Annotated[
        Outcome | None,
        Field(description="Only votes with this outcome, seen from `model`, or from the first of two seats."),
    ] = None
    choice: Annotated[Word | None, Field(description="Only votes with this choice.")] = None
    category: Annotated[
        Word | None,
        Field(description="The id of a category. `overall` has all votes."),
    ] = None
    counted: Annotated[
        bool | None,
        Field(description="Only votes that count (`true`), or only those that do not (`false`)."),
    ] = None
    reason: Annotated[
        Word | None,
        Field(description="Only votes that are not counted for this reason."),
    ] = None
    origin: Annotated[
        Literal["here", "import"] | None,
        Field(description="Only votes cast on this server (`here`), or only imported ones (`import`)."),
    ] = None
    since: Annotated[Moment | None, Field(description="Only votes from this time on.")] = None
    until: Annotated[Moment | None, Field(description="Only votes before this time.")] = None
    search: Annotated[str, Field(max_length=200, description="Only items that contain these words.")] = ""


class CorrectVote(BaseModel):
    """The categories that a voter gives their vote. `overall` is never among them."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    categories: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=40)]


class CategoryReasons(msgspec.Struct, frozen=True):
    """Why the rules put a vote into its categories. Empty if its prompts are not stored."""

    vote_id: str
    reasons: list[Reason]


class ReplayedReply(msgspec.Struct, frozen=True, kw_only=True):
    """A reply and its timing: `timeline` is [milliseconds, characters of the text by then], in order."""

    reply_id: str
    seat: str
    path: str
    round: int
    purpose: str
    status: str
    text: str
    reasoning: str
    timeline: list[tuple[int, int]]
    model: ModelCard
    metrics: Metrics | None


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A past turn with the timing of its replies."""

    turn_id: str
    match_id: str
    session_id: str
    prompt: str | None
    replies: list[ReplayedReply]


class PreferredModel(msgspec.Struct, frozen=True):
    """The model that a person preferred in `preferred` of the `of` votes of a category that it took part in."""

    category: str
    model_id: str
    preferred: int
    of: int


class PreferredModels(msgspec.Struct, frozen=True):
    """For each category, `overall` first, the model that a person preferred significantly more often than by chance."""

    preferred: list[PreferredModel]
