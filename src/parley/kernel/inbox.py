"""The inbox: a person's interjections while a turn runs, and the rounds that read them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from parley.kernel.inputs import TurnInput


class Interjection(msgspec.Struct, frozen=True, kw_only=True):
    """A person's input while a turn ran. `round` is the round that read it, null if none did.

    `id` is random: a counter would show a blind viewer what has happened in the turn so far.
    """

    id: str
    input: TurnInput
    round: int | None
    created_at: str


class Inbox(msgspec.Struct, frozen=True):
    """A turn's interjections, oldest first; `readings` maps each round to the ids that it read first.

    When the turn is played again, a round reads the same again, even if that was nothing. An interjection's `round` is
    reset by a retry.
    """

    interjections: tuple[Interjection, ...] = ()
    readings: Mapping[int, tuple[str, ...]] = msgspec.field(default_factory=dict[int, tuple[str, ...]])

    @property
    def heard(self) -> tuple[Interjection, ...]:
        """The interjections that some round read, oldest first."""
        return tuple(interjection for interjection in self.interjections if interjection.round is not None)

    def add(self, interjection: Interjection) -> "Inbox":
        """Return the inbox with one more interjection; a known one changes nothing."""
        if any(known.id == interjection.id for known in self.interjections):
            return self
        return Inbox((*self.interjections, interjection), self.readings)

    def read(self, number: int) -> "Inbox":
        """Return the inbox after a round has read it: what it read before, else everything unread."""
        if number in self.readings:
            return self.mark(number, self.readings[number])
        taken = {each for reading in self.readings.values() for each in reading}
        fresh = tuple(interjection.id for interjection in self.interjections if interjection.id not in taken)
        return self.mark(number, fresh)

    def mark(self, number: int, ids: Sequence[str]) -> "Inbox":
        """Return the inbox after a round has read these ids; its first reading counts."""
        interjections = tuple(
            msgspec.structs.replace(interjection, round=number) if interjection.id in ids else interjection
            for interjection in self.interjections
        )
        return Inbox(interjections, {number: tuple(ids), **self.readings})

    def forget(self) -> "Inbox":
        """Return the inbox after a retry: no round of the new play has read anything yet."""
        unread = tuple(
            msgspec.structs.replace(interjection, round=None) for interjection in self.interjections
        )
        return Inbox(unread, self.readings)


def read_inbox(events: Iterable[tuple[str, Mapping[str, Any]]]) -> Inbox:
    """Build a turn's inbox from its stored events: kinds and data, in order; other kinds are ignored."""
    inbox = Inbox()
    for kind, data in events:
        if kind == "input.added":
            inbox = inbox.add(msgspec.convert(data["interjection"], Interjection))
        elif kind == "round.started":
            inbox = inbox.mark(data["round"], data.get("heard", ()))
        elif kind == "turn.renewed":
            inbox = inbox.forget()
    return inbox
