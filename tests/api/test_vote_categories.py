"""Tests of a vote's categories: why it is in them, and what its voter says instead."""

from typing import Any

import pytest

from parley.features.standings.runtime import StandingsRuntime
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

PROMPT = "Write a haiku about rain in exactly three lines."


async def a_vote(parley: RunningParley) -> dict[str, Any]:
    parley.upstream.reply("Drip.")
    battle = await parley.battle(PROMPT)
    vote = await parley.vote(battle["battle_id"])
    await parley.application[StandingsRuntime].worker.run(due=False)
    return {**vote, "session_id": battle["session_id"]}


async def counted(parley: RunningParley) -> dict[str, int]:
    await parley.application[StandingsRuntime].worker.run(due=False)
    table = await parley.get("/api/leaderboard")
    return {card["id"]: card["votes"] for card in table["categories"] if card["votes"]}


async def correct(parley: RunningParley, vote_id: str, *categories: object, status: int = 200) -> Any:
    answer = await parley.client.patch(f"/api/votes/{vote_id}", json={"categories": categories})
    assert answer.status_code == status, answer.text
    return answer.json()


@ON_EVERY_KIND
async def test_the_counts_follow_what_the_voter_says(parley: RunningParley) -> None:
    vote = await a_vote(parley)
    assert await counted(parley) == {"overall": 1, "language-en": 1}
    card = await correct(parley, vote["vote_id"], "language-en", "hard-prompts", "language-en")
    assert (card["categories"], card["categories_by"]) == (["hard-prompts", "language-en"], "person")
    assert await counted(parley) == {"overall": 1, "hard-prompts": 1, "language-en": 1}
    assert await correct(parley, vote["vote_id"]) == {**card, "categories": []}
    assert await counted(parley) == {"overall": 1}


@pytest.mark.parametrize("wanted", [["nonsense"], ["overall"], ["coding"] * 50, [3]])
async def test_categories_that_are_not_there_are_refused_by_name(
    parley: RunningParley, wanted: list[object]
) -> None:
    vote = await a_vote(parley)
    refused = await correct(parley, vote["vote_id"], *wanted, status=422)
    assert "categories" in str(refused)
    assert (await parley.get(f"/api/votes/{vote['vote_id']}"))["categories_by"] == "rules"


async def test_a_vote_that_is_nobodys_is_not_found(parley: RunningParley) -> None:
    await correct(parley, "0" * 32, "coding", status=404)
    await parley.get(f"/api/votes/{'0' * 32}/categories", 404)


async def test_the_reasons_say_what_in_the_prompts_matched(parley: RunningParley) -> None:
    vote = await a_vote(parley)
    explained = await parley.get(f"/api/votes/{vote['vote_id']}/categories")
    found = {reason["category"]: reason["matched"] for reason in explained["reasons"]}
    assert found == {"language-en": "English"}
    await parley.client.delete(f"/api/sessions/{vote['session_id']}")
    explained = await parley.get(f"/api/votes/{vote['vote_id']}/categories")
    assert explained["reasons"] == []
