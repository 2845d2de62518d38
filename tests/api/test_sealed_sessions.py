"""Sealed sessions at the API: read and continued with their key, and with nothing else."""

import json
from typing import Any

import pytest

from tests.fakes.running import RunningParley
from tests.fakes.sealing import a_seal, a_wrap, new_key, with_key

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
    asked = [message["content"] for message in json.loads(parley.upstream.requests[-1].body)["messages"]]
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
