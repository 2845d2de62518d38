"""The turn queue: a person's blind turns never wait together with their other turns for limited models."""

import asyncio
from collections import deque
from typing import Self
from weakref import WeakValueDictionary


class TurnQueue:
    """Lets each person's blind turns run alone, in order of arrival; other turns run side by side.

    Only turns that may wait for a slot at a model or provider (`max_concurrency`) are queued: a turn that waits for the
    slot of a blind turn's model would reveal that model.
    """

    def __init__(self) -> None:
        self._queues: WeakValueDictionary[str, _PersonQueue] = WeakValueDictionary()

    def place(self, owner_id: str, *, alone: bool, needed: bool = True) -> "Place":
        """Return a place to take; if none is `needed`, it is free at once and blocks no other turn."""
        return Place(self._queues.setdefault(owner_id, _PersonQueue()) if needed else None, alone=alone)


class Place:
    """A turn's place in its person's queue. Leaving twice, or before it was taken, changes nothing."""

    def __init__(self, queue: "_PersonQueue | None", *, alone: bool) -> None:
        self._queue = queue
        self._alone = alone
        self.taken = False

    async def take(self) -> None:
        """Wait until the turn may run."""
        if self._queue is not None:
            await self._queue.enter(alone=self._alone)
        self.taken = True

    def leave(self) -> None:
        """Let the next turns run."""
        if self.taken and self._queue is not None:
            self._queue.leave()
        self.taken, self._queue = False, None

    async def __aenter__(self) -> Self:
        await self.take()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()


class _PersonQueue:
    """One person's queue: how many turns run, whether one runs alone, and which wait."""

    def __init__(self) -> None:
        self._running = 0
        self._alone = False
        self._waiting: deque[tuple[bool, asyncio.Future[None]]] = deque()

    async def enter(self, *, alone: bool) -> None:
        if not self._waiting and self._can_run(alone=alone):
            self._begin(alone=alone)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((alone, woken))
        try:
            await woken
        except asyncio.CancelledError:
            if woken.done() and not woken.cancelled():
                self.leave()
            else:
                woken.cancel()
                self._wake_next()
            raise

    def leave(self) -> None:
        self._running -= 1
        self._alone = False
        self._wake_next()

    def _can_run(self, *, alone: bool) -> bool:
        return self._running == 0 if alone else not self._alone

    def _begin(self, *, alone: bool) -> None:
        self._running += 1
        self._alone = alone

    def _wake_next(self) -> None:
        """Wake the turns that may run now, in order of arrival."""
        while self._waiting:
            alone, woken = self._waiting[0]
            if not woken.cancelled():
                if not self._can_run(alone=alone):
                    return
                self._begin(alone=alone)
                woken.set_result(None)
            self._waiting.popleft()
