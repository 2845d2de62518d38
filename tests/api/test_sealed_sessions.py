"""Sealed sessions at the API: read and continued with their key, and with nothing else."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.engine.recorder import Recorder
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.sealing import a_seal, a_wrap, new_key, with_key
from tests.fakes.upstream import ScriptedUpstream

CHAT = {"mode": "chat", "seats": {"assistant": "ada"}}


async def a_sealed_chat(parley: RunningParley, key: str, prompt: str = "My secret") -> Any:
    body = {**CHAT, "prompt": prompt, **a_seal()}
    return await parley.post("/api/sessions", body, **with_key(key))


async def test_a_sealed_chat_is_read_and_continued_with_its_key(parley: RunningParley) -> None:
    key = new_key()
    parley.upstream.reply("The answer", model="ada")
    parley.upstream.reply("Another", model="ada")
    first = await a_sealed_chat(parley, key)
    session_id = first["session_id"]
    more = {"input": {"text": "And then?"}}
    await parley.post(f"/api/matches/{first['match_id']}/turns", more, **with_key(key))
    view = await parley.get(f"/api/sessions/{session_id}", **with_key(key))
    turns = view["matches"][0]["turns"]
    assert view["session"]["title"] == "My secret"
    assert [turn["input"]["text"] for turn in turns] == ["My secret", "And then?"]
    assert [turn["replies"][0]["text"] for turn in turns] == ["The answer", "Another"]
    asked = [
        message["content"] for message in msgspec.json.decode(parley.upstream.requests[-1].body)["messages"]
    ]
    assert asked == ["My secret", "The answer", "And then?"]


async def test_without_its_key_a_sealed_session_is_listed_and_deleted_but_not_read(
    parley: RunningParley,
) -> None:
    key = new_key()
    parley.upstream.reply("The answer", model="ada")
    first = await a_sealed_chat(parley, key)
    session_id, turn_id = first["session_id"], first["turn_id"]
    listed = (await parley.get("/api/sessions"))["sessions"][0]
    assert (listed["title"], listed["sealed"]) == ("Sealed session", True)
    for path in (f"/api/sessions/{session_id}", f"/api/turns/{turn_id}", f"/api/turns/{turn_id}/events"):
        assert (await parley.get(path, 409))["code"] == "session_sealed"
        assert (await parley.get(path, 403, **with_key(new_key())))["code"] == "wrong_seal"
    wraps = (await parley.get(f"/api/sessions/{session_id}/seal"))["wraps"]
    assert wraps[0]["iterations"] == 600_000
    assert (await parley.client.delete(f"/api/sessions/{session_id}")).status_code == 204


async def test_a_turn_that_a_restart_interrupts_says_why_and_is_sent_again(url: str, tmp_path: Path) -> None:
    key = new_key()
    async with ScriptedUpstream() as up:
        up.reply("So far ", "never", hold_after=1, model="ada")
        async with a_running_parley(tmp_path, database_url=url, upstream=up) as parley:
            body = {**CHAT, "prompt": "Long", **a_seal()}
            async with parley.stream("POST", "/api/sessions", body, **with_key(key)) as stream:
                await stream.until_said()
                session_id = stream.events[0]["match"]["session_id"]
                await parley.application.interrupt()
        up.drop("ada")
        up.reply("All of it", model="ada")
        async with a_running_parley(tmp_path, database_url=url, upstream=up) as parley:
            place = f"/api/sessions/{session_id}"
            (turn,) = (await parley.get(place, **with_key(key)))["matches"][0]["turns"]
            assert (turn["status"], turn["error"]["code"]) == ("failed", "sealed_interrupted")
            assert [(it["status"], it["text"]) for it in turn["replies"]] == [("stopped", "So far ")]
            await parley.post(f"/api/turns/{turn['id']}/retry", {}, **with_key(key))
            (again,) = (await parley.get(place, **with_key(key)))["matches"][0]["turns"]
            assert (again["status"], again["replies"][0]["text"]) == ("completed", "All of it")
            kept = await parley.get(f"/api/turns/{turn['id']}/attempts", **with_key(key))
            assert [it["text"] for it in kept["attempts"]] == ["So far "]


BEGINNINGS: dict[str, tuple[dict[str, Any], str]] = {
    "a battle": ({"mode": "battle"}, "mode"),
    "a model that draws": ({"mode": "chat", "seats": {"assistant": "painter"}}, "seats"),
    "Auto": ({"mode": "chat", "seats": {"assistant": "auto"}}, "seats"),
    "a file": ({**CHAT, "attachments": [{"sha256": "0" * 64}]}, "attachments"),
    "few iterations": ({**CHAT, "seal": {"wraps": [a_wrap(iterations=1000)]}}, "seal"),
    "no seal": ({**CHAT, "seal": None}, "seal"),
}


@pytest.mark.parametrize("what", BEGINNINGS)
async def test_what_a_sealed_session_cannot_have_is_refused_by_its_field(tmp_path: Path, what: str) -> None:
    body, field = BEGINNINGS[what]
    models = ("ada", "bob", ModelSpec("painter", capabilities=("images",)))
    async with a_running_parley(tmp_path, models=models) as parley:
        sent = {"prompt": "Hello", **a_seal(), **body}
        problem = await parley.post("/api/sessions", sent, 422, **with_key(new_key()))
        assert problem["field"].startswith(field), problem
        assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_a_seal_needs_a_key_and_a_key_needs_a_seal(parley: RunningParley) -> None:
    sealed = {"prompt": "Hello", **CHAT, **a_seal()}
    assert (await parley.post("/api/sessions", sealed, 422))["field"] == "Parley-Seal"
    short = await parley.post("/api/sessions", sealed, 422, **with_key("c2hvcnQ"))
    assert short["field"] == "Parley-Seal"
    plain = await parley.chat()
    place = f"/api/sessions/{plain['session_id']}"
    assert (await parley.get(place, 409, **with_key(new_key())))["code"] == "not_sealed"


async def test_nothing_readable_is_made_of_a_sealed_session(parley: RunningParley) -> None:
    key = new_key()
    first = await a_sealed_chat(parley, key)
    session_id, turn_id = first["session_id"], first["turn_id"]
    place = f"/api/sessions/{session_id}"
    reply_id = (await parley.get(place, **with_key(key)))["matches"][0]["turns"][0]["replies"][0]["id"]
    for made in (
        await parley.client.post("/api/sessions/export", json={"ids": [session_id]}, **with_key(key)),
        await parley.client.patch(place, json={"tags": ["secret"]}, **with_key(key)),
        await parley.client.post("/api/library/kept", json={"reply_id": reply_id}, **with_key(key)),
    ):
        assert (made.status_code, made.json()["code"]) == (409, "not_in_sealed"), made.text
    for asked in (
        await parley.client.post("/api/sessions/export", json={"ids": [session_id]}),
        await parley.client.patch(place, json={"title": "New"}),
        await parley.client.post(f"/api/turns/{turn_id}/retry", json={"seat": "assistant"}),
        await parley.client.post(f"/api/turns/{turn_id}/stop", json={}),
        await parley.client.post(f"/api/matches/{first['match_id']}/turns", json={"input": {"text": "Hi"}}),
    ):
        assert (asked.status_code, asked.json()["code"]) == (409, "session_sealed"), asked.text
    assert (await parley.get("/api/sessions?search=secret"))["sessions"] == []


async def test_the_export_of_all_data_has_a_sealed_session_as_it_is_stored(parley: RunningParley) -> None:
    parley.upstream.reply("The answer", model="ada")
    await a_sealed_chat(parley, new_key())
    await parley.chat("An open question")
    lines = (await parley.client.get("/api/data/export")).text
    sessions = [
        msgspec.json.decode(line)["session"] for line in lines.splitlines() if '"kind":"session"' in line
    ]
    sealed = next(each for each in sessions if "note" in each)
    assert "passphrase" in sealed["note"]
    assert sealed["turns"][0]["replies"][0]["text"].startswith("sealed:1:")
    assert "My secret" not in lines
    assert "The answer" not in lines.replace("An open question", "")[: lines.index("An open question")]
    assert "An open question" in lines


async def test_a_running_sealed_turn_is_followed_with_its_key_only(parley: RunningParley) -> None:
    key = new_key()
    parley.upstream.reply("So far ", "and on", hold_after=1, model="ada")
    body = {**CHAT, "prompt": "Long", **a_seal()}
    async with parley.stream("POST", "/api/sessions", body, **with_key(key)) as stream:
        await stream.until_said()
        turn_id = stream.events[0]["turn"]["id"]
        assert (await parley.get(f"/api/turns/{turn_id}", 409))["code"] == "session_sealed"
        assert (await parley.get(f"/api/turns/{turn_id}/events", 409))["code"] == "session_sealed"
        other = await parley.get(f"/api/turns/{turn_id}/events", 403, **with_key(new_key()))
        assert other["code"] == "wrong_seal"
        async with parley.stream("GET", f"/api/turns/{turn_id}/events", **with_key(key)) as second:
            await second.until_said()
            parley.upstream.release()
            await second.rest()
    assert not parley.application[Recorder].seals, "the key is forgotten with the turn"


async def test_a_sealed_comparison_has_nothing_to_vote_on(parley: RunningParley) -> None:
    key, seats = new_key(), {"a": "ada", "b": "bob"}
    body = {"prompt": "Which?", "mode": "compare", "seats": seats, **a_seal()}
    first = await parley.post("/api/sessions", body, **with_key(key))
    view = await parley.get(f"/api/sessions/{first['session_id']}", **with_key(key))
    record = view["matches"][0]
    assert record["match"]["ballot"] is None
    assert [reply["status"] for reply in record["turns"][0]["replies"]] == ["completed"] * 2
    vote = {"vote": "tie", "turn_id": first["turn_id"]}
    refused = await parley.client.post(f"/api/matches/{first['match_id']}/vote", json=vote)
    assert refused.status_code in (404, 405, 409), refused.text
