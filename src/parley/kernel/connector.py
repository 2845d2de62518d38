"""The contract of a connector: it speaks one wire dialect and has one method to write."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import msgspec

from parley.kernel.messages import Channel, Message

FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One question to one model.

    `model` is the name at the provider. `seat_seed` is a stable number of the step, for connectors
    that draw (the demo): the same step asked again answers the same.
    """

    model: str
    messages: tuple[Message, ...]
    max_output_tokens: int | None = None
    temperature: float | None = None
    seat_seed: int = 0


class Delta(msgspec.Struct, frozen=True, gc=False):
    """A piece of the answer; never empty, valid Unicode without lone surrogates."""

    channel: Channel
    text: str


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """One complete tool call, assembled by index; `arguments` is JSON text as the model wrote it."""

    index: int
    id: str
    name: str
    arguments: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of the call; the last one sent counts.

    `cost_micros` where whoever answers knows the price itself, as an ensemble does; `estimated` where it had to guess.
    """

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cost_micros: int | None = None
    estimated: bool = False


class Finish(msgspec.Struct, frozen=True, gc=False):
    """The model said that it is done. A stream that ends without one is incomplete."""

    reason: FinishReason


Chunk: TypeAlias = Delta | ToolCall | Usage | Finish


class Connector(ABC):
    """Speaks one wire dialect and nothing else: no retries, no failover, no limits of its own.

    Made once per provider; must serve many streams at once.
    """

    @abstractmethod
    def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the answer's chunks in order, at most one Finish, nothing after it but Usage.

        Closing the iterator closes the connection at once.

        Raises UpstreamError: typed, with a text that a person understands and no secret in it.
        """

    async def close(self) -> None:
        """Give back what the connector holds."""
        return None


@runtime_checkable
class ListsModels(Protocol):
    """Optional: tells which models the provider serves."""

    async def list_models(self) -> Sequence[str]:
        """Return the provider's own model names. Raises UpstreamError."""
        ...
