"""Seats: the places at a match, and what a mode says of them."""

import string
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from parley.kernel.messages import Message
from parley.kernel.options import AskOptions


class Draw(StrEnum):
    """How models come to their seats."""

    CHOSEN = "chosen"
    DRAWN = "drawn"
    """By the sampling that is set for the whole of Parley."""


class Group(msgspec.Struct, frozen=True):
    """Between `least` and `most` seats of one role.

    `names` are what its seats are called. Where they are not given, a seat that can only be one is called as its role,
    drawn seats are called `a`, `b`, `c`, …, and chosen ones as the person likes: then `names` is empty.
    """

    role: str
    least: int = 1
    most: int = 1
    draw: Draw = Draw.CHOSEN
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Fill in the names. Raises ValueError where the group cannot be seated."""
        if not 0 <= self.least <= self.most or self.most < 1:
            raise ValueError(f"a group of {self.least} to {self.most} seats cannot be")
        if self.draw is Draw.DRAWN and self.least != self.most:
            raise ValueError(f"how many sit at “{self.role}” must be one number, since they are drawn")
        if not self.names and self.most == 1:
            msgspec.structs.force_setattr(self, "names", (self.role,))
        elif not self.names and self.draw is Draw.DRAWN:
            msgspec.structs.force_setattr(self, "names", tuple(string.ascii_lowercase[: self.most]))
        if self.names and len(set(self.names)) != self.most:
            raise ValueError(f"{self.most} seats of “{self.role}” need so many different names")


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What a mode says of its seats. Blindness and pacing come from here alone.

    Seats stand in the order of their groups. All drawn seats of a match are drawn together, from those that sit at
    none of its chosen seats: nobody meets itself. `settings`: the person may say how each chosen seat is asked.
    """

    groups: tuple[Group, ...] = ()
    blind: bool = False
    paced: bool = False
    settings: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError where a seat's name would not tell its group."""
        names = [name for group in self.groups for name in group.names]
        if len({group.role for group in self.groups}) < len(self.groups) or len(set(names)) < len(names):
            raise ValueError("groups need roles and names of their own")
        if sum(not group.names for group in self.groups) > 1:
            raise ValueError("of several larger groups all but one must say what their seats are called")

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the seats whose models are drawn."""
        return tuple(name for group in self.groups if group.draw is Draw.DRAWN for name in group.names)

    def group(self, seat: str) -> Group | None:
        """Return the group to which a seat of this name belongs; None where there can be no such seat."""
        named = next((group for group in self.groups if seat in group.names), None)
        return named or next((group for group in self.groups if not group.names), None)

    def members(self, group: Group, seats: Iterable[str]) -> tuple[str, ...]:
        """Return which of these seats belong to a group, in its order."""
        if group.names:
            there = frozenset(seats)
            return tuple(name for name in group.names if name in there)
        return tuple(name for name in seats if self.group(name) is group)


class SeatSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the model at one seat is asked; null leaves it to the mode, or to the provider.

    `temperature` is 0 to 2; `max_output_tokens` at least 1.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    system_prompt: str | None = None

    @property
    def options(self) -> AskOptions:
        """What its model is asked with where the mode does not say."""
        return AskOptions(temperature=self.temperature, max_output_tokens=self.max_output_tokens)

    @property
    def rules(self) -> tuple[Message, ...]:
        """The system prompt as what stands before a conversation; nothing where there is none."""
        return (Message("system", self.system_prompt),) if self.system_prompt else ()


AS_IT_IS = SeatSettings()
"""The settings of a seat for which none were given."""


class Seat(msgspec.Struct, frozen=True):
    """A place at a match; `id` is random, `name` is unique within the match."""

    id: str
    name: str
    role: str
    model_id: str
    settings: SeatSettings = AS_IT_IS
