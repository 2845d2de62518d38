"""Tests of limits whose process is killed: what its calls held counts, nothing stays held, and no cap is passed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import ready, row
from tests.fakes.process import processes
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

CAP, MOST_TOKENS, MICROS_A_TOKEN, KILLS = 100_000, 5_000, 2, 3
BOUND = MOST_TOKENS * MICROS_A_TOKEN
"""The most that the output of one call can cost."""

LIMIT = {"subject_kind": "installation", "meter": "money", "period": "month", "cap": CAP}
ASKED = {
    "model": "ada",
    "messages": [{"role": "user", "content": "Hello"}],
    "max_tokens": MOST_TOKENS,
    "stream": True,
}


@pytest.fixture
async def upstream() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as up:
        for _ in range(100):
            up.reply("Half an", " answer", hold_after=1, model="ada")
        yield up


@pytest.fixture
def start(tmp_path: Path, upstream: ScriptedUpstream):
    models = write_models(tmp_path / "models.yaml", upstream.url, ("ada",))
    with processes(tmp_path, models) as begin:
        yield begin


async def asks(client: Client) -> None:
    """Ask and read until the server dies, or refuses."""
    try:
        await client.post("/v1/chat/completions", json=ASKED)
    except Exception:  # noqa: BLE001 - the server is killed
        return


async def limit_of(client: Client) -> dict[str, Any]:
    (limit,) = (await client.get("/api/limits")).json()["limits"]
    return limit


async def test_what_a_killed_server_s_calls_held_counts_and_kills_never_pass_the_cap(
    tmp_path: Path, upstream: ScriptedUpstream, start
) -> None:
    sent = 0
    for kill in range(KILLS):
        server = start()
        async with await ready(server) as client:
            if kill == 0:
                await client.post("/api/limits", json=LIMIT)
            limit = await limit_of(client)
            assert (limit["held"], limit["spent"]) == (0, limit["unconfirmed"])
            assert sent * BOUND <= limit["spent"] <= CAP
            calls = [asyncio.create_task(asks(client)) for _ in range(4)]
            fitting = min(4, (CAP - limit["spent"]) // (BOUND + 100))
            await upstream.wait_for_requests(sent + fitting)
            await asyncio.to_thread(server.kill)
            await asyncio.gather(*calls)
        sent = len(upstream.chats)
        assert row(tmp_path / "data", "select count(*) from calls where provider_id is not null") == [(0,)]
    assert 4 <= sent <= CAP // BOUND
    assert all(request.json["max_tokens"] == MOST_TOKENS for request in upstream.chats)
    server = start()
    async with await ready(server) as client:
        limit = await limit_of(client)
        assert sent * BOUND <= limit["unconfirmed"] <= CAP
        after = (await client.delete(f"/api/limits/{limit['id']}/unconfirmed")).json()
        assert (after["spent"], after["left"]) == (0, CAP)
