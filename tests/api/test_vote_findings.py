"""Tests of what is made of a vote when it is cast: findings beside it, and reasons not to count it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from parley.kernel.messages import sha256_text
from parley.storage.tables.conversations import Turn
from parley.storage.tables.judgements import Vote
from tests.fakes.house import RunningParley, a_running_parley

LONG = "A rather long answer that takes its time. " * 40


async def stored_vote(parley: RunningParley, vote_id: str) -> Vote:
    query = select(Vote).where(Vote.id == vote_id)
    return await parley.house.database.read(lambda session: session.scalars(query).one())


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


async def test_a_vote_at_once_on_long_answers_that_came_at_once_is_kept_and_not_counted(
    parley: RunningParley,
) -> None:
    parley.upstream.reply(LONG)
    battle = await parley.battle()
    now = datetime(2100, 1, 1, tzinfo=UTC)  # whatever happens meanwhile, no time has passed since
    moved = update(Turn).values(created_at=now, ended_at=now)
    await parley.house.database.write(lambda session: session.execute(moved))
    vote = await parley.vote(battle["battle_id"])
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "too_fast")
    assert unmoved(vote)
    assert (await stored_vote(parley, vote["vote_id"])).read_ms == 0


async def test_nobody_is_too_fast_where_the_time_of_the_end_is_not_known(parley: RunningParley) -> None:
    parley.upstream.reply(LONG)
    battle = await parley.battle()
    await parley.house.database.write(lambda session: session.execute(update(Turn).values(ended_at=None)))
    vote = await parley.vote(battle["battle_id"])
    assert vote["counted"]
    assert (await stored_vote(parley, vote["vote_id"])).read_ms is None
