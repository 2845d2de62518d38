"""Places: the calls of models that a person or an API key has at once."""

import asyncio
from typing import NamedTuple

from parley.features.limits.rates.leases import Leases
from parley.features.limits.rates.rules import NO_RULE, RateRule, who_of
from parley.kernel.calls import Call
from parley.kernel.errors import TooMany
from parley.kernel.ids import random_id

RETRY_S = 5

LOOK_AGAIN_S = 0.5
"""Seconds after which a waiting call asks Redis again: no process hears of the others' ends."""

RENEW_S = 20.0
"""Seconds between renewals of places in Redis."""


class Place(NamedTuple):
    """The place of a running call."""

    subject: str
    call_id: str


class Places:
    """Counts running calls. A person's wait until another one ends; those of an API key are refused."""

    def __init__(self, leases: Leases | None = None) -> None:
        """With `leases` the calls of other processes count too."""
        self.rules: dict[str, RateRule] = {}
        self._leases = leases
        self._running: dict[str, set[str]] = {}
        self._leased: set[Place] = set()
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def limits(self, call: Call) -> bool:
        """Return whether a call needs a place."""
        return bool(self.rules) and self._most(call) is not None

    async def take(self, call: Call) -> Place | None:
        """Take a place for a call; `leave` gives it back. Raises TooMany for an API key without a free one."""
        place = Place(_subject_of(call), random_id())
        while (most := self._most(call)) is not None:
            if await self._take(place, most):
                return place
            if call.key_id is not None:
                raise _busy(most)
            await self._change(place.subject)
        return None

    def leave(self, place: Place) -> None:
        """Give a place back; nothing happens if that was done already."""
        if place.call_id not in self._running.get(place.subject, ()):
            return
        self._forget(place)
        if self._leases is not None:
            leaving = asyncio.get_running_loop().create_task(self._leases.leave(*place))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def renew(self) -> None:
        """Keep the places of running calls in Redis; those that lapsed while this process slept count again."""
        if (leases := self._leases) is None:
            return
        for place in tuple(self._leased):
            if place not in self._leased:
                continue
            if not await leases.renew(*place):
                return
            if place not in self._leased:
                await leases.leave(*place)  # it may have left before it was renewed

    async def close(self) -> None:
        """Give every place back."""
        if self._leases is not None:
            for subject, calls in list(self._running.items()):
                for call_id in list(calls):
                    self.leave(Place(subject, call_id))
            if self._leaving:
                await asyncio.wait(self._leaving)
            await self._leases.close()

    async def _take(self, place: Place, most: int) -> bool:
        """Take a place here, then in Redis; return False if there is none."""
        running = self._running.setdefault(place.subject, set())
        if len(running) >= most:
            return False
        running.add(place.call_id)
        if self._leases is None:
            return True
        try:
            if self._leaving:
                await asyncio.wait(
                    self._leaving
                )  # else the caller's next call would come before its last one's end
            taken = await self._leases.take(*place, most)
        except BaseException:
            self.leave(place)
            raise
        if taken:
            self._leased.add(place)
        else:
            self._forget(place, wakes=False)
        return taken

    def _forget(self, place: Place, *, wakes: bool = True) -> None:
        running = self._running.get(place.subject, set[str]())
        running.discard(place.call_id)
        self._leased.discard(place)
        if not running:
            self._running.pop(place.subject, None)
        if wakes:
            self._wake(place.subject)

    def _most(self, call: Call) -> int | None:
        return self.rules.get(who_of(call.key_id is not None), NO_RULE).at_once

    async def _change(self, subject: str) -> None:
        """Wait in line until a call has ended, here or perhaps elsewhere."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(subject, [])
        line.append(waiting)
        try:
            await asyncio.wait([waiting], timeout=LOOK_AGAIN_S if self._leases else None)
        except asyncio.CancelledError:
            if waiting.done():
                self._wake(subject)
            raise
        finally:
            line.remove(waiting)
            if not line:
                self._waiting.pop(subject, None)

    def _wake(self, subject: str) -> None:
        """Let the next in line look for a place."""
        for waiting in self._waiting.get(subject, ()):
            if not waiting.done():
                waiting.set_result(None)
                break


def _subject_of(call: Call) -> str:
    return f"api_key:{call.key_id}" if call.key_id else f"person:{call.author_id or call.owner_id}"


def _busy(most: int) -> TooMany:
    calls = "1 call" if most == 1 else f"{most:,} calls"
    return TooMany(
        f"This API key has {calls} running, which is the most at once.",
        "Nothing was sent. Try again when one has ended.",
        code="too_many_at_once",
        retry_after_s=RETRY_S,
    )
