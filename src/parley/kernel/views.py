"""Views: what clients see; they are built complete, and `blindness` removes what the viewer may not see."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from parley.kernel.ballot import Needs
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import TurnInput
from parley.kernel.messages import ReplyPart
from parley.kernel.models import Fact, FactSource, ModelKind, Prices
from parley.kernel.pictures import PictureSettings
from parley.kernel.progress import Drawing
from parley.kernel.seats import SeatSettings
from parley.kernel.tools import ToolCallView

Queued: TypeAlias = Annotated[bool | UnsetType, msgspec.Meta(extra_json_schema={"x-may-be-absent": True})]
"""True while something waits for a place under a limit of calls at once; else it is left out."""

QueuedMs: TypeAlias = Annotated[int | UnsetType, msgspec.Meta(extra_json_schema={"x-may-be-absent": True})]
"""Milliseconds that Parley held a call back until it had a place under a limit; left out if it did not."""

ReplyStatus: TypeAlias = Literal["waiting", "streaming", "completed", "incomplete", "failed", "stopped"]
TurnStatus: TypeAlias = Literal["running", "completed", "failed", "stopped", "interrupted"]
ModelSource: TypeAlias = Literal["file", "database", "demo"]
MatchStatus: TypeAlias = Literal["open", "voted", "void"]


class ModelCard(msgspec.Struct, frozen=True, kw_only=True):
    """A model as the catalog shows it to everyone.

    `source` is where it is or was configured: the model list's file, the database or the demo. Null for ensembles.
    Answers may be reused for `cache_s` seconds. `fallback` is the model that answers if this one does not. An empty
    organisation, family or licence is unknown. `known_from` says where facts that no person set are from. `weight` is
    its chance in weighted draws; 0 is never drawn. `timeout_s` bounds the wait for the first chunk.
    """

    id: str
    name: str
    organization: str
    family: str
    license: str
    kind: ModelKind
    capabilities: tuple[str, ...]
    tags: tuple[str, ...]
    context_window: int | None
    prices: Prices | None
    description: str | None
    provider: str | None
    local: bool
    demo: bool
    enabled: bool
    source: ModelSource | None = None
    cache_s: float | None = None
    fallback: str | None = None
    known_from: dict[Fact, FactSource] = msgspec.field(default_factory=dict[Fact, FactSource])
    weight: float = 1.0
    timeout_s: float | None = None
    max_concurrency: int | None = None
    picture: PictureSettings | None = None


class Metrics(msgspec.Struct, frozen=True, kw_only=True):
    """The times, tokens and cost of a reply, in milliseconds from the request and micro-dollars.

    `estimated`: the provider reported no usage, so tokens are characters / 4. `cost_micros` is null for a model without
    a price. `cached`: an earlier answer was reused; its tokens are shown and cost nothing. `answered_by` is the
    fallback model, if it answered because the seat's own model did not. The other times do not count
    `queued_ms`.
    """

    ttft_ms: int | None
    duration_ms: int
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    tokens_per_second: float | None
    cost_micros: int | None
    estimated: bool
    cached: bool = False
    answered_by: str | None = None
    queued_ms: QueuedMs = UNSET


class ReplyView(msgspec.Struct, frozen=True, kw_only=True):
    """One reply of a seat in a turn. Show a turn's replies by `order`.

    `text_end` and `reasoning_end` count code points; clients compare them with a delta's `offset` and `end`. `parts`
    are pictures and files, in the order of their places in the text. `queued` is true while it waits for a place under
    a limit.
    """

    id: str
    seat: str
    path: str
    round: int
    purpose: str
    order: int
    attempt: int
    status: ReplyStatus
    text: str
    text_end: int
    reasoning: str
    reasoning_end: int
    finish_reason: FinishReason | None
    metrics: Metrics | None
    error: Problem | None
    parts: tuple[ReplyPart, ...] = ()
    queued: Queued = UNSET
    progress: Drawing = UNSET


class AttemptView(msgspec.Struct, frozen=True, kw_only=True):
    """A reply of an earlier attempt, from before the seat was asked again."""

    reply_id: str
    attempt: int
    seat: str
    round: int
    purpose: str
    status: ReplyStatus
    text: str
    reasoning: str
    finish_reason: FinishReason | None
    metrics: Metrics | None
    error: Problem | None
    parts: tuple[ReplyPart, ...] = ()


class Attempts(msgspec.Struct, frozen=True, kw_only=True):
    """The earlier attempts of a turn's replies, by round, seat and attempt. The latest are the replies themselves."""

    turn_id: str
    attempts: tuple[AttemptView, ...]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A model that gave no complete answer in a void match, and what happened."""

    model: ModelCard
    problem: Problem


class Failures(msgspec.Struct, frozen=True, kw_only=True):
    """The models that made a match void, by name; it does not say on which side they sat."""

    turn_id: str
    failures: tuple[Failure, ...]


class InnerReplyView(msgspec.Struct, frozen=True, kw_only=True):
    """A reply of a seat inside an ensemble, made for the reply `parent_reply_id`.

    `path` names the steps around it, as in "left.0.answer".
    """

    id: str
    parent_reply_id: str
    path: str
    round: int
    seat: str
    purpose: str
    model: ModelCard
    status: ReplyStatus
    text: str
    metrics: Metrics | None
    parts: tuple[ReplyPart, ...] = ()


class InnerReplies(msgspec.Struct, frozen=True, kw_only=True):
    """The replies within a turn's ensembles. Empty without ensembles."""

    turn_id: str
    replies: tuple[InnerReplyView, ...]


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A typed announcement of a mode. `name` has a version, as in "consortium.verdict/1".

    (`name`, `round`, `key`) is unique within a turn: playing a turn again does not repeat a note. Data with
    a `reply_id` may have a `heading`: what the reply is called in a transcript.
    """

    seq: int
    name: str
    round: int
    key: str
    data: object


class Continued(msgspec.Struct, frozen=True):
    """The conversation that a seat continues: that of another seat, up to and including a turn."""

    turn_id: str
    seat: str


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a match. `model`, `settings` and `continues` are null while the match is blind to the viewer.

    The seat takes part in turns from index `from_turn` up to but not including `until_turn`, which is null while it
    stays.
    """

    id: str
    name: str
    role: str
    label: str
    model: ModelCard | None
    settings: SeatSettings | None = None
    continues: Continued | None = None
    from_turn: int = 0
    until_turn: int | None = None


class RatedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat after the vote: its model, the metrics of its replies, its Elo before and after.

    Elo is null if the ballot is not rated. `attempt` is that of the judged reply, null where a whole match is judged. A
    reply with a higher one was asked for after the vote.
    """

    model_id: str
    name: str
    organization: str
    license: str
    metrics: Metrics | None
    elo_before: float | None
    elo_after: float | None
    attempt: int | None = None


class VoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's vote and what it revealed. `counted` is false, with a reason, if it does not count in the ratings.

    `turn_id` is the judged turn, or the last turn of the match. It is null in old votes.
    """

    vote_id: str
    vote: str
    reason: str | None
    counted: bool
    not_counted_reason: str | None
    created_at: str
    seats: dict[str, RatedSeat]
    turn_id: str | None = None


class BallotView(msgspec.Struct, frozen=True, kw_only=True):
    """The person's choices; see `Ballot`.

    `open`: a vote can be cast now, on the last turn (`each_turn`) or on the match. `choices` are those that are open
    now, or those expected from earlier turns.
    """

    choices: tuple[str, ...]
    open: bool
    each_turn: bool
    rated: bool
    ends_match: bool
    needs: Needs


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A mode with its seats inside a session. `blind`: the models are hidden from this viewer now.

    `votes` are the current ones, oldest first: one per judged turn, or one for the match. `vote` is the latest.
    """

    id: str
    session_id: str
    index: int
    mode: str
    status: MatchStatus
    blind: bool
    paced: bool
    seats: tuple[SeatView, ...]
    brief: dict[str, object]
    ballot: BallotView | None
    vote: VoteView | None
    votes: tuple[VoteView, ...]
    void: Problem | None
    created_at: str


class TurnView(msgspec.Struct, frozen=True, kw_only=True):
    """One input of the person and everything that followed. `play` counts how often the mode was played for it.

    `interjections` are inputs sent while it ran, each with the round that read it. `tools` are calls of tools.
    `author_id`: who wrote it, in a workspace; null outside.
    `queued` is true until other turns have left it a place under a limit.
    """

    id: str
    match_id: str
    session_id: str
    index: int
    input: TurnInput
    status: TurnStatus
    play: int
    round: int
    replies: tuple[ReplyView, ...]
    notes: tuple[NoteView, ...]
    interjections: tuple[Interjection, ...]
    error: Problem | None
    created_at: str
    tools: tuple[ToolCallView, ...] = ()
    author_id: str | None = None
    queued: Queued = UNSET


class SessionCard(msgspec.Struct, frozen=True, kw_only=True):
    """A session as the sidebar lists it. `mode` is that of its latest match. Times are ISO 8601, UTC.

    `unvoted`: its latest match is a finished blind match without a vote. `void`: its latest match is void. `excerpt`:
    the words around a search hit in a prompt or a reply, null if the hit is in the title; `excerpt_turn_id` is the turn
    of the hit. `sealed`: it is read with its key only, and so is its title.
    """

    id: str
    title: str
    mode: str
    archived: bool
    pinned: bool
    unvoted: bool
    created_at: str
    updated_at: str
    excerpt: str | None = None
    excerpt_turn_id: str | None = None
    tags: tuple[str, ...] = ()
    void: bool = False
    sealed: bool = False


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A match with its turns, oldest first."""

    match: MatchView
    turns: tuple[TurnView, ...]


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session with its matches, oldest first."""

    session: SessionCard
    matches: tuple[MatchRecord, ...]
