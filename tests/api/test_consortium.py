"""A consortium over HTTP: members, arbiter, rounds, what goes on from it, and what it would take."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.consortium_talk import SEATS, arbiter, member, notes
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley, kinds, read_all
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "judge")


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


def says_usual(upstream: ScriptedUpstream) -> None:
    upstream.reply(member("Paris.", 0.9), model="ada")
    upstream.reply(member("It is Paris.", 0.8), model="bob")
    upstream.reply(member("Lyon.", 0.3), model="cid")
    upstream.reply(arbiter("Perhaps Paris.", 0.5, more=True, areas=["which city"]), model="judge")
    upstream.reply(arbiter("Paris.", 0.95), model="judge")


def asking(prompt: str = "Which city?", **brief: Any) -> dict[str, Any]:
    return {"prompt": prompt, "mode": "consortium", "seats": SEATS, "brief": brief}


def heard(parley: RunningParley, model: str, number: int = -1) -> list[str]:
    """What a model was told in one of its calls, as "role: content"."""
    asked = [request for request in parley.upstream.chats if request.model == model]
    return [f"{message['role']}: {message['content']}" for message in asked[number].json["messages"]]


async def test_a_consortium_streams_and_reads_the_same_afterwards(parley: RunningParley) -> None:
    says_usual(parley.upstream)
    events = await parley.events("POST", "/api/sessions", asking())
    assert kinds(events)[-1] == "turn.completed"
    turn_id = events[0]["turn"]["id"]
    shown = await parley.get(f"/api/turns/{turn_id}")
    late = await parley.events("GET", f"/api/turns/{turn_id}/events")
    assert kinds(late) == ["turn.snapshot", "turn.completed"]
    for name, count in {"answer": 6, "agreement": 2, "words": 2, "verdict": 2, "result": 1}.items():
        assert notes(events, name) == notes(late, name)
        assert len(notes(events, name)) == count
    assert [note["settled"] for note in notes(late, "verdict")] == [False, True]
    assert [(reply["round"], reply["seat"]) for reply in shown["turn"]["replies"]] == [
        (number, seat) for number in (1, 2) for seat in ("a", "b", "c", "arbiter")
    ]
    started = [event for event in events if event["kind"] == "reply.started"]
    assert [event["reply_id"] for event in started] == [reply["id"] for reply in shown["turn"]["replies"]]
    assert [event["order"] for event in started] == list(range(8)), (
        "live and after a reload, as they were asked"
    )
    texts = {(reply["round"], reply["seat"]): reply["text"] for reply in shown["turn"]["replies"]}
    for note in notes(late, "answer"):
        text = texts[note["iteration"], note["seat"]]
        assert note["answer"] == text[note["answer_start"] : note["answer_end"]]
    (result,) = notes(late, "result")
    assert result["worth"]["best_single"]["seat"] == "a"
    assert result["worth"]["cost_usd"] > result["worth"]["best_single"]["cost_usd"] > 0
    assert [seat["model"]["id"] for seat in shown["match"]["seats"]] == ["judge", "ada", "bob", "cid"]


async def test_a_second_turn_goes_on_with_everybody_s_own_conversation(parley: RunningParley) -> None:
    says_usual(parley.upstream)
    first = await parley.post("/api/sessions", asking())
    await parley.post(
        f"/api/matches/{first['match_id']}/turns", {"input": {"type": "prompt", "text": "How large is it?"}}
    )
    assert heard(parley, "bob")[1:] == [
        "user: Which city?",
        "assistant: It is Paris.",
        "user: <prompt><instruction>How large is it?</instruction></prompt>",
    ]
    assert heard(parley, "judge")[:2] == ["user: Which city?", "assistant: Paris."]


async def test_a_turn_may_go_on_without_a_new_question_where_the_mode_can(parley: RunningParley) -> None:
    says_usual(parley.upstream)
    first = await parley.post("/api/sessions", asking(max_iterations=1))
    path = f"/api/matches/{first['match_id']}/turns"
    second = await parley.post(path, {"input": {"type": "continue"}})
    assert second["status"] == "completed"
    said = heard(parley, "bob")
    assert said[1:3] == ["user: Which city?", "assistant: It is Paris."]
    assert '{"synthesis":"Perhaps Paris."' in said[3]
    turn = (await parley.get(f"/api/turns/{second['turn_id']}"))["turn"]
    assert turn["input"] == {"type": "continue", "to_end": False}
    await parley.post(path, {"input": {"text": "Thanks. How large?"}})
    assert heard(parley, "judge")[:2] == ["user: Which city?", "assistant: Paris."], (
        "the later one takes its place"
    )
    view = await parley.get(f"/api/sessions/{first['session_id']}")
    assert len(view["matches"][0]["turns"]) == 3
    modes = {mode["name"]: mode["inputs"] for mode in (await parley.get("/api/modes"))["modes"]}
    assert modes == {
        "battle": ["prompt"],
        "compare": ["prompt"],
        "consortium": ["prompt", "continue"],
        "team": ["prompt", "continue", "steer", "add", "ask", "skip", "synthesise"],
        "chat": ["prompt"],
    }
    chat = await parley.chat()
    refused = await parley.post(
        f"/api/matches/{chat['match_id']}/turns", {"input": {"type": "continue"}}, 422
    )
    assert refused["field"] == "input.type"
    for wrong in ({"type": "continue", "text": "x"}, {"type": "prompt"}, {}):
        refused = await parley.post(path, {"input": wrong}, 422)
        assert refused["field"] == "input.text"


def refuses_once(upstream: ScriptedUpstream, *models: str) -> None:
    for model in models:
        upstream.fail(400, model=model)


async def test_a_turn_that_failed_before_its_verdict_leaves_clean_conversations(
    parley: RunningParley,
) -> None:
    refuses_once(parley.upstream, "cid", "judge")
    says_usual(parley.upstream)
    first = await parley.post("/api/sessions", asking(max_iterations=1))
    assert first["status"] == "failed"
    path = f"/api/matches/{first['match_id']}/turns"
    assert (await parley.post(path, {"input": {"text": "How large is it?"}}))["status"] == "completed"
    asked = "user: <prompt><instruction>How large is it?</instruction></prompt>"
    assert heard(parley, "bob")[1:] == ["user: Which city?", "assistant: It is Paris.", asked]
    assert heard(parley, "cid")[1:] == [asked]
    assert len(heard(parley, "judge")) == 1


async def test_whoever_goes_on_answers_the_question_that_stands(parley: RunningParley) -> None:
    parley.upstream.reply(member("Lyon.", 0.3), model="cid").fail(400, model="cid")
    parley.upstream.reply(arbiter("Paris."), model="judge").fail(400, model="judge")
    says_usual(parley.upstream)
    first = await parley.post("/api/sessions", asking(max_iterations=1))
    path = f"/api/matches/{first['match_id']}/turns"
    assert (await parley.post(path, {"input": {"text": "How large is it?"}}))["status"] == "failed"
    assert (await parley.post(path, {"input": {"type": "continue"}}))["status"] == "completed"
    assert heard(parley, "ada")[-1] == "user: <prompt><instruction>How large is it?</instruction></prompt>", (
        "what was said of the city is no synthesis of this question"
    )
    await parley.post(path, {"input": {"text": "And how old?"}})
    assert heard(parley, "cid")[1:5] == [
        "user: Which city?",
        "assistant: Lyon.",
        "user: How large is it?",
        "assistant: Lyon.",
    ]
    assert heard(parley, "judge")[:4] == [
        "user: Which city?",
        "assistant: Paris.",
        "user: How large is it?",
        "assistant: Perhaps Paris.",
    ]


async def test_settings_change_between_turns_by_a_new_match_that_continues(parley: RunningParley) -> None:
    says_usual(parley.upstream)
    first = await parley.post("/api/sessions", asking())
    onward = {"turn_id": first["turn_id"], "seat": "arbiter"}
    path = f"/api/sessions/{first['session_id']}/matches"
    body = {**asking("And now?", max_iterations=1, confidence_threshold="70%"), "continue_from": onward}
    second = await parley.post(path, {**body, "seats": {"arbiter": "judge", "a": "cid", "b": "cid"}})
    assert heard(parley, "cid")[1:] == [
        "user: Which city?",
        "assistant: Paris.",
        "user: <prompt><instruction>And now?</instruction></prompt>",
    ]
    turn = await parley.get(f"/api/turns/{second['turn_id']}")
    assert turn["match"]["brief"]["confidence_threshold"] == 0.7
    chat = {"prompt": "Thanks!", "mode": "chat", "seats": {"assistant": "ada"}}
    again = {"turn_id": second["turn_id"], "seat": "arbiter"}
    await parley.post(path, {**chat, "continue_from": again})
    assert heard(parley, "ada") == [
        "user: Which city?",
        "assistant: Paris.",
        "user: And now?",
        "assistant: Paris.",
        "user: Thanks!",
    ]
    view = await parley.get(f"/api/sessions/{first['session_id']}")
    assert [record["match"]["mode"] for record in view["matches"]] == ["consortium", "consortium", "chat"]


async def test_where_a_ranking_decides_the_conversation_goes_on_with_the_chosen_answer(
    parley: RunningParley,
) -> None:
    parley.upstream.reply(member("The one and only.", 0.9))
    parley.upstream.reply("<ranking><rank position='1'>2</rank></ranking>", model="judge")
    first = await parley.post("/api/sessions", asking(judging_method="pick-one"))
    onward = {"turn_id": first["turn_id"], "seat": "arbiter"}
    chat = {"prompt": "Thanks!", "mode": "chat", "seats": {"assistant": "ada"}, "continue_from": onward}
    await parley.post(f"/api/sessions/{first['session_id']}/matches", chat)
    assert heard(parley, "ada")[:2] == ["user: Which city?", "assistant: The one and only."]


async def test_a_retry_reads_as_it_streamed(parley: RunningParley) -> None:
    parley.upstream.fail(400, model="bob")
    parley.upstream.reply(member("Here I am."), model="bob")
    parley.upstream.reply(member("One."), model="ada").reply(member("Three."), model="cid")
    parley.upstream.reply(arbiter("Without b.", 0.1), model="judge")
    parley.upstream.reply(arbiter("Still unsure.", 0.2), model="judge")
    parley.upstream.reply(arbiter("With b.", 0.9), model="judge")
    first = await parley.post("/api/sessions", asking(max_iterations=2))
    path = f"/api/turns/{first['turn_id']}"
    before = await parley.get(path)
    assert {note["name"] for note in before["turn"]["notes"]} >= {
        "consortium.left_out/1",
        "consortium.result/1",
    }
    events = await parley.events("POST", f"{path}/retry")
    assert kinds(events)[-1] == "turn.completed"
    after = await parley.get(path)
    streamed = [event["note"] for event in events if event["kind"] == "note.added"]
    assert after["turn"]["notes"] == streamed
    assert {note["name"] for note in streamed}.isdisjoint({"consortium.left_out/1"})
    assert {note["round"] for note in streamed} == {1}
    replies = {(reply["round"], reply["seat"]): reply["text"] for reply in after["turn"]["replies"]}
    assert {number for number, _ in replies} == {1}, "what followed from the failure is gone"
    assert {seat: replies[1, seat] for seat in SEATS} == read_all(events).texts()
    assert (await parley.post(f"{path}/retry", status=409))["code"] == "nothing_to_retry"
    chat = {"prompt": "Thanks!", "mode": "chat", "seats": {"assistant": "ada"}}
    onward = {"turn_id": first["turn_id"], "seat": "arbiter"}
    await parley.post(f"/api/sessions/{first['session_id']}/matches", {**chat, "continue_from": onward})
    assert heard(parley, "ada")[1] == "assistant: With b."


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"brief": {"max_iterations": 0}}, "brief.max_iterations"),
        ({"brief": {"max_iterations": 2, "minimum_iterations": 3}}, "brief.minimum_iterations"),
        ({"brief": {"confidence_threshold": "lots"}}, "brief.confidence_threshold"),
        ({"brief": {"confidence_threshold": 101}}, "brief.confidence_threshold"),
        ({"brief": {"confidence_threshold": 1.5}}, "brief.confidence_threshold"),
        ({"brief": {"strategy": "chaos"}}, "brief.strategy"),
        ({"brief": {"models": {"ada": 2}}}, "brief.models"),
        ({"brief": {"strategy": "role", "roles": {"a": "Doubt.", "z": "Doubt more."}}}, "brief.roles.z"),
        ({"brief": {"roles": {"a": ""}}}, "brief.roles.a"),
        ({"brief": {"roles": {"a": "Doubt." * 1000}}}, "brief.roles.a"),
        ({"brief": {"roles": {"arbiter": "Be a member too."}}}, "brief.roles.arbiter"),
        ({"seats": {"arbiter": "judge"}}, "seats"),
        ({"seats": {"a": "ada"}}, "seats.arbiter"),
        ({"seats": {"arbiter": "judge", **{f"m{n}": "ada" for n in range(11)}}}, "seats.m10"),
    ],
)
async def test_what_cannot_be_names_its_field(
    parley: RunningParley, change: dict[str, Any], field: str
) -> None:
    problem = await parley.post("/api/sessions", {**asking(), **change}, status=422)
    assert problem["errors"][0]["field"] == field
    assert "Value error" not in problem["title"]
    assert " should " not in problem["title"]
    if "prompt" not in change:
        quoted = await parley.post("/api/quote", {**asking(), **change}, status=422)
        assert quoted["errors"] == problem["errors"]


async def test_a_mode_s_settings_are_a_schema_with_words_for_each_field(parley: RunningParley) -> None:
    listed = (await parley.get("/api/modes"))["modes"]
    (card,) = [mode for mode in listed if mode["name"] == "consortium"]
    groups = [(group["role"], group["least"], group["most"]) for group in card["seating"]["groups"]]
    assert groups == [("arbiter", 1, 1), ("member", 1, 10)]
    fields = card["brief_schema"]["properties"]
    assert set(fields) >= {"system_prompt", "confidence_threshold", "max_iterations", "strategy", "roles"}
    assert all(field["description"] and field["title"] for field in fields.values())


async def test_a_quote_tells_calls_and_costs_before_anything_is_asked(parley: RunningParley) -> None:
    quote = await parley.post("/api/quote", asking("x" * 400))
    assert (quote["calls_least"], quote["calls_most"]) == (4, 12)
    assert quote["unpriced"] == []
    # Each model costs 1 and 2 dollars for a million tokens in and out; a call hears 100 tokens and the rules.
    members = 3 * ((100 + 500) * 1 + 500 * 2)
    judge = (100 + 4 * 500) * 1 + 500 * 2
    assert quote["cost_usd_least"] == pytest.approx((members + judge) / 1e6)
    assert quote["cost_usd_most"] > 3 * quote["cost_usd_least"]
    first = {"seat": "a", "purpose": "answer", "model": "ada", "least": 1, "most": 3, "within": []}
    assert first in quote["calls"]
    assert any("500 tokens" in text for text in quote["assumptions"])
    battle = await parley.post("/api/quote", {"mode": "battle"})
    assert (battle["calls_least"], battle["calls_most"]) == (2, 2)
    assert (battle["cost_usd_least"], battle["unpriced"]) == (None, [])
    assert {call["model"] for call in battle["calls"]} == {None}
    chat = await parley.post("/api/quote", {"mode": "chat", "seats": {"assistant": "ada"}, "prompt": "Hi"})
    assert (chat["calls_most"], chat["cost_usd_most"]) == (1, pytest.approx(1001e-6))
    assert parley.upstream.requests == []
    assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_a_quote_says_which_models_have_no_price(tmp_path: Path) -> None:
    class Unpriced(ModelSpec):
        def entry(self) -> dict[str, Any]:
            return {name: value for name, value in super().entry().items() if name != "prices"}

    async with a_running_parley(tmp_path, models=("ada", "bob", Unpriced("cid"), "judge")) as parley:
        quote = await parley.post("/api/quote", asking())
        assert quote["unpriced"] == ["cid"]
        assert quote["cost_usd_least"] > 0
        alone = {"arbiter": "cid", "a": "cid"}
        quote = await parley.post("/api/quote", {**asking(), "seats": alone})
        assert (quote["cost_usd_least"], quote["unpriced"]) == (None, ["cid"])


@pytest.mark.databases("sqlite")
async def test_fifty_consortia_at_once_all_come_to_their_end(parley: RunningParley) -> None:
    says_usual(parley.upstream)
    parley.upstream.forget()
    parley.upstream.reply(member("Paris.", 0.9))
    parley.upstream.reply(arbiter("Paris.", 0.95), model="judge")

    async def one(number: int) -> Any:
        return await parley.visitor().post("/api/sessions", json=asking(f"Question {number}?"), timeout=60)

    answers = await asyncio.gather(*(one(number) for number in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["status"] for answer in answers} == {"completed"}
    assert len(parley.upstream.chats) == 200
    assert parley.upstream.most_streaming > 20
