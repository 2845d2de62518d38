"""One open call of the door, which can be interrupted while it is read."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

from parley.engine.accounting import CallResult
from parley.engine.gateway import Gateway
from parley.engine.turn_queue import TurnQueue
from parley.kernel.calls import Call
from parley.kernel.errors import Unavailable

T = TypeVar("T")


class OpenCalls:
    """The calls that are being answered, and the means to answer them."""

    def __init__(self, gateway: Gateway, queue: TurnQueue) -> None:
        self.gateway = gateway
        self.queue = queue
        self.reading: set[OpenCall] = set()

    def interrupt(self) -> None:
        """End every call that is being answered."""
        for call in tuple(self.reading):
            call.interrupt()


class OpenCall:
    """One call of the door; its answer can be read once, and then `result` is known. `receipt`: why Auto chose it."""

    def __init__(self, calls: OpenCalls, call: Call) -> None:
        self.call = call
        self.result = CallResult()
        self.receipt: str | None = None
        self._calls = calls
        self._reader: asyncio.Task[object] | None = None
        self._is_interrupted = False

    @property
    def model_id(self) -> str:
        """The model that answers."""
        return self.result.answered_by or self.call.model_id

    @property
    def request_id(self) -> str:
        """The id of the request, for headers."""
        return f"req_{self.result.call_id}"

    @property
    def cost(self) -> str | None:
        """The cost in US dollars, once the call has ended; None for a model without a price."""
        cost = self.result.metrics.cost_micros
        return None if cost is None else f"{cost / 1_000_000:.6f}"

    def interrupt(self) -> None:
        """End the call: whoever reads it gets an error."""
        self._is_interrupted = True
        if self._reader is not None:
            self._reader.cancel()

    async def _read(self, begin: Callable[[], AsyncGenerator[T]]) -> AsyncGenerator[T]:
        """Yield an answer; it waits for what a blind turn needs, like all that is asked beside it.

        Raises Unavailable if the call is interrupted.
        """
        self._reader = asyncio.current_task()
        self._calls.reading.add(self)
        demand = self._calls.gateway.demands.of([self.call.model_id])
        try:
            async with (
                self._calls.queue.place(self.call.owner_id, alone=False, demand=demand),
                aclosing(begin()) as answer,
            ):
                async for each in answer:
                    yield each
        except asyncio.CancelledError:
            if not self._is_interrupted or self._reader is None:
                raise
            self._reader.uncancel()
            raise Unavailable(
                "Parley is being stopped.", "Ask again when it has started.", code="stopping"
            ) from None
        finally:
            self._reader = None
            self._calls.reading.discard(self)
