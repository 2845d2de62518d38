"""Seats: the places at a match, and what a mode says of them."""

from enum import StrEnum

import msgspec


class Draw(StrEnum):
    """How models come to their seats."""

    CHOSEN = "chosen"
    DRAWN = "drawn"
    """By the sampling that is set for the whole of Parley."""


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What a mode says of its seats. Blindness, pacing and the ballot come from here alone.

    `roles` are filled one seat each; `members` adds between least and most seats `a`, `b`, `c`, …
    of the role "member".
    """

    roles: tuple[str, ...] = ()
    members: tuple[int, int] = (0, 0)
    draw: Draw = Draw.CHOSEN
    blind: bool = False
    paced: bool = False
    ballot: tuple[str, ...] = ()


class Seat(msgspec.Struct, frozen=True):
    """A place at a match; `id` is random, `name` is unique within the match."""

    id: str
    name: str
    role: str
    model_id: str
