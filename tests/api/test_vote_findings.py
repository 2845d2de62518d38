"""Tests of what is made of a vote when it is cast: findings beside it, and reasons not to count it."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from parley.engine.clock import WallClock
from parley.engine.hub import Hub, Passed
from parley.kernel.messages import sha256_text
from parley.storage.database import Database
from parley.storage.tables.votes import VoteRow
from tests.fakes.running import RunningParley, a_running_parley

LONG = "A rather long answer that takes its time. " * 40


async def stored_vote(parley: RunningParley, vote_id: str) -> VoteRow:
    return await parley.application[Database].read(
        lambda session: session.one(VoteRow, VoteRow.c.id == vote_id)
    )


def unmoved(vote: dict[str, Any]) -> bool:
    return all(vote[side]["elo_before"] == vote[side]["elo_after"] for side in ("left", "right"))


async def test_a_vote_has_categories_style_a_question_and_a_time_to_read(parley: RunningParley) -> None:
    parley.upstream.reply("# Sorted\n\n- one\n- **two**\n\n```\n# none\n```")
    battle = await parley.battle("Schreibe eine Funktion in Python,  die eine Liste sortiert.")
    await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "Und nun rückwärts?"})
    vote = await stored_vote(parley, (await parley.vote(battle["battle_id"]))["vote_id"])
    assert vote.categories == ["coding", "language-de", "multi-turn"]
    assert vote.categories_by == "rules"
    assert vote.prompt_sha256 == sha256_text("schreibe eine funktion in python, die eine liste sortiert.")
    assert vote.style is not None
    assert vote.style["left"] == vote.style["right"]
    assert {name: vote.style["left"][name] for name in ("headers", "lists", "bold")} == {
        "headers": 2,
        "lists": 4,
        "bold": 2,
    }
    assert vote.read_ms is not None
    assert 0 <= vote.read_ms < 20_000
    assert vote.counted


async def test_the_same_question_about_the_same_pair_counts_once_for_a_person(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob")) as parley:
        first = await parley.vote((await parley.battle("Which is  better?"))["battle_id"])
        again = await parley.vote((await parley.battle("which is better?"))["battle_id"])
        other = await parley.vote((await parley.battle("Which is worse?"))["battle_id"])
        reasons = [vote["not_counted_reason"] for vote in (first, again, other)]
        assert reasons == [None, "duplicate_prompt", None]
        assert (unmoved(first), unmoved(again)) == (False, True)
        assert (await stored_vote(parley, again["vote_id"])).prompt_sha256


async def long_battle(parley: RunningParley) -> str:
    parley.upstream.reply(LONG)
    return str((await parley.battle())["battle_id"])


async def test_a_vote_at_once_on_long_answers_that_came_at_once_is_kept_and_not_counted(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = await long_battle(parley)
    monkeypatch.setattr(parley.application[Hub], "passed", lambda _turn_id, now: Passed(0, 0))
    vote = await parley.vote(battle)
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "too_fast")
    assert unmoved(vote)
    assert (await stored_vote(parley, vote["vote_id"])).read_ms == 0


async def test_a_clock_that_is_set_back_makes_no_vote_too_fast(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = await long_battle(parley)
    await asyncio.sleep(1.1)
    monkeypatch.setattr(WallClock, "now", lambda _: time.time() - 3600)
    vote = await parley.vote(battle)
    assert vote["counted"], vote["not_counted_reason"]
    read_ms = (await stored_vote(parley, vote["vote_id"])).read_ms
    assert read_ms is not None
    assert read_ms > 1_000


async def test_nobody_is_too_fast_where_another_process_played_the_turn(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = await long_battle(parley)
    monkeypatch.setattr(parley.application[Hub], "_played", {})
    vote = await parley.vote(battle)
    assert vote["counted"]
    assert (await stored_vote(parley, vote["vote_id"])).read_ms is None
