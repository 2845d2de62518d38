"""Ports: what the engine and the features need, implemented by storage or the engine."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from parley.kernel.connector import Chunk, FinishReason
from parley.kernel.errors import Problem
from parley.kernel.history import EarlierTurn
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.messages import Attachment, Message, ToolCall
from parley.kernel.models import Model, Provider
from parley.kernel.seats import Seat
from parley.kernel.views import Metrics, NoteView, ReplyStatus, TurnStatus


class Clock(Protocol):
    """Wall-clock time, so that tests can set it. Durations come from the event loop's clock."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Catalog(Protocol):
    """The models and providers that are configured now."""

    def model(self, model_id: str) -> Model:
        """Return an entry. Raises NotFound."""
        ...

    def provider(self, provider_id: str) -> Provider:
        """Return a provider. Raises NotFound."""
        ...

    def models(self) -> Sequence[Model]:
        """Return every entry, in the catalog's order."""
        ...


class Blobs(Protocol):
    """Where pictures and files are stored, by content."""

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound."""
        ...


class Ensembles(Protocol):
    """Lets a catalog entry of kind `ensemble` answer like any model."""

    def seats(self, model_id: str) -> Sequence[Seat]:
        """Return the seats of an ensemble. Raises NotFound."""
        ...

    def stream(
        self, model: Model, messages: Sequence[Message], parent_reply_id: str | None, asked_sha256: str
    ) -> AsyncGenerator[Chunk]:
        """Yield the answer to a conversation; it becomes the reply `parent_reply_id`, and fails without one.

        `asked_sha256` is the fingerprint under which the question is recorded. Closing the iterator stops every seat.
        Raises UpstreamError, NotFound.
        """
        ...


class Ensemble(msgspec.Struct, frozen=True, kw_only=True):
    """A mode with its stored brief and seats, which answers like a model.

    Seat ids come from their names, so they are the same in every play.
    """

    mode: str
    brief: dict[str, object]
    seats: tuple[Seat, ...]


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A stored step: its key, and its latest attempt with its reply.

    `stale`: asked before the last retry, so its messages may have changed since. `renewed`: the retry was about this
    step, so it is asked again. Any other ended step stays valid.
    """

    reply_id: str
    path: str
    round: int
    seat: str
    purpose: str
    order: int
    attempt: int
    status: ReplyStatus
    text: str
    reasoning: str
    messages_sha256: str
    finish_reason: FinishReason | None
    metrics: Metrics | None
    error: Problem | None
    stale: bool
    renewed: bool
    tool_calls: tuple[ToolCall, ...] = ()


class TurnScript(msgspec.Struct, frozen=True, kw_only=True):
    """Everything needed to play a turn, for the first time or again.

    `history` is each seat's own conversation before this turn; `unanswered` are the person's texts to it since,
    including this turn's input, and `attached` the pictures and files with them. `prompt` is the last question, `notes`
    are those since the last retry, `earlier` the match's earlier turns if the mode remembers them.
    """

    turn_id: str
    match_id: str
    session_id: str
    owner_id: str
    index: int
    created_at: str
    mode: str
    brief: dict[str, object]
    seats: tuple[Seat, ...]
    input: TurnInput
    prompt: str
    history: dict[str, tuple[Message, ...]]
    play: int
    next_seq: int
    steps: tuple[StepRecord, ...]
    notes: tuple[NoteView, ...]
    unanswered: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])
    attached: dict[str, tuple[Attachment, ...]] = msgspec.field(
        default_factory=dict[str, tuple[Attachment, ...]]
    )
    earlier: tuple[EarlierTurn, ...] = ()
    inbox: Inbox = Inbox()


class ReplyOpened(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt of a step began; it replaces the text of lower attempts."""

    turn_id: str
    reply_id: str
    path: str
    parent_reply_id: str | None
    round: int
    seat: str
    purpose: str
    order: int
    model_id: str
    attempt: int
    messages_sha256: str


class ReplyText(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint of a running reply's text."""

    reply_id: str
    attempt: int
    text: str
    reasoning: str


class ReplyEnded(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt ended. `timeline` is msgpack: [ms, characters, ms, characters, …] as the text arrived."""

    turn_id: str
    reply_id: str
    attempt: int
    status: ReplyStatus
    text: str
    reasoning: str
    finish_reason: FinishReason | None
    metrics: Metrics | None
    error: Problem | None
    timeline: bytes


FROM_CACHE = "(cache)"
"""The provider id of a cached answer; real provider ids have no brackets."""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The cost and tokens of one call to a provider, recorded even if the answer was of no use.

    `purpose` is `reply`, or `categories` of a vote; outside a turn, `turn_id` and `reply_id` are None. An answer of the
    cache has the provider FROM_CACHE, no tokens and no cost.
    """

    owner_id: str
    purpose: str
    turn_id: str | None
    reply_id: str | None
    attempt: int
    model_id: str
    provider_id: str
    input_tokens: int
    output_tokens: int
    cost_micros: int | None
    estimated: bool


class EventLogged(msgspec.Struct, frozen=True, kw_only=True):
    """One durable event of a turn, encoded as JSON."""

    turn_id: str
    seq: int
    kind: str
    data: bytes


class TurnBegun(msgspec.Struct, frozen=True, kw_only=True):
    """A turn is being played (again)."""

    turn_id: str
    play: int


class TurnEnded(msgspec.Struct, frozen=True, kw_only=True):
    """A play of a turn ended. `released` maps reply ids to the code points that a blind viewer has seen.

    Replies missing there are unknown to the viewer; None if nothing is hidden. `dropped` are outdated replies that the
    turn no longer asks.
    """

    turn_id: str
    match_id: str
    status: TurnStatus
    error: Problem | None
    released: dict[str, int] | None
    void: Problem | None
    dropped: tuple[str, ...] = ()


LogEntry: TypeAlias = TurnBegun | ReplyOpened | ReplyText | ReplyEnded | Spent | EventLogged | TurnEnded


class Ledger(Protocol):
    """Where the costs of calls are recorded."""

    def record(self, spent: Spent) -> None:
        """Record a call. It is stored with its caller's next entry, or within a second."""
        ...


class Answers(Protocol):
    """Where answers of models are cached."""

    async def read(self, key: str) -> bytes | None:
        """Return what is stored under a key; None if there is nothing. Raises OSError."""
        ...

    async def write(self, key: str, answer: bytes, ttl_s: float) -> None:
        """Store an answer for some seconds. Raises OSError."""
        ...

    async def close(self) -> None:
        """Release what it holds."""
        ...


class TurnLog(Protocol):
    """Where turns are recorded."""

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn. Raises NotFound."""
        ...

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store the entries in order, in one transaction; all or nothing. Raises Unavailable."""
        ...

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that were running when the process ended, oldest first."""
        ...
