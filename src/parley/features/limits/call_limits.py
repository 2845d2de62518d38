"""The limits of a call: a place among those that run at once, then all allowances."""

from parley.features.limits.rates.places import Place, Places
from parley.features.limits.spending.allowances import Allowances
from parley.kernel.budget import Hold, Need, Spent
from parley.kernel.calls import Call


class PlacedHold(Hold, frozen=True, kw_only=True):
    """A hold of allowances by a call that has a place."""

    place: Place | None
    held: Hold


class CallLimits:
    """The budget of the model gateway."""

    def __init__(self, places: Places, allowances: Allowances) -> None:
        self._places = places
        self._allowances = allowances

    def limits(self, call: Call) -> bool:
        """Return whether anything limits a call."""
        return self._places.limits(call) or self._allowances.limits(call)

    async def reserve(self, call: Call, need: Need) -> Hold:
        """Wait for a place, and hold what the call may use. Raises OverBudget, TooMany, Unavailable."""
        place = await self._places.take(call)
        try:
            held = await self._allowances.reserve(call, need)
        except BaseException:
            if place is not None:
                self._places.leave(place)
            raise
        return PlacedHold(call, held.output_tokens, place=place, held=held)

    def settle(self, hold: Hold, spent: Spent) -> None:
        """Give the place back, and replace the hold with what the call used."""
        if isinstance(hold, PlacedHold):
            if hold.place is not None:
                self._places.leave(hold.place)
            self._allowances.settle(hold.held, spent)
