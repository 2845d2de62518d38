"""Tests of a person's data as a whole: where it lies, the export of everything, and its deletion."""

import msgspec
import pytest
from sqlalchemy import func, select

from parley.settings import Settings
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.search import SearchTextRow
from parley.storage.tables.votes import VoteRow
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley


async def test_the_summary_names_the_folder_and_counts(parley: RunningParley) -> None:
    battle = await parley.battle()
    await parley.vote(battle["match_id"])
    await parley.chat()
    summary = await parley.get("/api/data")
    assert summary["folder"] == str(parley.application[Settings].data_dir)
    assert summary["bytes"] > 0
    assert (summary["sessions"], summary["votes"]) == (2, 1)
    assert summary["database"].startswith("postgresql://") or summary["database"].endswith(".db")


async def test_the_export_has_every_session_and_hides_what_is_blind(parley: RunningParley) -> None:
    await parley.chat("Hello")
    await parley.battle("Which is it?")
    response = await parley.client.get("/api/data/export")
    lines = [msgspec.json.decode(line) for line in response.content.splitlines()]
    lines = [line for line in lines if line["kind"] == "session"]
    assert [line["session"]["session"]["title"] for line in lines] == ["Hello", "Which is it?"]
    assert all(seat["model"] is None for seat in lines[1]["session"]["matches"][0]["match"]["seats"])


@ON_EVERY_KIND
async def test_everything_is_deleted_but_votes_keep_counting_without_their_texts(
    parley: RunningParley,
) -> None:
    battle = await parley.battle()
    await parley.vote(battle["match_id"], reason="Because of my name.")
    chat = await parley.chat()
    await parley.client.delete(f"/api/sessions/{chat['session_id']}")
    response = await parley.client.delete("/api/data?confirm=delete")
    assert response.json() == {"sessions": 2, "presets": 0}

    def look(transaction: Transaction):
        counts = [
            transaction.scalar(select(func.count()).select_from(kind.table))
            for kind in (SessionRow, MatchRow, TurnRow, ReplyRow, SearchTextRow)
        ]
        return counts, [
            (vote.session_id, vote.reason) for vote in transaction.select(VoteRow, select_rows(VoteRow))
        ]

    assert await parley.application[Database].read(look) == ([0] * 5, [(None, None)])
    assert (await parley.get("/api/sessions"))["sessions"] == []


async def test_no_file_holds_a_deleted_text(parley: RunningParley) -> None:
    folder = parley.application[Settings].data_dir
    if not parley.application[Database].is_sqlite:
        pytest.skip("PostgreSQL frees deleted rows by itself")
    for number in range(30):
        await parley.chat(f"My passphrase is {number} purple walrus")

    def files_with_it() -> list[str]:
        return [path.name for path in folder.rglob("*") if path.is_file() and b"walrus" in path.read_bytes()]

    assert files_with_it(), "the texts are stored somewhere"
    before = (await parley.get("/api/data"))["bytes"]
    assert (await parley.client.delete("/api/data?confirm=delete")).status_code == 200
    assert files_with_it() == []
    assert (await parley.get("/api/data"))["bytes"] < before


async def test_nothing_is_deleted_without_the_word(parley: RunningParley) -> None:
    await parley.chat()
    for query in ("", "?confirm=yes"):
        assert (await parley.client.delete(f"/api/data{query}")).status_code == 422
    assert len((await parley.get("/api/sessions"))["sessions"]) == 1


async def test_nothing_brings_back_a_preset_after_everything_is_deleted(parley: RunningParley) -> None:
    preset = {"mode": "chat", "name": "Secret plan", "seats": {}, "description": "a canary"}
    first = await parley.post("/api/presets", preset)
    await parley.client.delete(f"/api/presets/{first['id']}")
    second = await parley.post("/api/presets", preset)
    assert (await parley.client.delete("/api/data?confirm=delete")).status_code == 200
    for preset_id in (first["id"], second["id"]):
        assert (await parley.client.post(f"/api/presets/{preset_id}/restore")).status_code == 404
