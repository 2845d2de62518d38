"""The contract of a connector: one wire dialect, one method to write."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import msgspec

from parley.kernel.messages import Channel, Message, ToolCall
from parley.kernel.options import AskOptions
from parley.kernel.passed import Endpoint, Passed
from parley.kernel.pictures import DrawRequest

Phase: TypeAlias = Literal["queued", "starting", "running"]
"""The state of a call's Job: it waits for a place in the cluster, its container is being started, it runs."""

FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]


class ChatRequest(AskOptions, frozen=True, kw_only=True):
    """One question to one model, with options; a connector refuses options that its dialect lacks.

    `model` is the name at the provider. `seat_seed` is stable per step, so that a connector that draws (the demo)
    answers the same step alike. `attached` has the bytes of all pictures and files, by SHA-256. `pictures`: the model
    may answer with pictures. `passed`: a program's own request, which goes to the provider in place of the messages.
    """

    model: str
    messages: tuple[Message, ...]
    seat_seed: int = 0
    attached: dict[str, bytes] = msgspec.field(default_factory=dict[str, bytes])
    pictures: bool = False
    passed: Passed | None = None


class Delta(msgspec.Struct, frozen=True, gc=False):
    """A piece of the answer; never empty, valid Unicode without lone surrogates."""

    channel: Channel
    text: str


class Made(msgspec.Struct, frozen=True, gc=False):
    """A picture or file that the model made, at this place of its text.

    Its kind is detected from its bytes. `name` is what the model called it, if it did. `seed` is the one from which it
    was drawn, if the server has seeds.
    """

    data: bytes
    name: str = ""
    seed: int | None = None


class Progress(msgspec.Struct, frozen=True, gc=False):
    """The progress of a picture. `share` is from 0 to 1; `left_s` are the seconds that the server expects.

    `ahead`: the jobs that its server does first. `preview`: the picture as it is so far. With a `phase` it is that of
    the call's Job instead, before any answer; `why` says what that waits for.
    """

    share: float | None = None
    step: int | None = None
    steps: int | None = None
    left_s: float | None = None
    ahead: int | None = None
    preview: bytes | None = None
    phase: Phase | None = None
    why: str | None = None


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of the call; the last one sent counts.

    `cached_tokens` and `cache_written_tokens` are part of the input, `reasoning_tokens` of the output. `cost_micros` is
    set if the source knows its price, as an ensemble does; `estimated` if it had to guess. `model` is what the provider
    calls the model that answered, if it says so.
    """

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cost_micros: int | None = None
    estimated: bool = False
    cache_written_tokens: int = 0
    model: str = ""


class Finish(msgspec.Struct, frozen=True, gc=False):
    """The model is done. A stream that ends without one is incomplete."""

    reason: FinishReason


class Rethought(msgspec.Struct, frozen=True, gc=False):
    """All text so far was reasoning: its end was marked, its beginning was not."""


Chunk: TypeAlias = Delta | Rethought | Made | Progress | ToolCall | Usage | Finish


class Piece(msgspec.Struct, frozen=True, gc=False):
    """Bytes of an answer as the provider sent them: whole events, or a document. `chunks`: what the meter reads."""

    data: bytes
    chunks: tuple[Chunk, ...] = ()


def reasons(chunk: Chunk | Piece) -> bool:
    """Return whether a chunk is a piece of the model's reasoning."""
    if isinstance(chunk, Piece):
        return bool(chunk.chunks) and all(map(reasons, chunk.chunks))
    return isinstance(chunk, Delta) and chunk.channel == "reasoning"


class Connector(ABC):
    """Speaks one wire dialect and nothing else: no retries, no failover, no limits of its own.

    Made once per provider; must serve many streams at once.
    """

    @abstractmethod
    def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the answer's chunks in order, at most one Finish, and after it only Usage.

        Closing the iterator closes the connection at once. Raises UpstreamError: a leaf of it, with a text that a
        person understands and no secret in it.
        """

    async def close(self) -> None:
        """Release what the connector holds."""
        return None


@runtime_checkable
class PassesOn(Protocol):
    """Optional: its dialect is OpenAI's, so a program's request and its answer can pass as they are."""

    def passes_on(self, model: str, endpoint: Endpoint) -> bool:
        """Return whether requests to a model can be passed on."""
        ...

    def pass_on(self, request: ChatRequest) -> AsyncIterator[Piece]:
        """Yield the answer to a request that has `passed`.

        A Finish is among the chunks of the last piece only if the answer is complete; otherwise like `stream`.
        """
        ...


@runtime_checkable
class ListsModels(Protocol):
    """Optional: lists the models that the provider serves."""

    async def list_models(self) -> Sequence[str]:
        """Return the provider's own model names. Raises UpstreamError."""
        ...


@runtime_checkable
class DrawsImages(Protocol):
    """Optional: draws pictures, for models that do nothing else."""

    def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield Progress as often as it is known, each picture as `Made` when it is ready, then Finish and Usage.

        Closing the iterator stops the drawing. Raises UpstreamError.
        """
        ...


@runtime_checkable
class StatesSlots(Protocol):
    """Optional: its server says how many calls it answers at once."""

    async def slots(self) -> int | None:
        """Return that number; None if the server does not say. Raises UpstreamError."""
        ...


@runtime_checkable
class Prepares(Protocol):
    """Optional: needs to load something before the first call, which takes seconds regardless of the provider."""

    async def prepare(self) -> None:
        """Load it, once. Raises UpstreamError."""
        ...


@runtime_checkable
class HasNotices(Protocol):
    """Optional: notices to show when a provider is checked, even if it responds."""

    notices: Sequence[str]
    """One sentence each, known once the models have been listed."""
