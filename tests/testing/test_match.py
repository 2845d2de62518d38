"""A match that a plugin's own tests play: turns, rounds, what is put in, a process that ends in between."""

import pytest
from pydantic import ValidationError

from parley.kernel.connector import Delta, Finish
from parley.kernel.errors import Rejected
from parley.kernel.inputs import ContinueInput, SkipInput, SteerInput, SynthesiseInput
from parley.kernel.seats import SeatSettings
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import BREAK, CUT, PlayedMatch, Wait
from tests.fakes.panel import Panel
from tests.fakes.virtual_loop import on_virtual_time

SEATS = ("chair", "a", "b")


async def test_a_turn_comes_back_as_a_client_reads_it() -> None:
    match = PlayedMatch(Panel(), SEATS, brief={"rounds": 2})
    match.says("a", "Tea.")
    match.says("b", "Cof", "fee.")
    match.says("chair", "Both.")
    turn = await match.play("What shall we drink?")
    assert (turn.status, turn.round) == ("completed", 2)
    assert [(reply.seat, reply.round, reply.text) for reply in turn.replies] == [
        ("a", 1, "Tea."),
        ("b", 1, "Coffee."),
        ("a", 2, "Tea."),
        ("b", 2, "Coffee."),
        ("chair", 2, "Both."),
    ]
    assert [(note.name, note.round) for note in turn.notes] == [("panel.round/1", 1), ("panel.round/1", 2)]
    assert match.heard("a") == ["user: Round 2. What shall we drink? [a: Tea. | b: Coffee.] ()"]
    assert match.heard("a", 0) == ["user: Round 1. What shall we drink? [] ()"]
    assert match.asked("a") == 2


async def test_a_later_turn_knows_the_earlier_ones() -> None:
    match = PlayedMatch(Panel(), SEATS, brief={"pause": "each_round"})
    first = await match.play("Tea?")
    second = await match.play(ContinueInput())
    match.seats.remove("b")
    match.seats.append("c")
    third = await match.play(SynthesiseInput())
    assert [turn.round for turn in (first, second, third)] == [1, 2, 3]
    assert [reply.seat for reply in third.replies] == ["a", "c", "chair"]
    talk = ["user: Tea?", "assistant: An answer.", "user: Continue.", "assistant: An answer."]
    assert match.heard("a")[:-1] == talk
    assert match.heard("c")[:-1] == []


async def test_what_is_said_in_a_round_is_heard_in_the_next_and_in_later_turns() -> None:
    match = PlayedMatch(Panel(), SEATS, brief={"rounds": 3})
    turn = await match.play("Tea?", meanwhile={1: [SteerInput("Be brief."), SkipInput("b")]})
    assert [said.round for said in turn.interjections] == [2, 2]
    assert match.heard("a", 1)[-1].endswith("(Be brief.)")
    assert (match.asked("a"), match.asked("b")) == (3, 2)
    await match.play("And?")
    assert match.heard("a")[0] == "user: Tea?\n\nBe brief."


async def test_after_a_cut_the_turn_goes_on_and_asks_nobody_twice() -> None:
    match = PlayedMatch(Panel(), SEATS, brief={"rounds": 2})
    match.says("b", "One.")
    match.says("b", "Tw", CUT)
    match.says("b", "Two.")
    cut = await match.play("Tea?")
    assert (cut.status, cut.round) == ("running", 2)
    assert [(reply.seat, reply.status) for reply in cut.replies][2:] == [
        ("a", "completed"),
        ("b", "streaming"),
    ]
    asked = match.asked("a")
    turn = await match.resume()
    assert (turn.status, match.asked("a"), match.asked("b")) == ("completed", asked, 3)
    assert match.heard("b") == match.heard("b", 1)
    assert len(turn.notes) == 2


async def test_a_reply_that_failed_is_asked_again() -> None:
    match = PlayedMatch(Panel(), SEATS, brief={"rounds": 1})
    match.says("b", Rejected("No."))
    match.says("b", "Yes.")
    failed = await match.play("Tea?")
    turn = await match.retry()
    assert [reply.status for reply in failed.replies] == ["completed", "failed", "completed"]
    assert [(reply.seat, reply.attempt) for reply in turn.replies] == [("a", 1), ("b", 2), ("chair", 2)]


@on_virtual_time
async def test_answers_have_parts_of_every_kind() -> None:
    match = PlayedMatch(Chat(), ["assistant"], settings={"assistant": SeatSettings(system_prompt="Be kind.")})
    match.says("assistant", Delta("reasoning", "Hm."), Wait(5.0), "So it is", Finish("length"))
    match.says("assistant", "Half", BREAK)
    first, second = await match.play("Is it?"), await match.play("Sure?")
    assert [(reply.reasoning, reply.text, reply.finish_reason) for reply in first.replies] == [
        ("Hm.", "So it is", "length")
    ]
    assert second.replies[0].status == "incomplete"
    assert match.heard("assistant") == [
        "system: Be kind.",
        "user: Is it?",
        "assistant: So it is",
        "user: Sure?",
    ]


@on_virtual_time
async def test_a_blind_match_shows_no_models() -> None:
    match = PlayedMatch(Battle(), ["left", "right"])
    turn = await match.play("Why?")
    assert {reply.metrics for reply in turn.replies} == {None}


async def test_a_wrong_brief_is_refused() -> None:
    with pytest.raises(ValidationError):
        await PlayedMatch(Panel(), SEATS, brief={"rounds": "many"}).play("Tea?")
