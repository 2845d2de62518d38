"""A team whose members call tools: the last step is the statement, and all steps count."""

from typing import Any, cast

import msgspec

from parley.kernel.connector import Finish
from parley.kernel.mode import Mode
from parley.modes.team.mode import Team
from parley.testing import SmallCatalog, heard, make_model, make_script, open_engine
from parley.testing.scripts import make_match
from tests.engine.test_tool_loop import FakeToolbox, call
from tests.fakes.team_talk import SYNTHESIS
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"a": "ada", "b": "bob", "c": "cleo"}
ABLE = SmallCatalog([make_model(name, capabilities=("text", "tools")) for name in SEATS.values()])


async def play(**brief: Any) -> tuple[list[dict[str, Any]], list[str], FakeToolbox]:
    """Play one round in which Ada counts first; return the events, what the writer was told, and the tools."""
    async with open_engine(catalog=ABLE) as engine:
        engine.connector.says("ada", "Let me count.", call(1), Finish("tool_calls"))
        engine.connector.says("ada", "There are seven rows.")
        engine.connector.says("bob", "I only guess.")
        engine.connector.says("cleo", "I agree.")
        engine.connector.says("cleo", SYNTHESIS)
        engine.runner.toolbox = toolbox = FakeToolbox()
        script = make_script(Team(), SEATS, prompt="How many rows?")
        engine.log.scripts.setdefault(script.turn_id, script)
        match = make_match(Team(), script)
        seats = tuple(
            msgspec.structs.replace(
                seat,
                model=seat.model and msgspec.structs.replace(seat.model, capabilities=("text", "tools")),
            )
            for seat in match.seats
        )
        settings = Team.brief.model_validate(
            {"strategy": "debate", "rounds": 1, "members": {"c": {"role": "Moderator"}}, **brief}
        )
        match = msgspec.structs.replace(match, seats=seats)
        events = await heard(engine.runner.start(script, match, cast("Mode[Any]", Team()), settings).follow())
        return events, engine.connector.heard("cleo"), toolbox


@on_virtual_time
async def test_a_statement_is_the_last_step_and_costs_what_all_of_them_did() -> None:
    events, writer, toolbox = await play()
    assert toolbox.ran == ["call-1"]
    assert events[-1]["kind"] == "turn.completed"
    notes = [event["note"] for event in events if event["kind"] == "note.added"]
    (said,) = [n["data"] for n in notes if n["name"] == "team.said/1" and n["data"]["seat"] == "a"]
    ended = {event["reply_id"]: event for event in events if event["kind"] == "reply.completed"}
    steps = [
        ended[event["reply_id"]]["metrics"]
        for event in events
        if event["kind"] == "reply.started" and event["seat"] == "a"
    ]
    assert len(steps) == 2
    tokens = sum(step["input_tokens"] + step["output_tokens"] for step in steps)
    assert said["spent"]["tokens"] == tokens
    assert "There are seven rows." in writer[-1]
    assert "Let me count." not in writer[-1]


@on_virtual_time
async def test_the_steps_of_a_statement_are_in_the_record_under_its_task() -> None:
    events, _, _ = await play()
    begun = [(e["seat"], e["purpose"]) for e in events if e["kind"] == "reply.started" and e["seat"] == "a"]
    assert begun == [("a", "answer"), ("a", "answer.01")]
