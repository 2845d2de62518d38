"""The panel as a script: what members are to say goes in, what they heard and what is noted comes out."""

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from parley.kernel.ballot import ballot_problem
from parley.kernel.errors import Rejected
from parley.kernel.inputs import AskInput, ContinueInput, SkipInput, SteerInput, SynthesiseInput
from parley.kernel.seats import SeatSettings
from parley.kernel.views import TurnView
from parley.testing import CUT, PlayedMatch
from parley_plugin_panel.mode import AGAIN, TOGETHER, Panel

QUESTION = "Tea or coffee?"


def a_panel(**brief: object) -> PlayedMatch:
    match = PlayedMatch(Panel(), ["a", "b", "c"], brief={"pause": "never", "rounds": 2, **brief})
    for seat, drink in (("a", "Tea."), ("b", "Coffee."), ("c", "Water.")):
        match.says(seat, drink)
    return match


def notes(turn: TurnView) -> list[tuple[int, object]]:
    assert {note.name for note in turn.notes} == {"panel.round/1"}
    return [(note.round, note.data) for note in turn.notes]


def note(asked: str, left_out: str = "") -> Mapping[str, list[str]]:
    return {"asked": list(asked), "left_out": list(left_out)}


async def test_each_member_hears_what_the_others_said_in_the_round_before() -> None:
    match = a_panel()
    turn = await match.play(QUESTION)
    assert (turn.status, turn.round, len(turn.replies)) == ("completed", 2, 6)
    assert match.heard("a", 0) == [f"user: {QUESTION}"]
    assert match.heard("a", 1) == [
        f"user: {QUESTION}",
        "assistant: Tea.",
        f"user: b said: Coffee.\n\nc said: Water.\n\n{AGAIN}",
    ]
    assert notes(turn) == [(1, note("abc")), (2, note("abc"))]


async def test_it_pauses_after_each_round_and_counts_on() -> None:
    match = a_panel(pause="each_round")
    first, second = await match.play(QUESTION), await match.play(ContinueInput())
    third = await match.play(SteerInput("Agree!"))
    assert [turn.round for turn in (first, second, third)] == [1, 2, 3]
    assert match.heard("b")[-1] == f"user: Agree!\n\na said: Tea.\n\nc said: Water.\n\n{AGAIN}"
    assert match.heard("b")[:2] == [f"user: {QUESTION}", "assistant: Coffee."]
    fresh = await match.play("And to eat?")
    assert (fresh.round, match.heard("b")[-1]) == (1, "user: And to eat?")


async def test_a_person_steps_in_while_it_talks() -> None:
    match = a_panel(rounds=4)
    said = {1: [SkipInput("c"), SteerInput("Be brief.")], 2: [AskInput("b", "Why?")], 3: [SynthesiseInput()]}
    turn = await match.play(QUESTION, meanwhile=said)
    assert notes(turn) == [(1, note("abc")), (2, note("ab", "c")), (3, note("b", "ac")), (4, note("a", "bc"))]
    assert match.heard("a", 1)[-1].startswith("user: Be brief.\n\nb said: Coffee.")
    assert match.heard("b", 2)[-1].startswith("user: Why?\n\na said: Tea.")
    assert match.heard("a")[-1].endswith(TOGETHER)
    assert (turn.replies[-1].seat, turn.replies[-1].purpose) == ("a", "joint")


async def test_a_round_can_be_left_out() -> None:
    turn = await a_panel().play(QUESTION, meanwhile={1: [SkipInput()]})
    assert notes(turn) == [(1, note("abc")), (2, note("", "abc"))]


async def test_who_joins_hears_the_question_and_who_left_is_not_heard_any_more() -> None:
    match = a_panel(pause="each_round")
    await match.play(QUESTION)
    match.seats = ["b", "c", "d"]
    await match.play(ContinueInput())
    assert match.heard("d") == [f"user: {QUESTION}\n\nb said: Coffee.\n\nc said: Water."]
    assert match.heard("b")[-1] == f"user: c said: Water.\n\n{AGAIN}"


async def test_a_member_that_failed_is_asked_the_question_again() -> None:
    match = a_panel()
    match.says("d", Rejected("No."))
    match.seats.append("d")
    turn = await match.play(QUESTION)
    assert turn.status == "completed"
    assert match.heard("d")[-1].startswith(f"user: {QUESTION}\n\na said: Tea.")
    assert "d said" not in match.heard("a")[-1]


async def test_a_crash_in_mid_round_asks_nobody_twice() -> None:
    match = a_panel()
    match.says("d", "Juice.")
    match.says("d", "Or", CUT)
    match.says("d", "Orange juice.")
    match.seats.append("d")
    cut = await match.play(QUESTION, meanwhile={1: [SteerInput("Be brief.")]})
    assert (cut.status, cut.round) == ("running", 2)
    turn = await match.resume()
    assert (turn.status, [match.asked(seat) for seat in "abcd"]) == ("completed", [2, 2, 2, 3])
    assert match.heard("d", 2) == match.heard("d", 1)
    assert len(turn.notes) == 2


async def test_a_seat_s_own_rules_come_first() -> None:
    match = a_panel()
    match.settings["a"] = SeatSettings(system_prompt="Be kind.")
    await match.play(QUESTION)
    assert match.heard("a")[0] == "system: Be kind."
    assert match.heard("b")[0] == f"user: {QUESTION}"


def test_its_ballot_goes_with_its_seats() -> None:
    assert Panel.ballot is not None
    assert ballot_problem(Panel.ballot, Panel.seating) is None


@pytest.mark.parametrize("brief", [{"rounds": 0}, {"rounds": 6}, {"pause": "sometimes"}])
async def test_settings_that_cannot_be_are_refused(brief: Mapping[str, object]) -> None:
    with pytest.raises(ValidationError):
        await a_panel(**brief).play(QUESTION)


def test_its_settings_read_well_in_a_form() -> None:
    fields = Panel.brief.model_json_schema()["properties"]
    assert {name: field["title"] for name, field in fields.items()} == {"rounds": "Rounds", "pause": "Pause"}
    assert all(field["description"].endswith(".") for field in fields.values())
