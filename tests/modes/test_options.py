"""A mode that asks each seat with options of its own: they reach the model, and belong to the step."""

from typing import Any

import msgspec
import pytest
from pydantic import Field

from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.options import AskOptions
from parley.kernel.seats import Group, Seating, SeatSettings
from parley.testing import (
    CannedConnector,
    Forever,
    MemoryLog,
    SmallCatalog,
    kinds,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.virtual_loop import on_virtual_time

SCHEMA: dict[str, object] = {"type": "object", "properties": {"b": {}, "a": {}}}
SEATS = {"a": "ada", "b": "bob"}


class JuryBrief(Brief):
    """How freely each seat answers, by its name; a seat that is not named has no options."""

    temperatures: dict[str, float] = Field(default_factory=dict)
    schema_for: str | None = None


class Jury(Mode[JuryBrief]):
    """Every member answers once, each with settings of its own."""

    name = "jury"
    title = "Jury"
    summary = "Members answer with settings of their own"
    brief = JuryBrief
    seating = Seating(groups=(Group("member", 1, 6),))

    async def play(self, stage: Stage, brief: JuryBrief) -> None:
        def options(seat: Any) -> AskOptions | None:
            schema = SCHEMA if seat.name == brief.schema_for else None
            if schema is None and seat.name not in brief.temperatures:
                return None
            return AskOptions(temperature=brief.temperatures.get(seat.name), json_schema=schema)

        await stage.ask_all(stage.seats, options=options)


@on_virtual_time
async def test_each_seat_is_asked_with_its_own_options() -> None:
    async with open_engine() as engine:
        brief: dict[str, object] = {"temperatures": {"a": 0.2}}
        await engine.play(Jury(), make_script(Jury(), SEATS, brief=brief))
    asked = {request.model: request for request in engine.connector.requests}
    assert (asked["ada"].temperature, asked["bob"].temperature) == (0.2, None)


@on_virtual_time
async def test_what_a_mode_asks_for_wins_over_a_seats_settings_field_by_field() -> None:
    script = make_script(Jury(), SEATS, brief={"temperatures": {"a": 0.2}})
    settings = SeatSettings(temperature=1.5, max_output_tokens=99)
    seats = tuple(msgspec.structs.replace(seat, settings=settings) for seat in script.seats)
    async with open_engine() as engine:
        await engine.play(Jury(), msgspec.structs.replace(script, seats=seats))
    asked = {request.model: request for request in engine.connector.requests}
    assert (asked["ada"].temperature, asked["ada"].max_output_tokens) == (0.2, 99)
    assert (asked["bob"].temperature, asked["bob"].max_output_tokens) == (1.5, 99)


@on_virtual_time
async def test_after_a_crash_what_was_asked_with_options_stands_and_is_not_asked_again() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("bob", "wait", Forever())
    connector.says("bob", "done")
    brief: dict[str, object] = {"temperatures": {"a": 0.2, "b": 0.9}}
    async with open_engine(connector, log) as engine:
        engine.start(Jury(), make_script(Jury(), SEATS, brief=brief))
        await until(lambda: log.replies().get("a") and log.replies()["a"].status == "completed")
        await until(lambda: connector.asked("bob") == 1)
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Jury())
    assert kinds(events)[-1] == "turn.completed"
    assert (connector.asked("ada"), connector.asked("bob")) == (1, 2)
    assert connector.requests[-1].temperature == 0.9
    assert log.replies()["a"].messages_sha256 != log.replies()["b"].messages_sha256


@on_virtual_time
async def test_a_step_asked_with_other_options_when_played_again_is_not_the_same_step() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("bob", "wait", Forever())
    script = make_script(Jury(), SEATS, brief={"temperatures": {"a": 0.2}})
    async with open_engine(connector, log) as engine:
        engine.start(Jury(), script)
        await until(lambda: log.replies().get("a") and log.replies()["a"].status == "completed")
    log.scripts["turn"] = make_script(Jury(), SEATS, brief={"temperatures": {"a": 0.3}})
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Jury())
    assert events[-1]["error"]["code"] == "mode_broken"


@pytest.mark.parametrize(
    ("model", "brief", "code"),
    [
        (make_model("ada"), {"schema_for": "a"}, "model_without_json"),
        (make_model("ada", kind="ensemble"), {"temperatures": {"a": 1.0}}, "ensemble_takes_no_options"),
    ],
)
def test_what_a_model_cannot_do_fails_in_words_and_nobody_is_asked(
    model: Any, brief: dict[str, object], code: str
) -> None:
    @on_virtual_time
    async def whole() -> None:
        async with open_engine(catalog=SmallCatalog([model])) as engine:
            events = await engine.play(Jury(), make_script(Jury(), SEATS, brief=brief))
        (failed,) = [event for event in events if event["kind"] == "reply.failed"]
        assert (failed["error"]["code"], failed["status"]) == (code, "failed")
        assert model.name in failed["error"]["title"]
        assert failed["metrics"]["cost_micros"] == 0
        assert engine.connector.asked("ada") == 0
        assert engine.log.replies()["b"].status == "completed", "one failing seat does not end the scene"
        assert {call.model_id: call.outcome for call in engine.log.calls()} == {
            "ada": "refused",
            "bob": "completed",
        }

    whole()


@on_virtual_time
async def test_a_model_that_answers_by_a_schema_is_given_it() -> None:
    catalog = SmallCatalog([make_model("ada", capabilities=("text", "json"))])
    async with open_engine(catalog=catalog) as engine:
        await engine.play(Jury(), make_script(Jury(), SEATS, brief={"schema_for": "a"}))
    asked = {request.model: request for request in engine.connector.requests}
    assert (asked["ada"].json_schema, asked["bob"].json_schema) == (SCHEMA, None)
