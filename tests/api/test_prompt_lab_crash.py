"""A run in a real process that is killed again and again: nothing that was recorded is asked again."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import ready, row
from tests.api.test_prompt_lab import CHECKS
from tests.fakes.process import processes
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

ROWS, PARALLEL = 12, 2


async def test_a_killed_run_asks_nothing_again_that_was_recorded(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        upstream.reply("All fine.", model="ada", times=5).reply("All", " fine.", model="ada", hold_after=1)
        models = write_models(tmp_path / "models.yaml", upstream.url, ("ada",))
        data = tmp_path / "data"
        with processes(tmp_path, models) as start:
            first = start()
            async with await ready(first) as client:
                messages = [{"role": "user", "text": "Sum up: {{text}}"}]
                body = {"name": "Sum up", "messages": messages, "checks": CHECKS}
                prompt_id = (await client.post("/api/prompts", json=body)).json()["prompt"]["id"]
                rows = [{"fields": {"text": f"Row {at}"}, "expected": "fine"} for at in range(ROWS)]
                made = await client.post("/api/lab/datasets", json={"name": "Rows", "rows": rows})
                plan = {"versions": [1], "models": ["ada"], "dataset": made.json()["dataset"]["id"]}
                plan |= {"parallel": PARALLEL}
                run = (await client.post(f"/api/prompts/{prompt_id}/runs", json=plan)).json()
                await upstream.wait_for_requests(7)
                await recorded(data, 5)
            await asyncio.to_thread(first.kill)
            before = Counter(request.json["messages"][-1]["content"] for request in upstream.chats)
            upstream.forget()
            upstream.reply("All fine.", model="ada")
            second = start()
            async with await ready(second) as client:
                view = await ended(client, run["id"])
    after = Counter(request.json["messages"][-1]["content"] for request in upstream.chats)
    assert (view["status"], view["progress"]["completed"], view["progress"]["failed"]) == (
        "completed",
        ROWS,
        0,
    )
    # The control: what was in flight is asked again, so that asking again would show.
    assert len(before) == 5 + PARALLEL
    assert sum(after.values()) == ROWS - 5
    assert sum((before & after).values()) == PARALLEL
    assert row(data, "select count(*) from lab_trials where status = 'completed'") == [(ROWS,)]
    # Each recorded trial has the row of its call: they are stored in one transaction.
    joined = (
        "select count(*) from lab_trials t join calls c on c.call_id = t.call_id and c.outcome = 'completed'"
    )
    assert row(data, joined) == [(ROWS,)]


async def ended(client: Client, run_id: str) -> Any:
    """Return a run that has ended."""
    async with asyncio.timeout(40):
        while (view := (await client.get(f"/api/lab/runs/{run_id}")).json())["status"] == "running":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return view


async def recorded(data: Path, count: int) -> None:
    """Wait until so many trials are stored."""
    query = "select count(*) from lab_trials where status = 'completed'"
    async with asyncio.timeout(40):
        while row(data, query) != [(count,)]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
