"""The budget: the most that a call may use is held before it is sent, and settled at its end."""

from typing import Protocol

import msgspec

from parley.kernel.calls import Call
from parley.kernel.prices import Prices


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a call may use. `input_tokens` is an estimate from above.

    `output_tokens` is the limit that the question sets, None without one; `usual_tokens` is the limit to set then.
    Each of the `answers` may have as many. `prices` is None if nobody knows what the model costs.
    """

    input_tokens: int
    output_tokens: int | None
    usual_tokens: int
    answers: int = 1
    images: int = 0
    prices: Prices | None = None

    def tokens(self, output_tokens: int) -> int:
        """Return the tokens of a call with this limit."""
        return self.input_tokens + output_tokens * self.answers

    def micros(self, output_tokens: int) -> int | None:
        """Return the cost of a call with this limit, in micro-dollars; None if it is unknown."""
        if self.prices is None:
            return None
        return self.prices.most_micros(self.input_tokens, output_tokens * self.answers, self.images)


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The use of a call; `micros` is None for a model without a price. `sent`: a provider was asked."""

    micros: int | None
    tokens: int
    images: int = 0
    sent: bool = True


class Hold(msgspec.Struct, frozen=True):
    """The permission for a call. `output_tokens` is the limit that its requests must set; None leaves it open."""

    call: Call
    output_tokens: int | None = None


class Budget(Protocol):
    """Decides whether a call may be sent. A call whose fallback answers has a hold for each of both models."""

    def limits(self, call: Call) -> bool:
        """Return whether anything limits a call; if not, it needs no hold."""
        ...

    async def reserve(self, call: Call, need: Need) -> Hold:
        """Hold the most that a call can use.

        Raises OverBudget: what is used up, what is saved, what to do. Nothing stays held after an error or a
        cancellation.
        """
        ...

    def settle(self, hold: Hold, spent: Spent) -> None:
        """Replace a hold with what the call used.

        Called once for each hold, however its call ended; a process that is killed settles nothing.
        """
        ...


class NoLimits:
    """A budget that allows everything."""

    def limits(self, call: Call) -> bool:  # noqa: ARG002 - the port has it
        """Return False."""
        return False

    async def reserve(self, call: Call, need: Need) -> Hold:  # noqa: ARG002
        """Return a hold that limits nothing."""
        return Hold(call)

    def settle(self, hold: Hold, spent: Spent) -> None:
        """Do nothing: nothing was held."""
