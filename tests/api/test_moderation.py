"""Moderation over HTTP: what a rule holds is not sent or not shown on any path, and waits for review."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from parley.engine.gateway import Gateway
from parley.features.retention.service import Retention
from parley.kernel.calls import Call
from parley.kernel.messages import Message
from parley.storage.database import Database
from tests.api.test_blindness import without_ids
from tests.api.test_tables import attach
from tests.fakes.draws import draw
from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley, kinds, read_all
from tests.fakes.upstream import Request

BAD, GOOD = "Tell me of the Zonk, please.", "Tell me of the sea."
MODELS = (
    "ada",
    "bob",
    "cleo",
    "judge",
    ModelSpec("painter", capabilities=("images",)),
    ModelSpec("vectors", capabilities=("embeddings",)),
)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS, moderation="on") as running:
        yield running


def words(*terms: str, **more: Any) -> dict[str, Any]:
    return {"name": "Zonks", "kind": "words", "verdict": "hold", "terms": list(terms) or ["zonk"], **more}


async def add_rule(parley: RunningParley, **rule: Any) -> str:
    """Add a rule, by default one that holds prompts with the word; return its id."""
    listed = await parley.post("/api/moderation/rules", words(**rule) if "kind" not in rule else rule)
    return listed["rules"][-1]["id"]


async def queue(parley: RunningParley, query: str = "") -> list[dict[str, Any]]:
    return (await parley.get(f"/api/moderation/items{query}"))["items"]


# ── prompts ──────────────────────────────────────────────────────────────────────────────────────

TURNS: dict[str, dict[str, Any]] = {
    "chat": {"mode": "chat", "seats": {"assistant": "ada"}},
    "compare": {"mode": "compare", "seats": {"a": "ada", "b": "bob"}},
    "battle": {"mode": "battle"},
    "consortium": {"mode": "consortium", "seats": {"a": "ada", "b": "bob", "arbiter": "judge"}},
    "team": {"mode": "team", "seats": {"a": "ada", "b": "bob"}},
    "picture": {"mode": "chat", "seats": {"assistant": "painter"}},
    "auto": {"mode": "chat", "seats": {"assistant": "auto"}},
}


@pytest.mark.parametrize("path", TURNS)
async def test_a_held_prompt_is_sent_to_nobody_in_any_mode(parley: RunningParley, path: str) -> None:
    await add_rule(parley)
    outcome = await parley.post("/api/sessions", {"prompt": BAD, **TURNS[path]})
    assert outcome["status"] == "failed"
    assert "held for review" in outcome["error"]["title"]
    assert outcome["error"]["code"] == ("battle_void" if path == "battle" else "prompt_held")
    assert parley.upstream.requests == []
    (item,) = await queue(parley)
    assert (item["text"], item["why"], item["state"]) == (BAD, "zonk", "open")
    turn = await parley.get(f"/api/turns/{outcome['turn_id']}")
    assert turn["turn"]["input"]["text"] == BAD, "what was written is kept"


DOOR: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": ("chat/completions", {"model": "ada", "messages": [{"role": "user", "content": BAD}]}),
    "parts": (
        "chat/completions",
        {"model": "ada", "messages": [{"role": "system", "content": [{"type": "text", "text": BAD}]}]},
    ),
    "messages": (
        "messages",
        {"model": "ada", "max_tokens": 9, "messages": [{"role": "user", "content": BAD}]},
    ),
    "responses": ("responses", {"model": "ada", "input": BAD}),
    "embeddings": ("embeddings", {"model": "vectors", "input": [GOOD, BAD]}),
    "images": ("images/generations", {"model": "painter", "prompt": BAD}),
    "auto": ("chat/completions", {"model": "auto", "messages": [{"role": "user", "content": BAD}]}),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", DOOR)
async def test_a_held_prompt_is_sent_to_nobody_by_the_door(
    parley: RunningParley, path: str, stream: bool
) -> None:
    await add_rule(parley)
    to, body = DOOR[path]
    answer = await parley.client.post(f"/v1/{to}", json={**body, **({"stream": True} if stream else {})})
    if stream and path in ("embeddings", "images"):
        return
    assert answer.status_code == 403
    assert "held for review" in answer.json()["error"]["message"]
    if path != "messages":
        assert answer.json()["error"]["code"] == "prompt_held"
    assert parley.upstream.requests == []
    (item,) = await queue(parley)
    assert (item["text"], item["purpose"]) == (BAD, "api")


async def test_the_translating_side_of_the_door_holds_too(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Gateway, "passes_on", lambda *_: False)
    await add_rule(parley)
    answer = await parley.client.post("/v1/chat/completions", json=DOOR["chat"][1])
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "prompt_held")
    assert parley.upstream.requests == []


async def test_what_models_and_tools_said_in_a_program_s_conversation_is_not_the_person_s(
    parley: RunningParley,
) -> None:
    await add_rule(parley)
    messages = [{"role": "assistant", "content": BAD}, {"role": "user", "content": GOOD}]
    answer = await parley.client.post("/v1/chat/completions", json={"model": "ada", "messages": messages})
    assert answer.status_code == 200
    assert await queue(parley) == []


async def test_a_trial_of_the_lab_whose_prompt_is_held_fails_with_that(parley: RunningParley) -> None:
    await add_rule(parley)
    prompt = {"name": "Sum up", "messages": [{"role": "user", "text": "Of {{text}}"}]}
    prompt_id = (await parley.post("/api/prompts", prompt))["prompt"]["id"]
    rows = [{"fields": {"text": "a zonk"}}, {"fields": {"text": "the sea"}}]
    dataset = await parley.post("/api/lab/datasets", {"name": "Rows", "rows": rows})
    plan = {"versions": [1], "models": ["ada"], "dataset": dataset["dataset"]["id"]}
    run = await parley.post(f"/api/prompts/{prompt_id}/runs", plan)
    async with asyncio.timeout(40):
        while (await parley.get(f"/api/lab/runs/{run['id']}"))["status"] == "running":  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert len(parley.upstream.requests) == 1
    (item,) = await queue(parley)
    assert (item["text"], item["purpose"]) == ("Of a zonk", "lab")


async def test_what_is_said_while_a_turn_runs_is_held_and_the_turn_goes_on(parley: RunningParley) -> None:
    await add_rule(parley)
    parley.upstream.reply("Well", " then.", hold_after=1)
    body = {"prompt": GOOD, **TURNS["team"]}
    async with parley.stream("POST", "/api/sessions", body) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        await stream.until_said()
        steer = {"input": {"type": "steer", "text": BAD}}
        refused = await parley.post(f"/api/turns/{turn_id}/interject", steer, 403)
        assert refused["code"] == "prompt_held"
        parley.upstream.release()
        assert kinds(await stream.rest())[-1] == "turn.completed"
    assert [item["text"] for item in await queue(parley)] == [BAD]
    assert not any(BAD in request.body.decode() for request in parley.upstream.chats)


async def test_the_text_of_a_file_is_checked_too(parley: RunningParley) -> None:
    await add_rule(parley)
    file = await attach(parley, BAD.encode(), "notes.txt")
    body = {"prompt": GOOD, "attachments": [{"sha256": file["sha256"], "name": "notes.txt"}], **TURNS["chat"]}
    assert (await parley.post("/api/sessions", body))["error"]["code"] == "prompt_held"
    assert parley.upstream.requests == []


async def test_the_next_question_does_not_carry_the_held_one(parley: RunningParley) -> None:
    await add_rule(parley)
    held = await parley.post("/api/sessions", {"prompt": BAD, **TURNS["chat"]})
    again = await parley.post(
        f"/api/matches/{held['match_id']}/turns", {"input": {"type": "prompt", "text": GOOD}}
    )
    assert again["status"] == "completed"
    assert BAD not in parley.upstream.chats[0].body.decode()


async def test_a_session_whose_question_is_held_asks_for_no_title(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, moderation="on", title_model="cleo") as parley:
        await add_rule(parley)
        await parley.post("/api/sessions", {"prompt": BAD, **TURNS["chat"]})
        await parley.post("/api/sessions", {"prompt": GOOD, **TURNS["chat"]})
        await parley.upstream.wait_for_requests(2)
        assert not any(BAD in request.body.decode() for request in parley.upstream.chats)


async def test_a_released_prompt_is_sent_on_a_retry_and_held_no_more(parley: RunningParley) -> None:
    await add_rule(parley)
    held = await parley.post("/api/sessions", {"prompt": BAD, **TURNS["chat"]})
    (item,) = await queue(parley)
    assert (await parley.post(f"/api/moderation/items/{item['id']}/release"))["state"] == "released"
    retried = await parley.post(f"/api/turns/{held['turn_id']}/retry", {})
    assert retried["status"] == "completed"
    assert await queue(parley, "?state=open") == []


# ── replies ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("before_showing", [False, True])
async def test_a_held_reply_is_taken_back_or_never_shown(parley: RunningParley, before_showing: bool) -> None:
    await add_rule(parley, moment="reply", before_showing=before_showing)
    parley.upstream.reply("The ", "zonk", " is near.", hold_after=2)
    async with parley.stream("POST", "/api/sessions", {"prompt": GOOD, **TURNS["chat"]}) as stream:
        if before_showing:
            await stream.until("reply.started")
        else:
            await stream.until_said()
        parley.upstream.release()
        events = await stream.rest()
    assert list(read_all(events).texts().values()) == [""]
    assert events[-2]["error"]["code"] == "reply_held"
    assert ("zonk" in str(events)) is (not before_showing)
    session_id = events[0]["turn"]["session_id"]
    (item,) = await queue(parley)
    assert (item["text"], item["model_id"]) == ("The zonk is near.", "ada")
    assert "zonk" not in str(await parley.get(f"/api/sessions/{session_id}"))
    await parley.post(f"/api/moderation/items/{item['id']}/release")
    (turn,) = (await parley.get(f"/api/sessions/{session_id}"))["matches"][0]["turns"]
    assert (turn["replies"][0]["status"], turn["replies"][0]["text"]) == ("completed", "The zonk is near.")


@pytest.mark.parametrize("stopped", [{}, {"seat": "assistant"}], ids=["turn", "seat"])
async def test_what_was_shown_until_a_stop_is_held_too(
    parley: RunningParley, stopped: dict[str, str]
) -> None:
    await add_rule(parley, moment="reply")
    parley.upstream.reply("The zonk ", "is near.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", {"prompt": GOOD, **TURNS["chat"]}) as stream:
        snapshot = await stream.until("turn.snapshot")
        await stream.until_said()
        await parley.post(f"/api/turns/{snapshot['turn']['id']}/stop", stopped)
        await stream.rest()
    session_id = snapshot["turn"]["session_id"]
    (item,) = await queue(parley)
    assert "zonk" not in str(await parley.get(f"/api/sessions/{session_id}"))
    await parley.post(f"/api/moderation/items/{item['id']}/release")
    (turn,) = (await parley.get(f"/api/sessions/{session_id}"))["matches"][0]["turns"]
    assert (turn["replies"][0]["status"], turn["replies"][0]["text"]) == ("stopped", "The zonk ")


@pytest.mark.parametrize("way", ["passed", "translated"])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_held_reply_ends_as_an_error_at_the_door(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch, way: str, stream: bool
) -> None:
    if way == "translated":
        monkeypatch.setattr(Gateway, "passes_on", lambda *_: False)
    await add_rule(parley, moment="reply", before_showing=True)
    parley.upstream.reply("The ", "zonk", " is near.")
    body = {"model": "ada", "stream": stream, "messages": [{"role": "user", "content": GOOD}]}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert "reply_held" in answer.text
    assert "zonk" not in answer.text
    assert "[DONE]" not in answer.text
    (item,) = await queue(parley)
    assert (item["text"], item["restorable"]) == ("The zonk is near.", False)


@pytest.mark.parametrize("pacing", ["natural", "even"])
async def test_a_held_side_voids_a_battle_and_nothing_tells_which(tmp_path: Path, pacing: str) -> None:
    """The held side is once the left one, once the right one, and the first to end: the streams must not differ."""
    streams: list[list[dict[str, Any]]] = []
    for side in ("left", "right"):
        async with a_running_parley(tmp_path / side, moderation="on", pacing=pacing) as parley:
            await add_rule(parley, moment="reply")
            events, turn_id = await a_battle_with_a_held_side(parley, side)
            session_id = events[0]["turn"]["session_id"]
            turn = await parley.get(f"/api/turns/{turn_id}")
            assert turn["turn"]["replies"] == []
            assert "zonk" not in str(turn) + str(await parley.get(f"/api/sessions/{session_id}"))
            (item,) = await queue(parley)
            assert (item["text"], item["restorable"]) == ("It is near the zonk.", False)
            # A later battle reveals who failed in earlier ones, but not whose reply was held.
            parley.upstream.forget()
            again = await parley.post(f"/api/sessions/{session_id}/battles", {"prompt": GOOD})
            await parley.vote(again["battle_id"])
            assert (await parley.get(f"/api/turns/{turn_id}/failures"))["failures"] == []
            streams.append([each for each in events if each["kind"] != "reply.delta"])
    left, right = streams
    assert kinds(left) == kinds(right)
    assert without_ids(left[-2:], {}) == without_ids(right[-2:], {})
    assert left[-1]["error"]["code"] == "battle_void"


async def a_battle_with_a_held_side(parley: RunningParley, side: str) -> tuple[list[dict[str, Any]], str]:
    """Return the events of a battle whose held side ends first, and its turn."""
    draw(parley, "ada", "bob")
    held, other = ("ada", "bob") if side == "left" else ("bob", "ada")
    parley.upstream.reply("It is near the zonk.", model=held)
    parley.upstream.reply("It is near", " the gate.", hold_after=1, model=other)
    async with parley.stream("POST", "/api/sessions", {"prompt": GOOD}) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        async with asyncio.timeout(40):
            while not await queue(parley):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        parley.upstream.release()
        events = await stream.rest()
    assert kinds(events).count("turn.snapshot") == 2, "it went on until the other side had ended"
    return events, turn_id


async def test_a_flagged_reply_of_an_open_battle_does_not_name_its_model(parley: RunningParley) -> None:
    await add_rule(parley, moment="reply", verdict="flag")
    draw(parley, "ada", "bob")
    parley.upstream.reply("It is near the zonk.", model="ada").reply("Well.", model="bob")
    battle = await parley.battle(GOOD)
    assert battle["status"] == "completed"
    (item,) = await queue(parley)
    assert (item["verdict"], item["model_id"]) == ("flag", None)
    await parley.vote(battle["battle_id"])
    assert (await queue(parley))[0]["model_id"] == "ada"


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_flagged_prompt_is_answered_and_listed_once(parley: RunningParley) -> None:
    rule_id = await add_rule(parley, verdict="flag")
    for _ in range(2):
        assert (await parley.chat(BAD))["status"] == "completed"
    (item,) = await queue(parley, f"?rule_id={rule_id}&moment=prompt&state=open")
    assert item["verdict"] == "flag"
    (rule,) = (await parley.get("/api/moderation/rules"))["rules"]
    assert (rule["findings"], rule["open"]) == (1, 1)


async def test_a_bad_pattern_is_refused_with_its_place(parley: RunningParley) -> None:
    body = words("fine", "(ab[c", kind="patterns")
    refused = await parley.post("/api/moderation/rules", body, 422)
    assert "line 2, character 4: unclosed character class" in str(refused)
    assert (await parley.get("/api/moderation/rules"))["rules"] == []


async def test_a_pattern_that_would_run_away_elsewhere_answers_at_once(parley: RunningParley) -> None:
    await add_rule(parley, **words("(a+)+$", kind="patterns"))
    assert (await parley.chat("a" * 20_000 + "!"))["status"] == "completed"


def policeman(verdict: str) -> Any:
    def answer(request: Request) -> str:
        return verdict if request.model == "judge" else "It is blue."

    return answer


BY_MODEL = {"name": "Kind", "kind": "model", "model_id": "judge", "policy": "No insults.", "verdict": "hold"}


@pytest.mark.parametrize(
    ("says", "on_failure", "status", "verdict"),
    [
        ("YES", "flag", "failed", "hold"),
        ("No.", "hold", "completed", None),
        ("Maybe", "flag", "completed", "flag"),
        ("Maybe", "hold", "failed", "hold"),
    ],
)
async def test_a_model_decides_by_a_policy(
    parley: RunningParley, says: str, on_failure: str, status: str, verdict: str | None
) -> None:
    await add_rule(parley, **BY_MODEL, on_failure=on_failure)
    parley.upstream.answers_by(policeman(says))
    assert (await parley.chat(GOOD))["status"] == status
    asked = parley.upstream.chats[0]
    assert asked.model == "judge"
    assert "No insults." in asked.body.decode()
    assert GOOD in asked.body.decode()
    assert [item["verdict"] for item in await queue(parley)] == ([verdict] if verdict else [])
    purposes = text("SELECT purpose FROM calls WHERE model_id = 'judge'")
    assert await parley.application[Database].read(lambda db: db.scalars(purposes)) == ["moderation"]


async def test_a_moderation_endpoint_decides(parley: RunningParley) -> None:
    await add_rule(parley, name="Endpoint", kind="endpoint", model_id="judge", verdict="hold")
    verdict = {"flagged": True, "categories": {"violence": True, "hate": False}}
    parley.upstream.answer({"id": "m", "results": [verdict]}, model="judge")
    assert (await parley.chat(GOOD))["error"]["code"] == "prompt_held"
    (request,) = parley.upstream.requests
    assert (request.path, request.json) == ("/v1/moderations", {"model": "judge", "input": GOOD})
    (item,) = await queue(parley)
    assert item["why"] == "violence"


async def test_rules_are_for_some_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path) as shared:
        await shared.administrator.send(
            "POST", "/api/moderation/rules", words(audience="not_administrators", verdict="flag")
        )
        bea = await shared.person("Bea")
        body = {"prompt": BAD, **TURNS["chat"]}
        for person in (shared.administrator, bea):
            await person.send("POST", "/api/sessions", body)
        (item,) = (await shared.administrator.get("/api/moderation/items"))["items"]
        assert item["who"] not in (bea.id, "", "Bea")
        await bea.send("GET", "/api/moderation/items", status=403)
        assert '"flag"' in (await bea.client.get("/api/data/export")).text
        await bea.send("DELETE", "/api/data?confirm=delete")
        assert (await shared.administrator.get("/api/moderation/items"))["items"] == []


async def test_a_rule_of_one_workspace_leaves_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path) as shared:
        ana = shared.administrator
        space_id = (await ana.send("POST", "/api/workspaces", {"name": "Lab"}))["id"]
        await ana.send("POST", "/api/moderation/rules", words(audience="workspace", space_id=space_id))
        body = {"prompt": BAD, **TURNS["chat"]}
        assert (await ana.send("POST", "/api/sessions", body))["status"] == "completed"
        there = await ana.client.post("/api/sessions", json=body, headers={"parley-space": space_id})
        assert there.json()["error"]["code"] == "prompt_held", there.text


async def test_old_findings_go_by_retention(parley: RunningParley) -> None:
    await add_rule(parley)
    await parley.chat(BAD)
    query = text("UPDATE moderation_items SET created_at = '2020-01-01 00:00:00.000000'")
    await parley.application[Database].write(lambda db: db.execute(query))
    await parley.client.put("/api/retention/moderated", json={"days": 30})
    assert await parley.application[Retention].apply() == {"moderated": 1}
    assert await queue(parley) == []


async def test_it_is_off_where_nobody_switched_it_on(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        refused = await parley.post("/api/moderation/rules", words(), 409)
        assert refused["code"] == "moderation_off"
        assert (await parley.get("/api/moderation/rules"))["on"] is False
        call = Call(owner_id="somebody", purpose="reply", model_id="ada", messages=(Message("user", BAD),))
        unchecked: Any = parley.application[Gateway].stream(call)
        assert unchecked.ag_code.co_name == "_ask_model", (
            "there is nothing between a caller and the providers"
        )
        await unchecked.aclose()
