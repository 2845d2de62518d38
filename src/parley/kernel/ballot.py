"""Ballots: what a mode lets a person judge, when, and what follows from it."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

import msgspec

from parley.kernel.seats import Seat, Seating


class Needs(StrEnum):
    """Which replies must be complete before a person may judge them."""

    ALL = "all"
    """Every one; the turns must be completed too."""
    COMPLETED = "completed"
    """One at least; a seat whose replies are not all complete cannot be chosen."""
    TWO = "two"
    """Those of two seats at least; a seat whose replies are not all complete cannot be chosen."""


class Ballot(msgspec.Struct, frozen=True, kw_only=True):
    """What a mode says of judging.

    A choice that is a seat's name prefers that seat over the others on the ballot; any other word is a tie of all.
    The seats of the role `members` are choices too, behind those that are written down. `each_turn`: each turn is
    judged by itself, else the match as a whole. `rated`: votes move Elo and the blind standings.
    """

    choices: tuple[str, ...] = ()
    members: str | None = None
    each_turn: bool = False
    rated: bool = False
    ends_match: bool = True
    needs: Needs = Needs.ALL

    def resolved(self, seats: Sequence[Seat]) -> "Ballot":
        """Return the ballot of one match: every choice by its word."""
        members = tuple(seat.name for seat in seats if seat.role == self.members)
        return msgspec.structs.replace(self, choices=(*self.choices, *members), members=None)


class TurnReplies(msgspec.Struct, frozen=True):
    """How a turn stands: its status, and of each seat that spoke whether all that it said is complete."""

    turn_id: str
    status: str
    whole: Mapping[str, bool]


def whole_of(replies: Sequence[tuple[str, str]]) -> dict[str, bool]:
    """Return of each seat whether all its replies are complete, from the seats and statuses of replies."""
    whole: dict[str, bool] = {}
    for seat, status in replies:
        whole[seat] = whole.get(seat, True) and status == "completed"
    return whole


def choosable(
    choices: Sequence[str], needs: Needs, seats: Collection[str], turns: Sequence[TurnReplies]
) -> tuple[str, ...]:
    """Return what can be chosen of these turns together; nothing while one of them runs, or too little is complete."""
    if any(turn.status in ("running", "interrupted") for turn in turns):
        return ()
    said = [(seat, whole) for turn in turns for seat, whole in turn.whole.items()]
    broken = {seat for seat, whole in said if not whole}
    if needs is Needs.ALL:
        whole = not broken and all(turn.status == "completed" for turn in turns)
        return tuple(choices) if whole else ()
    judged = [choice for choice in choices if choice in seats] or list(seats)
    able = {seat for seat, _ in said if seat in judged and seat not in broken}
    if len(able) < (2 if needs is Needs.TWO else 1):
        return ()
    return tuple(choice for choice in choices if choice not in seats or choice in able)


def trouble(ballot: Ballot, seating: Seating) -> str | None:
    """Return in words why a mode's ballot does not go with its seats; None where it does."""
    roles = {group.role for group in seating.groups}
    names = [name for group in seating.groups for name in group.names]
    if not ballot.choices and ballot.members is None:
        return "a ballot needs choices, or members that can be chosen"
    if ballot.members is not None and ballot.members not in roles:
        return f"the ballot lets people choose a “{ballot.members}”, which is no role of its seating"
    if seating.blind and (ballot.each_turn or not ballot.ends_match or ballot.needs is not Needs.ALL):
        # What a vote reveals cannot be hidden again, and a seat that cannot be chosen would tell which one failed.
        return "a blind match is judged once, ends with its vote and needs every reply"
    if not ballot.rated:
        return None
    fixed = all(group.names and group.least == group.most for group in seating.groups)
    if len(names) != 2 or not fixed or not seating.blind:
        return "a rated ballot needs a blind seating of exactly two seats, always taken and with names of their own"
    if {"tie", "both_bad"} & {*names} or names[0] == "right" or names[1] == "left":
        # The counts of all rated votes have a left and a right side, ties, and those where both were bad.
        return "of a rated ballot no seat is called “tie” or “both_bad”, and “left” is the first, “right” the second"
    return None
