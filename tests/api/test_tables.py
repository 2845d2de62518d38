"""Tables over HTTP: a CSV file becomes a card, a model asks it with SQL, and a person runs the SQL again."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from parley.connectors.demo import catalog
from tests.fakes.running import RunningParley, a_running_parley

ORDERS = """region,product,ordered_on,revenue,units
North,Tent,2026-04-02,412.5,3
North,Jacket,2026-07-01,351.9,2
Coast,Tent,2026-05-11,388.15,4
East,Jacket,2026-08-30,204.6,1
South,Tent,2026-09-12,298.4,2
"""


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    monkeypatch.setattr(catalog, "DEMO_URL", "demo://?speed=1000")
    async with a_running_parley(tmp_path, demo_models="on") as running:
        yield running


async def attach(parley: RunningParley, content: bytes, name: str = "orders.csv") -> dict[str, Any]:
    response = await parley.client.post(
        f"/api/attachments?name={quote(name)}",
        content=content,
        headers={"Content-Type": "application/octet-stream"},
    )
    assert response.status_code == 200, response.text
    return response.json()


async def ask(
    parley: RunningParley, prompt: str, *files: dict[str, Any], model: str = "demo-tilo"
) -> dict[str, Any]:
    """Ask in a new chat, and return its turn at the end."""
    attachments = [{"sha256": file["sha256"], "name": file["name"]} for file in files]
    body = {"prompt": prompt, "mode": "chat", "seats": {"assistant": model}, "attachments": attachments}
    outcome = await parley.post("/api/sessions", body)
    return (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]


async def test_a_newcomer_asks_a_table_and_sees_the_sql(parley: RunningParley) -> None:
    file = await attach(parley, ORDERS.encode())
    turn = await ask(parley, "Which region has the highest revenue?", file)
    assert [reply["purpose"] for reply in turn["replies"]] == ["answer", "answer.01"]
    assert turn["replies"][-1]["text"].startswith("**North** has the highest revenue: **764.4**.")
    (call,) = turn["tools"]
    assert call["name"] == "query"
    assert "sum(" in call["arguments"]
    assert '["North",764.4]' in call["result"]["text"]


async def test_a_table_is_described_with_types_ranges_and_first_rows(parley: RunningParley) -> None:
    turn = await ask(parley, "Hello", await attach(parley, ORDERS.encode()))
    (card,) = (await parley.get(f"/api/sessions/{turn['session_id']}/tables"))["tables"]
    assert (card["table"], card["file"], card["rows"], len(card["sample"])) == ("orders", "orders.csv", 5, 5)
    kinds = {column["name"]: column["kind"] for column in card["columns"]}
    assert kinds == {
        "region": "text",
        "product": "text",
        "ordered_on": "date",
        "revenue": "number",
        "units": "number",
    }
    columns = {column["name"]: column for column in card["columns"]}
    assert columns["region"]["values"] == ["Coast", "East", "North", "South"]
    assert (columns["revenue"]["least"], columns["revenue"]["most"]) == ("204.6", "412.5")
    assert columns["ordered_on"]["most"] == "2026-09-12"


async def test_a_person_runs_sql_of_their_own(parley: RunningParley) -> None:
    turn = await ask(parley, "Hello", await attach(parley, ORDERS.encode()))
    path = f"/api/sessions/{turn['session_id']}/tables/query"
    result = await parley.post(
        path, {"sql": "SELECT product, sum(units) n FROM orders GROUP BY 1 ORDER BY 1"}
    )
    assert result["rows"] == [["Jacket", 3], ["Tent", 9]]
    assert [column["numeric"] for column in result["columns"]] == [False, True]
    wrong = await parley.post(path, {"sql": "SELECT nothing FROM orders"}, status=422)
    assert (wrong["code"], wrong["field"]) == ("query_wrong", "sql")


async def test_a_session_without_tables_says_what_to_attach(parley: RunningParley) -> None:
    turn = await ask(parley, "Hello")
    path = f"/api/sessions/{turn['session_id']}/tables"
    assert (await parley.get(path))["tables"] == []
    assert (await parley.post(f"{path}/query", {"sql": "SELECT 1"}, status=422))["code"] == "query_refused"


async def test_the_tables_of_another_session_are_not_found(parley: RunningParley) -> None:
    assert (await parley.client.get("/api/sessions/unknown/tables")).status_code == 404


async def test_a_table_too_long_for_a_model_is_read_whole_by_its_tools(parley: RunningParley) -> None:
    rows = 60_000
    lines = "".join(f"{n},{'even' if n % 2 == 0 else 'odd'},{n * 0.25},{n % 97}\n" for n in range(rows))
    turn = await ask(
        parley, "How many rows are there?", await attach(parley, f"id,parity,x,y\n{lines}".encode())
    )
    assert turn["replies"][-1]["text"] == "**60,000** rows."
