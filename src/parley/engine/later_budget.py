"""The budget of the gateway, which is opened before the features that limit calls."""

from parley.kernel.budget import Budget, Hold, Need, NoLimits, Spent
from parley.kernel.calls import Call


class LaterBudget:
    """Allows everything until a feature brings its budget."""

    def __init__(self) -> None:
        self._budget: Budget = NoLimits()

    def admit(self, budget: Budget) -> None:
        """Let a budget decide from now on."""
        self._budget = budget

    def limits(self, call: Call) -> bool:
        """Return whether anything limits a call."""
        return self._budget.limits(call)

    async def reserve(self, call: Call, need: Need) -> Hold:
        """Hold the most that a call can use. Raises OverBudget."""
        return await self._budget.reserve(call, need)

    def settle(self, hold: Hold, spent: Spent) -> None:
        """Replace a hold with what the call used."""
        self._budget.settle(hold, spent)
