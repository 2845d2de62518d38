"""A battle with tools: both sides have the same ones, and nothing tells a blind viewer which side called them."""

from typing import Any, cast

import msgspec
import pytest

from parley.kernel.blindness import veil_turn
from parley.kernel.connector import Finish
from parley.kernel.mode import Mode
from parley.kernel.toolbox import ToolOffer, ToolScene
from parley.kernel.tools import ToolCallView, ToolResult
from parley.kernel.views import ReplyView, TurnView
from parley.modes.battle import Battle
from parley.testing import SmallCatalog, Wait, heard, kinds, make_model, make_script, open_engine
from parley.testing.scripts import make_match
from tests.engine.test_tool_loop import FakeToolbox, call
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

ABLE = SmallCatalog([make_model(name, capabilities=("text", "tools")) for name in ("ada", "bob")])
SEATS = {"left": "ada", "right": "bob"}


class Flaky(FakeToolbox):
    """Its tools are there for whoever comes first; `scenes` are where it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.scenes: list[ToolScene] = []

    async def offer(self, scene: ToolScene) -> ToolOffer:
        """Offer tools once."""
        self.scenes.append(scene)
        return await super().offer(scene) if len(self.scenes) == 1 else ToolOffer()


async def battle(*calling: str, toolbox: FakeToolbox | None = None) -> tuple[list[dict[str, Any]], list[Any]]:
    """Play a battle with tools in which these models call one; return what a blind viewer gets, and the requests."""
    async with open_engine(catalog=ABLE) as engine:
        for name in ("ada", "bob"):
            if name in calling:
                engine.connector.says(name, "Let me count.", Wait(2.0), call(1), Finish("tool_calls"))
            engine.connector.says(name, f"{name} says seven.")
        engine.runner.toolbox = toolbox or FakeToolbox()
        script = make_script(Battle(), SEATS, prompt="How many rows?")
        engine.log.scripts.setdefault(script.turn_id, script)
        live = engine.runner.start(
            script, make_match(Battle(), script), cast("Mode[Any]", Battle()), Battle.brief(tools=True)
        )
        events = await heard(live.follow())
        return events, list(engine.connector.requests)


@on_virtual_time
async def test_a_side_that_calls_tools_looks_like_one_that_does_not() -> None:
    for calling in (("ada",), ("bob",), ("ada", "bob"), ()):
        events, _ = await battle(*calling)
        assert kinds(events) == [
            *("turn.snapshot", "turn.started", "reply.started", "reply.started", "reply.completed"),
            *("reply.completed", "ballot.opened", "turn.completed"),
        ]
        assert texts(events) == {"left": "ada says seven.", "right": "bob says seven."}
        begun = [event for event in events if event["kind"] == "reply.started"]
        assert [(event["seat"], event["purpose"], event["order"]) for event in begun] == [
            ("left", "answer", 0),
            ("right", "answer", 1),
        ]


@on_virtual_time
async def test_the_text_of_both_sides_begins_and_grows_together() -> None:
    def shape(events: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
        return [
            (event["channel"], event["offset"], event["end"])
            for event in events
            if event["kind"] == "reply.delta"
        ]

    (one, _), (other, _) = await battle("ada"), await battle("bob")
    assert shape(one) == shape(other) != []


@on_virtual_time
async def test_both_sides_have_the_tools_that_were_there_first_and_none_that_asks_the_person() -> None:
    toolbox = Flaky()
    _, requests = await battle("ada", "bob", toolbox=toolbox)
    assert [[tool.name for tool in request.tools or ()] for request in requests] == [["count"]] * 4
    assert [scene.quiet for scene in toolbox.scenes] == [True]


def reply(number: int, seat: str, purpose: str) -> ReplyView:
    return ReplyView(
        id=f"{seat}{number}", seat=seat, path="", round=0, purpose=purpose, order=0, attempt=1, status="completed",
        text=purpose, text_end=len(purpose), reasoning="", reasoning_end=0, finish_reason=None, metrics=None,
        error=None,
    )  # fmt: skip


def test_a_stored_turn_shows_a_blind_viewer_the_answers_alone() -> None:
    turn = TurnView(
        id="turn", match_id="match", session_id="session", index=0,
        input=make_script(Battle(), SEATS).input, status="completed", play=1, round=0,
        replies=(
            reply(0, "left", "answer"), reply(1, "left", "answer.01"), reply(2, "left", "answer.02"),
            reply(0, "right", "answer"),
        ),
        notes=(), interjections=(), created_at="2026-01-01T00:00:00+00:00", error=None,
        tools=(ToolCallView(id="c", reply_id="left0", round=0, attempt=1, name="count", arguments="{}",
                            result=ToolResult(text="seven")),),
    )  # fmt: skip
    veiled = veil_turn(turn, visible=None)
    assert [(each.seat, each.purpose, each.text) for each in veiled.replies] == [
        ("left", "answer", "answer.02"),
        ("right", "answer", "answer"),
    ]
    assert veiled.tools == ()
    assert "count" not in msgspec.json.encode(veiled).decode()


@pytest.mark.parametrize(("brief", "needs"), [({}, ()), ({"tools": True}, ("tools",))])
def test_both_sides_are_drawn_from_models_that_call_tools(
    brief: dict[str, bool], needs: tuple[str, ...]
) -> None:
    assert Battle().needs(Battle.brief(**brief)) == needs
