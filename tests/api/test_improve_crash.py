"""A search in a real process that is killed: it goes through the same steps, and nothing recorded is asked again."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import ready, row
from tests.api.test_improve import CHECKS, HELD_OUT, TRAINING, VALIDATION, answer, rows_of
from tests.fakes.process import processes
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

TRIALS = "select count(*) from lab_trials where status = 'completed'"


async def test_a_killed_search_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        upstream.answers_by(answer)
        models = write_models(tmp_path / "models.yaml", upstream.url, ("ada", "bob"))
        data = tmp_path / "data"
        with processes(tmp_path, models) as start:
            first = start()
            async with await ready(first) as client:
                # The second reflection is never answered: the search is killed in it.
                reflected = "```\nBriefly: What is {{sum}}?\n```"
                upstream.reply(reflected, model="bob").reply("Never", model="bob", hold_after=1)
                improvement = await started(client)
                await held(upstream, data)
            await asyncio.to_thread(first.kill)
            recorded = row(data, TRIALS)[0][0]
            before = asked(upstream, "ada")
            upstream.forget()
            second = start()
            async with await ready(second) as client:
                detail = await ended(client, improvement)
            after = asked(upstream, "ada")
    view = detail["improvement"]
    assert (view["status"], view["result"]["rows"]) == ("completed", HELD_OUT)
    assert recorded == sum(before.values()) > VALIDATION
    assert not before & after, "no recorded answer is asked again"
    assert asked(upstream, "bob").total() == row(data, "select count(*) from lab_reflections")[0][0] - 1
    assert before.total() + after.total() <= view["progress"]["most_answers"] + 2 * HELD_OUT
    assert row(data, TRIALS) == [(before.total() + after.total(),)]


async def started(client: Client) -> str:
    """Return the id of a search that has begun."""
    messages = [{"role": "user", "text": "What is {{sum}}?"}]
    body = {"name": "Sums", "messages": messages, "checks": CHECKS}
    prompt_id = (await client.post("/api/prompts", json=body)).json()["prompt"]["id"]
    splits = zip(
        (100, 200, 300), (TRAINING, VALIDATION, HELD_OUT), ("train", "validation", "holdout"), strict=True
    )
    rows = [each for first, count, split in splits for each in rows_of(first, count, split)]
    made = await client.post("/api/lab/datasets", json={"name": "Numbers", "rows": rows})
    plan = {"version": 1, "model": "ada", "reflector": "bob", "dataset": made.json()["dataset"]["id"]}
    plan |= {"target": 0.99}
    return (await client.post(f"/api/prompts/{prompt_id}/improvements", json=plan)).json()["id"]


async def held(upstream: ScriptedUpstream, data: Path) -> None:
    """Wait until the search waits for its second reflection, and all before it is stored."""
    async with asyncio.timeout(40):
        while asked(upstream, "bob").total() < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        while row(data, TRIALS)[0][0] < asked(upstream, "ada").total():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def ended(client: Client, improvement_id: str) -> Any:
    """Return a search that has ended."""
    path = f"/api/lab/improvements/{improvement_id}"
    async with asyncio.timeout(40):
        while (detail := (await client.get(path)).json())["improvement"]["status"] == "running":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return detail


def asked(upstream: ScriptedUpstream, model: str) -> Counter[str]:
    return Counter(it.json["messages"][-1]["content"] for it in upstream.chats if it.model == model)
