"""A blind mode with rounds over HTTP: what is shown of it while it is played, stopped, interrupted, asked again."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from parley import application, connectors, modes
from parley.kernel.mode import Mode
from parley.plugins.hookspecs import hookimpl
from parley.plugins.registry import load_registry
from tests.fakes.blind_panel import PANEL, BlindPanel
from tests.fakes.databases import an_empty_database
from tests.fakes.nosy_viewer import Known, NosyViewer
from tests.fakes.running import EventStream, RunningParley, a_running_parley, kinds, read_all
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cleo", "dora")
ASKED = {"prompt": "Hi", "mode": "blind-panel"}
FIRST = "What is said in the first round. "
SECOND = "What is said in the second round, at length. " * 20
END = "THE-END"


class WithPanel:
    """A plugin that brings the panel."""

    @hookimpl
    def parley_modes(self) -> Sequence[Mode[Any]]:
        return [BlindPanel()]


@pytest.fixture(autouse=True)
def panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        application, "build_registry", lambda: load_registry([modes, connectors, WithPanel()])
    )


@asynccontextmanager
async def a_parley_with_the_panel(
    folder: Path, upstream: ScriptedUpstream | None = None, **settings: Any
) -> AsyncGenerator[RunningParley]:
    """A Parley that knows the panel."""
    async with a_running_parley(
        folder, models=MODELS, upstream=upstream, pacing="even", **settings
    ) as parley:
        yield parley


def speak(upstream: ScriptedUpstream) -> None:
    """Let all say something in the first round; in the second one of them does not come to its end."""
    for model in MODELS:
        upstream.reply(FIRST, model=model)
        upstream.reply(SECOND, END, model=model, hold_after=1 if model == "cleo" else None)


async def until_round_two_is_seen(stream: EventStream) -> dict[str, Any]:
    """Read on until something of round two is shown; return the first snapshot."""
    begun = False
    async for event in stream:
        begun = begun or (event["kind"] == "round.started" and event["round"] == 2)
        if begun and event["kind"] == "reply.delta":
            return stream.events[0]
    raise AssertionError(f"round two was never shown: {kinds(stream.events)}")


def places(turn: dict[str, Any]) -> list[tuple[int, str]]:
    return [(reply["round"], reply["seat"]) for reply in turn["replies"]]


def of_rounds(*numbers: int) -> list[tuple[int, str]]:
    return [(number, seat) for number in numbers for seat in PANEL]


async def test_a_reload_shows_the_same_replies_in_the_same_order_as_the_stream(tmp_path: Path) -> None:
    async with a_parley_with_the_panel(tmp_path) as parley:
        for number, model in enumerate(MODELS):
            for text in ("one", "two", "three"):
                parley.upstream.reply(f"{text} ", "and more.", first_delay=0.05 * number, model=model)
        events = await parley.events("POST", "/api/sessions", ASKED)
        assert kinds(events)[-2:] == ["ballot.opened", "turn.completed"]
        assert [event["round"] for event in events if event["kind"] == "round.started"] == [1, 2, 3]
        started = [event for event in events if event["kind"] == "reply.started"]
        assert [(each["round"], each["seat"]) for each in started] == of_rounds(1, 2, 3)
        view = await parley.get(f"/api/turns/{events[0]['turn']['id']}")
        assert places(view["turn"]) == of_rounds(1, 2, 3)
        assert view["turn"]["round"] == 3
        assert [each["order"] for each in view["turn"]["replies"]] == [each["order"] for each in started]
        live = {reply_id: reply["text"] for reply_id, reply in read_all(events).replies.items()}
        assert live == {reply["id"]: reply["text"] for reply in view["turn"]["replies"]}
        assert {seat["model"] for seat in view["match"]["seats"]} == {None}


async def test_while_round_one_is_shown_nothing_tells_of_round_two(tmp_path: Path) -> None:
    async with a_parley_with_the_panel(tmp_path) as parley:
        for model in MODELS:
            parley.upstream.reply(SECOND, model=model)
        async with parley.stream("POST", "/api/sessions", ASKED) as stream:
            snapshot = await anext(stream)
            await stream.until_said()
            await parley.upstream.wait_for_requests(4)
            view = await parley.get(f"/api/turns/{snapshot['turn']['id']}")
            assert (places(view["turn"]), view["turn"]["round"]) == (of_rounds(1), 1)
            assert len({reply["text"] for reply in view["turn"]["replies"]}) == 1
            assert len(parley.upstream.chats) == 4, (
                "what is asked for the next round would tell that all are done"
            )
            await parley.post(f"/api/turns/{snapshot['turn']['id']}/stop")


async def test_a_stop_in_round_two_shows_what_was_seen_and_asking_again_begins_anew(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as upstream:
        settings = {} if url is None else {"database_url": url}
        speak(upstream)
        async with a_parley_with_the_panel(tmp_path, upstream, **settings) as parley:
            async with parley.stream("POST", "/api/sessions", ASKED) as stream:
                snapshot = await until_round_two_is_seen(stream)
                turn_id = snapshot["turn"]["id"]
                view = await parley.post(f"/api/turns/{turn_id}/stop")
                assert (await stream.rest())[-1]["kind"] == "turn.stopped"
            turn = view["turn"]
            assert (places(turn), turn["round"]) == (of_rounds(1, 2), 2)
            assert {reply["status"] for reply in turn["replies"]} == {"stopped"}
            texts = {
                number: {each["text"] for each in turn["replies"] if each["round"] == number}
                for number in (1, 2)
            }
            assert texts[1] == {FIRST}
            (seen,) = texts[2]
            assert SECOND.startswith(seen)
            assert 0 < len(seen) < len(SECOND)
            assert (await parley.get(f"/api/turns/{turn_id}"))["turn"] == turn
            viewer = NosyViewer(parley, END, "second round")
            known = Known(turn["session_id"], snapshot["match"]["id"], turn_id, "stopped")
            await viewer.read_everything(known)
            assert END.encode() not in viewer.shown
        upstream.forget()
        async with a_parley_with_the_panel(tmp_path, upstream, **settings) as parley:
            assert (await parley.get(f"/api/turns/{turn_id}"))["turn"] == turn, "a restart shows the same"
            for model in MODELS:
                for text in ("Anew. ", "Once more. ", "At last. "):
                    upstream.reply(text, model=model)
            await parley.post(f"/api/turns/{turn_id}/retry")
            events = await parley.events("GET", f"/api/turns/{turn_id}/events")
            assert kinds(events)[-1] == "turn.completed"
            again = (await parley.get(f"/api/turns/{turn_id}"))["turn"]
            assert places(again) == of_rounds(1, 2, 3)
            said = [reply["text"] for reply in again["replies"]]
            assert said == ["Anew. "] * 4 + ["Once more. "] * 4 + ["At last. "] * 4


async def test_a_restart_in_round_two_begins_the_turn_anew(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as upstream:
        settings = {} if url is None else {"database_url": url}
        speak(upstream)
        async with (
            a_parley_with_the_panel(tmp_path, upstream, **settings) as parley,
            parley.stream("POST", "/api/sessions", ASKED) as stream,
        ):
            turn_id = (await until_round_two_is_seen(stream))["turn"]["id"]
        upstream.forget()
        for model in MODELS:
            for text in ("Anew. ", "Once more. ", "At last. "):
                upstream.reply(text, model=model)
        async with a_parley_with_the_panel(tmp_path, upstream, **settings) as parley:
            events = await parley.events("GET", f"/api/turns/{turn_id}/events")
            assert events[0]["turn"]["play"] == 2
            assert all(not reply["text"].startswith("What") for reply in events[0]["turn"]["replies"])
            assert kinds(events)[-1] == "turn.completed"
            turn = (await parley.get(f"/api/turns/{turn_id}"))["turn"]
            assert places(turn) == of_rounds(1, 2, 3)
            assert {reply["text"] for reply in turn["replies"] if reply["round"] == 2} == {"Once more. "}


@pytest.mark.parametrize("failing", MODELS[:2])
async def test_a_failure_in_round_two_is_that_of_no_seat(tmp_path: Path, failing: str) -> None:
    async with a_parley_with_the_panel(tmp_path) as parley:
        for model in MODELS:
            parley.upstream.reply(FIRST, model=model)
        parley.upstream.fail(401, "CANARY", model=failing)
        events = await parley.events("POST", "/api/sessions", ASKED)
        assert (events[-1]["kind"], events[-1]["error"]["code"]) == ("turn.failed", "battle_void")
        view = await parley.get(f"/api/turns/{events[0]['turn']['id']}")
        assert {reply["status"] for reply in view["turn"]["replies"]} == {"stopped"}
        assert {reply["text"] for reply in view["turn"]["replies"] if reply["round"] == 1} == {FIRST}
        assert "CANARY" not in str(events) + str(view)
