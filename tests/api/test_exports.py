"""Exports: anonymised with 0 of what was planted, and plain for other programs; no battle before its vote."""

import io
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
import sqlite_utils
from sqlalchemy import text

from parley.features.accounts.service import AccountsService
from parley.features.exports.layout import ExportPlan
from parley.features.exports.service import Exports
from parley.storage.database import Database
from tests.fakes.running import RunningParley

SECRETS = (
    "anna.planted@mail.example",
    "+49 171 2345678",
    "sk-proj-plantedPLANTED0123456789",
    "token=planted-in-a-url",
    "192.168.177.23",
    "Anna Planted",
    "Planted",
)
TEXT = (
    "Write to Anna Planted (anna.planted@mail.example, +49 171 2345678) from 192.168.177.23 with "
    "sk-proj-plantedPLANTED0123456789, see https://files.example/x?token=planted-in-a-url. The sky is blue."
)
DATABASE_IDS = """
    SELECT id FROM sessions UNION SELECT id FROM matches UNION SELECT id FROM turns UNION SELECT id FROM replies
    UNION SELECT id FROM votes UNION SELECT voter_id FROM users UNION SELECT id FROM users WHERE id <> 'owner'
"""


async def planted(parley: RunningParley) -> None:
    """Let the owner, whose name is known, ask, vote and say why, with secrets everywhere."""
    rename = text("UPDATE users SET name = 'Anna Planted'")
    await parley.application[Database].write(lambda db: db.execute(rename))
    for model in ("ada", "bob", "cleo"):
        parley.upstream.reply(TEXT, model=model)
    await parley.chat(TEXT)
    battle = await parley.battle(TEXT)
    await parley.vote(battle["battle_id"], reason=TEXT)


async def lines_of(parley: RunningParley, query: str = "") -> list[dict[str, Any]]:
    answer = await parley.client.get(f"/api/exports/anonymised{query}")
    assert answer.status_code == 200
    return [msgspec.json.decode(line) for line in answer.content.splitlines()]


async def of_database(parley: RunningParley, query: str) -> list[Any]:
    rows = await parley.application[Database].read(lambda db: db.execute(text(query)).all())
    return [row[0].hex() if isinstance(row[0], bytes) else row[0] for row in rows]


async def test_nothing_planted_and_no_id_is_in_it(parley: RunningParley) -> None:
    await planted(parley)
    content = (await parley.client.get("/api/exports/anonymised")).content
    archive = (await parley.client.get("/api/exports/anonymised?format=parquet")).content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        read = [files.read("about.json").decode()]
        for name in ("sessions", "turns", "replies", "votes"):
            rows = pyarrow.parquet.read_table(io.BytesIO(files.read(f"{name}.parquet"))).to_pylist()
            assert rows, name
            read.append(repr(rows))
    ids = await of_database(parley, DATABASE_IDS)
    assert len(ids) > 8
    for exported in (content.decode(), "\n".join(read)):
        assert [secret for secret in (*SECRETS, *ids) if secret in exported] == []
        assert exported.count("The sky is blue.") >= 5
    # As a control: the plain export has them all.
    plain = ExportPlan(kind="jsonl", anonymised=False)
    written = parley.application[Exports].write(AccountsService.owner("command"), plain)
    whole = b"".join([data async for data in written]).decode()
    assert [secret for secret in (*SECRETS, *ids) if secret not in whole] == []


async def test_a_person_is_the_same_in_one_export_and_another_in_the_next(parley: RunningParley) -> None:
    await planted(parley)
    people = [{line["person"] for line in await lines_of(parley) if "person" in line} for _ in range(2)]
    assert [len(each) for each in people] == [1, 1]
    assert people[0] != people[1]


async def test_times_are_days_and_references_lead_somewhere(parley: RunningParley) -> None:
    await planted(parley)
    first, *lines, last = await lines_of(parley)
    assert {line["created"] for line in lines if "created" in line} == {first["day"]}
    assert re.search(r"\d\d:\d\d", msgspec.json.encode(lines).decode()) is None
    known = {line["id"] for line in lines}
    assert {line[name] for line in lines for name in ("session_id", "turn_id") if line.get(name)} <= known
    kinds = [line["kind"].partition("-")[0] for line in lines]
    assert last["records"] == {"sessions": 2, "turns": 2, "replies": 3, "votes": 1}
    assert len(kinds) == sum(last["records"].values())
    assert any("Not guaranteed" in each for each in first["guarantees"])


async def test_a_battle_without_a_vote_is_left_out(parley: RunningParley) -> None:
    await parley.battle("Who is it?")
    assert not [line for line in await lines_of(parley) if line["kind"] in ("turn", "reply")]
    voted = await parley.battle("Who was it?")
    await parley.vote(voted["battle_id"])
    parley.upstream.fail(400, model="ada").fail(400, model="bob").fail(400, model="cleo")
    await parley.battle("Who failed?")
    turns = [line for line in await lines_of(parley) if line["kind"] == "turn"]
    assert [turn["prompt"] for turn in turns] == ["Who was it?"]


async def test_votes_only_has_no_text(parley: RunningParley) -> None:
    await planted(parley)
    _, vote, last = await lines_of(parley, "?content=votes")
    assert last["records"] == {"votes": 1}
    assert not {"reason", "prompt", "text", "title"} & set(vote)
    assert "The sky" not in repr(vote)


async def test_ensembles_and_deleted_sessions_are_not_named(parley: RunningParley) -> None:
    await parley.chat("To be deleted")
    session_id = (await parley.get("/api/sessions"))["sessions"][0]["id"]
    assert (await parley.client.delete(f"/api/sessions/{session_id}")).status_code < 300
    await parley.chat("To stay")
    await parley.application[Database].write(
        lambda db: db.execute(text("UPDATE replies SET model_id = 'annas-own-team-1'"))
    )
    exported = msgspec.json.encode(await lines_of(parley)).decode()
    assert "To be deleted" not in exported
    assert "annas-own-team" not in exported
    assert "To stay" in exported


async def test_the_sqlite_file_answers_queries(parley: RunningParley, tmp_path: Path) -> None:
    await planted(parley)
    await parley.battle("Without a vote")
    plan = ExportPlan(kind="sqlite", anonymised=False)
    written = parley.application[Exports].write(AccountsService.owner("command"), plan)
    file = tmp_path / "logs.db"
    file.write_bytes(b"".join([data async for data in written]))
    logs = sqlite_utils.Database(file)
    assert {*logs.view_names()} == {"transcript", "battles"}
    (chat,) = logs.query("SELECT prompt, model, reply FROM transcript WHERE mode = 'chat'")
    assert (chat["prompt"], chat["model"]) == (TEXT, "ada")
    (battle,) = logs.query("SELECT prompt, choice FROM battles")
    assert (battle["prompt"], battle["choice"]) == (TEXT, "left")
    assert len([*logs.table("replies").search("blue")]) == 3
    (sums,) = logs.query("SELECT count(*) AS calls, sum(input_tokens) AS tokens FROM calls")
    shown = (
        "SELECT {} FROM calls JOIN turns ON turns.id = calls.turn_id "
        "WHERE json_extract(turns.input, '$.text') <> 'Without a vote'"
    )
    assert sums["calls"] == (await of_database(parley, shown.format("count(*)")))[0] == 3
    assert sums["tokens"] == (await of_database(parley, shown.format("sum(input_tokens)")))[0]
    assert "Without a vote" not in {row["prompt"] for row in logs["turns"].rows}
    assert sqlite3.connect(file).execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("query", ["?format=csv", "?content=texts"])
async def test_unknown_options_are_refused_by_name(parley: RunningParley, query: str) -> None:
    answer = await parley.client.get(f"/api/exports/anonymised{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, query[1:].partition("=")[0])
