"""Purses: what the calls of a capped match have used, and what those in progress hold."""

import asyncio

from parley.kernel.caps import NOTHING_USED, Cap, Used
from parley.kernel.errors import OverBudget


def cap_reached() -> OverBudget:
    """Return the error of a call that a cap does not allow."""
    return OverBudget(
        "This question has reached its cap.",
        "Nothing was sent, and all replies so far are saved. Ask the question again with a higher cap.",
        code="mode_cap_reached",
    )


class Purse:
    """Pays the calls of a stage and of all ensembles within it, up to a cap.

    A call holds what it may use before it is sent. Calls that fit together run together. One that may not fit waits
    for those in progress, then runs alone if anything is left: so one call at most goes beyond the cap.
    """

    def __init__(self, cap: Cap, used: Used = NOTHING_USED, parent: "Purse | None" = None) -> None:
        """A call is paid from this purse and from those of the stages around, the `parent` and its own."""
        self._cap = cap
        self._used = used
        self._parent = parent
        self._held = NOTHING_USED
        self._holds = 0
        self._waiting: dict[asyncio.Future[None], None] = {}  # in order of arrival

    def extend(self, share: float) -> None:
        """Let calls use this share of the cap more than is used now, if the cap does not leave it."""
        tokens, cost = self._cap.tokens, self._cap.cost_micros
        self._cap = Cap(
            tokens=None if tokens is None else max(tokens, self._used.tokens + share * tokens),
            cost_micros=None if cost is None else max(cost, self._used.cost_micros + share * cost),
        )

    async def hold(self, most: Used) -> None:
        """Hold what a call may use at `most`; `settle` follows. Raises OverBudget, and then nothing is held."""
        if self._parent is not None:
            await self._parent.hold(most)
        try:
            while not self._used.reaches(self._cap) and not self._may_begin(most):
                await self._change()
            if self._used.reaches(self._cap):
                raise cap_reached()
        except BaseException:
            if self._parent is not None:
                self._parent.settle(most, NOTHING_USED)
            raise
        self._held, self._holds = self._held.plus(most), self._holds + 1

    def settle(self, most: Used, used: Used) -> None:
        """Replace what a call holds with what it has used."""
        self._held, self._holds = self._held.minus(most), self._holds - 1
        self._used = self._used.plus(used)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        if self._parent is not None:
            self._parent.settle(most, used)

    def _may_begin(self, most: Used) -> bool:
        return not self._holds or not self._used.plus(self._held).plus(most).exceeds(self._cap)

    async def _change(self) -> None:
        """Wait until a call is settled."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[waiting] = None
        try:
            await waiting
        finally:
            del self._waiting[waiting]
