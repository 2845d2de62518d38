"""An ensemble in a real process that is killed in its second round: nothing that was finished is asked again."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.api.test_crash import follow, ready, row
from tests.fakes.consortium_talk import SEATS, arbiter, member
from tests.fakes.process import processes
from tests.fakes.running import EventStream, kinds, read_all, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

WITHIN = "assistant.0.answer"


def says(upstream: ScriptedUpstream) -> None:
    upstream.reply(member("One."), model="ada").reply(member("One, again."), model="ada")
    upstream.reply(member("Two."), model="bob").reply(member("Two, again."), hold_after=0, model="bob")
    upstream.fail(400, model="cid")
    upstream.reply(arbiter("First.", 0.4, more=True), model="judge")
    upstream.reply(arbiter("Second.", 0.9), model="judge")


def asked(upstream: ScriptedUpstream) -> Counter[str | None]:
    return Counter(request.model for request in upstream.chats)


async def test_a_killed_ensemble_pays_nothing_twice(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        says(upstream)
        models = write_models(tmp_path / "models.yaml", upstream.url, tuple(SEATS.values()))
        with processes(tmp_path, models) as start:
            first = start()
            async with await ready(first) as client:
                saved = {"mode": "consortium", "name": "Board", "seats": SEATS, "contestant": True}
                model_id = (await client.post("/api/presets", json=saved)).json()["model_id"]
                asking = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": model_id}}
                headers = {"Accept": "text/event-stream"}
                async with client.stream("POST", "/api/sessions", json=asking, headers=headers) as response:
                    turn_id = (await EventStream(response).until("turn.snapshot"))["turn"]["id"]
                query = (
                    f"select seat, status from replies where path = '{WITHIN}' and round = 2 order by seat"
                )
                wanted = [("a", "completed"), ("b", "waiting"), ("c", "failed")]
                async with asyncio.timeout(40):
                    while row(tmp_path / "data", query) != wanted:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
                await asyncio.to_thread(first.kill)
            assert asked(upstream) == {"ada": 2, "bob": 2, "cid": 2, "judge": 1}
            second = start()
            async with await ready(second) as client:
                await upstream.wait_for_requests(8)
                upstream.release()
                events = await follow(client, turn_id)
    assert kinds(events)[-1] == "turn.completed"
    assert asked(upstream) == {"ada": 2, "bob": 3, "cid": 2, "judge": 2}
    assert read_all(events).texts() == {"assistant": "Second."}
    answered = "outcome = 'completed' and provider_id is not null"
    query = f"select model_id, count(*) from calls where {answered} group by model_id"
    assert dict(row(tmp_path / "data", query)) == {"ada": 2, "bob": 2, "judge": 2}, (
        "each call that a provider answered, once"
    )
