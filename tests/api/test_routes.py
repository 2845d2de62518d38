"""Tests of several routes to one model, over HTTP, with real servers behind them."""

from pathlib import Path
from typing import Any

from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream


async def add(parley: RunningParley, up: ScriptedUpstream, provider_id: str, **fields: Any) -> None:
    """Add a provider at a scripted server."""
    given = {"id": provider_id, "base_url": up.url, **fields}
    response = await parley.client.post("/api/providers", json=given)
    assert response.status_code == 200, response.text


async def change(parley: RunningParley, path: str, **fields: Any) -> None:
    response = await parley.client.patch(path, json=fields)
    assert response.status_code == 200, response.text


async def ask(parley: RunningParley) -> dict[str, Any]:
    """Return the one reply of a new chat."""
    outcome = await parley.chat(model="m")
    (reply,) = (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]["replies"]
    return reply


async def two_routes(parley: RunningParley, one: ScriptedUpstream, other: ScriptedUpstream) -> None:
    await add(parley, one, "one", models=[{"model": "m"}])
    await add(parley, other, "other")
    routes = [{"provider": "one", "model": "m"}, {"provider": "other", "model": "m"}]
    await change(parley, "/api/models/m", routes=routes)


async def test_with_two_routes_and_one_killed_in_mid_run_the_next_turns_show_no_error(tmp_path: Path) -> None:
    async with (
        a_running_parley(tmp_path) as parley,
        ScriptedUpstream() as one,
        ScriptedUpstream() as other,
    ):
        await two_routes(parley, one, other)
        while not (one.chats and other.chats):
            assert (await ask(parley))["status"] == "completed"
        one.reply("Half an answer ", "and the rest.", hold_after=1)
        other.reply("Whole.")
        seen: list[dict[str, Any]] = []
        while not seen:
            body = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "m"}}
            async with parley.stream("POST", "/api/sessions", body) as stream:
                await stream.until_said()
                if one.streaming:
                    await one.stop()
                    seen = await stream.rest()
        assert seen[-1]["kind"] in ("turn.completed", "turn.failed"), "it ends"
        for _ in range(12):
            reply = await ask(parley)
            assert (reply["status"], reply["text"], reply["error"]) == ("completed", "Whole.", None)


async def test_a_hosted_model_is_moved_to_a_local_route_by_one_setting(tmp_path: Path) -> None:
    async with (
        a_running_parley(tmp_path) as parley,
        ScriptedUpstream() as hosted,
        ScriptedUpstream() as local,
    ):
        await add(parley, hosted, "hosted", models=[{"model": "m"}], api_key="the key of the hosted one")
        await add(parley, local, "local")
        await ask(parley)
        await change(parley, "/api/models/m", routes=[{"provider": "local", "model": "mine:8b"}])
        await ask(parley)
        assert [request.model for request in hosted.chats] == ["m"]
        assert [request.model for request in local.chats] == ["mine:8b"]
        assert b"the key of the hosted one" not in b"".join(repr(it).encode() for it in local.requests)


async def test_a_provider_s_calls_a_minute_are_set_and_cleared(tmp_path: Path) -> None:
    async with (
        a_running_parley(tmp_path) as parley,
        ScriptedUpstream() as one,
        ScriptedUpstream() as other,
    ):
        await two_routes(parley, one, other)
        await change(parley, "/api/providers/one", max_per_minute=1, priority=-1)
        for _ in range(3):
            assert (await ask(parley))["status"] == "completed"
        assert (len(one.chats), len(other.chats)) == (1, 2)
        await change(parley, "/api/providers/one", max_per_minute=None)
        await ask(parley)
        assert (len(one.chats), len(other.chats)) == (2, 2)
