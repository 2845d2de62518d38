"""The allowance of a run: what its calls may cost is held before they are sent, so that the cap holds."""

import asyncio

from parley.kernel.errors import OverBudget


class Allowance:
    """Money in micro-dollars: a call begins only if all that it can cost is left. Without a cap all may begin."""

    def __init__(self, cap: int | None, spent: int = 0) -> None:
        self.cap = cap
        self.spent = spent
        self.held = 0
        self._changed = asyncio.Event()

    async def hold(self, bound: int) -> None:
        """Hold what a call can cost; waits for those in progress. Raises OverBudget if they leave too little."""
        while self.cap is not None and bound and self.spent + self.held + bound > self.cap:
            if not self.held:
                raise OverBudget(
                    "The next call could exceed the cap.",
                    "Nothing more was asked, and all answers so far are saved. Raise the cap to go on.",
                    code="mode_cap_reached",
                )
            self._changed.clear()
            await self._changed.wait()
        self.held += bound

    def settle(self, bound: int, spent: int) -> None:
        """Replace what a call holds with what it has cost."""
        self.held -= bound
        self.spent += spent
        self._changed.set()
