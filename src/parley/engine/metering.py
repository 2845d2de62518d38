"""Metering: the time, tokens and cost of a call."""

from collections.abc import Sequence

from parley.engine.drawing import pictures_of
from parley.kernel.caps import Used
from parley.kernel.connector import Chunk, Delta, Finish, Made, Piece, Usage
from parley.kernel.messages import Message, ToolCall, text_of
from parley.kernel.models import Model
from parley.kernel.options import AskOptions
from parley.kernel.views import Metrics

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; figures made with it are marked as estimated."""

LONG_ANSWER = 2_000
"""The tokens of a long answer: few are longer, where nothing limits them."""

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
    """Measures one request while it runs. `output` counts all code points, including `reasoning`.

    Times are the event loop's seconds. `words` collects the answer's text where somebody records it, else it is None.
    """

    __slots__ = (
        "answered",
        "cached",
        "finished",
        "first_at",
        "images",
        "output",
        "reasoning",
        "started_at",
        "usage",
        "words",
    )

    def __init__(self, now: float) -> None:
        self.started_at = now
        self.first_at: float | None = None
        self.output = 0
        self.images = 0
        self.reasoning = 0
        self.usage: Usage | None = None
        self.answered = False
        self.finished = False
        self.cached = False
        self.words: list[str] | None = None

    def take(self, chunk: Chunk | Piece, now: float) -> None:
        """Count a chunk. Runs once per token."""
        self.answered = True
        if isinstance(chunk, Delta):
            self.output += len(chunk.text)
            if chunk.channel == "reasoning":
                self.reasoning += len(chunk.text)
            elif self.words is not None:
                self.words.append(chunk.text)
            if self.first_at is None:
                self.first_at = now
        elif isinstance(chunk, ToolCall):
            self.output += len(chunk.name) + len(chunk.arguments)
        elif isinstance(chunk, Usage):
            self.usage = chunk
        elif isinstance(chunk, Finish):
            self.finished = True
        elif isinstance(chunk, Made):
            self.images += 1
        elif isinstance(chunk, Piece):
            for each in chunk.chunks:
                self.take(each, now)

    def read(
        self, messages: Sequence[Message], model: Model | None, now: float, *, since: float | None = None
    ) -> Metrics:
        """Return the metrics of a call that ends now and began at `since`; estimated if the provider sent no usage.

        A call that was not answered, not even in part, has cost nothing but time.
        """
        usage = self._usage(messages) if self.answered else NO_USAGE
        started_at = self.started_at if since is None else since
        speaking = now - self.first_at if self.first_at is not None else 0.0
        together = model is not None and model.kind == "ensemble"
        return Metrics(
            ttft_ms=None if self.first_at is None else round((self.first_at - started_at) * 1000),
            duration_ms=round((now - started_at) * 1000),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            # An ensemble sends at once what its members took minutes for: that is not a speed.
            tokens_per_second=round(usage.output_tokens / speaking, 1)
            if speaking > 0.01 and not together
            else None,
            cost_micros=0 if self.cached else _cost(usage, model, self.images),
            estimated=usage.estimated,
            cached=self.cached,
        )

    def _usage(self, messages: Sequence[Message]) -> Usage:
        return self.usage or Usage(
            input_tokens=_input_tokens(messages),
            output_tokens=_tokens(self.output),
            reasoning_tokens=_tokens(self.reasoning),
            estimated=True,
        )


def expected_use(model: Model | None, messages: Sequence[Message], options: AskOptions) -> Used:
    """Return what a call is expected to use at most; without a token limit, a long answer."""
    tokens, output = _input_tokens(messages), options.max_output_tokens or LONG_ANSWER
    prices = model.prices if model is not None else None
    if model is not None and model.draws:
        output = 0
    cost = (
        prices.cost_micros(tokens, output, images=pictures_of(model, options.picture))
        if prices is not None
        else 0
    )
    return Used(tokens=tokens + output, cost_micros=cost)


def _input_tokens(messages: Sequence[Message]) -> int:
    """Return the estimated tokens of a question; pictures and files have no words to be estimated."""
    return _tokens(sum(len(text_of(message)) for message in messages))


def _cost(usage: Usage, model: Model | None, images: int) -> int | None:
    if usage.cost_micros is not None or model is None or model.prices is None:
        return usage.cost_micros
    return model.prices.cost_micros(
        usage.input_tokens,
        usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cache_written_tokens=usage.cache_written_tokens,
        images=images,
    )


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)
