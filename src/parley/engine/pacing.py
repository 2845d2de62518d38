"""Pacing: one release cursor for seats that answer together, so that speed does not reveal the models.

Whatever a blind viewer can time stays the same when the sides are swapped: the start waits for the slower first
token, and both texts advance at one rate, that of the slower side. Speed is measured up to the end of the shorter text:
otherwise the pace of the rest would show whether the longer answer is the slow model's. For the same reason a side
that has ended is simulated from its own pieces.
"""

import math
import random
import statistics
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol

from parley.engine.live_reply import LiveReply

MAX_RATE = 400.0
"""Code points per second: about 100 tokens/s, four times faster than anybody reads."""

MARGIN = 0.8
"""Share of the measured speed at which text is released, so that the cursor rarely has to wait."""

LEAD_S = 0.3
"""Seconds that both sides write before the cursor starts."""

START_MARGIN, START_S = 0.5, 6.0
"""The margin of the first seconds: it builds a reserve of about three seconds of text against stalls."""

WAIT_EVERY = 16
"""The cursor waits only at multiples of this many code points: the end of a side's last piece, often that of a word,
would reveal which side it waits for."""

PRIOR_RATE, PRIOR_S = 60.0, 1.0
"""A prior for every side, in code points per second and seconds: few pieces say little about a speed."""

BLUR = 0.5
"""Noise on the gaps of a simulated text, as a share of the standard deviation of their logarithms."""


class ReleaseCursor(Protocol):
    """Decides how many code points of every reply a blind viewer may see, and the pictures and files before them."""

    position: int

    def advance(self, replies: Iterable[LiveReply], now: float) -> bool:
        """Advance; return True once every side has ended and is released."""
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

    def advance(self, replies: Iterable[LiveReply], now: float) -> bool:
        """Advance by the time since the last call."""
        sides = list(replies)
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

    def _move(self, sides: list[LiveReply], elapsed: float, now: float) -> None:
        reached = min(self._reached(side, now) for side in sides)
        margin = START_MARGIN if now - (self._start or 0.0) < START_S else MARGIN
        common = min((side.text.length for side in sides if side.ended_at is not None), default=math.inf)
        rate = min(MAX_RATE, margin * min(self._paces[side.id].speed(common) for side in sides))
        longest = max(side.text.length for side in sides)
        whole = all(side.ended_at is not None for side in sides) and reached >= longest
        limit = longest if whole else reached // WAIT_EVERY * WAIT_EVERY
        self._exact = min(self._exact + rate * elapsed, max(self._exact, float(limit)))
        self.position = math.floor(self._exact)

    def _reached(self, side: LiveReply, now: float) -> float:
        """Return the length of a side, simulated if it has ended."""
        return side.text.length if side.ended_at is None else self._paces[side.id].simulated_length(now)


class _Pace:
    """The growth of one side's text, piece by piece, and a simulation of it after its end."""

    __slots__ = ("_ends", "_simulated", "_times")

    def __init__(self) -> None:
        self._times: list[float] = []
        self._ends: list[int] = []
        self._simulated: _SimulatedText | None = None

    def note(self, length: int, now: float) -> None:
        """Record how long the text is now."""
        if length and (not self._ends or length > self._ends[-1]):
            self._times.append(now)
            self._ends.append(length)

    def speed(self, common: float) -> float:
        """Return the speed of the first `common` code points, in code points per second.

        It is measured from the end of the first piece. The piece in which the common part ends counts by its share,
        as if this text ended there too.
        """
        if not self._ends:
            return math.inf
        first = self._ends[0]
        if common <= first or len(self._ends) == 1:
            return min(common, first) / PRIOR_S + PRIOR_RATE
        index = bisect_right(self._ends, common) - 1
        grown, taken = float(self._ends[index] - first), self._times[index] - self._times[0]
        if index + 1 < len(self._ends):
            part = common - self._ends[index]
            gap = self._times[index + 1] - self._times[index]
            grown += part
            taken += gap * part / (self._ends[index + 1] - self._ends[index])
        return (grown + PRIOR_RATE * PRIOR_S) / (taken + PRIOR_S)

    def simulated_length(self, now: float) -> float:
        """Return how long the ended text would be by now."""
        if len(self._ends) < 2:
            return math.inf
        if self._simulated is None:
            self._simulated = _SimulatedText(self._times, self._ends)
        return self._simulated.length(now)


class _SimulatedText:
    """A text that continues after its end: its pieces come again, at random.

    Noise is added to the logarithms of the gaps, BLUR of their standard deviation (a smoothed bootstrap, Efron 1979),
    because a real text would have new stalls too.
    """

    __slots__ = ("_at", "_blur", "_chance", "_length", "_next", "_pieces")

    def __init__(self, times: list[float], ends: list[int]) -> None:
        gaps = [max(later - earlier, 0.001) for earlier, later in pairwise(times)]
        sizes = [later - earlier for earlier, later in pairwise(ends)]
        self._pieces = list(zip(gaps, sizes, strict=True))
        # A viewer cannot know when the pieces came, so cannot repeat the draw.
        self._chance = random.Random(repr(self._pieces))  # noqa: S311 - a draw that repeats, not a secret
        self._blur = BLUR * statistics.pstdev(map(math.log, gaps))
        self._at, self._length = times[-1], ends[-1]
        self._next = self._draw()

    def length(self, now: float) -> int:
        """Return its length by now; `now` never decreases."""
        while self._at + self._next[0] <= now:
            self._at += self._next[0]
            self._length += self._next[1]
            self._next = self._draw()
        return self._length

    def _draw(self) -> tuple[float, int]:
        gap, size = self._chance.choice(self._pieces)
        return gap * self._chance.lognormvariate(-(self._blur**2) / 2, self._blur), size


class WholeCursor:
    """Texts are released once all are complete, at one fixed rate."""

    __slots__ = ("_start", "position")

    def __init__(self) -> None:
        self.position = 0
        self._start: float | None = None

    def advance(self, replies: Iterable[LiveReply], now: float) -> bool:
        """Advance, once every side has ended, by the time since the first call after that."""
        sides = list(replies)
        if any(side.ended_at is None for side in sides):
            return False
        if self._start is None:
            self._start = now
        self.position = int(round((now - self._start) * 1000) * MAX_RATE // 1000)
        return self.position >= max((side.text.length for side in sides), default=0)


class NaturalCursor:
    """Text is released as it arrives, for operators who prefer speed to hidden timing."""

    __slots__ = ("position",)

    def __init__(self) -> None:
        self.position = 0

    def advance(self, replies: Iterable[LiveReply], now: float) -> bool:
        """Release everything."""
        sides = list(replies)
        # Beyond the longest text, so that a picture at its end is released too.
        self.position = max((side.text.length for side in sides), default=0) + 1
        return bool(sides) and all(side.ended_at is not None for side in sides)
