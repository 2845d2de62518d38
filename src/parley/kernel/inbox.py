"""The inbox: what a person says while a turn runs, and in which round it was read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from parley.kernel.inputs import TurnInput


class Interjection(msgspec.Struct, frozen=True, kw_only=True):
    """What a person said while a turn ran. `round` is the round that heard it, null where none did.

    `id` is random: a count would tell a blind viewer what has happened in the turn so far.
    """

    id: str
    input: TurnInput
    round: int | None
    created_at: str


class Inbox(msgspec.Struct, frozen=True):
    """A turn's interjections, oldest first; `readings` are their ids by the round that first read them.

    A reading is made once: whenever the turn is played again, the same round hears the same, also where that was
    nothing. `round` of an interjection is as of the last time the person asked the turn again.
    """

    interjections: tuple[Interjection, ...] = ()
    readings: Mapping[int, tuple[str, ...]] = msgspec.field(default_factory=dict[int, tuple[str, ...]])

    @property
    def heard(self) -> tuple[Interjection, ...]:
        """What some round heard, in the order in which it was said."""
        return tuple(said for said in self.interjections if said.round is not None)

    def add(self, said: Interjection) -> "Inbox":
        """Return the inbox with one more interjection; one that is known changes nothing."""
        if any(known.id == said.id for known in self.interjections):
            return self
        return Inbox((*self.interjections, said), self.readings)

    def read(self, number: int) -> "Inbox":
        """Return the inbox after a round has read it: again what it read before, else all that no round has read."""
        if number in self.readings:
            return self.mark(number, self.readings[number])
        taken = {each for reading in self.readings.values() for each in reading}
        fresh = tuple(said.id for said in self.interjections if said.id not in taken)
        return self.mark(number, fresh)

    def mark(self, number: int, ids: Sequence[str]) -> "Inbox":
        """Return the inbox after a round has read these; its first reading stands."""
        interjections = tuple(
            msgspec.structs.replace(said, round=number) if said.id in ids else said
            for said in self.interjections
        )
        return Inbox(interjections, {number: tuple(ids), **self.readings})

    def forget(self) -> "Inbox":
        """Return the inbox as when the person asks the turn again: no round of this play has heard anything yet."""
        silent = tuple(msgspec.structs.replace(said, round=None) for said in self.interjections)
        return Inbox(silent, self.readings)


def read_inbox(events: Iterable[tuple[str, Mapping[str, Any]]]) -> Inbox:
    """Return a turn's inbox from its stored events: kinds and data, in order; other kinds are passed over."""
    inbox = Inbox()
    for kind, data in events:
        if kind == "input.added":
            inbox = inbox.add(msgspec.convert(data["interjection"], Interjection))
        elif kind == "round.started":
            inbox = inbox.mark(data["round"], data.get("heard", ()))
        elif kind == "turn.renewed":
            inbox = inbox.forget()
    return inbox
