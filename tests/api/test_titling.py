"""Tests of a model that titles new sessions: off by default, in the background, and blind."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from parley.features.accounts.service import OWNER_ID
from parley.features.sessions.titling import Titling
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import Request

MODELS = (ModelSpec("ada", tags=("battle",)), ModelSpec("bob", tags=("battle",)), "namer")
QUESTION = "Why is the sky blue?\nAnd why is it red in the evening?"
FIRST = "Why is the sky blue?"


@pytest.fixture
async def titled(tmp_path: Path) -> AsyncIterator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS, title_model="namer") as parley:
        yield parley


async def title(parley: RunningParley, session_id: str) -> str:
    """Return a session's title once no model is asked for it any more."""
    asked = [task for task in asyncio.all_tasks() if task.get_name() == f"title-of-{session_id}"]
    await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 40)
    return str((await parley.get(f"/api/sessions/{session_id}"))["session"]["title"])


def questions(parley: RunningParley) -> list[Request]:
    return [request for request in parley.upstream.chats if request.model == "namer"]


async def hold(parley: RunningParley) -> str:
    """Start a chat whose title is being asked for; return the session's id. `upstream.release()` gives the title."""
    parley.upstream.reply("Colours of the sky", hold_after=0, model="namer")
    begun = await parley.chat(QUESTION)
    await parley.upstream.wait_for_requests(2)
    assert len(questions(parley)) == 1
    return str(begun["session_id"])


async def test_a_title_arrives_while_the_page_is_open(titled: RunningParley) -> None:
    session_id = await hold(titled)
    assert (await titled.get(f"/api/sessions/{session_id}"))["session"]["title"] == FIRST, "nothing waits"
    async with titled.stream("GET", f"/api/sessions/{session_id}/events") as stream:
        titled.upstream.release()
        event = await stream.until("session.changed")
    assert (event["session_id"], event["deleted"]) == (session_id, False)
    assert await title(titled, session_id) == "Colours of the sky"
    (found,) = (await titled.get("/api/sessions?search=colours of"))["sessions"]
    assert found["title"] == "Colours of the sky"


async def test_the_call_is_recorded_as_one_outside_of_turns(titled: RunningParley) -> None:
    titled.upstream.reply("Colours of the sky", model="namer")
    await title(titled, (await titled.chat(QUESTION))["session_id"])
    (row,) = [row for row in await recorded_calls(titled) if row.purpose != "reply"]
    assert (row.owner_id, row.purpose, row.model_id) == (OWNER_ID, "title", "namer")
    assert (row.mode, row.turn_id, row.reply_id) == (None, None, None)


async def test_by_default_no_model_is_asked(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        begun = await parley.chat(QUESTION)
        assert await title(parley, begun["session_id"]) == FIRST
        assert [request.model for request in parley.upstream.chats] == ["ada"]


async def test_of_a_battle_the_model_gets_the_question_alone(titled: RunningParley) -> None:
    for model in ("ada", "bob"):
        titled.upstream.reply("An answer that is secret", model=model)
    titled.upstream.reply('"Colours of the sky."\nI hope that helps!', model="namer")
    battle = await titled.battle(QUESTION)
    assert await title(titled, battle["session_id"]) == "Colours of the sky"
    (asked,) = questions(titled)
    system, user = asked.json["messages"]
    assert (system["role"], user) == (
        "system",
        {"role": "user", "content": f"The message:\n<<<\n{QUESTION}\n>>>"},
    )
    assert (asked.json["temperature"], asked.json["max_tokens"]) == (0.0, 200)
    assert not any(word in asked.body.decode().lower() for word in ("secret", "ada", "bob", "battle"))


async def test_only_the_first_question_of_a_session_is_sent(titled: RunningParley) -> None:
    begun = await titled.chat(QUESTION)
    await title(titled, begun["session_id"])
    await titled.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "And the sea?"}})
    branch = {
        "prompt": "And the moon?",
        "mode": "chat",
        "seats": {"assistant": "bob"},
        "continue_from": {"turn_id": begun["turn_id"], "seat": "assistant"},
    }
    await titled.post(f"/api/sessions/{begun['session_id']}/matches", branch)
    await title(titled, begun["session_id"])
    assert len(questions(titled)) == 1


async def test_a_request_that_is_sent_again_asks_once(titled: RunningParley) -> None:
    body = {"prompt": QUESTION, "mode": "chat", "seats": {"assistant": "ada"}}
    for _ in range(2):
        begun = await titled.post("/api/sessions", body, headers={"Idempotency-Key": "the-same"})
        await title(titled, begun["session_id"])
    assert len(questions(titled)) == 1


async def test_a_failing_model_leaves_the_first_title(
    titled: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    titled.upstream.fail(400, f"I can't title “{QUESTION}”", model="namer")
    begun = await titled.chat(QUESTION)
    assert await title(titled, begun["session_id"]) == FIRST
    warnings = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert warnings == ["could not ask namer (near) for a session's title: upstream_rejected"]


async def test_a_model_that_refuses_a_temperature_is_asked_without_one(titled: RunningParley) -> None:
    titled.upstream.fail(400, "temperature is not supported", model="namer")
    titled.upstream.reply("Colours of the sky", model="namer")
    begun = await titled.chat(QUESTION)
    assert await title(titled, begun["session_id"]) == "Colours of the sky"
    assert ["temperature" in request.json for request in questions(titled)] == [True, False]


@pytest.mark.parametrize(
    ("pieces", "how"),
    [
        ((), {"reasoning": ("The sky, they ask.",)}),
        (('"..."',), {}),
        (("Colours of th",), {"finish": "length"}),
        (("Colours of th",), {"finish": None}),
    ],
    ids=["reasoning", "nothing", "cut off", "broken off"],
)
async def test_what_is_no_title_leaves_the_first_one(
    titled: RunningParley, caplog: pytest.LogCaptureFixture, pieces: tuple[str, ...], how: dict[str, Any]
) -> None:
    titled.upstream.reply(*pieces, **how, model="namer")
    begun = await titled.chat(QUESTION)
    assert await title(titled, begun["session_id"]) == FIRST
    warnings = [each.getMessage() for each in caplog.records if "title" in each.getMessage()]
    assert len(warnings) == 1
    assert "sky" not in warnings[0]


@pytest.mark.parametrize("name", ["My evening", FIRST])
async def test_a_title_that_the_person_typed_stays(titled: RunningParley, name: str) -> None:
    session_id = await hold(titled)
    await titled.client.patch(f"/api/sessions/{session_id}", json={"title": name})
    titled.upstream.release()
    assert await title(titled, session_id) == name


async def test_a_title_that_was_typed_elsewhere_stays(
    titled: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The title is compared where it is stored, too."""
    session_id = await hold(titled)
    monkeypatch.setattr(titled.application[Titling], "leave", lambda *_: None)
    await titled.client.patch(f"/api/sessions/{session_id}", json={"title": "My evening"})
    titled.upstream.release()
    assert await title(titled, session_id) == "My evening"


async def test_a_deleted_session_is_no_error(titled: RunningParley, caplog: pytest.LogCaptureFixture) -> None:
    session_id = await hold(titled)
    await titled.client.delete(f"/api/sessions/{session_id}")
    titled.upstream.release()
    asked = [task for task in asyncio.all_tasks() if task.get_name() == f"title-of-{session_id}"]
    await asyncio.wait_for(asyncio.gather(*asked), 40)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    await titled.post(f"/api/sessions/{session_id}/restore")
    assert await title(titled, session_id) == FIRST


async def test_a_server_that_stops_asks_no_longer(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS, title_model="namer") as parley:
        await hold(parley)
        async with asyncio.timeout(5):
            await parley.application.interrupt()
        assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("title-of-")]
        await parley.upstream.wait_until_idle()


async def test_a_limited_model_is_asked_once_the_turn_has_ended(tmp_path: Path) -> None:
    models = ("ada", ModelSpec("namer", max_concurrency=1))
    async with a_running_parley(tmp_path, models=models, title_model="namer") as parley:
        parley.upstream.reply("It scatters.", hold_after=1, model="namer")
        parley.upstream.reply("Colours of the sky", model="namer")
        body = {"prompt": QUESTION, "mode": "chat", "seats": {"assistant": "namer"}}
        async with parley.stream("POST", "/api/sessions", body) as stream:
            await stream.until_said()
            await asyncio.sleep(0.2)
            assert len(parley.upstream.chats) == 1
            parley.upstream.release()
            session_id = (await stream.rest())[0]["match"]["session_id"]
        assert await title(parley, session_id) == "Colours of the sky"


async def test_a_limited_model_with_a_slot_left_is_asked_while_the_turn_runs(tmp_path: Path) -> None:
    models = ("ada", ModelSpec("namer", max_concurrency=2))
    async with a_running_parley(tmp_path, models=models, title_model="namer") as parley:
        parley.upstream.reply("It scatters.", hold_after=1, model="ada")
        parley.upstream.reply("Colours of the sky", model="namer")
        body = {"prompt": QUESTION, "mode": "chat", "seats": {"assistant": "ada"}}
        async with parley.stream("POST", "/api/sessions", body) as stream:
            await stream.until_said()
            await parley.upstream.wait_for_requests(2)
            parley.upstream.release()
            session_id = (await stream.rest())[0]["match"]["session_id"]
        assert await title(parley, session_id) == "Colours of the sky"


@pytest.mark.databases("sqlite")
async def test_a_model_that_is_not_there_is_named_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_running_parley(tmp_path, models=MODELS, title_model="nobody") as parley:
        (warnings,) = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
        assert warnings.startswith("title_model: There is no model “nobody” in the catalog.")
        begun = await parley.chat(QUESTION)
        assert await title(parley, begun["session_id"]) == FIRST
