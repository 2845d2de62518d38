"""Pacing: one release cursor per blind turn, so that speed does not tell which model sits where.

Everything a blind viewer can time is a symmetric function of the sides, as long as both speak:
the start waits for the slower first word, and both texts advance at one rate, that of the slower
side. Once the shorter text is shown whole, the rate is frozen: the longer one goes on at the pace
of the pair, and never shows how fast its own model is.
"""

import math
from collections.abc import Iterable
from typing import Protocol

from parley.engine.speech import Speech

MAX_RATE = 400.0
"""Code points per second: about 100 tokens/s, four times faster than anybody reads."""

MARGIN = 0.9
"""Share of the measured speed at which text is released, so that the cursor rarely runs dry."""

LEAD_S = 0.3
"""How long both sides speak before the cursor starts, in seconds."""


class ReleaseCursor(Protocol):
    """Tells how many code points of every reply a blind viewer may see."""

    position: int

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Move on; return True once everything has been released and every side has ended."""
        ...


class EvenCursor:
    """Both sides start together and advance at one rate."""

    __slots__ = ("_exact", "_last", "_rate", "_start", "position")

    def __init__(self) -> None:
        self.position = 0
        self._exact = 0.0
        self._last = 0.0
        self._rate = MAX_RATE
        self._start: float | None = None

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Move on by the time that has passed since the last call."""
        sides = list(speeches)
        if not sides:
            return False
        if self._start is None:
            if not all(side.text.length or side.ended_at is not None for side in sides):
                return False
            ended = all(side.ended_at is not None for side in sides)
            self._start = now if ended else now + LEAD_S
            self._last = self._start
        self._move(sides, max(0.0, now - self._last))
        self._last = max(self._last, now)
        longest = max(side.text.length for side in sides)
        return all(side.ended_at is not None for side in sides) and self.position >= longest

    def _move(self, sides: list[Speech], elapsed: float) -> None:
        shortest = min((side.text.length for side in sides if side.ended_at is not None), default=math.inf)
        if self._exact < shortest:
            self._rate = min(MAX_RATE, MARGIN * min(_speed(side, self._last + elapsed) for side in sides))
        running = [side.text.length for side in sides if side.ended_at is None]
        limit = min(running) if running else max(side.text.length for side in sides)
        self._exact = min(self._exact + self._rate * elapsed, max(self._exact, float(limit)))
        self.position = math.floor(self._exact)


class NaturalCursor:
    """Text is released as it comes: for those who prefer speed to blindness of timing."""

    __slots__ = ("position",)

    def __init__(self) -> None:
        self.position = 0

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Release everything there is."""
        sides = list(speeches)
        self.position = max((side.text.length for side in sides), default=0)
        return bool(sides) and all(side.ended_at is not None for side in sides)


def _speed(side: Speech, now: float) -> float:
    """Return a side's mean speed in code points per second since its first word."""
    if side.first_text_at is None:
        return math.inf
    until = now if side.ended_at is None else side.ended_at
    return side.text.length / max(until - side.first_text_at, 0.05)
