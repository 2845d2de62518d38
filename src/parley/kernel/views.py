"""Views: what a person's client is shown of a match, a turn and a reply.

Views are built whole and then passed through `blindness` for the one who looks.
"""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.ballot import Needs
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import TurnInput
from parley.kernel.models import ModelKind, Prices
from parley.kernel.seats import SeatSettings

ReplyStatus: TypeAlias = Literal["waiting", "streaming", "completed", "incomplete", "failed", "stopped"]
TurnStatus: TypeAlias = Literal["running", "completed", "failed", "stopped", "interrupted"]
MatchStatus: TypeAlias = Literal["open", "voted", "void"]


class ModelCard(msgspec.Struct, frozen=True, kw_only=True):
    """Who a model is, as everybody may read it in the catalog."""

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


class Metrics(msgspec.Struct, frozen=True, kw_only=True):
    """What a reply took. Times in milliseconds from the request; cost in micro-dollars.

    `estimated`: the provider sent no usage, so tokens are counted as characters / 4.
    `cost_micros` is null where the model has no price.
    """

    ttft_ms: int | None
    duration_ms: int
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    tokens_per_second: float | None
    cost_micros: int | None
    estimated: bool


class ReplyView(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat said once in a turn. A turn's replies are shown by `order`, live as after a reload.

    `text_end` and `reasoning_end` count code points; a client compares them with a delta's
    `offset` and `end` and never counts itself.
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


class AttemptView(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat had said in an attempt that ended, before it was asked again."""

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


class Attempts(msgspec.Struct, frozen=True, kw_only=True):
    """The earlier attempts of a turn's replies, by round, seat and attempt; the latest ones are the replies."""

    turn_id: str
    attempts: tuple[AttemptView, ...]


class InnerReplyView(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat within an ensemble said, on the way to the reply `parent_reply_id`.

    `path` leads there from the turn's own seat, as in "left.0.answer".
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


class InnerReplies(msgspec.Struct, frozen=True, kw_only=True):
    """How a turn's ensembles came to their answers; empty where none took part."""

    turn_id: str
    replies: tuple[InnerReplyView, ...]


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A typed announcement of a mode; `name` carries a version, as in "consortium.verdict/1".

    (`name`, `round`, `key`) is unique within a turn: playing a turn again does not repeat a note.
    """

    seq: int
    name: str
    round: int
    key: str
    data: object


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A place at a match. `model` is null while the match is blind to the viewer.

    `settings` are null then too, and where none were given. It is asked in the turns from index `from_turn` until
    before `until_turn`, which is null while it stays.
    """

    id: str
    name: str
    role: str
    label: str
    model: ModelCard | None
    settings: SeatSettings | None = None
    from_turn: int = 0
    until_turn: int | None = None


class RatedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat after the vote: who it was, what it took in what was judged, and its Elo around the vote.

    Elo is null where the ballot is not rated.
    """

    model_id: str
    name: str
    organization: str
    license: str
    metrics: Metrics | None
    elo_before: float | None
    elo_after: float | None


class VoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's vote and what it revealed. `counted` is false with a reason where it does not enter the ratings.

    `turn_id` is the turn that was judged, of a match that is judged as a whole its last one; votes of before have none.
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
    """What the person may choose between; see `Ballot`.

    `open`: a vote can be cast on the last turn (`each_turn`) or on the match as it is. `choices` are then those that
    can be chosen, else those that can be as far as the turns before tell.
    """

    choices: tuple[str, ...]
    open: bool
    each_turn: bool
    rated: bool
    ends_match: bool
    needs: Needs


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A mode with its seats inside a session. `blind`: the models are hidden from this viewer now.

    `votes` are those that stand, oldest first: one for each turn where turns are judged, else one at most. `vote` is
    the latest of them.
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
    """One input of the person and all that followed. `play` counts how often the mode was played for it.

    `interjections` are what the person said while it ran, each with the round that heard it.
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


class SessionCard(msgspec.Struct, frozen=True, kw_only=True):
    """A session as the sidebar lists it; `mode` is that of its latest match. Times are ISO 8601, UTC."""

    id: str
    title: str
    mode: str
    archived: bool
    created_at: str
    updated_at: str


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A match with its turns, oldest first."""

    match: MatchView
    turns: tuple[TurnView, ...]


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session whole: its card and its matches, oldest first."""

    session: SessionCard
    matches: tuple[MatchRecord, ...]
