"""Ports: what the engine and the features need, implemented by storage or the engine."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from parley.kernel.calls import Call, CallEnded
from parley.kernel.caps import NOTHING_USED, Used
from parley.kernel.connector import Chunk, FinishReason
from parley.kernel.errors import Problem
from parley.kernel.history import EarlierTurn
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.messages import Attached, Attachment, Message, ReplyPart, ToolCall
from parley.kernel.models import Model, Provider
from parley.kernel.options import Tool
from parley.kernel.sealing import Seal
from parley.kernel.seats import Seat
from parley.kernel.tools import ToolRecord, ToolResult
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


class OwnKeys(Protocol):
    """The provider keys of people and workspaces."""

    def key_of(self, holder_id: str, provider: Provider) -> str | None:
        """Return a person's or workspace's key for a provider at its present origin; None if they have none."""
        ...


class Blobs(Protocol):
    """The store of pictures and files, by content."""

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound."""
        ...

    async def store(self, owner_id: str, data: bytes, name: str, *, alike: bool = False) -> Attached:
        """Check and store what a model made for a person; without a name it gets a neutral one.

        `alike`: a picture gets the one size and format of pictures in blind matches.
        It is kept as long as a turn has it, else for a day. Raises Invalid, Unavailable.
        """
        ...


class Ensembles(Protocol):
    """Lets a catalog entry of kind `ensemble` answer like any model."""

    def seats(self, model_id: str) -> Sequence[Seat]:
        """Return the seats of an ensemble. Raises NotFound."""
        ...

    def stream(
        self,
        model: Model,
        messages: Sequence[Message],
        call: Call,
        *,
        key: str,
    ) -> AsyncGenerator[Chunk]:
        """Yield the answer to a conversation; it becomes the reply of the call, if that has one.

        Inner calls have the owner, purpose and API key of the call. `key` is the fingerprint of the question, and seeds
        the mode outside a turn. Closing the iterator stops every seat. Raises UpstreamError, NotFound.
        """
        ...


class Tools(Protocol):
    """The tools that modes may call, and offer to models."""

    @property
    def limit_s(self) -> float:
        """The seconds that one call may take."""
        ...

    def descriptions(self) -> Sequence[Tool]:
        """Return the name, description and parameters of every tool."""
        ...

    async def call(self, name: str, arguments: dict[str, object], *, owner_id: str) -> ToolResult:
        """Run one of these tools for a person. Raises ParleyError; cancelling stops it."""
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
    parts: tuple[ReplyPart, ...] = ()


class TurnScript(msgspec.Struct, frozen=True, kw_only=True):
    """Everything needed to play a turn, for the first time or again.

    `history` is each seat's own conversation before this turn; `unanswered` are the person's texts to it since,
    including this turn's input, and `attached` the pictures and files with them. `prompt` is the last question, `notes`
    are those since the last retry, `earlier` the match's earlier turns if the mode remembers them, `tools` are all
    calls of tools so far, `used` is what its calls have used in earlier plays. `author_id`: who wrote the input, in a
    workspace. `seal`: the key of a sealed session, under which all that is logged of the turn is stored.
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
    author_id: str | None = None
    unanswered: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])
    attached: dict[str, tuple[Attachment, ...]] = msgspec.field(
        default_factory=dict[str, tuple[Attachment, ...]]
    )
    earlier: tuple[EarlierTurn, ...] = ()
    inbox: Inbox = Inbox()
    tools: tuple[ToolRecord, ...] = ()
    used: Used = NOTHING_USED
    seal: Seal | None = None


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

    turn_id: str
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
    parts: tuple[ReplyPart, ...] = ()


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


class Beside(msgspec.Struct, frozen=True):
    """Rows that a feature stores together with the calls before it: `write` gets the open transaction."""

    write: Callable[[Any], object]


LogEntry: TypeAlias = (
    TurnBegun | ReplyOpened | ReplyText | ReplyEnded | CallEnded | EventLogged | TurnEnded | Beside
)


class Calls(Protocol):
    """The record of calls."""

    def record(self, ended: CallEnded) -> None:
        """Record a request. It is stored with its caller's next entry, or within a second."""
        ...


class AnswerStore(Protocol):
    """The cache of models' answers."""

    async def read(self, key: str) -> bytes | None:
        """Return what is stored under a key; None if there is nothing. Raises OSError."""
        ...

    async def write(self, key: str, answer: bytes, ttl_s: float) -> None:
        """Store an answer for some seconds. Raises OSError."""
        ...

    async def forget(self, beginning: str) -> None:
        """Delete what is stored under keys with this beginning. Raises OSError."""
        ...

    async def close(self) -> None:
        """Release what it holds."""
        ...


class TurnLog(Protocol):
    """The record of turns."""

    async def read(self, turn_id: str) -> TurnScript:
        """Return everything needed to play the turn. Raises NotFound."""
        ...

    async def write(self, entries: Sequence[LogEntry]) -> None:
        """Store the entries in order, in one transaction; all or nothing. Raises Unavailable, TurnsLost."""
        ...

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of turns that were running when the process ended, oldest first."""
        ...
