"""Tests of the inbox: a reading is made once, and holds however often the turn is played."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from parley.kernel.inbox import Inbox, Interjection, read_inbox
from parley.kernel.inputs import SteerInput

Happening = tuple[str, int]
happenings = st.lists(st.sampled_from(["say", "begin", "again", "crash"]), max_size=25)


def an_interjection(number: int) -> Interjection:
    return Interjection(id=str(number), input=SteerInput("x"), round=None, created_at="")


@given(happenings)
def test_each_round_hears_in_every_play_what_it_heard_first(steps: list[str]) -> None:
    stored: list[tuple[str, dict[str, Any]]] = []
    first: dict[int, tuple[str, ...]] = {}
    inbox, number, said = Inbox(), 0, 0
    for step in steps:
        if step == "say":
            said += 1
            inbox = inbox.add(an_interjection(said))
            stored.append(("input.added", {"interjection": msgspec.to_builtins(an_interjection(said))}))
        elif step == "begin":
            number += 1
            inbox = inbox.read(number)
            heard = inbox.readings[number]
            assert first.setdefault(number, heard) == heard
            stored.append(("round.started", {"round": number, "heard": list(heard)}))
        else:
            number = 0
            if step == "again":
                stored.append(("turn.renewed", {}))
            inbox = read_inbox(stored)
    assert read_inbox(stored) == inbox, "live and read back are one"
    taken = [each for heard in first.values() for each in heard]
    assert len(taken) == len(set(taken)), "nothing is heard by two rounds"
    assert {each.id for each in inbox.heard} <= set(taken)
    assert len(inbox.interjections) == said, "nothing is lost"


def test_a_round_of_before_there_was_an_inbox_heard_nothing() -> None:
    added = {"interjection": msgspec.to_builtins(an_interjection(1))}
    inbox = read_inbox([("round.started", {"round": 1}), ("input.added", added), ("note.added", {})])
    assert inbox.read(1).heard == ()
    assert inbox.read(1).read(2).heard == (msgspec.structs.replace(an_interjection(1), round=2),)
