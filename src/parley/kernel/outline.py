"""Outlines: how many calls a turn of a mode will make, known before any is made."""

from collections.abc import Sequence

import msgspec

from parley.kernel.seats import Seat


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one seat for one purpose in one turn: at least and at most, if none fails.

    `hears_least` and `hears_most` count the replies that all these calls read besides the prompt; each call reads
    `characters` of rules of its own.
    """

    seat: str
    purpose: str = "answer"
    least: int = 1
    most: int = 1
    hears_least: int = 0
    hears_most: int = 0
    characters: int = 0


class Outline(msgspec.Struct, frozen=True):
    """All calls of one turn; each reads `characters` of settings besides the prompt."""

    calls: tuple[Calls, ...]
    characters: int = 0


def once_each(seats: Sequence[Seat], rules: str | None = None) -> Outline:
    """Return the outline of a mode that asks each seat once, with its own rules or else these."""
    return Outline(
        tuple(
            Calls(seat=seat.name, characters=len(seat.settings.system_prompt or rules or ""))
            for seat in seats
        )
    )
