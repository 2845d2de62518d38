"""Tests of turns over HTTP: following, reloading, stopping, asking again, and plain chat."""

import asyncio
from typing import Any

import pytest

from parley.engine.hub import Hub
from parley.engine.runner import Runner
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, kinds, read_all

WORDS = [f"word {number} äöü 😀 " for number in range(40)]
TEXT = "".join(WORDS)


def chat(prompt: str = "Hi", model: str = "ada", **more: Any) -> dict[str, Any]:
    return {"prompt": prompt, "mode": "chat", "seats": {"assistant": model}, **more}


async def test_every_connection_ends_with_the_exact_text(parley: RunningParley) -> None:
    parley.upstream.reply(*WORDS, delay=0.01)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]

        async def reload(after: float) -> dict[str, str]:
            await asyncio.sleep(after)
            path = f"/api/turns/{turn_id}/events"
            return read_all(await parley.events("GET", path, client=parley.visitor())).texts()

        others = [asyncio.create_task(reload(number * 0.06)) for number in range(7)]
        mine = read_all(await stream.rest()).texts()
        texts = [mine, *[await other for other in others]]
    assert texts == [{"left": TEXT, "right": TEXT}] * 8
    late = await parley.events("GET", f"/api/turns/{turn_id}/events")
    assert kinds(late) == ["turn.snapshot", "turn.completed"]
    assert read_all(late).texts() == mine


@pytest.mark.parametrize("body", [chat(), {"prompt": "Hi"}], ids=["chat", "battle"])
async def test_thoughts_whose_beginning_nobody_marked_are_taken_back_while_they_are_followed(
    parley: RunningParley, body: dict[str, Any]
) -> None:
    thoughts = [f"thought {number} " for number in range(30)]
    parley.upstream.reply(*thoughts, "</th", "ink>", "\n\n", *WORDS, delay=0.01)
    async with parley.stream("POST", "/api/sessions", body) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        events = [*stream.events, *await stream.rest()]
    assert kinds(events)[-1] == "turn.completed"
    assert set(read_all(events).texts().values()) == {TEXT}
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["replies"]
    assert {reply["text"] for reply in shown} == {TEXT}


async def test_a_client_that_leaves_does_not_stop_the_turn(parley: RunningParley) -> None:
    parley.upstream.reply("One ", "two ", "three.", hold_after=1)
    client = parley.visitor()
    async with parley.stream("POST", "/api/sessions", chat(), client=client) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        await stream.until_said()
    await client.aclose()
    live = parley.application[Hub].turn(turn_id)
    assert live is not None
    async with asyncio.timeout(40):
        while live.feeds:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert (await parley.get(f"/api/turns/{turn_id}"))["turn"]["status"] == "running"
    parley.upstream.release()
    events = await parley.events("GET", f"/api/turns/{turn_id}/events")
    assert read_all(events).texts() == {"assistant": "One two three."}
    assert parley.upstream.aborted == 0


async def test_a_waiting_json_client_that_leaves_does_not_stop_the_turn(parley: RunningParley) -> None:
    parley.upstream.reply("One ", "two.", hold_after=1)
    waiting = asyncio.create_task(parley.visitor().post("/api/sessions", json=chat()))
    await parley.upstream.wait_for_requests(1)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    parley.upstream.release()
    (session,) = (await parley.get("/api/sessions"))["sessions"]
    view = await parley.get(f"/api/sessions/{session['id']}")
    turn = view["matches"][0]["turns"][0]
    events = await parley.events("GET", f"/api/turns/{turn['id']}/events")
    assert read_all(events).texts() == {"assistant": "One two."}


async def test_a_chat_shows_its_reasoning_and_metrics(parley: RunningParley) -> None:
    parley.upstream.reply("The ", "answer.", reasoning=["Let me ", "think."])
    events = await parley.events("POST", "/api/sessions", chat())
    reader = read_all(events)
    assert reader.texts() == {"assistant": "The answer."}
    assert reader.texts("reasoning") == {"assistant": "Let me think."}
    (done,) = [event for event in events if event["kind"] == "reply.completed"]
    assert (done["finish_reason"], done["text_end"], done["reasoning_end"]) == ("stop", 11, 13)
    assert done["metrics"]["output_tokens"] == 4
    assert done["metrics"]["ttft_ms"] >= 0
    match = events[0]["match"]
    assert (match["blind"], match["ballot"]) == (False, None)
    assert match["seats"][0]["model"]["id"] == "ada"
    view = await parley.get(f"/api/turns/{events[0]['turn']['id']}")
    (reply,) = view["turn"]["replies"]
    assert (reply["text"], reply["reasoning"]) == ("The answer.", "Let me think.")
    assert reply["metrics"] == done["metrics"]


async def test_a_chat_hears_its_system_prompt_and_its_history(parley: RunningParley) -> None:
    parley.upstream.reply("First.")
    begun = await parley.chat("One", brief={"system_prompt": "Be brief."})
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "Two"}})
    assert [message["content"] for message in parley.upstream.chats[-1].json["messages"]] == [
        *("Be brief.", "One", "First.", "Two"),
    ]


async def test_a_failure_in_a_chat_is_reported_and_can_be_asked_again(parley: RunningParley) -> None:
    parley.upstream.fail(400, "too many cooks")
    parley.upstream.reply("Better.")
    events = await parley.events("POST", "/api/sessions", chat())
    assert "reply.failed" in kinds(events)
    turn_id = events[0]["turn"]["id"]
    (reply,) = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["replies"]
    assert reply["status"] == "failed"
    assert reply["error"]["title"]
    again = await parley.events("POST", f"/api/turns/{turn_id}/retry")
    assert read_all(again).texts() == {"assistant": "Better."}
    (reply,) = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["replies"]
    assert (reply["status"], reply["attempt"], reply["error"]) == ("completed", 2, None)
    assert (await parley.post(f"/api/turns/{turn_id}/retry", status=409))["code"] == "nothing_to_retry"


async def test_a_stopped_chat_keeps_what_had_come(parley: RunningParley) -> None:
    parley.upstream.reply("Kept ", "never said.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", chat()) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        await stream.until_said()
        view = await parley.post(f"/api/turns/{turn_id}/stop")
        assert (view["turn"]["status"], view["turn"]["replies"][0]["text"]) == ("stopped", "Kept ")
        assert kinds(await stream.rest())[-1] == "turn.stopped"
    await parley.upstream.wait_until_idle(1.0)
    assert await parley.post(f"/api/turns/{turn_id}/stop") == view
    match_id = view["match"]["id"]
    parley.upstream.release()
    assert (await parley.post(f"/api/matches/{match_id}/turns", {"input": {"text": "On"}}))[
        "turn_id"
    ] != turn_id


async def test_a_stopped_battle_is_asked_again_or_drawn_again(parley: RunningParley) -> None:
    parley.upstream.reply("Never ", "whole.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        snapshot = await stream.until("turn.snapshot")
        turn_id, match_id = snapshot["turn"]["id"], snapshot["match"]["id"]
        await stream.until_said()
        await parley.post(f"/api/turns/{turn_id}/stop")
    await parley.upstream.wait_until_idle(1.0)
    assert (await parley.vote(match_id, status=409))["code"] == "replies_not_complete"
    refused = await parley.post(f"/api/battles/{match_id}/messages", {"content": "x"}, status=409)
    assert refused["code"] == "turn_not_complete"
    seats = await parley.seats(snapshot["match"]["session_id"])
    parley.upstream.release()
    events = await parley.events("POST", f"/api/turns/{turn_id}/retry")
    assert kinds(events)[-2:] == ["ballot.opened", "turn.completed"]
    assert read_all(events).texts() == {"left": "Never whole.", "right": "Never whole."}
    assert await parley.seats(snapshot["match"]["session_id"]) == seats
    await parley.vote(match_id)


async def test_only_the_last_turn_is_asked_again(parley: RunningParley) -> None:
    parley.upstream.fail(400)
    parley.upstream.reply("Fine.")
    begun = await parley.chat()
    assert begun["responses"]["assistant"]["status"] == "failed"
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "More"}})
    refused = await parley.post(f"/api/turns/{begun['turn_id']}/retry", status=409)
    assert refused["code"] == "nothing_to_retry"


@ON_EVERY_KIND
async def test_two_requests_for_the_next_turn_get_one(parley: RunningParley) -> None:
    begun = await parley.chat()
    parley.upstream.reply("Slow ", "answer.", delay=0.1)
    path = f"/api/matches/{begun['match_id']}/turns"
    answers = await asyncio.gather(
        *(parley.visitor().post(path, json={"input": {"text": "On"}}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


async def test_a_turn_whose_beginning_failed_is_taken_up_by_asking_again(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn was stored but could not be begun: the same key, or Retry, plays it."""
    runner = parley.application[Runner]

    def broken(*_: Any, **__: Any) -> Any:
        raise OSError("too many open files")

    monkeypatch.setattr(runner, "start", broken)
    key = {"Idempotency-Key": "k"}
    await parley.post("/api/sessions", chat(), 500, headers=key)
    await parley.post("/api/sessions", chat("Other"), 500)
    monkeypatch.undo()
    assert (await parley.post("/api/sessions", chat(), headers=key))["status"] == "completed"
    other = (await parley.get("/api/sessions?search=other"))["sessions"][0]
    turn = (await parley.get(f"/api/sessions/{other['id']}"))["matches"][0]["turns"][0]
    assert turn["status"] == "interrupted"
    assert (await parley.post(f"/api/turns/{turn['id']}/retry"))["status"] == "completed"


@pytest.mark.parametrize("path", ["/api/turns/{}", "/api/turns/{}/events"])
async def test_a_turn_of_a_deleted_session_is_not_found(parley: RunningParley, path: str) -> None:
    begun = await parley.chat()
    await parley.client.delete(f"/api/sessions/{begun['session_id']}")
    await parley.get(path.format(begun["turn_id"]), 404)
