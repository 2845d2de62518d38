"""A consortium in a real process that is killed in its second round: nothing that was finished is asked again."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import follow, ready, row
from tests.fakes.consortium_talk import SEATS, arbiter, member, notes
from tests.fakes.process import processes
from tests.fakes.running import EventStream, kinds, read_all, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")


def says(upstream: ScriptedUpstream) -> None:
    upstream.reply(member("One."), model="ada").reply(member("One, again."), model="ada")
    second = member("Two, again.")
    upstream.reply(member("Two."), model="bob").reply(second[:30], second[30:], hold_after=1, model="bob")
    upstream.fail(400, model="cid")
    upstream.reply(arbiter("First.", 0.4, more=True), model="judge").reply(
        arbiter("Second.", 0.9), model="judge"
    )


async def in_the_second_round(client: Any, upstream: ScriptedUpstream, data: Path) -> str:
    """Begin a consortium; return its turn's id once bob alone is still speaking in round two."""
    asking = {"prompt": "Hi", "mode": "consortium", "seats": SEATS}
    stream = client.stream("POST", "/api/sessions", json=asking, headers={"Accept": "text/event-stream"})
    async with stream as response:
        turn_id = (await EventStream(response).until("turn.snapshot"))["turn"]["id"]
    query = "select seat, status from replies where round = 2 order by seat"
    async with asyncio.timeout(40):
        while row(data, query) != [("a", "completed"), ("b", "streaming"), ("c", "failed")]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return turn_id


async def test_a_killed_consortium_pays_nothing_twice(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        says(upstream)
        models = write_models(tmp_path / "models.yaml", upstream.url, tuple(SEATS.values()))
        with processes(tmp_path, models) as start:
            first = start()
            async with await ready(first) as client:
                turn_id = await in_the_second_round(client, upstream, tmp_path / "data")
                await asyncio.to_thread(first.kill)
            assert Counter(request.model for request in upstream.chats) == {
                "ada": 2,
                "bob": 2,
                "cid": 2,
                "judge": 1,
            }
            second = start()
            async with await ready(second) as client:
                await upstream.wait_for_requests(8)
                upstream.release()
                events = await follow(client, turn_id)
                assert kinds(events)[-1] == "turn.completed"
                shown = (await client.get(f"/api/turns/{turn_id}")).json()
    assert Counter(request.model for request in upstream.chats) == {"ada": 2, "bob": 3, "cid": 2, "judge": 2}
    assert read_all(events).texts()["arbiter"] == arbiter("Second.", 0.9)
    announced = [(note["name"], note["round"], note["key"]) for note in shown["turn"]["notes"]]
    assert len(announced) == len(set(announced)), "no note is repeated"
    (result,) = notes([{"kind": "turn.snapshot", **shown}], "result")
    assert [len(each["model_responses"]) for each in result["iterations"]] == [2, 2]
    assert (result["settled"], result["synthesis"]["synthesis"]) == (True, "Second.")
    paid = row(tmp_path / "data", "select count(*) from calls where cost_micros > 0")
    assert paid[0][0] >= 6, "what was paid for is recorded"
