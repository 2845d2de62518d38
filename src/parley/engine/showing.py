"""Showing: what a blind viewer gets to see of a turn, part by part, each by a release cursor of its own.

Who is asked together is shown together, so no part tells more of one seat than of another. Whoever is asked
alone would tell by the time how fast they are: what such seats say is kept until a group is asked after them,
or until the mode has played, and is then shown round by round at one fixed rate.
"""

from collections.abc import Iterable, Sequence

from parley.engine.pacing import EvenCursor, NaturalCursor, ReleaseCursor, WholeCursor
from parley.engine.speech import Speech


class Part:
    """Replies that are shown together. `missing`: seats of the group that have not begun yet."""

    __slots__ = ("cursor", "missing", "opened", "shown", "speeches")

    def __init__(
        self, cursor: ReleaseCursor, speeches: Iterable[Speech] = (), missing: Iterable[str] = ()
    ) -> None:
        self.cursor = cursor
        self.speeches = list(speeches)
        self.missing = set(missing)
        self.opened = False
        self.shown = False

    def open(self) -> Sequence[Speech]:
        """Begin to show it; returns its replies, in the order of their seats."""
        self.opened = True
        self.speeches.sort(key=lambda speech: speech.order)
        return self.speeches


class Showing:
    """The parts of one play of a turn. One is shown after the other, where text is paced."""

    def __init__(self, *, paced: bool) -> None:
        self.paced = paced
        self._parts: list[Part] = []
        self._alone: list[Speech] = []

    @property
    def current(self) -> Part | None:
        """The part that is being shown or comes next; None where all has been shown."""
        return next((part for part in self._parts if not part.shown), None)

    @property
    def visible(self) -> dict[str, int]:
        """How many code points of each reply may be seen, by its id; of replies that are not in it nothing is told."""
        opened = (part for part in self._parts if part.opened)
        return {speech.id: part.cursor.position for part in opened for speech in part.speeches}

    def awaits(self, seat: str) -> bool:
        """True where the seat is one of a group that is being asked."""
        return any(seat in part.missing for part in self._parts)

    def expect(self, seats: Iterable[str]) -> Part:
        """Return a new part, for a group of seats that is asked at once."""
        part = Part(EvenCursor(), missing=seats)
        self._parts.append(part)
        return part

    def add(self, speech: Speech) -> Sequence[Speech]:
        """Take in a reply that begins; returns those that a viewer may know of from now on."""
        if not self.paced:
            return self._add_unpaced(speech)
        part = next((part for part in self._parts if speech.seat.name in part.missing), None)
        if part is None:
            self._alone.append(speech)
            return ()
        part.missing.remove(speech.seat.name)
        part.speeches.append(speech)
        return () if part.missing else part.open()

    def settle(self, part: Part) -> Sequence[Speech]:
        """A group has been asked: nobody of it is missing any more. Returns as `add`."""
        if not part.missing:
            return ()
        part.missing.clear()
        if not part.speeches:
            self._parts.remove(part)
        return part.open()

    def show_alone(self) -> None:
        """Let those be shown who were asked alone."""
        for number in sorted({speech.round for speech in self._alone}):
            self._parts.append(
                Part(WholeCursor(), (speech for speech in self._alone if speech.round == number))
            )
        self._alone.clear()

    def advance(self, now: float) -> Sequence[Speech]:
        """Move on in the current part. Returns as `add`."""
        part = self.current
        if part is None or part.missing:
            return ()
        begun = () if part.opened else part.open()
        part.shown = part.cursor.advance(part.speeches, now)
        return begun

    def _add_unpaced(self, speech: Speech) -> Sequence[Speech]:
        if not self._parts:
            self._parts.append(Part(NaturalCursor()))
        (part,) = self._parts
        part.opened, part.shown = True, False
        part.speeches.append(speech)
        return (speech,)
