"""Tests of a model that is asked for a vote's categories: it helps, and nothing depends on it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from parley.features.accounts.service import OWNER_ID
from parley.features.vote_history.categories import VoteCategories
from parley.features.vote_history.category_model import read_answer
from parley.kernel.caller import inside
from parley.kernel.errors import ParleyError
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

MODELS = (ModelSpec("ada", tags=("battle",)), ModelSpec("bob", tags=("battle",)), "judge")
KNOWN = ("coding", "maths", "creative-writing")


@pytest.fixture
async def asking(tmp_path: Path) -> AsyncIterator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS, category_model="judge") as parley:
        yield parley


async def a_vote(parley: RunningParley) -> str:
    battle = await parley.battle("Is the sky blue, and why is it so?")
    return str((await parley.vote(battle["battle_id"]))["vote_id"])


async def settled(parley: RunningParley, vote_id: str) -> dict[str, Any]:
    """Return a vote once nobody is asked about it any more."""
    asked = [task for task in asyncio.all_tasks() if task.get_name() == f"categories-of-{vote_id}"]
    await asyncio.wait_for(asyncio.gather(*asked), 40)
    return await parley.get(f"/api/votes/{vote_id}")


async def test_the_model_s_topics_join_what_the_rules_count(asking: RunningParley) -> None:
    asking.upstream.reply('Sure! ["maths", "hard-prompts", "nonsense"]', model="judge")
    vote_id = await a_vote(asking)
    vote = await settled(asking, vote_id)
    assert (vote["categories"], vote["categories_by"]) == (["hard-prompts", "language-en", "maths"], "model")
    (row,) = [row for row in await recorded_calls(asking) if row.purpose != "reply"]
    assert (row.owner_id, row.purpose, row.model_id) == (OWNER_ID, "categories", "judge")
    assert (row.turn_id, row.reply_id) == (None, None), "it is no part of a turn"
    assert (row.input_tokens > 0, row.output_tokens > 0, row.estimated) == (True, True, False)


async def test_an_answer_that_is_none_leaves_the_rules_categories(asking: RunningParley) -> None:
    asking.upstream.reply("It is about the sky.", model="judge")
    asking.upstream.fail(400, model="judge")
    for _ in range(2):
        vote = await settled(asking, await a_vote(asking))
        assert (vote["categories"], vote["categories_by"]) == (["language-en"], "rules")


async def test_a_person_s_word_stands_against_the_model_s(asking: RunningParley) -> None:
    asking.upstream.reply("[]", model="judge")
    vote_id = await a_vote(asking)
    await settled(asking, vote_id)
    await asking.client.patch(f"/api/votes/{vote_id}", json={"categories": ["coding"]})
    await asking.application[VoteCategories].suggest(inside(OWNER_ID), vote_id, ["maths"])
    vote = await settled(asking, vote_id)
    assert (vote["categories"], vote["categories_by"]) == (["coding"], "person")


@pytest.mark.databases("sqlite")
async def test_a_model_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ParleyError) as caught:
        async with a_running_parley(tmp_path, category_model="nobody"):
            pass
    assert "category_model: There is no model “nobody”" in caught.value.title


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('["coding"]', ("coding",)),
        ("[]", ()),
        ("```json\n[\n  'maths', 'coding'\n]\n```", ("coding", "maths")),
        ("I think [1] says it: [coding, Maths]", ("coding", "maths")),
        ('["poetry"]', None),
        ("coding", None),
        ("", None),
        ("[" * 5_000, None),
    ],
)
def test_answers_are_read_leniently(said: str, found: tuple[str, ...] | None) -> None:
    assert read_answer(said, KNOWN) == found
