"""Canned answers: a connector whose models answer as a test prescribes."""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, Usage
from parley.kernel.messages import text_of


@dataclass(frozen=True)
class Wait:
    """Pause for some seconds."""

    seconds: float


class Forever:
    """Send nothing more."""


class Cut:
    """End the process here, as at a crash; see `PlayedMatch.resume`."""


Said: TypeAlias = str | Chunk | Wait | Forever | Cut | BaseException
"""A part of a canned answer: a text is sent as a delta, an exception is raised. An answer ends with `Finish("stop")`,
unless it has a `Finish` or ends with an exception, `Forever`, `CUT` or `BREAK`."""

BREAK = Wait(0.0)
"""At the end of an answer: the stream ends without a finish reason."""

CUT = Cut()
"""In an answer: the process ends here."""


class CannedConnector(Connector):
    """Gives each model its canned answers in order, the last one repeatedly.

    A model without any answers “An answer.”. `requests` are all calls so far, `open` and `most_open` the number of
    streams open now and at most, `cut` how many of them have reached `CUT`.
    """

    def __init__(self) -> None:
        self.answers: dict[str, deque[tuple[Said, ...]]] = defaultdict(deque)
        self.requests: list[ChatRequest] = []
        self.before: Callable[[], Awaitable[None]] | None = None
        """Awaited in every call before the first chunk."""
        self.open = self.most_open = self.cut = 0

    def says(self, model: str, *answer: Said) -> None:
        """Add a model's next answer."""
        self.answers[model].append(answer)

    def asked(self, model: str) -> int:
        """Return how often a model was asked."""
        return sum(request.model == model for request in self.requests)

    def heard(self, model: str, call: int = -1) -> list[str]:
        """Return the messages of one of a model's calls, as "role: text". Raises IndexError."""
        request = [request for request in self.requests if request.model == model][call]
        return [f"{message.role}: {text_of(message)}" for message in request.messages]

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the model's next answer."""
        self.requests.append(request)
        written = self.answers[request.model]
        answer = (written.popleft() if len(written) > 1 else written[0]) if written else ("An answer.",)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            if self.before is not None:
                await self.before()
            for part in answer:
                match part:
                    case str():
                        yield Delta("text", part)
                    case Wait():
                        await asyncio.sleep(part.seconds)
                    case Forever() | Cut():
                        self.cut += isinstance(part, Cut)
                        await asyncio.Event().wait()
                    case BaseException():
                        raise part
                    case _:
                        yield part
            if answer[-1:] != (BREAK,) and not any(isinstance(part, Finish) for part in answer):
                yield Usage(7, len(answer))
                yield Finish("stop")
        finally:
            self.open -= 1
