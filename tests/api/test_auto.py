"""Auto over HTTP: a seat left to it gets a model, the turn has a receipt, and past questions are replayed."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from parley.connectors.demo import catalog
from parley.storage.database import Database
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.rows import select_rows
from tests.api.test_tables import ORDERS, ask, attach
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    monkeypatch.setattr(catalog, "DEMO_URL", "demo://?speed=1000")
    async with a_running_parley(tmp_path, models=(), demo_models="on") as running:
        yield running


async def receipts(parley: RunningParley, session_id: str) -> list[dict[str, Any]]:
    return (await parley.get(f"/api/sessions/{session_id}/auto"))["turns"]


async def test_a_question_about_a_table_goes_to_a_model_with_tools(parley: RunningParley) -> None:
    file = await attach(parley, ORDERS.encode())
    turn = await ask(parley, "Which region has the highest revenue?", file, model="auto")
    assert turn["replies"][-1]["text"].startswith("**North**")
    (receipt,) = await receipts(parley, turn["session_id"])
    assert receipt["turn_id"] == turn["id"]
    decision = receipt["decision"]
    assert (decision["kind"], decision["can"]) == ("data", 2)
    assert decision["target"] in ("demo-ada", "demo-tilo")
    assert set(decision["rejected"].values()) == {"can’t call tools"}


async def test_a_conversation_goes_on_with_the_same_model(parley: RunningParley) -> None:
    turn = await ask(parley, "Tell me a joke", model="auto")
    (seat,) = (await parley.get(f"/api/sessions/{turn['session_id']}"))["matches"][0]["match"]["seats"]
    body = {
        "prompt": "Another one",
        "mode": "chat",
        "seats": {"assistant": "auto"},
        "continue_from": {"turn_id": turn["id"], "seat": "assistant"},
    }
    await parley.post(f"/api/sessions/{turn['session_id']}/matches", body)
    first, second = await receipts(parley, turn["session_id"])
    assert first["decision"]["target"] == second["decision"]["target"] == seat["model"]["id"]
    assert "it answered before in this conversation" in second["decision"]["because"]


async def test_questions_without_tools_go_to_a_battle_by_a_setting(parley: RunningParley) -> None:
    body = {"rest": "battle", "quality": 1, "price": 0, "wait": 0}
    assert (await parley.client.put("/api/auto", json=body)).json()["rest"] == "battle"
    turn = await ask(parley, "Tell me a joke", model="auto")
    (record,) = (await parley.get(f"/api/sessions/{turn['session_id']}"))["matches"]
    assert record["match"]["mode"] == "battle"


async def test_what_is_used_instead_is_learned_shown_and_forgotten(parley: RunningParley) -> None:
    chosen = ""
    for topic in ("rain", "moss", "tides"):
        turn = await ask(parley, f"Write a poem about {topic}", model="auto")
        (receipt,) = await receipts(parley, turn["session_id"])
        chosen = receipt["decision"]["target"]
        assert chosen != "demo-tilo"
        path = f"/api/sessions/{turn['session_id']}/auto/{turn['id']}"
        for model, status in ((chosen, 422), ("unknown", 404), ("demo-tilo", 204)):
            assert (await parley.client.put(path, json={"model": model})).status_code == status
    (receipt,) = await receipts(parley, turn["session_id"])
    assert receipt["used"] == "demo-tilo"
    record = await parley.get("/api/auto/record")
    assert (record["tool_work"], record["arena"], record["other"]) == (0, 0, 3)
    learning = {"choices": 3, "foretold": 3, "confirmed": 0, "confirmed_foretold": 0, "used": True}
    assert record["learning"] == learning
    turn = await ask(parley, "Write a poem about trains", model="auto")
    (receipt,) = await receipts(parley, turn["session_id"])
    assert receipt["decision"]["target"] == "demo-tilo"
    assert "your earlier choices count as +" in receipt["decision"]["because"][-1]
    assert (await parley.client.delete("/api/auto/lessons")).status_code == 204
    assert (await parley.get("/api/auto/record"))["learning"]["choices"] == 0
    turn = await ask(parley, "Write a poem about trains", model="auto")
    (receipt,) = await receipts(parley, turn["session_id"])
    assert receipt["decision"]["target"] != "demo-tilo"


async def test_only_local_models_answer_by_a_setting(parley: RunningParley) -> None:
    body = {"rest": "best", "quality": 1, "price": 0, "wait": 0, "local_only": True}
    assert (await parley.client.put("/api/auto", json=body)).json()["local_only"] is True
    turn = await ask(parley, "Tell me a joke", model="auto")
    (receipt,) = await receipts(parley, turn["session_id"])
    local = {model["id"] for model in (await parley.get("/api/models"))["models"] if model["local"]}
    assert receipt["decision"]["target"] in local
    assert {receipt["decision"]["rejected"][name] for name in receipt["decision"]["rejected"]} <= {
        "it is not local"
    }


async def test_the_replay_costs_what_the_ledger_says(parley: RunningParley) -> None:
    for prompt in ("What is a p-value?", "Tell me a joke", "Write a poem about rain"):
        await ask(parley, prompt, model="demo-ada")
    replay = await parley.get("/api/auto/replay")
    rows = await parley.application[Database].read(
        lambda transaction: transaction.select(CallRow, select_rows(CallRow))
    )
    billed = sum(row.cost_micros or 0 for row in rows if row.purpose == "reply")
    assert (replay["questions"], replay["cost_micros"]) == (3, billed)
    assert sum(share["questions"] for share in replay["kinds"]) == 3
    assert replay["better"] is None, "nothing is rated yet, so nothing is claimed"


async def test_the_shares_of_what_was_left_to_auto_are_a_measure(parley: RunningParley) -> None:
    file = await attach(parley, ORDERS.encode())
    await ask(parley, "Which region has the highest revenue?", file, model="auto")
    await ask(parley, "Tell me a joke", model="auto")
    await ask(parley, "Tell me a joke", model="demo-tilo")
    body = {"rest": "battle", "quality": 1, "price": 0, "wait": 0}
    await parley.client.put("/api/auto", json=body)
    for _ in range(2):
        await ask(parley, "Tell me a joke", model="auto")
    for of in ("me", "installation"):
        table = await parley.get(f"/api/usage?measure=routing&by=week&of={of}")
        assert [value["name"] for value in table["values"]] == ["questions", "tool_work", "arena", "other"]
        assert [row[1:] for row in table["rows"]] == [[4, 0.25, 0.5, 0.25]]
        assert table["total"] == [4, 0.25, 0.5, 0.25]
    cards = (await parley.get("/api/analytics"))["dashboards"][0]["cards"]
    assert "routing" in [card["measure"] for card in cards]
    path = "/api/usage?measure=routing&by=week&of=me"
    csv = (await parley.client.get(path, headers={"Accept": "text/csv"})).text
    assert csv.splitlines()[1].endswith(",4,0.25,0.5,0.25")
