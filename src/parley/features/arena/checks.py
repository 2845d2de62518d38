"""Checks: whether a match can begin, take its next turn, or be retried."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from parley.kernel.errors import Conflict, Invalid, Problem
from parley.kernel.inputs import INPUT_TYPES, TurnInput, input_type, seat_of
from parley.kernel.mode import Mode
from parley.kernel.ports import TurnEnded, TurnScript
from parley.kernel.seats import Seat
from parley.storage.tables.conversations import MatchRow, SeatRow


def check_input(turn_input: TurnInput, taken: Collection[str]) -> None:
    """Raise Invalid unless an input's type is accepted."""
    if input_type(turn_input) not in taken:
        known = [name for name in INPUT_TYPES if name in taken]
        takes = f"this mode accepts {' or '.join(known)} now" if known else "this mode accepts no input now"
        raise Invalid("input.type", f"input.type: {takes}, not {input_type(turn_input)}.")


def check_seat(turn_input: TurnInput, seats: Callable[[], Sequence[SeatRow]]) -> None:
    """Raise Invalid if an input names a seat that has left or never existed."""
    name = seat_of(turn_input)
    if name is None:
        return
    names = [seat.name for seat in seats() if seat.until_turn is None]
    if name not in names:
        there = f"Its seats are {', '.join(names)}."
        raise Invalid("input.seat", f"input.seat: this match has no seat “{name}”.", there)


def check_names(mode: Mode[Any], seats: Sequence[Seat], within: str) -> None:
    """Raise Invalid if a seat has the name of a choice that means no seat, such as a tie.

    `within` is the field with the seats.
    """
    words = {*mode.ballot.choices} if mode.ballot else set[str]()
    known = {name for group in mode.seating.groups for name in group.names}
    for seat in seats:
        if seat.name in words - known:
            raise Invalid(
                f"{within}.{seat.name}",
                f"A seat can't be called “{seat.name}”: that is one of the vote's choices.",
            )


def check_open(match: MatchRow) -> None:
    """Raise Conflict if a match has ended."""
    if match.status == "void":
        raise Conflict(
            "This battle is void because one of its models couldn't answer.",
            "Start a new battle with the same question.",
            code="battle_void",
        )
    if match.status == "voted":
        raise Conflict(
            "This battle is over: you have voted.",
            "Start a new battle, or continue with a model.",
            code="battle_over",
        )


def check_alone(match: MatchRow, seat: str, seats: Collection[str]) -> None:
    """Raise Conflict or Invalid if one seat can't be retried without the others."""
    if match.blind:
        raise Conflict(
            "You can't retry one side of a blind match: that could reveal its model.",
            "Retry the whole turn if it is incomplete, or vote first.",
            code="seats_together",
        )
    if seat not in seats:
        raise Invalid(
            "seat", f"“{seat}” has no reply in this turn.", f"Seats with a reply: {', '.join(seats)}."
        )


def check_stoppable(seat: str, seats: Sequence[str], *, blind: bool) -> None:
    """Raise Conflict or Invalid if one seat can't be stopped while the others continue."""
    if blind:
        raise Conflict(
            "You can't stop one side of a blind match: that could reveal its model.",
            "Stop the whole turn, or wait until both sides have ended.",
            code="seats_together",
        )
    if seat not in seats:
        raise Invalid(
            "seat", f"There is no seat “{seat}” in this turn.", f"Its seats are {', '.join(seats)}."
        )


def check_next_turn(match: MatchRow, statuses: Sequence[str]) -> None:
    """Raise Conflict if a match with turns of these statuses can't take the next turn."""
    check_open(match)
    if "running" in statuses:
        raise turn_running()
    if match.blind and statuses[-1] != "completed":
        raise Conflict(
            "The last turn was stopped, so the two sides have different conversations.",
            "Retry it, or draw two new models.",
            code="turn_not_complete",
        )


def turn_running() -> Conflict:
    """Return the error for a turn that must end first."""
    return Conflict("A turn is still running.", "Wait until it ends, or stop it.", code="turn_running")


def mode_gone(script: TurnScript) -> TurnEnded:
    """Return the end of a turn whose mode came from a plugin that is gone, or whose settings have changed."""
    return TurnEnded(
        turn_id=script.turn_id,
        match_id=script.match_id,
        status="failed",
        error=Problem(
            code="mode_gone",
            title=f"The mode “{script.mode}” is no longer installed.",
            detail="Replies so far are saved. Install its plugin again, or start a new match in another mode.",
        ),
        released=None,
        void=None,
    )
