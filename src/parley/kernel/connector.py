"""The contract of a connector: it speaks one wire dialect and has one method to write."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import msgspec

from parley.kernel.messages import Channel, Message, ToolCall
from parley.kernel.options import AskOptions

FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]


class ChatRequest(AskOptions, frozen=True, kw_only=True):
    """One question to one model, with its options; a connector refuses those that its dialect has no word for.

    `model` is the name at the provider. `seat_seed` is a stable number of the step, for connectors
    that draw (the demo): the same step asked again answers the same. `attached` has the bytes of every picture
    and file of the messages, by their SHA-256.
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
