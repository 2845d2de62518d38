"""Seats that are taken or left in a running match, over HTTP: from the next turn on, and never before."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.consortium_talk import SEATS as CONSORTIUM
from tests.fakes.joinable_panel import installed
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "dot", "judge")
SEATS = {"a": "ada", "b": "bob"}


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    installed(monkeypatch)
    async with a_running_parley(tmp_path, models=MODELS) as running:
        for model in MODELS:
            running.upstream.reply(f"{model} says so.", model=model, times=6)
        yield running


async def begin(parley: RunningParley, **more: Any) -> Any:
    return await parley.post("/api/sessions", {"prompt": "Hello", "mode": "panel", "seats": SEATS, **more})


async def go_on(parley: RunningParley, match: str, status: int = 200, **seats: Any) -> Any:
    body = {"input": {"text": "And?"}, "seats": seats}
    return await parley.post(f"/api/matches/{match}/turns", body, status)


async def answered(parley: RunningParley, turn_id: str) -> list[str]:
    return [reply["seat"] for reply in (await parley.get(f"/api/turns/{turn_id}"))["turn"]["replies"]]


def heard(upstream: ScriptedUpstream, model: str) -> list[str]:
    asked = [request.json for request in upstream.chats if request.model == model][-1]
    return [f"{message['role']}: {message['content']}" for message in asked["messages"]]


async def test_who_joins_is_asked_from_the_next_turn_on_and_who_leaves_is_not(parley: RunningParley) -> None:
    first = await begin(parley)
    second = await go_on(
        parley, first["match_id"], add={"c": "cid"}, leave=["a"], settings={"c": {"temperature": 1.5}}
    )
    third = await go_on(parley, first["match_id"])
    assert await answered(parley, first["turn_id"]) == ["a", "b"]
    assert await answered(parley, second["turn_id"]) == ["b", "c"]
    assert await answered(parley, third["turn_id"]) == ["b", "c"]
    assert heard(parley.upstream, "cid") == ["user: And?", "assistant: cid says so.", "user: And?"]
    assert len(heard(parley.upstream, "bob")) == 5
    last = [request.json for request in parley.upstream.chats if request.model == "cid"][-1]
    assert last["temperature"] == 1.5
    seen = (await parley.get(f"/api/sessions/{first['session_id']}"))["matches"][0]
    present = {seat["name"]: (seat["from_turn"], seat["until_turn"]) for seat in seen["match"]["seats"]}
    assert present == {"a": (0, 1), "b": (0, None), "c": (1, None)}
    assert [[reply["seat"] for reply in turn["replies"]] for turn in seen["turns"]] == [
        ["a", "b"],
        ["b", "c"],
        ["b", "c"],
    ]


async def test_a_seat_that_can_be_one_only_is_taken_and_left_too(parley: RunningParley) -> None:
    first = await begin(parley)
    assert (await go_on(parley, first["match_id"], add={"chair": "dot"}))["status"] == "completed"
    assert (await go_on(parley, first["match_id"], leave=["chair"]))["status"] == "completed"


async def test_a_stopped_turn_is_asked_again_with_those_who_sat_there(parley: RunningParley) -> None:
    first = await begin(parley)
    parley.upstream.drop("dot")
    parley.upstream.fail(401, model="dot")
    second = await go_on(parley, first["match_id"], add={"d": "dot"}, leave=["a"])
    assert second["status"] == "completed"
    parley.upstream.drop("dot")
    parley.upstream.reply("Now.", model="dot")
    await parley.post(f"/api/turns/{second['turn_id']}/retry")
    view = (await parley.get(f"/api/turns/{second['turn_id']}"))["turn"]
    assert [(reply["seat"], reply["status"]) for reply in view["replies"]] == [
        ("b", "completed"),
        ("d", "completed"),
    ]


async def test_an_interrupted_turn_goes_on_with_those_who_sit_there_in_it(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch)
    async with ScriptedUpstream() as upstream:
        upstream.reply("One.", model="ada").reply("Two.", model="bob", times=2)
        upstream.reply("A long ", "answer.", hold_after=1, model="cid", times=2)
        kept = {"models": MODELS, "upstream": upstream, "database_url": url}
        async with a_running_parley(tmp_path, **kept) as parley:
            first = await begin(parley)
            body = {"input": {"text": "And?"}, "seats": {"add": {"c": "cid"}, "leave": ["a"]}}
            async with parley.stream("POST", f"/api/matches/{first['match_id']}/turns", body) as stream:
                await stream.until_said()
                await upstream.wait_for_requests(4)
        upstream.release()
        async with a_running_parley(tmp_path, **kept) as parley:
            seen = (await parley.get(f"/api/sessions/{first['session_id']}"))["matches"][0]
            turn_id = seen["turns"][1]["id"]
            await parley.events("GET", f"/api/turns/{turn_id}/events")
            view = (await parley.get(f"/api/turns/{turn_id}"))["turn"]
    assert [(reply["seat"], reply["text"]) for reply in view["replies"]] == [
        ("b", "Two."),
        ("c", "A long answer."),
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"add": {"a": "cid"}}, "seats.add.a"),
        ({"add": {"c": "nobody"}}, "seats.add.c"),
        ({"add": {"c": "cid", "d": "cid", "e": "cid"}}, "seats.add"),
        ({"leave": ["z"]}, "seats.leave"),
        ({"leave": ["a", "b"]}, "seats.leave"),
        ({"add": {"a": "cid"}, "leave": ["a"]}, "seats.add.a"),
        ({"settings": {"b": {"temperature": 1}}}, "seats.settings.b"),
        ({"add": {"c": "cid"}, "settings": {"c": {"temperature": 3}}}, "seats.settings.c.temperature"),
    ],
)
@pytest.mark.databases("sqlite")
async def test_changes_that_cannot_be_name_their_field(
    parley: RunningParley, change: dict[str, Any], field: str
) -> None:
    first = await begin(parley)
    assert (await go_on(parley, first["match_id"], 422, **change))["errors"][0]["field"] == field
    seen = await parley.get(f"/api/sessions/{first['session_id']}")
    assert len(seen["matches"][0]["turns"]) == 1, "nothing was stored"


async def test_who_has_left_cannot_leave_again_nor_come_back_under_the_name(parley: RunningParley) -> None:
    first = await begin(parley)
    await go_on(parley, first["match_id"], leave=["a"])
    assert (await go_on(parley, first["match_id"], 422, leave=["a"]))["field"] == "seats.leave"
    assert (await go_on(parley, first["match_id"], 422, add={"a": "ada"}))["field"] == "seats.add.a"
    await go_on(parley, first["match_id"], add={"again": "ada"})
    assert heard(parley.upstream, "ada") == ["user: And?"], (
        "it knows nothing of what was said at the other seat"
    )


async def test_there_is_no_change_where_the_mode_has_no_free_seat(parley: RunningParley) -> None:
    battle = await parley.battle()
    assert (await go_on(parley, battle["match_id"], 409, leave=["left"]))["code"] == "seats_stay"
    chat = await parley.chat()
    assert (await go_on(parley, chat["match_id"], 422, add={"b": "bob"}))["field"] == "seats.add.b"
    body = {"prompt": "Hello", "mode": "consortium", "seats": CONSORTIUM, "brief": {"roles": {"a": "Doubt."}}}
    consortium = await parley.post("/api/sessions", body)
    refused = await go_on(parley, consortium["match_id"], 422, leave=["a"])
    assert refused["field"] == "brief.roles.a"
