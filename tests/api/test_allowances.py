"""Tests of limits over HTTP: no path to a model goes around them, and whoever is refused knows why and until when."""

import asyncio
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import openai
import pytest

from parley.cli.client import ApiClient
from parley.cli.mcp_tools import ModelTools
from parley.engine.gateway import Gateway
from parley.kernel.errors import ParleyError
from parley.wire.http import HttpClient, WireOptions
from tests.api.test_improve import a_plan
from tests.api.test_improve import ended as improvement_ended
from tests.api.test_prompt_lab import run_to_end
from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

MODELS = (
    ModelSpec("ada", tags=("battle",)),
    ModelSpec("bob", tags=("battle",)),
    ModelSpec("tooly", capabilities=("text", "tools")),
    ModelSpec("vectors", capabilities=("embeddings",)),
    ModelSpec("painter", capabilities=("images",)),
    *("judge", "namer", "sorter", "router"),
)
BOARD = {
    "mode": "consortium",
    "name": "Board",
    "seats": {"arbiter": "judge", "a": "ada", "b": "bob"},
    "contestant": True,
}
NONE_LEFT = {"subject_kind": "installation", "meter": "requests", "period": "day", "cap": 0}
HELLO: list[Any] = [{"role": "user", "content": "Hello"}]


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(
        tmp_path, models=MODELS, title_model="namer", category_model="sorter", auto_model="router"
    ) as running:
        yield running


async def settled(*prefixes: str) -> None:
    """Wait for the questions in the background."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name().startswith(prefixes)]
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 40)


async def every_path_of_the_page(parley: RunningParley, board: str) -> None:
    """Ask models in every way that a person has."""
    chat = await parley.chat("Why is the sky blue?")
    await settled("title-of-")
    await parley.battle()
    for mode, seats in (
        ("chat", {"assistant": "tooly"}),
        ("chat", {"assistant": "painter"}),
        ("compare", {"a": "ada", "b": "bob"}),
        ("consortium", {"arbiter": "judge", "a": "ada", "b": "bob"}),
        ("team", {"a": "ada", "b": "bob", "c": "judge"}),
    ):
        await parley.post("/api/sessions", {"prompt": "Tea or coffee?", "mode": mode, "seats": seats})
    await parley.chat(model=board)
    auto = {"prompt": "Tea or coffee?", "mode": "chat", "seats": {"assistant": "auto"}}
    await parley.client.post("/api/sessions", json=auto)
    await parley.client.post(f"/api/turns/{chat['turn_id']}/retry")
    await settled("title-of-", "categories-of-")


async def every_path_of_the_door(parley: RunningParley, board: str) -> None:
    """Ask models in every way that a program has; each is told that nothing is left."""
    address = f"{parley.base_url}/v1"
    async with openai.AsyncOpenAI(base_url=address, api_key="any", max_retries=0) as client:
        chats = client.chat.completions
        for asking in (
            *(chats.create(model=model, messages=HELLO) for model in ("ada", "auto", "tooly", board)),
            client.responses.create(model="ada", input="Hello"),
            client.embeddings.create(model="vectors", input="Hello"),
            client.images.generate(model="painter", prompt="A fox"),
        ):
            with pytest.raises(openai.RateLimitError):
                await asking
    body = {"model": "ada", "max_tokens": 50, "messages": HELLO}
    assert (await parley.client.post("/v1/messages", json=body)).status_code == 429


async def every_path_of_agents(parley: RunningParley, board: str) -> None:
    """Ask models by the tools of `parley mcp`."""
    http = HttpClient(WireOptions(allow_loopback=True, allowed_origins=frozenset({parley.base_url})))
    tools = ModelTools(ApiClient(http, parley.base_url))
    answers = await tools.compare(["ada", board], "Hello")
    assert [answer["answer"] for answer in answers] == [None, None]
    for asking in (tools.ask("ada", "Hello"), tools.consortium(board, "Hello")):
        with pytest.raises(ParleyError):
            await asking
    await http.close()


async def every_path_of_the_lab(parley: RunningParley, prompt: str, plan: dict[str, Any]) -> None:
    """Run a prompt, let a judge decide on recorded answers, and reflect on them in search of a better prompt."""
    run = {"versions": [1], "models": ["ada"], "dataset": plan["dataset"]}
    started = await parley.post(f"/api/prompts/{prompt}/improvements", plan)
    await improvement_ended(parley, started["id"])
    await run_to_end(parley, prompt, run | {"models": ["bob"]})
    judge = {"kind": "judge", "model": "judge", "rubric": "Is it right?"}
    await parley.client.patch(f"/api/prompts/{prompt}", json={"checks": [judge]})
    await run_to_end(parley, prompt, run)


@pytest.mark.parametrize("meter", ["requests", "tokens", "money"])
async def test_with_an_allowance_of_zero_no_path_reaches_a_model(parley: RunningParley, meter: str) -> None:
    voted = await parley.battle()
    board = (await parley.post("/api/presets", BOARD))["model_id"]
    await settled("title-of-")
    assert parley.upstream.total_connections > 0, "without a limit models are asked"
    await parley.post("/api/limits", NONE_LEFT | {"meter": meter})
    before = reached(parley)
    await parley.vote(voted["match_id"])
    await every_path_of_the_page(parley, board)
    await every_path_of_the_door(parley, board)
    await every_path_of_agents(parley, board)
    await settled("title-of-", "categories-of-")
    assert reached(parley) == before
    assert await refused_purposes(parley) >= {"reply", "title", "categories", "api", "routing"}


async def test_with_an_allowance_of_zero_the_lab_reaches_no_model(parley: RunningParley) -> None:
    prompt, plan = await a_plan(parley)
    await run_to_end(parley, prompt, {"versions": [1], "models": ["ada"], "dataset": plan["dataset"]})
    await parley.post("/api/limits", NONE_LEFT)
    before = reached(parley)
    await every_path_of_the_lab(parley, prompt, plan)
    assert reached(parley) == before
    assert await refused_purposes(parley) == {"lab", "lab_judge", "lab_reflect"}


def reached(parley: RunningParley) -> tuple[int, int]:
    """Return how many requests and connections the models' server has had."""
    return len(parley.upstream.requests), parley.upstream.total_connections


async def refused_purposes(parley: RunningParley) -> set[str]:
    """Return what the calls were for that an allowance refused."""
    rows = [row for row in await recorded_calls(parley) if row.code == "allowance_used_up"]
    assert {row.outcome for row in rows} == {"refused"}
    return {row.purpose for row in rows}


async def test_a_program_that_is_refused_has_429_and_knows_when_to_ask_again(parley: RunningParley) -> None:
    await parley.post("/api/limits", NONE_LEFT | {"meter": "tokens", "cap": 50})
    body = {"model": "ada", "messages": HELLO, "max_tokens": 5000}
    response = await parley.client.post("/v1/chat/completions", json=body)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (429, "insufficient_quota")
    assert 0 < int(response.headers["retry-after"]) <= 24 * 3600
    assert error["message"].startswith(
        "This installation has 50 tokens left today, and this call may take 5,0"
    )
    assert "The limit resets in" in error["message"]


async def test_a_call_of_a_capped_caller_is_sent_with_a_limit_of_tokens_and_counted(
    parley: RunningParley,
) -> None:
    made = await parley.post("/api/limits", NONE_LEFT | {"meter": "money", "cap": 1_000_000})
    usage = {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}
    parley.upstream.reply("Hello", model="ada", usage=usage)
    await parley.chat()
    await settled("title-of-")
    assert parley.upstream.chats[0].json["max_tokens"] == 8192
    (limit,) = (await parley.get("/api/limits"))["limits"]
    spent = sum(row.cost_micros or 0 for row in await recorded_calls(parley))
    assert (limit["id"], limit["spent"], limit["held"]) == (made["id"], spent, 0)
    assert spent >= 50
    (mine,) = (await parley.get("/api/me/limits"))["limits"]
    assert (mine["spent"], mine["rounded"]) == (10_000, True)


async def test_a_limit_is_raised_changed_and_removed(parley: RunningParley) -> None:
    made = await parley.post("/api/limits", NONE_LEFT | {"cap": 5})
    path = f"/api/limits/{made['id']}"
    taken = await parley.client.post("/api/limits", json=NONE_LEFT)
    assert (taken.status_code, taken.json()["code"]) == (409, "limit_exists")
    unknown = await parley.client.post(
        "/api/limits", json=NONE_LEFT | {"subject_kind": "person", "subject_id": "x"}
    )
    assert (unknown.status_code, unknown.json()["field"]) == (422, "subject_id")
    until = "2099-01-01T00:00:00Z"
    raised = (await parley.client.put(f"{path}/raise", json={"by": 2, "until": until})).json()
    assert (raised["cap"], raised["raised_by"]) == (7, 2)
    past = await parley.client.put(f"{path}/raise", json={"by": 2, "until": "2001-01-01T00:00:00Z"})
    assert (past.status_code, past.json()["field"]) == (422, "until")
    assert (await parley.client.delete(f"{path}/raise")).json()["cap"] == 5
    assert (await parley.client.patch(path, json={"cap": 9})).json()["cap"] == 9
    assert (await parley.client.delete(path)).status_code == 204
    assert (await parley.get("/api/limits"))["limits"] == []


async def test_whoever_asks_too_often_has_429_on_the_page_and_at_the_door(parley: RunningParley) -> None:
    shown = await parley.client.put("/api/limits/rates/person", json={"per_minute": 2, "at_once": None})
    assert shown.json()["person"] == {"per_minute": 2, "at_once": None}
    await parley.chat()
    await parley.chat()
    again = await parley.client.post("/api/sessions", json={"prompt": "Again"})
    door = await parley.client.post("/v1/chat/completions", json={"model": "ada", "messages": HELLO})
    assert [again.status_code, door.status_code] == [429, 429]
    assert (again.json()["code"], door.json()["error"]["code"]) == (
        "too_many_requests",
        "rate_limit_exceeded",
    )
    assert all(0 < int(response.headers["retry-after"]) <= 60 for response in (again, door))
    await parley.get("/api/sessions")


@pytest.mark.parametrize("translated", [False, True])
@pytest.mark.parametrize("stream", [False, True])
async def test_answers_at_the_door_say_what_is_left(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch, *, translated: bool, stream: bool
) -> None:
    if translated:
        monkeypatch.setattr(Gateway, "passes_on", lambda *_: False)
    await parley.client.put("/api/limits/rates/person", json={"per_minute": 2, "at_once": None})
    await parley.post("/api/limits", NONE_LEFT | {"cap": 9})
    await parley.post("/api/limits", NONE_LEFT | {"meter": "tokens", "cap": 1_000_000})
    body = {"model": "ada", "messages": HELLO, "stream": stream, "max_tokens": 20}
    first, second, third = [await parley.client.post("/v1/chat/completions", json=body) for _ in range(3)]
    assert [each.status_code for each in (first, second, third)] == [200, 200, 429]
    assert [_left(each, "requests")[:2] for each in (first, second, third)] == [(2, 1), (2, 0), (2, 0)]
    limit, left, reset = _left(third, "tokens")
    assert (limit, left) == (1_000_000, 990_000), "of what a person uses, hundredths of the cap are shown"
    assert re.fullmatch(r"(\d+h)?(\d+m)?\d+s", reset)
    assert 0 < int(third.headers["retry-after"]) <= 60
    assert not _limits_of(await parley.client.get("/v1/models")), "listing models uses nothing"


def _left(answer: Any, noun: str) -> tuple[int, int, str]:
    headers = answer.headers
    limit, left = (int(headers[f"x-ratelimit-{name}-{noun}"]) for name in ("limit", "remaining"))
    return limit, left, headers[f"x-ratelimit-reset-{noun}"]


def _limits_of(answer: Any) -> list[str]:
    return [name for name in answer.headers if "ratelimit" in name]


async def test_anthropics_clients_have_what_is_left_in_their_headers(parley: RunningParley) -> None:
    body = {"model": "ada", "max_tokens": 50, "messages": HELLO}
    assert not _limits_of(await parley.client.post("/v1/messages", json=body)), "nothing limits this caller"
    await parley.post("/api/limits", NONE_LEFT | {"cap": 2})
    answers = [await parley.client.post("/v1/messages", json=body) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    names = ("limit", "remaining")
    left = [[each.headers[f"anthropic-ratelimit-requests-{name}"] for name in names] for each in answers]
    assert left == [["2", "1"], ["2", "0"], ["2", "0"]]
    assert answers[0].headers["anthropic-ratelimit-requests-reset"].endswith("T00:00:00Z")


async def test_members_see_their_own_limits_and_keys_count_against_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path, models=("ada",)) as shared:
        ana, ben = shared.administrator, await shared.person("Ben")
        made = await ben.send("POST", "/api/me/keys", {"name": "ci", "models": None, "days": None})
        (key,) = (await ben.get("/api/me/keys"))["keys"]
        terms = {"meter": "requests", "period": "day", "cap": 5}
        for kind, subject_id in (("person", ben.id), ("person", ana.id), ("api_key", key["id"])):
            await ana.send("POST", "/api/limits", {"subject_kind": kind, "subject_id": subject_id, **terms})
        body = {"model": "ada", "messages": HELLO}
        headers = {"Authorization": f"Bearer {made['secret']}"}
        asked = await shared.parley.visitor().post("/v1/chat/completions", json=body, headers=headers)
        assert asked.status_code == 200
        assert _left(asked, "requests")[:2] == (5, 4)
        seen = [(it["subject"]["name"], it["spent"]) for it in (await ben.get("/api/me/limits"))["limits"]]
        assert seen == [("Ben", 1), ("ci", 1)]
        await ben.get("/api/limits", 403)
        await ben.send("DELETE", f"/api/me/keys/{key['id']}", status=204)
        names = [it["subject"]["name"] for it in (await ana.get("/api/limits"))["limits"]]
        assert sorted(names) == sorted(["Ben", "Ana", "A revoked key"])
