"""Tests of the administrators' overview."""

import pytest

from tests.fakes.running import RunningParley


@pytest.mark.databases("sqlite", "postgresql")
async def test_the_overview_tells_what_runs_is_stored_and_fails(parley: RunningParley) -> None:
    rest = await parley.get("/api/overview")
    assert (rest["turns_running"], rest["turns_waiting"], rest["people"], rest["unwell"]) == (0, 0, 0, 0)
    assert rest["database_bytes"] > 10_000
    assert rest["disk_free_bytes"] > 0
    parley.upstream.reply("Half ", "an answer", hold_after=1)
    body = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}
    async with parley.stream("POST", "/api/sessions", body) as events:
        await events.until_said()
        assert (await parley.get("/api/overview"))["turns_running"] == 1
        parley.upstream.release()
        await events.until("turn.completed")
    parley.upstream.fail(401, model="ada")
    await parley.chat()
    assert (await parley.get("/api/overview"))["unwell"] == 1
