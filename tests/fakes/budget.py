"""A budget that notes what is held and settled, and refuses where a test says so."""

import asyncio

from parley.kernel.budget import Hold, Need, Spent
from parley.kernel.calls import Call
from parley.kernel.errors import OverBudget

REFUSAL = OverBudget(
    "The monthly budget of $10.00 is used up.",
    "The conversation is saved. Ask again next month, or ask an administrator for a higher budget.",
)


class FakeBudget:
    """`held` has the holds that are not settled yet, `settled` what each of the others cost, in order."""

    def __init__(self, *, refuses: str = "", wait_s: float = 0.0, output_tokens: int | None = None) -> None:
        """Refuse calls of the model `refuses`; `*` stands for all. `output_tokens` is the limit of every hold."""
        self.output_tokens = output_tokens
        self.refuses = refuses
        self.wait_s = wait_s
        self.asked: list[Call] = []
        self.needs: list[Need] = []
        self.held: list[Hold] = []
        self.settled: list[int | None] = []

    def limits(self, call: Call) -> bool:
        return True

    async def reserve(self, call: Call, need: Need) -> Hold:
        self.asked.append(call)
        self.needs.append(need)
        if self.wait_s:
            await asyncio.sleep(self.wait_s)
        if self.refuses in ("*", call.model_id):
            raise REFUSAL
        hold = Hold(call, self.output_tokens)
        self.held.append(hold)
        return hold

    def settle(self, hold: Hold, spent: Spent) -> None:
        place = next((at for at, other in enumerate(self.held) if other is hold), None)
        if place is None:
            raise AssertionError("a hold is settled once")
        del self.held[place]
        self.settled.append(spent.micros)
