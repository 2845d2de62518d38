"""Tests of a budget that refuses: whatever a call is for, no model's server hears of it."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parley.engine.gateway import Gateway
from tests.fakes.budget import REFUSAL, FakeBudget
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

MODELS = (
    ModelSpec("ada", tags=("battle",)),
    ModelSpec("bob", tags=("battle",)),
    "judge",
    "namer",
    "sorter",
    "router",
)
BOARD = {
    "mode": "consortium",
    "name": "Board",
    "seats": {"arbiter": "judge", "a": "ada", "b": "bob"},
    "contestant": True,
}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(
        tmp_path, models=MODELS, title_model="namer", category_model="sorter", auto_model="router"
    ) as running:
        yield running


def limited(parley: RunningParley, refuses: str) -> FakeBudget:
    """Let a budget refuse the calls of a model."""
    budget = FakeBudget(refuses=refuses)
    gateway = parley.application[Gateway]
    gateway._accounting = replace(gateway._accounting, budget=budget)
    return budget


async def settled(*prefixes: str) -> None:
    """Wait for the questions in the background."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name().startswith(prefixes)]
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 40)


def asked(parley: RunningParley) -> set[Any]:
    return {request.model for request in parley.upstream.chats}


async def test_a_reply_says_why_it_was_refused_and_nothing_is_sent(parley: RunningParley) -> None:
    limited(parley, "*")
    outcome = await parley.chat()
    (reply,) = (await parley.get(f"/api/turns/{outcome['turn_id']}"))["turn"]["replies"]
    assert (reply["status"], reply["metrics"]["cost_micros"]) == ("failed", 0)
    assert reply["error"] == {"code": "over_budget", "title": REFUSAL.title, "detail": REFUSAL.detail}
    await settled("title-of-")
    assert parley.upstream.chats == []
    rows = {(row.purpose, row.outcome, row.code) for row in await recorded_calls(parley)}
    assert rows == {("reply", "refused", "over_budget"), ("title", "refused", "over_budget")}


async def test_a_battle_whose_side_is_refused_is_void_and_does_not_say_which(parley: RunningParley) -> None:
    budget = limited(parley, "bob")
    outcome = await parley.battle()
    shown = await parley.get(f"/api/turns/{outcome['turn_id']}")
    assert (shown["match"]["status"], shown["turn"]["error"]["code"]) == ("void", "battle_void")
    assert REFUSAL.title not in str(shown)
    assert "bob" not in asked(parley)
    await settled("title-of-")
    assert budget.held == []


async def test_a_title_that_is_refused_leaves_the_first_one(parley: RunningParley) -> None:
    limited(parley, "namer")
    outcome = await parley.chat("Why is the sky blue?")
    await settled("title-of-")
    session = (await parley.get(f"/api/sessions/{outcome['session_id']}"))["session"]
    assert (session["title"], asked(parley)) == ("Why is the sky blue?", {"ada"})


async def test_categories_that_are_refused_are_those_of_the_rules(parley: RunningParley) -> None:
    limited(parley, "sorter")
    battle = await parley.battle()
    vote_id = (await parley.vote(battle["battle_id"]))["vote_id"]
    await settled("categories-of-")
    assert (await parley.get(f"/api/votes/{vote_id}"))["categories_by"] == "rules"
    assert "sorter" not in asked(parley)


async def test_a_member_that_is_refused_is_missing_from_its_ensemble(parley: RunningParley) -> None:
    model_id = (await parley.post("/api/presets", BOARD))["model_id"]
    budget = limited(parley, "bob")
    parley.upstream.reply(member("So says a."), model="ada")
    parley.upstream.reply(arbiter("Together.", 0.95), model="judge")
    await parley.chat(model=model_id)
    await settled("title-of-")
    assert "bob" not in asked(parley)
    assert {call.model_id for call in budget.asked} >= {"ada", "bob"}
    assert model_id not in {call.model_id for call in budget.asked}
    assert budget.held == []
