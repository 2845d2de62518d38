"""Ballots: what a person may vote on, when, and what follows from the vote."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

import msgspec

from parley.kernel.seats import Seat, Seating

MAX_REASON_CHARS = 2_000
"""The longest reason that a person can give for a vote."""


class Needs(StrEnum):
    """The replies that must be complete before a person can vote."""

    ALL = "all"
    """All of them; the turns must be completed too."""
    COMPLETED = "completed"
    """Those of one seat at least; a seat with an incomplete reply cannot be chosen."""
    TWO = "two"
    """Those of two seats at least; a seat with an incomplete reply cannot be chosen."""


class Ballot(msgspec.Struct, frozen=True, kw_only=True):
    """The vote on a mode's matches.

    A choice with a seat's name prefers that seat over the others. Any other choice is a tie of all seats. Seats of the
    role `members` are also choices, after the listed ones. `each_turn`: people vote on each turn, not on the match.
    `rated`: votes change Elo and the blind standings.
    """

    choices: tuple[str, ...] = ()
    members: str | None = None
    each_turn: bool = False
    rated: bool = False
    ends_match: bool = True
    needs: Needs = Needs.ALL

    def resolved(self, seats: Sequence[Seat]) -> "Ballot":
        """Return the ballot of one match, with its members among the choices."""
        members = tuple(seat.name for seat in seats if seat.role == self.members)
        return msgspec.structs.replace(self, choices=(*self.choices, *members), members=None)


class TurnReplies(msgspec.Struct, frozen=True):
    """A turn's status, and for each seat that replied whether all its replies are complete."""

    turn_id: str
    status: str
    completed: Mapping[str, bool]


def completed_by_seat(replies: Sequence[tuple[str, str]]) -> dict[str, bool]:
    """Return for each seat whether all its replies are complete; takes (seat, status) of each reply."""
    completed: dict[str, bool] = {}
    for seat, status in replies:
        completed[seat] = completed.get(seat, True) and status == "completed"
    return completed


def choosable(
    choices: Sequence[str], needs: Needs, seats: Collection[str], turns: Sequence[TurnReplies]
) -> tuple[str, ...]:
    """Return the choices that are open on these turns; none while one runs or too little is complete."""
    if any(turn.status in ("running", "interrupted") for turn in turns):
        return ()
    replied = {seat for turn in turns for seat in turn.completed}
    broken = {seat for turn in turns for seat, completed in turn.completed.items() if not completed}
    if needs is Needs.ALL:
        completed = not broken and all(turn.status == "completed" for turn in turns)
        return tuple(choices) if completed else ()
    judged = [choice for choice in choices if choice in seats] or list(seats)
    able = (replied & {*judged}) - broken
    if len(able) < (2 if needs is Needs.TWO else 1):
        return ()
    return tuple(choice for choice in choices if choice not in seats or choice in able)


def ballot_problem(ballot: Ballot, seating: Seating) -> str | None:
    """Return why a mode's ballot does not fit its seats; None if it does."""
    roles = {group.role for group in seating.groups}
    names = [name for group in seating.groups for name in group.names]
    if not ballot.choices and ballot.members is None:
        return "a ballot needs choices, or members that can be chosen"
    if ballot.members is not None and ballot.members not in roles:
        return f"the ballot offers the role “{ballot.members}”, which its seating does not have"
    if seating.blind and (ballot.each_turn or not ballot.ends_match or ballot.needs is not Needs.ALL):
        # A reveal cannot be undone, and a seat that cannot be chosen would show which model failed.
        return "a blind match is judged once, ends with its vote and needs every reply"
    if not ballot.rated:
        return None
    fixed = all(group.names and group.least == group.most for group in seating.groups)
    if len(names) != 2 or not fixed or not seating.blind:
        return "a rated ballot needs a blind seating of exactly two seats, both required and with fixed names"
    if {"tie", "both_bad"} & {*names} or names[0] == "right" or names[1] == "left":
        # Rated votes are counted as left, right, tie or both bad.
        return "“tie” and “both_bad” are no seats of a rated ballot; “left” must be its first seat, “right” its second"
    return None
