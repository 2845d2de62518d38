"""Ports: what the engine and the rooms need from below, implemented by storage or engine."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from parley.kernel.connector import Chunk, FinishReason
from parley.kernel.errors import Problem
from parley.kernel.history import EarlierTurn
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.messages import Message, ToolCall
from parley.kernel.models import Model, Provider
from parley.kernel.seats import Seat
from parley.kernel.views import Metrics, NoteView, ReplyStatus, TurnStatus


class Clock(Protocol):
    """Wall time, so that tests can fix it. Durations come from the event loop's own clock."""

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
    """Where pictures and files are kept, by what they hold."""

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound."""
        ...


class Ensembles(Protocol):
    """Lets a catalog entry of kind `ensemble` answer like any model."""

    def seats(self, model_id: str) -> Sequence[Seat]:
        """Return who answers together. Raises NotFound."""
        ...

    def stream(
        self, model: Model, messages: Sequence[Message], parent_reply_id: str | None
    ) -> AsyncGenerator[Chunk]:
        """Yield the answer to a conversation that ends with the question; `parent_reply_id` is the reply it becomes.

        An ensemble answers within a turn alone: without a reply it fails. Closing the iterator stops all who answer.
        Raises UpstreamError, NotFound.
        """
        ...


class Ensemble(msgspec.Struct, frozen=True, kw_only=True):
    """What is played where an ensemble is asked: a mode with its brief as stored, and its seats.

    Ids of the seats are those of their names: they are the same whenever it is played.
    """

    mode: str
    brief: dict[str, object]
    seats: tuple[Seat, ...]


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A step as stored: its key, its latest attempt and what that attempt said.

    `stale`: asked before the person last asked this turn again; what it heard may have changed since. `renewed`: that
    was about this step, so it is asked anew. Any other step that ended stands.
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
    """All that is needed to play a turn, for the first time or again.

    `history` is each seat's own conversation before this turn, `unanswered` what the person has said to it since,
    this turn's input included; `prompt` is the last question. `notes` are those since the person last asked this turn
    again. `earlier` are this match's earlier turns, where the mode remembers them.
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
    earlier: tuple[EarlierTurn, ...] = ()
    inbox: Inbox = Inbox()


class ReplyOpened(msgspec.Struct, frozen=True, kw_only=True):
    """A step's attempt began; a higher attempt replaces what a lower one had said."""

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
    """A checkpoint of what a running reply has said so far."""

    reply_id: str
    attempt: int
    text: str
    reasoning: str


class ReplyEnded(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt ended. `timeline` is msgpack of [ms, characters, ms, characters, …] as they arrived."""

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


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Money and tokens of one call to a provider, booked whether or not its answer was of use.

    `purpose` is what it was for: `reply`, or `categories` of a vote. Outside a turn there is neither turn nor reply.
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
    """A play of a turn ended. `released` is how many code points of each reply a blind viewer has seen, by its id.

    Of replies that are not in it they know nothing; None where all was shown or nothing is blind. `dropped` are
    replies of before a retry that the turn has no place for any more.
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
    """Where money is booked."""

    def book(self, spent: Spent) -> None:
        """Book a call. It is stored with what its caller stores next, such as its reply's end, or within a second."""
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
