"""Metering: what a reply took, in time, tokens and money."""

from parley.engine.speech import Speech
from parley.kernel.connector import Usage
from parley.kernel.messages import Message
from parley.kernel.models import Model
from parley.kernel.views import Metrics

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; figures made with it are marked as estimated."""


NOTHING = Usage(0, 0, cost_micros=0)


def measure(
    speech: Speech,
    heard: tuple[Message, ...],
    usage: Usage | None,
    model: Model | None,
    *,
    answered: bool = True,
) -> Metrics:
    """Return an ended speech's metrics; without usage from the provider they are estimated.

    What was not `answered`, not even in part, has taken nothing but time.
    """
    if usage is None and not answered:
        usage = NOTHING
    estimated = usage is None or usage.estimated
    if usage is None:
        usage = Usage(
            input_tokens=_tokens(sum(len(message.content) for message in heard)),
            output_tokens=_tokens(speech.length),
            reasoning_tokens=_tokens(speech.reasoning.length),
        )
    ended = speech.started_at if speech.ended_at is None else speech.ended_at
    speaking = ended - speech.first_at if speech.first_at is not None else 0.0
    together = model is not None and model.kind == "ensemble"
    return Metrics(
        ttft_ms=None if speech.first_at is None else round((speech.first_at - speech.started_at) * 1000),
        duration_ms=round((ended - speech.started_at) * 1000),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        # An ensemble says in one moment what its members took minutes for: that is no speed.
        tokens_per_second=round(usage.output_tokens / speaking, 1)
        if speaking > 0.01 and not together
        else None,
        cost_micros=_cost(usage, model),
        estimated=estimated,
    )


def _cost(usage: Usage, model: Model | None) -> int | None:
    if usage.cost_micros is not None or model is None or model.prices is None:
        return usage.cost_micros
    return model.prices.cost_micros(usage.input_tokens, usage.output_tokens)


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)
