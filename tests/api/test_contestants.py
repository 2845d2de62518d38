"""Contestants over HTTP: a preset that sits like a model is chosen, drawn, judged, rated and retired like one."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.features.catalog.service import CatalogService
from parley.features.standings.runtime import StandingsRuntime
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import ReplyRow
from parley.storage.tables.rows import select_rows
from tests.api.test_leaderboard import table_where
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

MODELS = (
    ModelSpec("ada", tags=("battle",)),
    ModelSpec("bob", "Bobolink 4", "Birds of a Feather"),
    ModelSpec("judge"),
)
SEATS = {"arbiter": "judge", "a": "ada", "b": "bob"}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


async def save(
    parley: RunningParley, name: str = "Review board", status: int = 200, **changed: Any
) -> dict[str, Any]:
    asked = {"mode": "consortium", "name": name, "seats": SEATS, "contestant": True, **changed}
    return await parley.post("/api/presets", asked, status=status)


async def change(parley: RunningParley, preset: Any, status: int = 200, **changed: Any) -> dict[str, Any]:
    response = await parley.client.request("PATCH", f"/api/presets/{preset['id']}", json=changed)
    assert response.status_code == status, response.text
    return response.json()


async def remove(parley: RunningParley, preset: Any) -> None:
    assert (await parley.client.request("DELETE", f"/api/presets/{preset['id']}")).status_code == 204


async def ensembles(parley: RunningParley) -> dict[str, dict[str, Any]]:
    models = (await parley.get("/api/models"))["models"]
    return {model["id"]: model for model in models if model["kind"] == "ensemble"}


def agrees(parley: RunningParley, synthesis: str = "Together.") -> None:
    parley.upstream.forget()
    for model in ("ada", "bob"):
        parley.upstream.reply(member(f"So says {model[0]}."), model=model)
    parley.upstream.reply(arbiter(synthesis, 0.95), model="judge")


async def a_battle(parley: RunningParley, model_id: str) -> tuple[dict[str, Any], str]:
    """Return a battle in which the ensemble sits, and its side."""
    outcome = await parley.battle()
    seats = await parley.seats(outcome["session_id"])
    assert sorted(seats.values()) == sorted(["ada", model_id])
    return outcome, next(side for side, seated in seats.items() if seated == model_id)


async def test_a_contestant_is_in_the_catalog_while_it_is_one(parley: RunningParley) -> None:
    preset = await save(parley, description="Three who check each other")
    assert preset["model_id"] == "review-board-r1"
    card = (await ensembles(parley))["review-board-r1"]
    expected = {
        "name": "Consortium: Review board",
        "organization": "You",
        "license": "Preset",
        "capabilities": ["text"],
        "provider": None,
        "prices": None,
        "enabled": True,
        "description": "Three who check each other",
    }
    assert {field: card[field] for field in expected} == expected
    # Three rounds at most, in each of which the members and then the arbiter may take the 20 s of a model.
    assert parley.application[CatalogService].model("review-board-r1").timeout_s == 120
    assert (await change(parley, preset, contestant=False))["model_id"] is None
    assert await ensembles(parley) == {}
    assert (await change(parley, preset, contestant=True, name="Board"))["model_id"] == "review-board-r1"
    assert (await ensembles(parley))["review-board-r1"]["name"] == "Consortium: Board"


async def test_a_new_revision_is_a_new_model_and_no_id_comes_twice(parley: RunningParley) -> None:
    preset = await save(parley)
    changed = await change(parley, preset, brief={"max_iterations": 1})
    assert changed["model_id"] == "review-board-r2"
    assert list(await ensembles(parley)) == ["review-board-r2"]
    await remove(parley, preset)
    assert await ensembles(parley) == {}
    assert (await save(parley))["model_id"] == "review-board-2-r1"
    assert (await save(parley, "Äußerst 🙂"))["model_id"] == "auerst-r1"
    assert (await save(parley, "🙂"))["model_id"] == "preset-r1"


async def test_a_contestant_names_its_seats(parley: RunningParley) -> None:
    refused = await save(parley, "Nobody", 422, mode="chat", seats={})
    assert refused["field"] == "seats"
    preset = await save(parley, "Nobody", mode="chat", seats={}, contestant=False)
    assert (await change(parley, preset, 422, contestant=True))["field"] == "seats"
    named = await change(parley, preset, contestant=True, seats={"assistant": "ada"})
    assert named["model_id"] in await ensembles(parley)


async def test_a_removed_contestant_comes_back_as_the_same_model(parley: RunningParley) -> None:
    preset = await change(parley, await save(parley), brief={"max_iterations": 1})
    card = (await ensembles(parley))["review-board-r2"]
    await remove(parley, preset)
    assert await ensembles(parley) == {}
    assert await parley.post(f"/api/presets/{preset['id']}/restore") == preset
    assert await ensembles(parley) == {"review-board-r2": card}
    agrees(parley)
    assert (await parley.chat("Why?", model="review-board-r2"))["status"] == "completed"


async def test_what_comes_back_says_which_of_its_models_have_left_meanwhile(parley: RunningParley) -> None:
    inner = await save(parley)
    outer = await save(parley, "Outer", seats={**SEATS, "a": inner["model_id"]})
    await remove(parley, outer)
    assert (await change(parley, inner, seats={**SEATS, "a": "bob"}))["model_id"] == "review-board-r2"
    restored = await parley.post(f"/api/presets/{outer['id']}/restore")
    assert restored["missing"] == ["review-board-r1"]
    assert not (await ensembles(parley))[outer["model_id"]]["enabled"]


async def test_it_is_chosen_like_any_model_and_what_it_is_made_of_stays_inside(parley: RunningParley) -> None:
    model_id = (await save(parley))["model_id"]
    agrees(parley)
    outcome = await parley.chat("Why?", model=model_id)
    shown = await parley.get(f"/api/turns/{outcome['turn_id']}")
    (reply,) = shown["turn"]["replies"]
    assert (reply["seat"], reply["text"], reply["status"]) == ("assistant", "Together.", "completed")
    assert shown["turn"]["notes"] == []
    assert shown["match"]["seats"][0]["model"]["name"] == "Consortium: Review board"

    def look(transaction: Transaction) -> list[Any]:
        replies = transaction.select(
            ReplyRow, select_rows(ReplyRow).where(ReplyRow.c.parent_reply_id.is_not(None))
        )
        return sorted((row.parent_reply_id, row.path, row.round, row.seat, row.model_id) for row in replies)

    inner = await parley.application[Database].read(look)
    assert inner == [
        (reply["id"], "assistant.0.answer", 1, seat, SEATS[seat]) for seat in ("a", "arbiter", "b")
    ]
    rows = [(row.model_id, row.provider_id, row.mode) for row in await recorded_calls(parley)]
    members = [(model, "near", "consortium") for model in ("ada", "bob", "judge")]
    assert sorted(rows, key=str) == [*members, (model_id, None, "chat")]
    metrics = reply["metrics"]
    assert (metrics["input_tokens"], metrics["output_tokens"], metrics["cost_micros"]) == (21, 3, 27)
    agrees(parley, "Still together.")
    more = await parley.post(f"/api/matches/{outcome['match_id']}/turns", {"input": {"text": "And?"}})
    assert more["responses"]["assistant"]["content"] == "Still together."
    heard = [message["content"] for message in parley.upstream.chats[-3].json["messages"]]
    assert "Why?" in heard
    assert "Together." in heard


async def test_how_an_answer_came_about_is_shown_after_the_vote_and_not_before(parley: RunningParley) -> None:
    preset = await save(parley)
    agrees(parley)
    outcome, side = await a_battle(parley, preset["model_id"])
    path = f"/api/turns/{outcome['turn_id']}/inner-replies"
    assert (await parley.get(path, 409))["code"] == "still_blind"
    await parley.vote(outcome["match_id"], "tie")
    body = await parley.get(path)
    assert [(reply["path"], reply["round"], reply["seat"]) for reply in body["replies"]] == [
        (f"{side}.0.answer", 1, seat) for seat in ("a", "b", "arbiter")
    ]
    assert [reply["model"]["name"] for reply in body["replies"]][1] == "Bobolink 4"
    assert "So says a." in body["replies"][0]["text"]
    assert body["replies"][0]["metrics"]["duration_ms"] >= 0
    turn = (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]
    parent = next(reply["id"] for reply in turn["replies"] if reply["seat"] == side)
    assert {reply["parent_reply_id"] for reply in body["replies"]} == {parent}
    assert (await parley.get(f"/api/turns/{'0' * 32}/inner-replies", 404))["code"] == "not_found"


async def test_a_turn_without_ensembles_has_no_inner_replies(parley: RunningParley) -> None:
    parley.upstream.reply("Hello.", model="ada")
    chat = await parley.chat("Hi", model="ada")
    body = await parley.get(f"/api/turns/{chat['turn_id']}/inner-replies")
    assert body == {"turn_id": chat["turn_id"], "replies": []}


@ON_EVERY_KIND
async def test_it_is_drawn_judged_and_rated(parley: RunningParley) -> None:
    preset = await save(parley)
    agrees(parley)
    outcome, side = await a_battle(parley, preset["model_id"])
    vote = await parley.vote(outcome["match_id"], side)
    assert vote["counted"]
    assert (vote[side]["name"], vote[side]["organization"]) == ("Consortium: Review board", "You")
    assert vote[side]["elo_after"] > vote[side]["elo_before"]
    assert vote[side]["metrics"]["cost_micros"] == 27
    await change(parley, preset, brief={"max_iterations": 1})
    kept = (await parley.get(f"/api/sessions/{outcome['session_id']}"))["matches"][0]["match"]
    models = {seat["name"]: seat["model"] for seat in kept["seats"]}
    assert (models[side]["id"], models[side]["enabled"]) == ("review-board-r1", False)


async def test_its_line_of_the_leaderboard_follows_its_name(parley: RunningParley) -> None:
    preset = await save(parley)
    agrees(parley)
    outcome, side = await a_battle(parley, preset["model_id"])
    await parley.vote(outcome["match_id"], side)
    asked = "?min_votes=0"
    await table_where(parley, asked, lambda table: len(table["lines"]) == 2)
    await parley.application[StandingsRuntime].worker.run(
        due=True
    )  # with what follows from a vote a moment later
    before = await table_where(parley, asked, lambda table: table["worker"]["pending"] == 0)
    await change(parley, preset, name="Jury")
    after = await parley.get(f"/api/leaderboard{asked}")
    assert after["version"] == before["version"], "nothing of the standings has changed"
    assert before["lines"][0]["model"]["name"] == "Consortium: Review board"
    assert after["lines"][0]["model"]["name"] == "Consortium: Jury"


@pytest.mark.parametrize("leak", ["I am Bobolink 4.", "I was made by Birds of a Feather."])
async def test_an_answer_that_names_a_member_is_not_blind(parley: RunningParley, leak: str) -> None:
    preset = await save(parley)
    agrees(parley, leak)
    outcome, _ = await a_battle(parley, preset["model_id"])
    vote = await parley.vote(outcome["match_id"])
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "identity_leak")


async def test_nothing_contains_itself_or_nests_too_deep(parley: RunningParley) -> None:
    inner = await save(parley, "Inner")
    outer = await save(parley, "Outer", seats={**SEATS, "b": inner["model_id"]})
    itself = await change(parley, inner, 422, seats={**SEATS, "a": inner["model_id"]})
    assert (itself["code"], itself["field"]) == ("ensemble_cycle", "seats.a")
    assert itself["title"] == "seats.a: “Inner” would contain itself, so it could never answer."
    around = await change(parley, inner, 422, seats={**SEATS, "a": outer["model_id"]})
    assert (around["code"], around["field"]) == ("ensemble_cycle", "seats.a")
    assert "through “Outer”" in around["title"]
    deeper = await save(parley, "Deeper", 422, seats={**SEATS, "arbiter": outer["model_id"]})
    assert (deeper["code"], deeper["field"]) == ("ensemble_too_deep", "seats.arbiter")
    assert sorted(await ensembles(parley)) == ["inner-r1", "outer-r1"]
    agrees(parley)
    assert (await parley.chat(model="outer-r1"))["responses"]["assistant"]["content"] == "Together."
    await change(parley, inner, brief={"max_iterations": 1})
    left = await parley.get(f"/api/presets/{outer['id']}")
    assert left["missing"] == ["inner-r1"]
    assert not (await ensembles(parley))["outer-r1"]["enabled"]


TEAM_SEATS = {"a": "ada", "b": "bob"}


async def test_teams_neither_contain_themselves_nor_nest_too_deep(parley: RunningParley) -> None:
    """Teams in teams, and teams and consortia in each other."""
    team = {"mode": "team", "brief": {"rounds": 1}}
    inner = await save(parley, "Inner", seats=TEAM_SEATS, **team)
    outer = await save(parley, "Outer", seats={**TEAM_SEATS, "b": inner["model_id"]}, **team)
    board = await save(parley, "Board", seats={**SEATS, "arbiter": inner["model_id"]})
    itself = await change(parley, inner, 422, seats={**TEAM_SEATS, "a": inner["model_id"]})
    assert (itself["code"], itself["field"]) == ("ensemble_cycle", "seats.a")
    assert itself["title"] == "seats.a: “Inner” would contain itself, so it could never answer."
    for around in (outer, board):
        refused = await change(parley, inner, 422, seats={**TEAM_SEATS, "b": around["model_id"]})
        assert (refused["code"], refused["field"]) == ("ensemble_cycle", "seats.b")
        assert f"through “{around['name']}”" in refused["title"]
        deeper = await save(parley, "Deeper", 422, seats={**TEAM_SEATS, "a": around["model_id"]}, **team)
        assert (deeper["code"], deeper["field"]) == ("ensemble_too_deep", "seats.a")
        assert (await save(parley, "Deeper", 422, seats={**SEATS, "a": around["model_id"]}))[
            "field"
        ] == "seats.a"
    assert sorted(await ensembles(parley)) == ["board-r1", "inner-r1", "outer-r1"]
    assert (await parley.get(f"/api/presets/{inner['id']}"))["seats"] == TEAM_SEATS, "nothing was saved"
    used = await save(
        parley, "Deeper", seats={**TEAM_SEATS, "a": outer["model_id"]}, contestant=False, **team
    )
    refused = await change(parley, used, 422, contestant=True)
    assert refused["code"] == "ensemble_too_deep", "as a line-up it may, as a contestant not"


async def test_where_nobody_answers_the_reply_says_so_in_plain_words(parley: RunningParley) -> None:
    model_id = (await save(parley))["model_id"]
    parley.upstream.fail(400, "CANARY", model="ada").fail(400, "CANARY", model="bob")
    outcome = await parley.chat(model=model_id)
    error = (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]["replies"][0]["error"]
    assert error["code"] == "upstream_ensemble_failed"
    assert error["title"].startswith(
        "Consortium: Review board did not reach an answer. No member of the consortium"
    )
    assert "CANARY" not in msgspec.json.encode(error).decode()


@pytest.mark.databases("sqlite")
async def test_after_a_restart_it_is_there_under_its_id(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        preset = await save(parley, "Board")
        await change(parley, preset, contestant=False)
        await change(parley, preset, contestant=True, name="Jury")
        before = await ensembles(parley)
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        assert await ensembles(parley) == before
        assert before["board-r1"]["name"] == "Consortium: Jury"
    async with a_running_parley(tmp_path, models=[spec for spec in MODELS if spec.id != "bob"]) as parley:
        assert not (await ensembles(parley))["board-r1"]["enabled"]


async def test_a_quote_counts_the_calls_within_an_ensemble_and_not_the_ensemble(
    parley: RunningParley,
) -> None:
    board = await save(parley, brief={"max_iterations": 2})
    chat = {"mode": "chat", "seats": {"assistant": board["model_id"]}, "prompt": "x" * 400}
    alone = {"mode": "consortium", "seats": SEATS, "brief": {"max_iterations": 2}, "prompt": "x" * 400}
    quote, same = await parley.post("/api/quote", chat), await parley.post("/api/quote", alone)
    assert (quote["calls_least"], quote["calls_most"]) == (3, 6)
    for name in ("calls_least", "calls_most", "cost_usd_least", "cost_usd_most", "unpriced"):
        assert quote[name] == same[name]
    assert quote["cost_usd_least"] > 0
    assert quote["calls"] == [{**calls, "within": ["assistant"]} for calls in same["calls"]]
    agrees(parley)
    await parley.chat("x" * 400, model=str(board["model_id"]))
    assert quote["calls_least"] <= len(parley.upstream.chats) <= quote["calls_most"]

    outer = await save(parley, "Outer", seats={"arbiter": "judge", "a": board["model_id"], "b": "ada"})
    nested = await parley.post("/api/quote", {**chat, "seats": {"assistant": outer["model_id"]}})
    # Each of three rounds at most: the board with its three models over two rounds, ada, and the judge.
    assert (nested["calls_least"], nested["calls_most"]) == (3 + 2, 3 * (6 + 2))
    assert {tuple(calls["within"]) for calls in nested["calls"]} == {("assistant",), ("assistant", "a")}
    assert nested["cost_usd_most"] > quote["cost_usd_most"]


async def test_a_quote_of_a_battle_says_that_an_ensemble_may_be_drawn(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob", "judge")) as parley:
        before = (await parley.post("/api/quote", {"mode": "battle"}))["assumptions"]
        await save(parley)
        after = (await parley.post("/api/quote", {"mode": "battle"}))["assumptions"]
    assert after[: len(before)] == before
    assert ["ensemble" in sentence for sentence in after[len(before) :]] == [True]


async def test_no_model_takes_the_id_of_a_coming_revision(parley: RunningParley) -> None:
    preset = await save(parley)
    assert preset["model_id"] == "review-board-r1"
    body = {"name": "Lab", "base_url": "http://127.0.0.1:9/v1"}
    await parley.post("/api/providers", body)
    for model_id in ("review-board-r2", "review-board-r77"):
        new = {"models": [{"provider": "lab", "model": "m", "id": model_id}]}
        assert (await parley.post("/api/models", new, status=409))["code"] == "model_exists"
    made = await parley.post("/api/models", {"models": [{"provider": "lab", "model": "review-board-r2"}]})
    assert "review-board-r2" not in {model["id"] for model in made["models"]}
    assert (await change(parley, preset, brief={"max_iterations": 2}))["model_id"] == "review-board-r2"


async def test_a_revision_leaves_out_an_id_that_another_model_has(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        preset = await save(parley)
    async with a_running_parley(tmp_path, models=(*MODELS, ModelSpec("review-board-r2"))) as parley:
        changed = await change(parley, preset, brief={"max_iterations": 2})
        assert (changed["revision"], changed["model_id"]) == (3, "review-board-r3")
