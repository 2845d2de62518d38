"""A short answer of a model to Parley's own question: a title, categories, the kind of a question."""

from contextlib import aclosing
from typing import NamedTuple

from parley.engine.accounting import CallResult
from parley.engine.gateway import Gateway
from parley.engine.purse import Purse
from parley.kernel.calls import Call
from parley.kernel.connector import Delta, Finish, FinishReason, Rethought

MOST_CHARS = 2_000


class ShortAnswer(NamedTuple):
    """The text, and why it ended; None if it grew too long."""

    text: str
    reason: FinishReason | None


async def short_answer(gateway: Gateway, call: Call, purse: Purse | None = None) -> ShortAnswer:
    """Ask, and read at most `MOST_CHARS`. Raises ParleyError."""
    text = ""
    reason: FinishReason | None = None
    async with aclosing(gateway.stream(call, CallResult(purse=purse))) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, Finish):
                reason = chunk.reason
            elif isinstance(chunk, Rethought):
                text = ""
            elif isinstance(chunk, Delta) and chunk.channel == "text":
                text += chunk.text
                if len(text) > MOST_CHARS:
                    break
    return ShortAnswer(text, reason)
