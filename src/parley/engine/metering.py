"""Metering: the time, tokens and cost of a call."""

from collections.abc import Sequence

from parley.kernel.connector import Chunk, Delta, Usage
from parley.kernel.messages import Message, ToolCall, text_of
from parley.kernel.models import Model
from parley.kernel.views import Metrics

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; figures made with it are marked as estimated."""

NO_USAGE = Usage(0, 0, cost_micros=0)
"""The usage of an unanswered call."""

NOTHING_TAKEN = Metrics(
    ttft_ms=None,
    duration_ms=0,
    input_tokens=0,
    output_tokens=0,
    reasoning_tokens=0,
    tokens_per_second=None,
    cost_micros=0,
    estimated=False,
)


class Meter:
    """Measures one call while it runs. `output` counts all code points, including `reasoning`.

    Times are the event loop's seconds.
    """

    __slots__ = ("cached", "finished", "first_at", "output", "reasoning", "started_at", "usage")

    def __init__(self, now: float) -> None:
        self.started_at = now
        self.first_at: float | None = None
        self.output = 0
        self.reasoning = 0
        self.usage: Usage | None = None
        self.finished = False
        self.cached = False

    def take(self, chunk: Chunk, now: float) -> None:
        """Count a chunk. Runs once per token."""
        if isinstance(chunk, Delta):
            self.output += len(chunk.text)
            if chunk.channel == "reasoning":
                self.reasoning += len(chunk.text)
            if self.first_at is None:
                self.first_at = now
        elif isinstance(chunk, ToolCall):
            self.output += len(chunk.name) + len(chunk.arguments)
        elif isinstance(chunk, Usage):
            self.usage = chunk
        else:
            self.finished = True

    def read(
        self, asked: Sequence[Message], model: Model | None, now: float, *, answered: bool = True
    ) -> Metrics:
        """Return the metrics of a call that ends now; estimated if the provider sent no usage.

        A call that was not `answered`, not even in part, has cost nothing but time.
        """
        usage = self._usage(asked) if answered else self.usage or NO_USAGE
        speaking = now - self.first_at if self.first_at is not None else 0.0
        together = model is not None and model.kind == "ensemble"
        return Metrics(
            ttft_ms=None if self.first_at is None else round((self.first_at - self.started_at) * 1000),
            duration_ms=round((now - self.started_at) * 1000),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            # An ensemble sends at once what its members took minutes for: that is not a speed.
            tokens_per_second=round(usage.output_tokens / speaking, 1)
            if speaking > 0.01 and not together
            else None,
            cost_micros=0 if self.cached else _cost(usage, model),
            estimated=usage.estimated,
            cached=self.cached,
        )

    def _usage(self, asked: Sequence[Message]) -> Usage:
        return self.usage or Usage(
            input_tokens=_tokens(sum(len(text_of(message)) for message in asked)),
            output_tokens=_tokens(self.output),
            reasoning_tokens=_tokens(self.reasoning),
            estimated=True,
        )


def _cost(usage: Usage, model: Model | None) -> int | None:
    if usage.cost_micros is not None or model is None or model.prices is None:
        return usage.cost_micros
    return model.prices.cost_micros(usage.input_tokens, usage.output_tokens)


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)
