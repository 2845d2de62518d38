"""Seats: who takes part in a match, and how a mode defines them."""

import string
from collections.abc import Iterable
from enum import StrEnum

import msgspec

from parley.kernel.messages import Message
from parley.kernel.options import AskOptions, Effort
from parley.kernel.pictures import PictureSettings


class Draw(StrEnum):
    """The way in which models get their seats."""

    CHOSEN = "chosen"
    DRAWN = "drawn"
    """By the installation's sampling."""


class Group(msgspec.Struct, frozen=True):
    """Between `least` and `most` seats of one role.

    `names` are the seats' names. By default a single seat has the name of its role and drawn seats are `a`, `b`, …;
    otherwise people choose the names, and `names` is empty.
    """

    role: str
    least: int = 1
    most: int = 1
    draw: Draw = Draw.CHOSEN
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Fill in the names. Raises ValueError for a group that cannot be seated."""
        if not 0 <= self.least <= self.most or self.most < 1:
            raise ValueError(f"a group can't have {self.least} to {self.most} seats")
        if self.draw is Draw.DRAWN and self.least != self.most:
            raise ValueError(f"“{self.role}” is drawn, so its number of seats must be fixed")
        if not self.names and self.most == 1:
            msgspec.structs.force_setattr(self, "names", (self.role,))
        elif not self.names and self.draw is Draw.DRAWN:
            msgspec.structs.force_setattr(self, "names", tuple(string.ascii_lowercase[: self.most]))
        if self.names and len(set(self.names)) != self.most:
            raise ValueError(f"{self.most} seats of “{self.role}” need {self.most} different names")


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """A mode's groups of seats, in order; the only source of blindness and pacing.

    All drawn seats of a match are drawn together, without the models of its chosen seats: no model meets itself.
    `settings`: people can set how each chosen seat is asked.
    """

    groups: tuple[Group, ...] = ()
    blind: bool = False
    paced: bool = False
    settings: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError if a seat's name would not identify its group."""
        names = [name for group in self.groups for name in group.names]
        if len({group.role for group in self.groups}) < len(self.groups) or len(set(names)) < len(names):
            raise ValueError("each group needs its own role and its own seat names")
        if sum(not group.names for group in self.groups) > 1:
            raise ValueError("only one group of several seats may leave out their names")

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the seats whose models are drawn."""
        return tuple(name for group in self.groups if group.draw is Draw.DRAWN for name in group.names)

    def group(self, seat: str) -> Group | None:
        """Return the group of a seat; None if there can be no seat of this name."""
        named = next((group for group in self.groups if seat in group.names), None)
        return named or next((group for group in self.groups if not group.names), None)

    def members(self, group: Group, seats: Iterable[str]) -> tuple[str, ...]:
        """Return those of these seats that belong to a group, in its order."""
        if group.names:
            there = frozenset(seats)
            return tuple(name for name in group.names if name in there)
        return tuple(name for name in seats if self.group(name) is group)


class SeatSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings for the model of one seat. Null leaves a setting to the mode or the provider.

    `temperature` is 0 to 2, `max_output_tokens` at least 1; `reasoning_effort` is for models that take one,
    `picture` for those that draw.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    system_prompt: str | None = None
    reasoning_effort: Effort | None = None
    picture: PictureSettings | None = None

    @property
    def options(self) -> AskOptions:
        """The options that apply if the mode sets none."""
        return AskOptions(
            temperature=self.temperature,
            max_output_tokens=self.max_output_tokens,
            reasoning_effort=self.reasoning_effort,
            picture=self.picture,
        )

    @property
    def rules(self) -> tuple[Message, ...]:
        """The system prompt as a message; empty if there is none."""
        return (Message("system", self.system_prompt),) if self.system_prompt else ()


AS_IT_IS = SeatSettings()
"""The settings of a seat without any of its own."""


class Seat(msgspec.Struct, frozen=True):
    """A seat at a match; `id` is random, `name` is unique within the match."""

    id: str
    name: str
    role: str
    model_id: str
    settings: SeatSettings = AS_IT_IS
