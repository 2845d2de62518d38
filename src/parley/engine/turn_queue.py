"""The turn queue: a person's blind turns never compete with their other turns for the slots of limited models."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Self

from parley.engine.demand import Demand

NOTHING: Demand = {}


class TurnQueue:
    """Admits turns whose demand for slots (`max_concurrency`) fits beside that of all others; else it keeps order.

    Where a limit can be exceeded, a person's blind turns have it to themselves, in order of arrival: a turn that waits
    for the slot of a blind turn's model would reveal that model. Turns of other people, and turns that are not blind
    among themselves, wait only for the slots. ADR 12 has the reasons.
    """

    def __init__(self) -> None:
        self._running = _Demands()
        self._waiting: dict[QueuePlace, asyncio.Future[None]] = {}

    @property
    def waiting(self) -> int:
        """The number of turns that wait."""
        return len(self._waiting)

    def place(self, owner_id: str, *, alone: bool, demand: Demand = NOTHING) -> "QueuePlace":
        """Return a place to take; one without a demand is free at once and blocks no other turn."""
        return QueuePlace(self, owner_id, alone=alone, demand=demand)

    def fits(self, demand: Demand) -> bool:
        """Return whether a demand fits beside that of every turn that runs or waits."""
        ahead = self._ahead()
        return all(ahead.calls[pool.name] + calls <= pool.size for pool, calls in demand.items())

    async def enter(self, place: "QueuePlace", waits: Callable[[], None]) -> None:
        """Wait until a turn may run; call `waits` if that is not at once."""
        if self._admits(place, self._ahead()):
            self._running.add(place)
            return
        woken = self._waiting[place] = asyncio.get_running_loop().create_future()
        try:
            waits()
            await woken
        except BaseException:
            if woken.done() and not woken.cancelled():
                self.leave(place)
            else:
                self._waiting.pop(place, None)
                self._wake()
            raise

    def leave(self, place: "QueuePlace") -> None:
        """Let the turns run that waited for this one."""
        self._running.remove(place)
        self._wake()

    def _ahead(self) -> "_Demands":
        """Return the demands of all turns that run or wait."""
        if not self._waiting:
            return self._running
        ahead = self._running.copy()
        for place in self._waiting:
            ahead.add(place)
        return ahead

    def _wake(self) -> None:
        """Wake the turns that may run now; none overtakes an earlier one that it would compete with."""
        ahead = self._running.copy()
        for place, woken in list(self._waiting.items()):
            if woken.cancelled():
                continue
            if self._admits(place, ahead):
                del self._waiting[place]
                self._running.add(place)
                woken.set_result(None)
            ahead.add(place)

    def _admits(self, place: "QueuePlace", ahead: "_Demands") -> bool:
        """Return whether a turn may run beside those that run; `ahead` has them and those that came before it."""
        for pool, calls in place.demand.items():
            if ahead.calls[pool.name] + calls <= pool.size:
                continue
            if ahead.competes(pool.name, place) or self._running.rivals[pool.name]:
                return False
        return True


class QueuePlace:
    """A turn's place in the queue. Leaving twice, or before it was taken, changes nothing."""

    def __init__(self, queue: TurnQueue, owner_id: str, *, alone: bool, demand: Demand) -> None:
        self._queue = queue
        self.owner_id = owner_id
        self.alone = alone
        self.demand = demand
        self.taken = False

    async def take(self, waits: Callable[[], None] = lambda: None) -> None:
        """Wait until the turn may run; call `waits` if that is not at once."""
        if self.demand:
            await self._queue.enter(self, waits)
        self.taken = True

    def leave(self) -> None:
        """Let the next turns run."""
        if self.taken and self.demand:
            self._queue.leave(self)
        self.taken, self.demand = False, NOTHING

    async def __aenter__(self) -> Self:
        await self.take()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()


class _Demands:
    """The demands of several turns: calls by pool, and each person's turns there.

    `rivals` counts, by pool, the people with a blind turn beside another turn of theirs. Their demand fits, and must go
    on to fit, so that none of their calls ever waits for another.
    """

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.rivals: Counter[str] = Counter()
        self._blind: Counter[tuple[str, str]] = Counter()
        self._all: Counter[tuple[str, str]] = Counter()

    def copy(self) -> "_Demands":
        """Return a copy to add to."""
        copied = _Demands()
        copied.calls, copied.rivals = self.calls.copy(), self.rivals.copy()
        copied._blind, copied._all = self._blind.copy(), self._all.copy()
        return copied

    def add(self, place: QueuePlace) -> None:
        """Count a turn."""
        self._change(place, 1)

    def remove(self, place: QueuePlace) -> None:
        """Count a turn no more."""
        self._change(place, -1)

    def competes(self, pool: str, place: QueuePlace) -> bool:
        """Return whether its person has a turn in the pool that this one must not compete with."""
        return (self._all if place.alone else self._blind)[pool, place.owner_id] > 0

    def _change(self, place: QueuePlace, by: int) -> None:
        for pool, calls in place.demand.items():
            name, person = pool.name, (pool.name, place.owner_id)
            self.rivals[name] -= self._are_rivals(person)
            self.calls[name] += by * calls
            self._all[person] += by
            self._blind[person] += by * place.alone
            self.rivals[name] += self._are_rivals(person)
            if not self._all[person]:
                del self._all[person], self._blind[person]

    def _are_rivals(self, person: tuple[str, str]) -> bool:
        return self._blind[person] > 0 and self._all[person] > 1
