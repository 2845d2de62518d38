"""Places: the calls of models that a person or an API key has at once."""

import asyncio

from parley.features.limits.rates.rules import NO_RULE, RateRule, who_of
from parley.kernel.calls import Call
from parley.kernel.errors import TooMany

RETRY_S = 5


class Places:
    """Counts running calls. A person's wait until another one ends; those of an API key are refused."""

    def __init__(self) -> None:
        self.rules: dict[str, RateRule] = {}
        self._running: dict[tuple[str, str], int] = {}
        self._waiting: dict[tuple[str, str], list[asyncio.Future[None]]] = {}

    def limits(self, call: Call) -> bool:
        """Return whether a call needs a place."""
        return bool(self.rules) and self._most(call) is not None

    async def take(self, call: Call) -> tuple[str, str] | None:
        """Take a place for a call; `leave` gives it back. Raises TooMany for an API key without a free one."""
        subject = _subject_of(call)
        if (most := self._most(call)) is None:
            return None
        while self._running.get(subject, 0) >= most:
            if call.key_id is not None:
                raise _busy(most)
            await self._change(subject)
            most = self._most(call) or self._running.get(subject, 0) + 1
        self._running[subject] = self._running.get(subject, 0) + 1
        return subject

    def leave(self, subject: tuple[str, str]) -> None:
        """Give a place back."""
        self._running[subject] -= 1
        if not self._running[subject]:
            del self._running[subject]
        for waiting in self._waiting.get(subject, ()):
            if not waiting.done():
                waiting.set_result(None)
                break

    def _most(self, call: Call) -> int | None:
        return self.rules.get(who_of(call.key_id is not None), NO_RULE).at_once

    async def _change(self, subject: tuple[str, str]) -> None:
        """Wait in line until a call has ended."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(subject, [])
        line.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._wake(subject, waiting)
            raise
        finally:
            line.remove(waiting)
            if not line:
                self._waiting.pop(subject, None)

    def _wake(self, subject: tuple[str, str], leaver: asyncio.Future[None]) -> None:
        """Let the next in line have what one who has left was woken for."""
        for waiting in self._waiting.get(subject, ()):
            if waiting is not leaver and not waiting.done():
                waiting.set_result(None)
                break


def _subject_of(call: Call) -> tuple[str, str]:
    return ("api_key", call.key_id) if call.key_id else ("person", call.author_id or call.owner_id)


def _busy(most: int) -> TooMany:
    calls = "1 call" if most == 1 else f"{most:,} calls"
    return TooMany(
        f"This API key has {calls} running, which is the most at once.",
        "Nothing was sent. Try again when one has ended.",
        code="too_many_at_once",
        retry_after_s=RETRY_S,
    )
