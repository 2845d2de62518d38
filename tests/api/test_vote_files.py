"""Tests of votes written to files: whole, in every format, and read again as the same votes."""

import csv
import errno
import io
import os
import threading
from pathlib import Path

import msgspec
import pytest

from parley.features.standings.runtime import StandingsRuntime
from parley.features.vote_files import imports as vote_imports
from parley.features.vote_files import routes
from parley.features.vote_files.exports import VoteExports
from parley.kernel.views import ModelCard
from parley.settings import Settings
from parley.storage.database import Database
from tests.api.test_leaderboard import settled
from tests.fakes.ballot_box import BallotBox
from tests.fakes.running import RunningParley
from tests.fakes.vote_lines import another_parley, bring, check, export, line, lines, rows_of

KINDS = ("jsonl", "csv", "parquet")


CONTENT = (
    "select choice, left_model_id, right_model_id, counted, not_counted_reason, excluded_reason, categories,"
    " categories_by, prompt_sha256, style, read_ms, propensity, kind, created_at from votes order by seq"
)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_written_comes_in_again_as_the_same_votes(
    kind: str, parley: RunningParley, tmp_path: Path
) -> None:
    parley.upstream.reply("Fine, ", "*very* fine.")
    for vote in ("left", "tie", "both_bad"):
        battle = await parley.battle("How do I sort a list in Python?")
        await parley.vote(battle["battle_id"], vote, reason="=1+1, “so”")
    await bring(
        parley,
        lines(
            [
                line(1, parley_counted=False, parley_reason="identity_leak"),
                line(2, parley_counted=True, parley_excluded="spam"),
                line(3, anony=False),
                line(4, model_b="=cmd|' /C calc'!A0", category=["coding", "own-thing"]),
            ]
        ),
    )
    whole = await export(parley, kind)
    async with another_parley(tmp_path) as other:
        report = await bring(other, whole, kind="application/octet-stream", format=kind)
        assert (report["read"], report["imported"], report["bad"]) == (7, 7, 0)
        assert await rows_of(other, CONTENT) == await rows_of(parley, CONTENT)
        await check(other, 7)
        again = await export(other, kind)
        report = await bring(parley, again, kind="application/octet-stream", format=kind)
        assert (report["imported"], report["duplicates"]) == (0, 7)
        await check(parley, 7)


async def test_an_empty_installation_gets_the_same_table_from_an_export(
    parley: RunningParley, tmp_path: Path
) -> None:
    await BallotBox(models=("ada", "bob", "cleo")).cast(parley.application[Database], 80)
    await bring(
        parley, lines([line(1, parley_counted=False, parley_reason="too_fast"), line(2, winner="tie")])
    )
    parley.application[StandingsRuntime].wake()
    await settled(parley)
    whole = await export(parley)
    async with another_parley(tmp_path) as other:
        assert (await bring(other, whole))["imported"] == 82
        await settled(other)
        for asked in ("", "&method=elo", "&include_uncounted=true", "&category=coding"):
            path = f"/api/leaderboard?min_votes=0{asked}"
            here, there = await parley.get(path), await other.get(path)
            fields = (
                "rating",
                "rank",
                "rank_ub",
                "votes",
                "wins",
                "losses",
                "ties",
                "both_bad",
                "provisional",
            )
            tables = [
                {row["model"]["id"]: [row[name] for name in fields] for row in it["lines"]}
                for it in (here, there)
            ]
            assert tables[0] == tables[1], asked
            assert (here["votes"], here["uncounted"]) == (there["votes"], there["uncounted"])


async def test_texts_are_written_where_they_are_wished_for(parley: RunningParley) -> None:
    parley.upstream.reply("One.")
    battle = await parley.battle("First?")
    await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "Second?"})
    await parley.vote(battle["battle_id"], "left", reason="Clear.")
    (bare,) = msgspec.json.decode(b"[" + (await export(parley)).strip() + b"]")
    assert "conversation_a" not in bare
    assert bare["turn"] == 2
    (vote,) = msgspec.json.decode(b"[" + (await export(parley, texts=True)).strip() + b"]")
    assert vote["conversation_a"] == [
        {"role": "user", "content": "First?"},
        {"role": "assistant", "content": "One."},
        {"role": "user", "content": "Second?"},
        {"role": "assistant", "content": "One."},
    ]
    assert vote["parley_comment"] == "Clear."
    await parley.client.delete(f"/api/sessions/{battle['session_id']}")
    (gone,) = msgspec.json.decode(b"[" + (await export(parley, texts=True)).strip() + b"]")
    assert gone["conversation_a"] is None


async def test_texts_end_with_the_turn_that_was_judged(parley: RunningParley) -> None:
    seats = {"model_1": "ada", "model_2": "bob"}
    asked = {"prompt": "First?", "mode": "compare", "seats": seats}
    match = (await parley.post("/api/sessions", asked))["match_id"]
    await parley.post(f"/api/matches/{match}/vote", {"vote": "tie"})
    await parley.post(f"/api/matches/{match}/turns", {"input": {"type": "prompt", "text": "Second?"}})
    await parley.post(f"/api/matches/{match}/vote", {"vote": "tie"})
    votes = msgspec.json.decode(b"[" + b",".join((await export(parley, texts=True)).splitlines()) + b"]")
    prompts = [[it["content"] for it in vote["conversation_b"] if it["role"] == "user"] for vote in votes]
    assert prompts == [["First?"], ["First?", "Second?"]]


async def test_cells_are_no_formulas_and_uncounted_votes_can_be_left_out(parley: RunningParley) -> None:
    await bring(
        parley, lines([line(1, model_b="=1+1"), line(2, parley_counted=False, parley_reason="too_fast")])
    )
    table = list(csv.DictReader(io.StringIO((await export(parley, "csv")).decode())))
    assert len(table) == 2
    assert not [cell for row in table for cell in row.values() if cell and cell[0] in "=+-@"]
    counted = (await export(parley, include_uncounted=False)).splitlines()
    assert len(counted) == 1


async def test_votes_without_a_judge_stay_without_one(parley: RunningParley, tmp_path: Path) -> None:
    nobody, somebody = line(1), line(2)
    del nobody["judge"]
    await bring(parley, lines([nobody, somebody]))
    whole = await export(parley)
    judges = [msgspec.json.decode(row)["judge"] for row in whole.splitlines()]
    assert judges[0] is None
    assert judges[1] is not None
    async with another_parley(tmp_path) as other:
        assert (await bring(other, whole))["imported"] == 2
        assert (await bring(other, lines([nobody, somebody])))["duplicates"] == 2
        ((vote_id, voter_id),) = await rows_of(other, "select id, voter_id from votes where id = voter_id")
        assert vote_id == voter_id


async def test_a_salt_that_a_crash_left_empty_is_made_anew(parley: RunningParley) -> None:
    salt = parley.application[Settings].data_dir / vote_imports.SALT_FILE
    salt.touch()
    await bring(parley, lines([line(1)]))
    made = salt.read_bytes()
    assert len(made) == 32
    await bring(parley, lines([line(2)]))
    assert salt.read_bytes() == made
    assert len(set(await rows_of(parley, "select voter_id from votes"))) == 2


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("when", ["uploading", "reading"])
async def test_a_disk_that_is_full_is_explained(
    when: str, parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        if when == "reading":
            patched.setattr(vote_imports.StageWriter, "add", full)
        else:
            patched.setattr(routes, "receive_file", full)
        problem = await bring(parley, lines([line(1)]), 503)
    assert (problem["code"], "No space left" in problem["title"]) == ("import_interrupted", True)
    assert await rows_of(parley, "select id from votes") == []
    assert not list((parley.application[Settings].data_dir / "imports").iterdir())
    assert (await bring(parley, lines([line(1)])))["imported"] == 1


async def test_an_export_is_made_beside_the_event_loop(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bring(parley, lines([line(1)]))
    card, threads = parley.application[VoteExports]._card, set[int]()

    def noted(model_id: str) -> ModelCard:
        threads.add(threading.get_ident())
        return card(model_id)

    monkeypatch.setattr(parley.application[VoteExports], "_card", noted)
    assert await export(parley)
    assert threads
    assert threading.get_ident() not in threads, "replies that stream meanwhile would wait"
