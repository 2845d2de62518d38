"""The turn queue: keeps a person's blind turns apart from all else of theirs that waits for limited models."""

import asyncio
from collections import deque
from typing import Self
from weakref import WeakValueDictionary


class TurnQueue:
    """Lets each person's blind turns run alone, in order of arrival; other turns run side by side.

    Only turns that may wait for a place at a model or provider (`max_concurrency`) stand in it: one that waits
    for the place of a blind turn's model would tell its viewer who sits there.
    """

    def __init__(self) -> None:
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    def place(self, owner_id: str, *, alone: bool, needed: bool = True) -> "Place":
        """Return a place to take; where none is `needed` it is free at once and keeps nobody out."""
        return Place(self._lines.setdefault(owner_id, _Line()) if needed else None, alone=alone)


class Place:
    """A turn's place in its person's queue. Leaving twice, or before it was taken, changes nothing."""

    def __init__(self, line: "_Line | None", *, alone: bool) -> None:
        self._line = line
        self._alone = alone
        self.taken = False

    async def take(self) -> None:
        """Wait until it is this turn's time."""
        if self._line is not None:
            await self._line.enter(alone=self._alone)
        self.taken = True

    def leave(self) -> None:
        """Let the next ones in."""
        if self.taken and self._line is not None:
            self._line.leave()
        self.taken, self._line = False, None

    async def __aenter__(self) -> Self:
        await self.take()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()


class _Line:
    """One person's queue: how many are in, whether that is one alone, and who waits."""

    def __init__(self) -> None:
        self._inside = 0
        self._alone = False
        self._waiting: deque[tuple[bool, asyncio.Future[None]]] = deque()

    async def enter(self, *, alone: bool) -> None:
        if not self._waiting and self._has_room(alone=alone):
            self._admit(alone=alone)
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((alone, called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self.leave()
            else:
                called.cancel()
                self._call()
            raise

    def leave(self) -> None:
        self._inside -= 1
        self._alone = False
        self._call()

    def _has_room(self, *, alone: bool) -> bool:
        return self._inside == 0 if alone else not self._alone

    def _admit(self, *, alone: bool) -> None:
        self._inside += 1
        self._alone = alone

    def _call(self) -> None:
        """Let in whoever may come, the first first."""
        while self._waiting:
            alone, called = self._waiting[0]
            if not called.cancelled():
                if not self._has_room(alone=alone):
                    return
                self._admit(alone=alone)
                called.set_result(None)
            self._waiting.popleft()
