"""Tests of ballots: what can be chosen when, and which ballots go with which seats."""

import pytest

from parley.kernel.ballot import Ballot, Needs, TurnReplies, ballot_problem, choosable, completed_by_seat
from parley.kernel.seats import Group, Seat, Seating
from parley.modes.battle import Battle

SEATS = ("arbiter", "a", "b", "c")
CHOICES = ("none", "a", "b", "c")
TEAM = Seating(groups=(Group("arbiter"), Group("member", 2, 4)))


def of_roles(*roles: str, blind: bool = False) -> Seating:
    return Seating(groups=tuple(map(Group, roles)), blind=blind)


def turn(status: str = "completed", **whole: bool) -> TurnReplies:
    return TurnReplies("t", status, whole)


def test_members_stand_behind_the_words_of_a_resolved_ballot() -> None:
    seats = [Seat(name, name, "arbiter" if name == "arbiter" else "member", "m") for name in SEATS]
    ballot = Ballot(choices=("none",), members="member").resolved(seats)
    assert (ballot.choices, ballot.members) == (CHOICES, None)


def test_a_seat_is_whole_where_all_that_it_said_is() -> None:
    said = [("a", "completed"), ("b", "completed"), ("b", "failed"), ("c", "stopped")]
    assert completed_by_seat(said) == {"a": True, "b": False, "c": False}


@pytest.mark.parametrize(
    ("needs", "turns", "possible"),
    [
        (Needs.ALL, [turn(a=True, b=True, c=True)], CHOICES),
        (Needs.ALL, [turn(a=True, b=True, c=False)], ()),
        (Needs.ALL, [turn(a=True, b=True, c=True, arbiter=False)], ()),
        (Needs.ALL, [turn("stopped", a=True, b=True, c=True)], ()),
        (Needs.ALL, [turn("stopped", a=True), turn(a=True)], ()),
        (Needs.TWO, [turn(a=True, b=True, c=False)], ("none", "a", "b")),
        (Needs.TWO, [turn("stopped", a=True, b=False, c=True)], ("none", "a", "c")),
        (Needs.TWO, [turn("failed", a=True, arbiter=True)], ()),
        (Needs.TWO, [turn(a=True, b=True, c=True), turn(a=True, b=False, c=True)], ("none", "a", "c")),
        (Needs.COMPLETED, [turn(a=True, b=False)], ("none", "a")),
        (Needs.COMPLETED, [turn(a=False)], ()),
        (Needs.COMPLETED, [turn("running", a=True)], ()),
        (Needs.COMPLETED, [turn("interrupted", a=True)], ()),
    ],
)
def test_what_can_be_chosen(needs: Needs, turns: list[TurnReplies], possible: tuple[str, ...]) -> None:
    assert choosable(CHOICES, needs, SEATS, turns) == possible


def test_a_ballot_of_words_alone_needs_the_replies_of_all_seats() -> None:
    assert choosable(("good", "bad"), Needs.TWO, ("a", "b"), [turn(a=True, b=True)]) == ("good", "bad")
    assert choosable(("good", "bad"), Needs.TWO, ("a", "b"), [turn(a=True, b=False)]) == ()


@pytest.mark.parametrize(
    ("ballot", "seating", "word"),
    [
        (Ballot(), TEAM, "choices"),
        (Ballot(members="judge"), TEAM, "judge"),
        (Ballot(members="member", rated=True), TEAM, "two seats"),
        (Ballot(choices=("x", "y"), rated=True), of_roles("x", "y"), "blind"),
        (Ballot(choices=("x",), rated=True), of_roles("x", "y", "z", blind=True), "two seats"),
        (Ballot(choices=("tie",), rated=True), of_roles("tie", "x", blind=True), "tie"),
        (Ballot(choices=("left",), rated=True), of_roles("right", "left", blind=True), "left"),
        (Ballot(choices=("x",), each_turn=True), of_roles("x", "y", blind=True), "once"),
        (Ballot(choices=("x",), ends_match=False), of_roles("x", "y", blind=True), "ends"),
        (Ballot(choices=("x",), needs=Needs.TWO), of_roles("x", "y", blind=True), "every"),
    ],
)
def test_a_ballot_that_does_not_go_with_its_seats_is_refused_in_words(
    ballot: Ballot, seating: Seating, word: str
) -> None:
    assert word in (ballot_problem(ballot, seating) or "")


def test_ballots_that_go_with_their_seats_are_accepted() -> None:
    assert Battle.ballot is not None
    assert ballot_problem(Battle.ballot, Battle.seating) is None
    assert ballot_problem(Ballot(members="member", each_turn=True, needs=Needs.TWO), TEAM) is None
