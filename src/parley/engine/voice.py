"""The voice of an ensemble: its answer, from all that is said on its stage."""

from collections.abc import Callable, Sequence

from parley.kernel.connector import Chunk, Delta, Usage
from parley.kernel.mode import Reply
from parley.kernel.seats import Seat


class Voice:
    """Hears the stage of an ensemble: what is said there becomes one answer, with reasoning and usage.

    `role` is that of the seat which speaks for all.
    """

    def __init__(self, role: str, emit: Callable[[Chunk], None]) -> None:
        self._role = role
        self._emit = emit
        self._replies: list[Reply] = []
        self._concluded: str | None = None
        self.last_reply: Reply | None = None

    @property
    def answer(self) -> str:
        """The ensemble's answer: what the voice's conversation keeps. Empty if there is none."""
        if self._concluded is not None:
            return self._concluded
        return self.last_reply.text if self.last_reply and self.last_reply.completed else ""

    def begin_round(self) -> None:
        """Emit the earlier round's conclusion as reasoning."""
        if self._concluded:
            self._emit(Delta("reasoning", f"{self._concluded}\n\n"))

    def hear(self, reply: Reply) -> None:
        """Emit the usage of all replies so far."""
        self._replies.append(reply)
        if reply.seat.role == self._role:
            self.last_reply = reply
        self._emit(total_usage(self._replies))

    def conclude(self, seat: Seat, text: str) -> None:
        """Keep the conclusion of the voice; the last one counts."""
        if seat.role == self._role:
            self._concluded = text


def total_usage(replies: Sequence[Reply]) -> Usage:
    """Return the total usage of replies; the cost is None if that of one is unknown."""
    taken = [reply.metrics for reply in replies if reply.metrics]
    costs = [metrics.cost_micros for metrics in taken]
    return Usage(
        input_tokens=sum(metrics.input_tokens for metrics in taken),
        output_tokens=sum(metrics.output_tokens for metrics in taken),
        reasoning_tokens=sum(metrics.reasoning_tokens for metrics in taken),
        cost_micros=None if None in costs else sum(cost for cost in costs if cost is not None),
        estimated=any(metrics.estimated for metrics in taken),
    )
