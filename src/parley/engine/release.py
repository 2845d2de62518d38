"""The release queue: what a blind viewer sees of a turn, group by group, each at the pace of its own cursor.

Seats that are asked together are shown together, so no group reveals more about one seat than about another. A seat
asked alone would reveal its speed: its reply waits until a group is asked after it, or the mode has ended, and is then
shown round by round at a fixed rate.
"""

from collections.abc import Iterable, Sequence

from parley.engine.live_reply import LiveReply
from parley.engine.pacing import EvenCursor, NaturalCursor, ReleaseCursor, WholeCursor


class ReleaseGroup:
    """Replies that are shown together. `missing` are seats whose reply has not begun."""

    __slots__ = ("cursor", "missing", "opened", "replies", "shown")

    def __init__(
        self, cursor: ReleaseCursor, replies: Iterable[LiveReply] = (), missing: Iterable[str] = ()
    ) -> None:
        self.cursor = cursor
        self.replies = list(replies)
        self.missing = set(missing)
        self.opened = False
        self.shown = False

    @property
    def position(self) -> int:
        """The code points of each reply that are released; beyond its end once everything is."""
        return self.cursor.position + self.shown

    def open(self) -> Sequence[LiveReply]:
        """Start to show the group; return its replies in the order of their seats."""
        self.opened = True
        self.replies.sort(key=lambda reply: reply.order)
        return self.replies


class ReleaseQueue:
    """The groups of one play of a turn; if text is paced, they are shown one after the other."""

    def __init__(self, *, paced: bool) -> None:
        self.paced = paced
        self.withheld = False
        self._groups: list[ReleaseGroup] = []
        self._alone: list[LiveReply] = []
        self._held: dict[str, LiveReply | None] = {}

    @property
    def current(self) -> ReleaseGroup | None:
        """The group that is being shown or comes next; None once everything is shown."""
        return next((group for group in self._groups if not group.shown), None)

    @property
    def visible(self) -> dict[str, int]:
        """The shown code points of each reply, by id; other replies are hidden completely, and all if `withheld`."""
        if self.withheld:
            return {}
        opened = (group for group in self._groups if group.opened)
        return {reply.id: group.position for group in opened for reply in group.replies}

    def is_expected(self, seat: str) -> bool:
        """Return whether a seat belongs to a group that is being asked."""
        return any(seat in group.missing for group in self._groups)

    def add_group(self, seats: Iterable[str]) -> ReleaseGroup:
        """Add a group for seats that are asked together."""
        group = ReleaseGroup(EvenCursor(), missing=seats)
        self._groups.append(group)
        return group

    def hold(self, seat: str) -> None:
        """Hide the replies of a seat until `show_last`: how many steps it takes to its answer would tell sides apart.

        Its group is then shown once all are complete.
        """
        self._held[seat] = None
        for group in self._groups:
            if seat in group.missing:
                group.cursor = WholeCursor()

    def show_last(self, seat: str) -> Sequence[LiveReply]:
        """Show the last reply of a seat that was held. Returns like `add`."""
        reply = self._held.pop(seat, None)
        return self.add(reply) if reply else ()

    def add(self, reply: LiveReply) -> Sequence[LiveReply]:
        """Add a reply that begins; return the replies that a viewer may see from now on."""
        if reply.seat.name in self._held:
            self._held[reply.seat.name] = reply
            return ()
        if not self.paced:
            return self._add_unpaced(reply)
        group = next((group for group in self._groups if reply.seat.name in group.missing), None)
        if group is None:
            self._alone.append(reply)
            return ()
        group.missing.remove(reply.seat.name)
        group.replies.append(reply)
        return () if group.missing else group.open()

    def close_group(self, group: ReleaseGroup) -> Sequence[LiveReply]:
        """Stop waiting for missing seats of a group. Returns like `add`."""
        if not group.missing:
            return ()
        group.missing.clear()
        if not group.replies:
            self._groups.remove(group)
        return group.open()

    def queue_alone(self) -> None:
        """Queue the replies of seats that were asked alone, a group for each round."""
        for number in sorted({reply.round for reply in self._alone}):
            self._groups.append(
                ReleaseGroup(WholeCursor(), (reply for reply in self._alone if reply.round == number))
            )
        self._alone.clear()

    def advance(self, now: float) -> Sequence[LiveReply]:
        """Advance the cursor of the current group. Returns like `add`."""
        group = self.current
        if group is None or group.missing:
            return ()
        begun = () if group.opened else group.open()
        group.shown = group.cursor.advance(group.replies, now)
        return begun

    def _add_unpaced(self, reply: LiveReply) -> Sequence[LiveReply]:
        if not self._groups:
            self._groups.append(ReleaseGroup(NaturalCursor()))
        (group,) = self._groups
        group.opened, group.shown = True, False
        group.replies.append(reply)
        return (reply,)
