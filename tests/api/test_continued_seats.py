"""Matches that carry on conversations, over HTTP: one for all seats, or its own for each."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.joinable_panel import installed
from tests.fakes.running import RunningParley, a_running_parley

MODELS = ("ada", "bob", "cid")
SEATS = {"a": "ada", "b": "bob"}


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    installed(monkeypatch)
    async with a_running_parley(tmp_path, models=MODELS) as running:
        for model in MODELS:
            running.upstream.reply(f"{model} says so.", model=model, times=6)
        yield running


async def panel(parley: RunningParley, prompt: str = "Hello") -> Any:
    return await parley.post("/api/sessions", {"prompt": prompt, "mode": "panel", "seats": SEATS})


async def carry_on(parley: RunningParley, first: Any, status: int = 200, **more: Any) -> Any:
    body = {"prompt": "And?", "mode": "panel", "seats": SEATS, **more}
    return await parley.post(f"/api/sessions/{first['session_id']}/matches", body, status)


def heard(parley: RunningParley, model: str) -> list[str]:
    asked = [request.json for request in parley.upstream.chats if request.model == model][-1]
    return [f"{message['role']}: {message['content']}" for message in asked["messages"]]


async def test_each_seat_goes_on_with_its_own_history(parley: RunningParley) -> None:
    first = await panel(parley)
    onward = {name: {"turn_id": first["turn_id"], "seat": name} for name in SEATS}
    second = await carry_on(parley, first, seats={**SEATS, "c": "cid"}, continue_seats=onward)
    assert second["status"] == "completed"
    for model in ("ada", "bob"):
        assert heard(parley, model) == ["user: Hello", f"assistant: {model} says so.", "user: And?"]
    assert heard(parley, "cid") == ["user: And?"], "whoever carries nothing on begins anew"
    body = {"input": {"text": "More?"}}
    await parley.post(f"/api/matches/{second['match_id']}/turns", body)
    assert len(heard(parley, "ada")) == 5
    assert len(heard(parley, "cid")) == 3


async def test_histories_are_swapped_and_carried_on_through_several_matches(parley: RunningParley) -> None:
    first = await panel(parley)
    swap = {
        "a": {"turn_id": first["turn_id"], "seat": "b"},
        "b": {"turn_id": first["turn_id"], "seat": "a"},
    }
    second = await carry_on(parley, first, continue_seats=swap)
    assert heard(parley, "ada") == ["user: Hello", "assistant: bob says so.", "user: And?"]
    onward = {"b": {"turn_id": second["turn_id"], "seat": "a"}}
    await carry_on(parley, first, prompt="Last?", continue_seats=onward)
    assert heard(parley, "bob") == [
        "user: Hello",
        "assistant: bob says so.",
        "user: And?",
        "assistant: ada says so.",
        "user: Last?",
    ]
    assert heard(parley, "ada") == ["user: Last?"]


async def test_one_conversation_is_carried_on_by_all_seats(parley: RunningParley) -> None:
    chat = await parley.chat("Hello", model="cid")
    onward = {"turn_id": chat["turn_id"], "seat": "assistant"}
    await carry_on(parley, chat, continue_from=onward)
    for model in ("ada", "bob"):
        assert heard(parley, model) == ["user: Hello", "assistant: cid says so.", "user: And?"]


async def test_histories_that_cannot_be_carried_on_name_their_seat(parley: RunningParley) -> None:
    first = await panel(parley)
    there = {"turn_id": first["turn_id"], "seat": "a"}
    for more, field in (
        ({"continue_seats": {"z": there}}, "continue_seats.z"),
        ({"continue_seats": {"a": {**there, "seat": "z"}}}, "continue_seats.a.seat"),
        ({"continue_seats": {"a": {**there, "turn_id": "0"}}}, "continue_seats.a.turn_id"),
        ({"continue_seats": {"a": {"seat": "a"}}}, "continue_seats.a.turn_id"),
        ({"continue_seats": {"a": there}, "continue_from": there}, "continue_seats"),
    ):
        assert (await carry_on(parley, first, 422, **more))["errors"][0]["field"] == field
    battle = await parley.battle()
    blind = {"a": {"turn_id": battle["turn_id"], "seat": "left"}}
    assert (await carry_on(parley, battle, 409, continue_seats=blind))["code"] == "still_blind"
