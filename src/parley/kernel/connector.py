"""The contract of a connector: one wire dialect, one method to write."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import msgspec

from parley.kernel.messages import Channel, Message, ToolCall
from parley.kernel.options import AskOptions

FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]


class ChatRequest(AskOptions, frozen=True, kw_only=True):
    """One question to one model, with options; a connector refuses options that its dialect lacks.

    `model` is the name at the provider. `seat_seed` is stable per step, so that a connector that draws (the demo)
    answers the same step alike. `attached` has the bytes of all pictures and files, by SHA-256.
    """

    model: str
    messages: tuple[Message, ...]
    seat_seed: int = 0
    attached: dict[str, bytes] = msgspec.field(default_factory=dict[str, bytes])


class Delta(msgspec.Struct, frozen=True, gc=False):
    """A piece of the answer; never empty, valid Unicode without lone surrogates."""

    channel: Channel
    text: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of the call; the last one sent counts.

    `cost_micros` is set if the source knows its price, as an ensemble does; `estimated` if it had to guess.
    """

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cost_micros: int | None = None
    estimated: bool = False


class Finish(msgspec.Struct, frozen=True, gc=False):
    """The model is done. A stream that ends without one is incomplete."""

    reason: FinishReason


Chunk: TypeAlias = Delta | ToolCall | Usage | Finish


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
class ListsModels(Protocol):
    """Optional: lists the models that the provider serves."""

    async def list_models(self) -> Sequence[str]:
        """Return the provider's own model names. Raises UpstreamError."""
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
