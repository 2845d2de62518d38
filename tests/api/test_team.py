"""A team over HTTP: described, quoted, paused and talked into, exported, saved, and killed in mid-round."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_crash import follow, ready, row
from tests.api.test_session_files import exported
from tests.fakes.process import processes
from tests.fakes.running import EventStream, RunningParley, a_running_parley, kinds, read_all, write_models
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "judge")
SEATS = {"a": "ada", "b": "bob", "c": "judge"}
WORDS = ("Tea.", "Coffee.", "Coffee, as [1.2 Critic] says.")
BRIEF: dict[str, Any] = {"members": {"c": {"role": "Moderator"}}}
SYNTHESIS = (
    "## Consensus\n- Hot [1.1 Proposer]\n## Disagreements\nNone.\n## Assumptions\nNone.\n"
    "## Recommendation\n- Tea\n## Minority report\nNone."
)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


def asking(**brief: Any) -> dict[str, Any]:
    return {"prompt": "Tea or coffee?", "mode": "team", "seats": SEATS, "brief": {**BRIEF, **brief}}


def speaks(upstream: ScriptedUpstream) -> None:
    upstream.reply("Tea.\n\nPosition: Tea.", model="ada").reply("Coffee, as [1.2 Critic] says.", model="ada")
    upstream.reply("Coffee.", model="bob")
    upstream.reply(SYNTHESIS, model="judge")


def notes(turn: dict[str, Any], name: str) -> list[Any]:
    return [note["data"] for note in turn["notes"] if note["name"] == f"team.{name}/1"]


async def goes_on(parley: RunningParley, started: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    asked = await parley.post(f"/api/matches/{started['match_id']}/turns", {"input": given})
    return (await parley.get(f"/api/turns/{asked['turn_id']}"))["turn"]


async def test_a_team_streams_and_reads_the_same_afterwards(parley: RunningParley) -> None:
    speaks(parley.upstream)
    events = await parley.events("POST", "/api/sessions", asking())
    assert kinds(events)[-1] == "turn.completed"
    live = [event["note"] for event in events if event["kind"] == "note.added"]
    shown = (await parley.get(f"/api/turns/{events[0]['turn']['id']}"))["turn"]
    assert [note["name"] for note in live][:1] == ["team.plan/1"]
    assert live == shown["notes"]
    texts = {reply["id"]: reply["text"] for reply in shown["replies"]}
    for said in notes(shown, "said"):
        assert texts[said["reply_id"]][said["start"] : said["end"]] in WORDS
    assert notes(shown, "said")[2]["answers"] == [{"ref": "1.2", "seat": "b", "how": "found"}]
    (synthesis,) = notes(shown, "synthesis")
    assert synthesis["consensus"] == [
        {"text": "Hot [1.1 Proposer]", "refs": ["1.1"], "unknown": [], "holders": ["a"]}
    ]


async def test_a_person_talks_into_the_pauses_and_the_export_says_so(parley: RunningParley) -> None:
    speaks(parley.upstream)
    started = await parley.post("/api/sessions", asking(pause="each_round", rounds=3))
    second = await goes_on(parley, started, {"type": "add", "text": "It is late."})
    assert [reply["round"] for reply in second["replies"]] == [2, 2]
    third = await goes_on(parley, started, {"type": "ask", "seat": "b", "text": "How hot?"})
    assert [(reply["round"], reply["seat"], reply["purpose"]) for reply in third["replies"]] == [
        (3, "b", "asked")
    ]
    last = await goes_on(parley, started, {"type": "continue", "to_end": True})
    assert last["input"] == {"type": "continue", "to_end": True}
    assert [reply["purpose"] for reply in last["replies"]] == ["answer", "answer", "synthesis"]
    assert notes(last, "round")[-1]["spent"]["tokens"] > notes(third, "round")[-1]["spent"]["tokens"] > 0
    text = (await exported(parley, "markdown", started["session_id"])).text
    document = (await exported(parley, "json", started["session_id"])).json()
    messages = document["sessions"][0]["messages"]
    assert messages[1] == {
        "role": "assistant",
        "name": "ada",
        "content": "**1.1 Proposer**\n\nTea.\n\nPosition: Tea.",
    }
    for line in (
        "### 1.1 Proposer (Ada)",
        "> add: It is late.",
        "> ask: b: How hot?",
        "### 3.1 Critic (Bob)",
        "### Synthesis (Judge)",
    ):
        assert line in text, text


async def test_what_was_said_while_it_ran_stands_in_the_export_before_the_round_that_heard_it(
    parley: RunningParley,
) -> None:
    parley.upstream.reply("Tea.", hold_after=0, model="ada").reply("Tea!", model="ada")
    parley.upstream.reply("Coffee.", model="bob").reply(SYNTHESIS, model="judge")
    async with parley.stream("POST", "/api/sessions", asking()) as stream:
        turn = (await stream.until("turn.snapshot"))["turn"]
        await parley.upstream.wait_for_requests(2)
        await parley.post(f"/api/turns/{turn['id']}/interject", {"input": {"type": "skip", "seat": "b"}})
        parley.upstream.release()
        await stream.rest()
    text = (await exported(parley, "markdown", turn["session_id"])).text
    lines = [line for line in text.splitlines() if line.startswith(("###", "> "))]
    assert lines == [
        "> Tea or coffee?",
        "### 1.1 Proposer (Ada)",
        "### 1.2 Critic (Bob)",
        "> skip: b",
        "### 2.1 Proposer (Ada)",
        "### Synthesis (Judge)",
    ]


@pytest.mark.parametrize(
    ("brief", "field"),
    [
        ({"members": {"z": {"role": "Critic"}}}, "brief.members.z"),
        ({"members": {"a": {"role": ""}}}, "brief.members.a.role"),
        ({"members": {"a": {"role": "Judge"}, "b": {"role": "A <b>"}}}, "brief.members.b.role"),
        ({"writer": "z"}, "brief.writer"),
        ({"rounds": 11}, "brief.rounds"),
        ({"strategy": "war"}, "brief.strategy"),
        ({"max_cost_usd": 0}, "brief.max_cost_usd"),
    ],
)
async def test_a_wrong_plan_is_refused_with_the_field(
    parley: RunningParley, brief: dict[str, Any], field: str
) -> None:
    refused = await parley.post("/api/sessions", {**asking(), "brief": brief}, status=422)
    assert refused["title"].startswith(f"{field}:"), refused
    assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_the_ready_teams_of_the_description_can_be_quoted_and_saved(parley: RunningParley) -> None:
    modes = {mode["name"]: mode for mode in (await parley.get("/api/modes"))["modes"]}
    assert modes["team"]["listens"] == ["steer", "add", "ask", "skip", "synthesise"]
    schema = modes["team"]["brief_schema"]
    assert {"role", "instructions"} == schema["x-roles"][0].keys()
    assert len(schema["x-teams"]) == 6
    for team in schema["x-teams"]:
        seats = dict(zip(team["brief"]["members"], MODELS, strict=False))
        asked = {"mode": "team", "seats": seats, "brief": team["brief"]}
        quote = await parley.post("/api/quote", asked)
        assert 0 < quote["calls_least"] <= quote["calls_most"] <= 3 * 9 + 1
        preset = await parley.post("/api/presets", {**asked, "name": team["name"]})
        assert preset["brief"]["members"] == team["brief"]["members"]


async def test_a_saved_team_answers_like_a_model(parley: RunningParley) -> None:
    speaks(parley.upstream)
    team = {"mode": "team", "name": "Board", "seats": SEATS, "brief": {**BRIEF, "pause": "each_round"}}
    preset = await parley.post("/api/presets", {**team, "contestant": True})
    chat = {"prompt": "Tea or coffee?", "mode": "chat", "seats": {"assistant": preset["model_id"]}}
    started = await parley.post("/api/sessions", chat)
    (reply,) = (await parley.get(f"/api/turns/{started['turn_id']}"))["turn"]["replies"]
    assert reply["text"] == SYNTHESIS


async def test_one_member_is_stopped_while_the_others_go_on_and_asked_again_later(
    parley: RunningParley,
) -> None:
    parley.upstream.reply("Tea.", model="ada").reply("Cof", "fee.", hold_after=1, model="bob")
    parley.upstream.reply("Coffee, at last.", model="bob").reply(SYNTHESIS, model="judge")
    async with parley.stream("POST", "/api/sessions", asking(rounds=1)) as stream:
        turn = (await stream.until("turn.snapshot"))["turn"]
        while "Cof" not in read_all(stream.events).texts().values():
            await anext(stream)
        await parley.post(f"/api/turns/{turn['id']}/stop", {"seat": "b"})
        await stream.rest()
    parley.upstream.release()
    shown = (await parley.get(f"/api/turns/{turn['id']}"))["turn"]
    assert [said["problem"] is None for said in notes(shown, "said")] == [True, False]
    await parley.post(f"/api/turns/{turn['id']}/retry", {"seat": "b"})
    again = (await parley.get(f"/api/turns/{turn['id']}"))["turn"]
    assert again["status"] == "completed"
    assert [(said["ref"], said["problem"]) for said in notes(again, "said")] == [("1.1", None), ("1.2", None)]
    assert Counter(request.model for request in parley.upstream.chats) == {"ada": 1, "bob": 2, "judge": 2}


async def test_after_a_stop_in_mid_round_the_next_round_goes_on_from_what_was_said(
    parley: RunningParley,
) -> None:
    parley.upstream.reply("Tea.", model="ada").reply("Tea!", "never said", hold_after=1, model="ada")
    parley.upstream.reply("Tea, at last.", model="ada").reply("Coffee.", model="bob").reply(
        SYNTHESIS, model="judge"
    )
    async with parley.stream("POST", "/api/sessions", asking(strategy="round_robin")) as stream:
        turn = (await stream.until("turn.snapshot"))["turn"]
        while "Tea!" not in read_all(stream.events).texts().values():
            await anext(stream)
        await parley.post(f"/api/turns/{turn['id']}/stop")
        assert kinds(await stream.rest())[-1] == "turn.stopped"
    parley.upstream.release()
    started = {"match_id": turn["match_id"]}
    second = await goes_on(parley, started, {"type": "continue"})
    assert [said["ref"] for said in notes(second, "said")] == ["3.1", "3.2"]
    assert [end["next"] for end in notes(second, "round")] == ["synthesis", "end"]
    heard = parley.upstream.chats[-1].json["messages"][-1]["content"]
    assert [line for line in heard.splitlines() if line.startswith("<ref>")] == [
        f"<ref>{ref}</ref>" for ref in ("1.1 Proposer", "1.2 Critic", "3.1 Proposer", "3.2 Critic")
    ]


@pytest.mark.databases("sqlite")
async def test_a_killed_team_pays_nothing_twice(tmp_path: Path) -> None:
    async with ScriptedUpstream() as upstream:
        upstream.reply("Tea.", model="ada").reply("Tea, still.", model="ada")
        upstream.reply("Coffee.", model="bob").reply("Coff", "ee, still.", hold_after=1, model="bob")
        upstream.reply(SYNTHESIS, model="judge")
        models = write_models(tmp_path / "models.yaml", upstream.url, MODELS)
        with processes(tmp_path, models) as start:
            first = start()
            async with await ready(first) as client:
                headers = {"Accept": "text/event-stream"}
                async with client.stream("POST", "/api/sessions", json=asking(), headers=headers) as response:
                    turn_id = (await EventStream(response).until("turn.snapshot"))["turn"]["id"]
                query = "select seat, status from replies where round = 2 order by seat"
                async with asyncio.timeout(40):
                    while row(tmp_path / "data", query) != [("a", "completed"), ("b", "streaming")]:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
                await asyncio.to_thread(first.kill)
            second = start()
            async with await ready(second) as client:
                await upstream.wait_for_requests(5)
                upstream.release()
                assert kinds(await follow(client, turn_id))[-1] == "turn.completed"
                shown = (await client.get(f"/api/turns/{turn_id}")).json()["turn"]
    assert Counter(request.model for request in upstream.chats) == {"ada": 2, "bob": 3, "judge": 1}
    keys = [(note["name"], note["round"], note["key"]) for note in shown["notes"]]
    assert len(keys) == len(set(keys)), "no note is repeated"
    assert [said["ref"] for said in notes(shown, "said")] == ["1.1", "1.2", "2.1", "2.2"]
