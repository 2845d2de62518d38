"""Obstacles: why a match cannot begin so, take its next turn, or be asked again."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from parley.kernel.errors import Conflict, Invalid
from parley.kernel.inputs import INPUT_TYPES, TurnInput, input_type, seat_of
from parley.kernel.mode import Mode
from parley.kernel.seats import Seat as SeatTaken
from parley.storage.tables.conversations import Match, Seat


def check_input(said: TurnInput, taken: Collection[str]) -> None:
    """Raise Invalid unless an input is of a type that is taken."""
    if input_type(said) not in taken:
        known = [name for name in INPUT_TYPES if name in taken]
        takes = f"this mode takes {' or '.join(known)} here" if known else "this mode takes nothing here"
        raise Invalid("input.type", f"input.type: {takes}, not {input_type(said)}.")


def check_seat(said: TurnInput, seats: Callable[[], Sequence[Seat]]) -> None:
    """Raise Invalid where an input names a seat at which nobody sits any more, or ever did."""
    name = seat_of(said)
    if name is None:
        return
    names = [seat.name for seat in seats() if seat.until_turn is None]
    if name not in names:
        there = f"There are: {', '.join(names)}."
        raise Invalid("input.seat", f"input.seat: this match has no seat “{name}”.", there)


def check_names(mode: Mode[Any], seats: Sequence[SeatTaken], within: str) -> None:
    """Raise Invalid, with a field within this one, where a seat is called like a choice that stands for no seat."""
    words = {*mode.ballot.choices} if mode.ballot else set[str]()
    known = {name for group in mode.seating.groups for name in group.names}
    for seat in seats:
        if seat.name in words - known:
            raise Invalid(
                f"{within}.{seat.name}",
                f"A seat cannot be called “{seat.name}”: that is a choice of the vote.",
            )


def check_open(match: Match) -> None:
    """Raise Conflict where a match has ended."""
    if match.status == "void":
        raise Conflict(
            "This battle is void, because one of its models could not answer.",
            "Draw again: a new battle with the same question.",
            code="battle_void",
        )
    if match.status == "voted":
        raise Conflict(
            "This battle is over: you have voted.",
            "Start a new battle, or continue with a model.",
            code="battle_over",
        )


def check_alone(match: Match, seat: str, asked: Collection[str]) -> None:
    """Raise Conflict, Invalid where one seat cannot be asked again without the others."""
    if match.blind:
        raise Conflict(
            "In a blind match all are asked together, so that nobody can tell them apart.",
            "Ask the whole turn again where it is not complete, or vote first.",
            code="seats_together",
        )
    if seat not in asked:
        raise Invalid("seat", f"“{seat}” has said nothing in this turn.", f"There are: {', '.join(asked)}.")


def check_next_turn(match: Match, statuses: Sequence[str]) -> None:
    """Raise Conflict where a match with turns of these statuses cannot take the next one."""
    check_open(match)
    if "running" in statuses:
        raise turn_running()
    if match.blind and statuses[-1] != "completed":
        raise Conflict(
            "The last turn was stopped, so the two sides have not heard the same.",
            "Ask again first, or draw again.",
            code="turn_not_complete",
        )


def turn_running() -> Conflict:
    """Return the error for a turn that must end first."""
    return Conflict("A turn is still running here.", "Wait for its end, or stop it.", code="turn_running")
