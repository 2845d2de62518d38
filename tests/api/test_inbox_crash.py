"""A panel in a real process that is killed around a round's boundary: each round hears what it heard before."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import follow, ready, row
from tests.fakes.panel import a_panel_plugin
from tests.fakes.process import processes
from tests.fakes.running import EventStream, kinds, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

SEATS = {"chair": "cleo", "a": "ada", "b": "bob"}
REPOSITORY = Path(__file__).parents[2]


def says(upstream: ScriptedUpstream) -> None:
    """Let bob stop in the middle of the first round."""
    for number in (1, 2, 3):
        upstream.reply(f"Ada {number}.", model="ada")
    for number in (1, 1, 2, 3):
        upstream.reply("Bob ", f"{number}.", model="bob", hold_after=1)
    upstream.reply("In sum.", model="cleo")


def lines(upstream: ScriptedUpstream, model: str) -> list[str]:
    asked = [request for request in upstream.chats if request.model == model]
    return [request.json["messages"][-1]["content"] for request in asked]


async def begin(client: Any) -> str:
    body = {"prompt": "Hi", "mode": "panel", "seats": SEATS, "brief": {"rounds": 3}}
    stream = client.stream("POST", "/api/sessions", json=body, headers={"Accept": "text/event-stream"})
    async with stream as response:
        return (await EventStream(response).until("turn.snapshot"))["turn"]["id"]


async def say(client: Any, turn_id: str, text: str) -> None:
    answer = await client.post(
        f"/api/turns/{turn_id}/interject", json={"input": {"type": "steer", "text": text}}
    )
    assert answer.status_code == 200, answer.text


async def in_mid_round(data: Path) -> None:
    """Wait until ada is done in the first round and bob is in the middle of its answer."""
    query = "select seat, status from replies where round = 1 order by seat"
    async with asyncio.timeout(40):
        while row(data, query) != [("a", "completed"), ("b", "streaming")]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_killed_panel_hears_the_same_and_pays_nothing_twice(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        says(upstream)
        models = write_models(tmp_path / "models.yaml", upstream.url, tuple(SEATS.values()))
        with (
            a_panel_plugin(tmp_path / "plugins") as plugins,
            processes(tmp_path, models, (plugins, REPOSITORY)) as start,
        ):
            first = start()
            async with await ready(first) as client:
                turn_id = await begin(client)
                await say(client, turn_id, "one")
                await in_mid_round(tmp_path / "data")
                await asyncio.to_thread(first.kill)
            asked = len(upstream.requests)
            before = lines(upstream, "bob")
            second = start()
            async with await ready(second) as client:
                await upstream.wait_for_requests(asked + 1)
                upstream.release()
                events = await follow(client, turn_id)
                shown = (await client.get(f"/api/turns/{turn_id}")).json()["turn"]
    assert kinds(events)[-1] == "turn.completed"
    assert Counter(request.model for request in upstream.chats) == {"ada": 3, "bob": 4, "cleo": 1}
    assert lines(upstream, "bob")[1] == before[-1], "what was in flight is asked again in the same words"
    received = [line.rpartition(" ")[2] for line in lines(upstream, "ada")]
    assert received == ["()", "(one)", "()"]
    assert [(said["input"]["text"], said["round"]) for said in shown["interjections"]] == [("one", 2)]
    assert {
        (reply["round"], reply["seat"]) for reply in shown["replies"] if reply["purpose"] == "answer"
    } == {(number, seat) for number in (1, 2, 3) for seat in "ab"}
