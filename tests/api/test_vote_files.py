"""Tests of votes written to files: whole, in every format, and read again as the same votes."""

import csv
import errno
import io
import os
import threading
from pathlib import Path

import msgspec
import pytest

from parley.features.imports import routes
from parley.features.imports import service as vote_imports
from parley.features.vote_files.exports import VoteExports
from parley.kernel.views import ModelCard
from parley.settings import Settings
from tests.fakes.running import RunningParley
from tests.fakes.vote_lines import another_parley, bring, check, export, line, lines, rows_of

KINDS = ("jsonl", "csv", "parquet")


CONTENT = (
    "select choice, left_model_id, right_model_id, counted, not_counted_reason, excluded_reason, categories,"
    " prompt_sha256, style, propensity, kind, created_at from votes order by seq"
)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_written_comes_in_again_as_the_same_votes(
    kind: str, parley: RunningParley, tmp_path: Path
) -> None:
    parley.upstream.reply("Fine, ", "*very* fine.")
    for vote in ("left", "tie", "both_bad"):
        battle = await parley.battle("How do I sort a list in Python?")
        await parley.vote(battle["battle_id"], vote, reason="=1+1, “so”")
    whole = await export(parley, kind)
    async with another_parley(tmp_path) as other:
        report = await bring(other, whole, kind="application/octet-stream", format=kind)
        assert (report["read"], report["imported"], report["bad"]) == (3, 3, 0)
        assert await rows_of(other, CONTENT) == await rows_of(parley, CONTENT)
        await check(other, 3)
    report = await bring(parley, whole, kind="application/octet-stream", format=kind)
    assert (report["imported"], report["duplicates"]) == (0, 3)
    await check(parley, 3)


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


async def test_cells_are_no_formulas(parley: RunningParley) -> None:
    for reason in ("=1+1", "fine"):
        battle = await parley.battle("Sort a list")
        await parley.vote(battle["battle_id"], "tie", reason=reason)
    table = list(csv.DictReader(io.StringIO((await export(parley, "csv", texts=True)).decode())))
    assert len(table) == 2
    assert not [cell for row in table for cell in row.values() if cell and cell[0] in "=+-@"]


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
async def test_a_disk_that_is_full_is_explained(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(routes, "receive_file", full)
        problem = await bring(parley, lines([line(1)]), 503)
    assert (problem["code"], "No space left" in problem["title"]) == ("import_interrupted", True)
    assert await rows_of(parley, "select id from votes") == []
    assert not list((parley.application[Settings].data_dir / "imports").iterdir())
    assert (await bring(parley, lines([line(1)])))["imported"] == 1


async def test_an_export_is_made_beside_the_event_loop(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = await parley.battle("Sort a list")
    await parley.vote(battle["battle_id"], "tie")
    card, threads = parley.application[VoteExports]._card, set[int]()

    def noted(model_id: str) -> ModelCard:
        threads.add(threading.get_ident())
        return card(model_id)

    monkeypatch.setattr(parley.application[VoteExports], "_card", noted)
    assert await export(parley)
    assert threads
    assert threading.get_ident() not in threads, "replies that stream meanwhile would wait"
