"""Pacing: one release cursor for those who speak together, so that speed does not tell which model sits where.

Everything a blind viewer can time is a symmetric function of the sides: the start waits for the slower
first word, and both texts advance at one rate, that of the slower side. How fast the sides are is
measured on what both have in common, up to the end of the shorter text: else the last stretch of the
longer one would show by its pace whether its model is the slow one. For the same reason a side that has
ended goes on in imagination, by its own pieces.
"""

import math
import random
import statistics
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol

from parley.engine.speech import Speech

MAX_RATE = 400.0
"""Code points per second: about 100 tokens/s, four times faster than anybody reads."""

MARGIN = 0.8
"""Share of the measured speed at which text is released, so that the cursor rarely runs dry."""

LEAD_S = 0.3
"""How long both sides speak before the cursor starts, in seconds."""

EASY, EASY_S = 0.5, 6.0
"""The margin of the first seconds. What it holds back is a reserve against stalls, about three seconds of text."""

GRAIN = 16
"""While a side has more to come, the cursor waits only at multiples of so many code points: where one
side's last piece ended, which is often the end of a word, would tell whom it waits for."""

USUAL, USUAL_S = 60.0, 1.0
"""Every side is measured as if it had spoken so fast for so long before: few pieces tell little of a speed."""

BLUR = 0.5
"""How much the gaps of an imagined text are blurred, as a part of how much those of the real one differ."""


class ReleaseCursor(Protocol):
    """Tells how many code points of every reply a blind viewer may see."""

    position: int

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Move on; return True once everything has been released and every side has ended."""
        ...


class EvenCursor:
    """All sides start together and advance at one rate."""

    __slots__ = ("_exact", "_last", "_paces", "_start", "position")

    def __init__(self) -> None:
        self.position = 0
        self._exact = 0.0
        self._last = 0.0
        self._paces: dict[str, _Pace] = {}
        self._start: float | None = None

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Move on by the time that has passed since the last call."""
        sides = list(speeches)
        if not sides:
            return False
        for side in sides:
            self._paces.setdefault(side.id, _Pace()).note(side.text.length, now)
        if self._start is None:
            if not all(side.text.length or side.ended_at is not None for side in sides):
                return False
            ended = all(side.ended_at is not None for side in sides)
            self._start = now if ended else now + LEAD_S
            self._last = self._start
        self._move(sides, max(0.0, now - self._last), now)
        self._last = max(self._last, now)
        longest = max(side.text.length for side in sides)
        return all(side.ended_at is not None for side in sides) and self.position >= longest

    def _move(self, sides: list[Speech], elapsed: float, now: float) -> None:
        reached = min(self._reached(side, now) for side in sides)
        margin = EASY if now - (self._start or 0.0) < EASY_S else MARGIN
        common = min((side.text.length for side in sides if side.ended_at is not None), default=math.inf)
        rate = min(MAX_RATE, margin * min(self._paces[side.id].speed(common) for side in sides))
        longest = max(side.text.length for side in sides)
        whole = all(side.ended_at is not None for side in sides) and reached >= longest
        limit = longest if whole else reached // GRAIN * GRAIN
        self._exact = min(self._exact + rate * elapsed, max(self._exact, float(limit)))
        self.position = math.floor(self._exact)

    def _reached(self, side: Speech, now: float) -> float:
        """Return how far a side has come, or would have come by now if it had gone on."""
        return side.text.length if side.ended_at is None else self._paces[side.id].imagine(now)


class _Pace:
    """How one side's text has grown, piece by piece, and how it might have gone on after its end."""

    __slots__ = ("_ends", "_imagined", "_times")

    def __init__(self) -> None:
        self._times: list[float] = []
        self._ends: list[int] = []
        self._imagined: _ImaginedText | None = None

    def note(self, length: int, now: float) -> None:
        """Take in how long the text is now."""
        if length and (not self._ends or length > self._ends[-1]):
            self._times.append(now)
            self._ends.append(length)

    def speed(self, common: float) -> float:
        """Return the speed of the first `common` code points, in code points per second.

        It is counted from piece to piece, without the first. The piece in which the common part ends
        counts by its share, as if this text had ended there too.
        """
        if not self._ends:
            return math.inf
        first = self._ends[0]
        if common <= first or len(self._ends) == 1:
            return min(common, first) / USUAL_S + USUAL
        index = bisect_right(self._ends, common) - 1
        grown, taken = float(self._ends[index] - first), self._times[index] - self._times[0]
        if index + 1 < len(self._ends):
            part = common - self._ends[index]
            gap = self._times[index + 1] - self._times[index]
            grown += part
            taken += gap * part / (self._ends[index + 1] - self._ends[index])
        return (grown + USUAL * USUAL_S) / (taken + USUAL_S)

    def imagine(self, now: float) -> float:
        """Return how long the text, which has ended, would be by now if it had gone on."""
        if len(self._ends) < 2:
            return math.inf
        if self._imagined is None:
            self._imagined = _ImaginedText(self._times, self._ends)
        return self._imagined.length(now)


class _ImaginedText:
    """A text that goes on after its end: its pieces come again, at random.

    Their gaps are blurred by half of what they differ anyway (a smoothed bootstrap, Efron 1979): a
    text that goes on has stalls that were not seen before, and so has one that is imagined.
    """

    __slots__ = ("_at", "_blur", "_chance", "_length", "_next", "_pieces")

    def __init__(self, times: list[float], ends: list[int]) -> None:
        gaps = [max(later - earlier, 0.001) for earlier, later in pairwise(times)]
        sizes = [later - earlier for earlier, later in pairwise(ends)]
        self._pieces = list(zip(gaps, sizes, strict=True))
        # Nobody outside can know when the pieces came, so nobody can repeat the draw.
        self._chance = random.Random(repr(self._pieces))  # noqa: S311 - a draw that repeats, not a secret
        self._blur = BLUR * statistics.pstdev(map(math.log, gaps))
        self._at, self._length = times[-1], ends[-1]
        self._next = self._draw()

    def length(self, now: float) -> int:
        """Return how long it is by now; time never runs back."""
        while self._at + self._next[0] <= now:
            self._at += self._next[0]
            self._length += self._next[1]
            self._next = self._draw()
        return self._length

    def _draw(self) -> tuple[float, int]:
        gap, size = self._chance.choice(self._pieces)
        return gap * self._chance.lognormvariate(-(self._blur**2) / 2, self._blur), size


class WholeCursor:
    """Texts are released once all of them have been said, at one rate whoever said them."""

    __slots__ = ("_start", "position")

    def __init__(self) -> None:
        self.position = 0
        self._start: float | None = None

    def advance(self, speeches: Iterable[Speech], now: float) -> bool:
        """Move on, once every side has ended, by the time that has passed since the first call after that."""
        sides = list(speeches)
        if any(side.ended_at is None for side in sides):
            return False
        if self._start is None:
            self._start = now
        self.position = int(round((now - self._start) * 1000) * MAX_RATE // 1000)
        return self.position >= max((side.text.length for side in sides), default=0)


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
