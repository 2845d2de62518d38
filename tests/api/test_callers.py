"""Tests of callers: one place makes them, a route's row names their scope, and what is another's is not there."""

import contextlib
import logging
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from parley.api.contract import ANYONE, Contract
from parley.api.fast_path import FastPath
from parley.api.logs import log_config
from parley.application import built_in_routes
from parley.features.accounts.logins import Browser, Logins
from parley.features.accounts.service import EVERYTHING, AccountsService
from parley.features.accounts.workspaces import Workspaces
from parley.features.openai_api.api_keys import ApiKeys
from parley.features.openai_api.key_schemas import NewApiKey
from parley.kernel.caller import Caller, Scope, Way
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import UserRow
from tests.fakes.running import Response, RunningParley

PROMPT = {"prompt": "x"}
MESSAGES = {"messages": [{"role": "user", "text": "x"}]}
PLAN = {"versions": [1], "models": ["ada"], "dataset": "x"}
SEARCH = {"version": 1, "model": "ada", "reflector": "ada", "dataset": "x", "checks": [{"kind": "refusal"}]}
LOST = {"version": 1, "model": "ada", "reflector": "ada"}
PLUG_IN = "kind: check\nname: {name}\ntitle: Kept\ncheck: {{kind: refusal}}\n"
LINES = {"format": "jsonl", "text": '{"x": "y"}'}
ROWS: dict[tuple[str, str], Any] = {
    ("GET", "/api/sessions/{session_id}"): None,
    ("GET", "/api/sessions/{session_id}/seal"): None,
    ("PATCH", "/api/sessions/{session_id}"): {"title": "Mine"},
    ("DELETE", "/api/sessions/{session_id}"): None,
    ("POST", "/api/sessions/{session_id}/restore"): None,
    ("GET", "/api/sessions/{session_id}/events"): None,
    ("GET", "/api/sessions/{session_id}/auto"): None,
    ("GET", "/api/sessions/{session_id}/tables"): None,
    ("GET", "/api/sessions/{session_id}/tools"): None,
    ("POST", "/api/sessions/{session_id}/matches"): {**PROMPT, "mode": "chat"},
    ("POST", "/api/sessions/{session_id}/battles"): PROMPT,
    ("GET", "/api/attachments/{sha256}"): None,
    ("GET", "/api/attachments/{sha256}/thumbnail"): None,
    ("GET", "/api/turns/{turn_id}/failures"): None,
    ("GET", "/api/turns/{turn_id}"): None,
    ("GET", "/api/turns/{turn_id}/events"): None,
    ("GET", "/api/turns/{turn_id}/inner-replies"): None,
    ("GET", "/api/turns/{turn_id}/attempts"): None,
    ("GET", "/api/turns/{turn_id}/replay"): None,
    ("POST", "/api/turns/{turn_id}/stop"): None,
    ("POST", "/api/turns/{turn_id}/retry"): None,
    ("POST", "/api/turns/{turn_id}/interject"): {"input": {"type": "steer", "text": "x"}},
    ("POST", "/api/matches/{match_id}/turns"): {"input": {"type": "prompt", "text": "x"}},
    ("POST", "/api/battles/{battle_id}/messages"): {"content": "x"},
    ("POST", "/api/matches/{match_id}/vote"): {"vote": "left"},
    ("POST", "/api/battles/{battle_id}/vote"): {"vote": "left"},
    ("GET", "/api/votes/{vote_id}"): None,
    ("PATCH", "/api/votes/{vote_id}"): {"categories": ["coding"]},
    ("GET", "/api/votes/{vote_id}/categories"): None,
    ("POST", "/api/votes/{vote_id}/withdraw"): None,
    ("GET", "/api/presets/{preset_id}"): None,
    ("PATCH", "/api/presets/{preset_id}"): {"description": "Mine"},
    ("DELETE", "/api/presets/{preset_id}"): None,
    ("POST", "/api/presets/{preset_id}/restore"): None,
    ("GET", "/api/prompts/{prompt_id}"): None,
    ("PATCH", "/api/prompts/{prompt_id}"): {"name": "Mine"},
    ("POST", "/api/prompts/{prompt_id}/versions"): MESSAGES,
    ("POST", "/api/prompts/{prompt_id}/restore"): {"version": 1},
    ("POST", "/api/prompts/{prompt_id}/fork"): {"name": "Mine", "version": 1},
    ("GET", "/api/prompts/{prompt_id}/markdown"): None,
    ("POST", "/api/prompts/{prompt_id}/contestants"): {"version": 1, "model": "ada"},
    ("POST", "/api/prompts/{prompt_id}/quote"): PLAN,
    ("POST", "/api/prompts/{prompt_id}/runs"): PLAN,
    ("POST", "/api/prompts/{prompt_id}/improvements/quote"): SEARCH,
    ("POST", "/api/prompts/{prompt_id}/improvements"): SEARCH,
    ("POST", "/api/prompts/{prompt_id}/improvements/battles"): LOST,
    ("GET", "/api/lab/improvements/{improvement_id}"): None,
    ("POST", "/api/lab/improvements/{improvement_id}/pause"): None,
    ("POST", "/api/lab/improvements/{improvement_id}/resume"): {"cap_usd": 1.0},
    ("POST", "/api/lab/improvements/{improvement_id}/cancel"): None,
    ("POST", "/api/lab/improvements/{improvement_id}/save"): {"note": "Mine"},
    ("DELETE", "/api/lab/improvements/{improvement_id}"): None,
    ("GET", "/api/lab/datasets/{dataset_id}"): None,
    ("PATCH", "/api/lab/datasets/{dataset_id}"): {"name": "Mine"},
    ("POST", "/api/lab/datasets/{dataset_id}/rows"): {"rows": [{"fields": {"x": "y"}}]},
    ("POST", "/api/lab/datasets/{dataset_id}/file"): LINES,
    ("PUT", "/api/lab/datasets/{dataset_id}/file"): LINES,
    ("POST", "/api/lab/datasets/{dataset_id}/turns"): {"turn_id": "x", "variable": "x"},
    ("POST", "/api/lab/datasets/{dataset_id}/battles"): {"model": "ada", "variable": "x"},
    ("POST", "/api/lab/datasets/{dataset_id}/split"): {"train": 1.0, "validation": 0.0, "holdout": 0.0},
    ("GET", "/api/lab/runs/{run_id}"): None,
    ("PATCH", "/api/lab/runs/{run_id}"): {"repeats": 2},
    ("POST", "/api/lab/runs/{run_id}/pause"): None,
    ("POST", "/api/lab/runs/{run_id}/resume"): None,
    ("POST", "/api/lab/runs/{run_id}/cancel"): None,
    ("GET", "/api/lab/runs/{run_id}/report"): None,
    ("GET", "/api/lab/runs/{run_id}/csv"): None,
    ("GET", "/api/lab/runs/{run_id}/proposals"): None,
    ("POST", "/api/lab/runs/{run_id}/keep"): {"row": 1, "version": 1, "model": "ada"},
    ("POST", "/api/lab/runs/{run_id}/grade"): {
        "check": 0,
        "row": 1,
        "version": 1,
        "model": "ada",
        "passed": True,
    },
    ("DELETE", "/api/lab/runs/{run_id}"): None,
    ("DELETE", "/api/lab/datasets/{dataset_id}"): None,
    ("DELETE", "/api/prompts/{prompt_id}"): None,
    ("DELETE", "/api/me/logins/{login_id}"): None,
    ("DELETE", "/api/me/keys/{key_id}"): None,
    ("PATCH", "/api/workspaces/{workspace_id}"): {"name": "Mine"},
    ("PUT", "/api/workspaces/{workspace_id}/members"): {"email": "a@example.org"},
    ("GET", "/api/workspaces/{workspace_id}/provider-keys"): None,
    ("GET", "/api/workspaces/of/{session_id}"): None,
    ("POST", "/api/workspaces/of/{session_id}"): {"workspace_id": None},
    ("DELETE", "/api/workspaces/{workspace_id}"): None,
    ("PATCH", "/api/plug-ins/{plug_in_id}"): {"enabled": False},
    ("DELETE", "/api/plug-ins/{plug_in_id}"): None,
    ("POST", "/api/plug-ins/{plug_in_id}/restore"): None,
    ("GET", "/api/sessions/{session_id}/shares"): None,
    ("POST", "/api/sessions/{session_id}/shares"): {"live": True},
}
"""Every route that names something of one person's own, with a body that it would take."""

SHARED = {
    ("DELETE", "/api/imports/{import_id}"),
    ("GET", "/api/attachments/{sha256}/encodings"),
    ("POST", "/api/attachments/{sha256}/encodings/{encoding}"),
    ("DELETE", "/api/workspaces/{workspace_id}/members/{member_id}"),
    *((method, "/api/me/provider-keys/{provider_id}") for method in ("PUT", "DELETE")),
    *((method, "/api/workspaces/{workspace_id}/provider-keys/{provider_id}") for method in ("PUT", "DELETE")),
    ("DELETE", "/api/sessions/{session_id}/shares/{link_id}"),
    ("PUT", "/api/prompts/{prompt_id}/labels/{label}"),
    ("DELETE", "/api/prompts/{prompt_id}/labels/{label}"),
    ("PUT", "/api/lab/datasets/{dataset_id}/rows/{row_id}"),
    ("DELETE", "/api/lab/datasets/{dataset_id}/rows/{row_id}"),
    ("GET", "/api/lab/runs/{run_id}/cell"),
    ("GET", "/api/prompts/{prompt_id}/promptfoo"),
    ("GET", "/share/{token}"),
    ("PUT", "/api/sessions/{session_id}/tools/{name}"),
    ("PUT", "/api/sessions/{session_id}/auto/{turn_id}"),
    ("POST", "/api/sessions/{session_id}/tables/query"),
    ("PUT", "/api/tools/{name}"),
    *((method, "/api/moderation/rules/{rule_id}") for method in ("PUT", "DELETE")),
    *(("POST", f"/api/moderation/items/{{item_id}}/{what}") for what in ("release", "keep")),
    ("DELETE", "/api/moderation/items/{item_id}"),
    ("POST", "/api/tools/servers/{name}/sign-in"),
    ("GET", "/api/tools/servers/{name}/back"),
    ("DELETE", "/api/tools/servers/{name}/sign-in"),
    ("PUT", "/api/retention/{kind}"),
    ("GET", "/api/retention/{kind}/preview"),
    *((method, "/api/library/{asset_id}") for method in ("GET", "PATCH", "DELETE")),
    ("GET", "/api/library/{asset_id}/content"),
    ("POST", "/api/library/{asset_id}/restore"),
    ("GET", "/v1/images/{asset_id}"),
    *((method, "/v1/responses/{response_id}") for method in ("GET", "DELETE")),
    ("PATCH", "/api/limits/{limit_id}"),
    ("DELETE", "/api/limits/{limit_id}"),
    ("PUT", "/api/limits/{limit_id}/raise"),
    ("DELETE", "/api/limits/{limit_id}/raise"),
    ("DELETE", "/api/limits/{limit_id}/unconfirmed"),
    ("PUT", "/api/limits/rates/{who}"),
    ("PATCH", "/api/people/{person_id}"),
    ("DELETE", "/api/people/{person_id}/factors"),
    ("DELETE", "/api/me/passkeys/{passkey_id}"),
    ("GET", "/api/auth/with/{provider_id}"),
    ("GET", "/api/auth/with/{provider_id}/back"),
    ("POST", "/api/auth/with/{provider_id}/logout"),
    ("POST", "/api/people/{person_id}/reset"),
    ("DELETE", "/api/people/invitations/{link_id}"),
    ("GET", "/api/models/{model_id}/stats"),
    ("GET", "/v1/models/{model_id}"),
    ("GET", "/api/head-to-head/{a}/{b}"),
    ("PUT", "/api/lab/judges/{model_id}"),
    ("PATCH", "/api/models/{model_id}"),
    ("DELETE", "/api/models/{model_id}"),
    ("PATCH", "/api/providers/{provider_id}"),
    ("DELETE", "/api/providers/{provider_id}"),
    ("POST", "/api/leaderboard/voters/{voter_id}/exclude"),
    ("POST", "/api/leaderboard/voters/{voter_id}/reinstate"),
}
"""Routes that need more than one id, which tests of their own try, and those whose ids are of models, providers,
limits, pseudonyms and people, which belong to all who may see them.
"""

A_PICTURE = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")
ACCEPTS = ("application/json", "text/event-stream")
NEVER = "f" * 32

Things = Mapping[str, tuple[str, ...]]
"""The ids of what a person has, by the name that a route's path gives them."""


@pytest.fixture(params=["fast path", "without the fast path"])
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "fast path":
        monkeypatch.setattr(FastPath, "_find_route", lambda *_: None)


@contextlib.contextmanager
def everyone_is(person_id: str, scopes: frozenset[Scope] = EVERYTHING) -> Generator[None]:
    """Make callers another person, in the one place where they are made."""

    def other(way: Way) -> Caller:
        return Caller(person_id, scopes, way)

    with pytest.MonkeyPatch.context() as seam:
        seam.setattr(AccountsService, "owner", staticmethod(other))
        yield


async def add_somebody(parley: RunningParley) -> None:
    def add(transaction: Transaction) -> None:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        transaction.insert(UserRow(id="somebody", voter_id="v" * 32, name="Somebody", created_at=now))

    await parley.application[Database].write(add)


async def add_login(parley: RunningParley) -> str:
    logins = parley.application[Logins]
    browser = Browser("A browser", "127.0.0.0/24")
    token = await parley.application[Database].write(lambda it: logins.start(it, "owner", browser))
    del token
    login, *_ = await logins.list(AccountsService.owner("page"))
    return login.id


async def add_key(parley: RunningParley) -> str:
    made = await parley.application[ApiKeys].make(AccountsService.owner("page"), NewApiKey(name="Mine"))
    return made.key.id


async def add_workspace(parley: RunningParley) -> str:
    return (await parley.application[Workspaces].create(AccountsService.owner("page"), "Ours")).id


@asynccontextmanager
async def owners_things(parley: RunningParley) -> AsyncGenerator[Things]:
    """Give the owner one of everything, a turn that runs among them; somebody else is known, and has nothing."""
    await add_somebody(parley)
    talk, gone = await parley.chat(), await parley.chat()
    await parley.client.delete(f"/api/sessions/{gone['session_id']}")
    open_battle, voted = await parley.battle(), await parley.battle()
    vote = await parley.vote(voted["match_id"])
    octets = {"Content-Type": "application/octet-stream"}
    file = await parley.post("/api/attachments", content=A_PICTURE, headers=octets)
    saved = {"mode": "chat", "seats": {"assistant": "ada"}}
    kept = await parley.post("/api/presets", {**saved, "name": "Kept"})
    removed = await parley.post("/api/presets", {**saved, "name": "Removed"})
    await parley.client.delete(f"/api/presets/{removed['id']}")
    plug_ins = [
        await parley.post("/api/plug-ins", {"text": PLUG_IN.format(name=name)})
        for name in ("kept", "removed")
    ]
    await parley.client.delete(f"/api/plug-ins/{plug_ins[1]['id']}")
    prompt = await parley.post("/api/prompts", {"name": "Kept", **MESSAGES})
    rows = {"name": "Kept", "rows": [{"fields": {"x": "y"}}]}
    dataset = (await parley.post("/api/lab/datasets", rows))["dataset"]
    prompt_id = prompt["prompt"]["id"]
    run = await parley.post(f"/api/prompts/{prompt_id}/runs", {**PLAN, "dataset": dataset["id"]})
    improvement = await add_improvement(parley, prompt_id)
    parley.upstream.reply("Never ", "whole.", model="cleo", hold_after=1)
    asked = {"prompt": "x", "mode": "chat", "seats": {"assistant": "cleo"}}
    async with parley.stream("POST", "/api/sessions", asked) as stream:
        live = (await stream.until("turn.snapshot"))["turn"]
        await stream.until_said()
        yield {
            "session_id": (talk["session_id"], gone["session_id"], live["session_id"]),
            "match_id": (open_battle["match_id"], talk["match_id"], live["match_id"], voted["match_id"]),
            "battle_id": (open_battle["match_id"], voted["match_id"]),
            "turn_id": (talk["turn_id"], live["id"], open_battle["turn_id"], voted["turn_id"]),
            "vote_id": (vote["vote_id"],),
            "preset_id": (kept["id"], removed["id"]),
            "plug_in_id": tuple(each["id"] for each in plug_ins),
            "sha256": (file["sha256"],),
            "prompt_id": (prompt_id,),
            "dataset_id": (dataset["id"],),
            "run_id": (run["id"],),
            "improvement_id": (improvement["id"],),
            "login_id": (await add_login(parley),),
            "key_id": (await add_key(parley),),
            "workspace_id": (await add_workspace(parley),),
        }
    parley.upstream.release()


async def add_improvement(parley: RunningParley, prompt_id: str) -> Any:
    """Return a search, which needs rows of each split."""
    splits = ["train", "validation", *["holdout"] * 10]
    rows = [{"fields": {"x": str(at)}, "split": split} for at, split in enumerate(splits)]
    dataset = (await parley.post("/api/lab/datasets", {"name": "Split", "rows": rows}))["dataset"]
    return await parley.post(f"/api/prompts/{prompt_id}/improvements", {**SEARCH, "dataset": dataset["id"]})


def named(path: str) -> str:
    """Return what a route's path names."""
    return path[path.index("{") + 1 : path.index("}")]


async def ask(
    parley: RunningParley, method: str, path: str, thing: str, accept: str = ACCEPTS[0]
) -> Response:
    """Return a route's answer about a thing; of a stream only its beginning."""
    body = ROWS[method, path]
    address = path.replace(f"{{{named(path)}}}", thing)
    given = {} if body is None else {"json": body}
    async with parley.client.stream(method, address, headers={"Accept": accept}, **given) as answer:
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            await answer.aread()
    return answer


async def stored(parley: RunningParley, things: Things) -> list[Any]:
    """Return what the owner sees of what is the owner's."""
    lists = [await parley.get(path) for path in ("/api/sessions", "/api/votes", "/api/presets")]
    turns = [await parley.get(f"/api/turns/{turn_id}") for turn_id in things["turn_id"]]
    return [*lists, *turns]


def test_every_route_with_an_id_is_asked_for_what_is_not_ones_own() -> None:
    assert set(ROWS) | SHARED == {(it.method, it.path) for it in contracts() if "{" in it.path}
    assert set(ROWS).isdisjoint(SHARED)


@pytest.mark.slow
@pytest.mark.usefixtures("both_ways")
async def test_what_is_another_persons_is_answered_like_what_was_never_there(parley: RunningParley) -> None:
    async with owners_things(parley) as things:
        before = await stored(parley, things)
        with everyone_is("somebody"):
            for method, path in ROWS:
                for accept in ACCEPTS:
                    never = await ask(parley, method, path, NEVER, accept)
                    assert (never.status_code, never.json()["code"]) == (404, "not_found"), (method, path)
                    for thing in things[named(path)]:
                        answer = await ask(parley, method, path, thing, accept)
                        assert answer.status_code == 404, (method, path)
                        assert answer.content == never.content, (method, path)
        assert await stored(parley, things) == before
        parley.upstream.release()
        for method, path in ROWS:
            answers = [await ask(parley, method, path, thing) for thing in things[named(path)]]
            assert any(answer.status_code != 404 for answer in answers), (method, path)
            assert all(answer.status_code < 500 for answer in answers), (method, path)


@pytest.mark.usefixtures("both_ways")
async def test_bodies_that_name_what_is_another_persons_find_nothing(parley: RunningParley) -> None:
    typed = {"Content-Type": "application/octet-stream"}
    uploaded = await parley.client.post("/api/attachments?name=a.txt", content=b"Mine alone.", headers=typed)
    file = {"sha256": uploaded.json()["sha256"]}
    async with owners_things(parley) as things:
        before = await stored(parley, things)
        parley.upstream.release()
        with everyone_is("somebody"):
            chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
            mine = await parley.post("/api/sessions", chat)
            for theirs in (*things["session_id"], NEVER):
                both = [mine["session_id"], theirs]
                for change in (
                    {"deleted": True},
                    {"archived": True},
                    {"add_tags": ["mine"]},
                    {"deleted": False},
                ):
                    await parley.post("/api/sessions/changes", {"ids": both, **change}, status=404)
                await parley.post("/api/sessions/export", {"ids": both}, status=404)
            problem = await parley.post("/api/sessions", {**chat, "attachments": [file]}, status=422)
            assert problem["code"] == "attachment_missing"
            assert [card["id"] for card in (await parley.get("/api/sessions"))["sessions"]] == [
                mine["session_id"]
            ]
            assert (await parley.get("/api/tags"))["tags"] == []
        after = await stored(parley, things)
        assert after[0] == before[0]


@pytest.mark.usefixtures("both_ways")
async def test_nobody_goes_on_with_lists_or_attaches_to_what_is_another_persons(
    parley: RunningParley,
) -> None:
    async with owners_things(parley) as things:
        key = {"Idempotency-Key": "once"}
        chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
        first = await parley.post("/api/sessions", chat, headers=key)
        with everyone_is("somebody"):
            for path, name in (("sessions", "sessions"), ("votes", "votes"), ("presets", "presets")):
                assert (await parley.get(f"/api/{path}"))[name] == []
            mine = await parley.post("/api/sessions", chat, headers=key)
            assert mine["session_id"] != first["session_id"]
            path = f"/api/sessions/{mine['session_id']}/matches"
            problems = [
                await parley.post(path, {**chat, "continue_from": {"turn_id": it, "seat": "assistant"}}, 422)
                for it in (NEVER, *things["turn_id"])
            ]
            assert all(problem == problems[0] for problem in problems)
            assert problems[0]["field"] == "continue_from.turn_id"


@pytest.mark.usefixtures("both_ways")
async def test_a_preset_that_is_no_model_cannot_be_named_for_a_seat(parley: RunningParley) -> None:
    saved = {"mode": "chat", "name": "Terse", "seats": {"assistant": "ada"}}
    preset = await parley.post("/api/presets", {**saved, "contestant": True})
    await parley.client.patch(f"/api/presets/{preset['id']}", json={"contestant": False})
    await add_somebody(parley)
    with everyone_is("somebody"):
        problems: list[str] = []
        for model_id in (preset["model_id"], preset["id"], NEVER):
            body = {"prompt": "x", "mode": "chat", "seats": {"assistant": model_id}}
            answer = await parley.client.post("/api/sessions", json=body)
            problems.append(f"{answer.status_code} {answer.text.replace(model_id, '')}")
    assert len(set(problems)) == 1
    assert problems[0].startswith("422 ")


@pytest.mark.usefixtures("both_ways")
async def test_a_route_answers_only_a_caller_with_its_scope(parley: RunningParley) -> None:
    for lacking in Scope:
        with everyone_is("owner", EVERYTHING - {lacking}):
            for contract in contracts():
                needed = contract.needs
                if (
                    needed is ANYONE
                    or (needed is not lacking and contract.method != "GET")
                    or contract.path.endswith("/events")
                ):
                    continue
                answer = await parley.client.request(contract.method, contract.path, **_some_body(contract))
                assert (answer.status_code == 403) is (needed is lacking), (contract.path, lacking)


def contracts() -> list[Contract]:
    return [contract for routes in built_in_routes() for contract in routes.contracts]


def _some_body(contract: Contract) -> dict[str, Any]:
    if contract.uploads:
        return {"content": b"x", "headers": {"Content-Type": "application/octet-stream"}}
    return {"json": PROMPT} if contract.method in ("POST", "PATCH") else {}


@pytest.mark.databases("sqlite")
async def test_the_log_says_who_manages_and_how_they_came(
    parley: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "parley"):
        await parley.post("/api/leaderboard/rebuild")
        await parley.post("/api/leaderboard/rebuild", headers={"Sec-Fetch-Site": "same-origin"})
        await parley.client.get("/api/votes/export", headers={"Origin": parley.base_url})
        typed = {"Content-Type": "application/x-ndjson"}
        await parley.client.post("/api/imports?name=some.jsonl", content=b"", headers=typed)
    assert [
        record.getMessage() for record in caplog.records if record.name.startswith("parley.features")
    ] == [
        "owner (program) started a recount of all votes",
        "owner (page) started a recount of all votes",
        "owner (page) exports votes as jsonl",
        "owner (program) imports votes from some.jsonl",
    ]
    assert "parley" not in log_config()["loggers"]
    assert log_config(every_line=True)["loggers"]["parley"]["level"] == "INFO"
