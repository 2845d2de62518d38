"""Tests of cached answers and of fallbacks over HTTP: what a reply says, and how they are recorded."""

from pathlib import Path
from typing import Any

import msgspec

from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley


class Cached(ModelSpec):
    """A model whose answers may be given again, and that has a fallback."""

    def entry(self) -> dict[str, Any]:
        return {**super().entry(), "cache_s": 600, "fallback": "cleo"}


MODELS = (Cached("ada"), Cached("bob"), "cleo")


async def ask(parley: RunningParley, **more: Any) -> dict[str, Any]:
    outcome = await parley.chat(**more)
    (reply,) = (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]["replies"]
    return reply


async def test_the_same_question_is_answered_from_the_cache_and_says_so(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        parley.upstream.reply("One ", "two.")
        first, again = await ask(parley), await ask(parley)
        other = await ask(parley, prompt="Another question?")
        assert [each["metrics"]["cached"] for each in (first, again, other)] == [False, True, False]
        assert (again["text"], again["metrics"]["cost_micros"]) == ("One two.", 0)
        assert len(parley.upstream.chats) == 2
        rows = await recorded_calls(parley)
        assert [(row.provider_id, row.from_cache, row.output_tokens, row.cost_micros) for row in rows] == [
            ("near", False, 2, 11),
            (None, True, 0, 0),
            ("near", False, 2, 11),
        ]


async def test_battles_neither_read_nor_fill_the_cache(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS[:2]) as parley:
        await ask(parley)
        await ask(parley, model="bob")
        await parley.battle()
        assert len(parley.upstream.chats) == 4, "both sides were asked"
        await parley.battle("What is a battle?")
        for model in ("ada", "bob"):
            reply = await ask(parley, prompt="What is a battle?", model=model)
            assert not reply["metrics"]["cached"]


async def test_a_fallback_answers_a_chat_and_the_reply_says_so(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        parley.upstream.fail(401, model="ada")
        parley.upstream.reply("Cleo here.", model="cleo")
        events = await parley.events(
            "POST", "/api/sessions", {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}}
        )
        (completed,) = [event for event in events if event["kind"] == "reply.completed"]
        assert completed["metrics"]["answered_by"] == "cleo"
        turn = (await parley.get(f"/api/turns/{completed['turn_id']}"))["turn"]
        (reply,) = turn["replies"]
        assert (reply["text"], reply["metrics"]["answered_by"]) == ("Cleo here.", "cleo")
        rows = await recorded_calls(parley)
        assert [(row.model_id, row.outcome) for row in rows] == [("ada", "failed"), ("cleo", "completed")]
        assert len({row.call_id for row in rows}) == 1


async def test_cache_and_fallback_are_set_and_cleared_over_the_api(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        near = {"id": "lab", "base_url": parley.upstream.url, "models": [{"model": "m", "cache_s": 60}]}
        await parley.post("/api/providers", near)
        await ask(parley, model="m")
        assert (await ask(parley, model="m"))["metrics"]["cached"]

        async def change(status: int, **fields: Any) -> Any:
            answer = await parley.client.patch("/api/models/m", json=fields)
            assert answer.status_code == status, answer.text
            return answer.json()

        await change(200, cache_s=None, fallback="cleo")
        parley.upstream.fail(401, model="m")
        assert (await ask(parley, model="m"))["metrics"]["answered_by"] == "cleo"
        await change(200, fallback=None)
        assert (await ask(parley, model="m"))["status"] == "failed"
        for wrong in ("m", "cleox"):
            problem = await change(422, fallback=wrong)
            assert f"There is no other model “{wrong}”" in str(problem)


async def test_a_battle_has_no_fallback(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS[:2]) as parley:
        parley.upstream.fail(401, model="ada")
        outcome = await parley.battle()
        assert outcome["status"] == "failed"
        assert {msgspec.json.decode(request.body)["model"] for request in parley.upstream.chats} <= {
            "ada",
            "bob",
        }
