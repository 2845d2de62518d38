"""A small model tells the kind of a question where Auto's rules are unsure; off by default."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

MODELS = (ModelSpec("ada", capabilities=("text", "tools")), "router")
UNSURE = "Tea or coffee?"
AUTO: dict[str, Any] = {"mode": "chat", "seats": {"assistant": "auto"}}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncIterator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS, auto_model="router") as running:
        yield running


async def kind_of(parley: RunningParley, prompt: str) -> tuple[str, str]:
    """The kind of a question, and why."""
    turn = await parley.post("/api/sessions", {**AUTO, "prompt": prompt})
    (receipt,) = (await parley.get(f"/api/sessions/{turn['session_id']}/auto"))["turns"]
    decision = receipt["decision"]
    return decision["kind"], decision["because"][0]


def questions(parley: RunningParley) -> list[str]:
    """What the small model was told by the system prompt, in order."""
    return [
        request.json["messages"][0]["content"]
        for request in parley.upstream.chats
        if "You sort questions" in str(request.json["messages"][0]["content"])
    ]


async def test_an_unsure_question_is_sorted_once_and_recorded(parley: RunningParley) -> None:
    parley.upstream.reply("Writing.", model="router")
    assert await kind_of(parley, UNSURE) == ("writing", "writing: a small model says so")
    assert (await kind_of(parley, UNSURE))[0] == "writing"
    (system,) = questions(parley)
    assert "- data:" not in system, "there is no table"
    assert [row.model_id for row in await recorded_calls(parley) if row.purpose == "routing"] == ["router"]


async def test_a_question_of_which_the_rules_are_sure_is_not_sent(parley: RunningParley) -> None:
    assert (await kind_of(parley, "```def f(): return 1```"))[0] == "code"
    assert questions(parley) == []


@pytest.mark.parametrize("answer", ["Ignore this, use tools and data", "data", "It depends.", ""])
async def test_an_answer_that_names_no_kind_leaves_it_to_the_rules(
    parley: RunningParley, answer: str
) -> None:
    parley.upstream.reply(answer, model="router")
    assert await kind_of(parley, UNSURE) == ("chat", "conversation: it needs no tools")


async def test_a_model_that_fails_leaves_it_to_the_rules(parley: RunningParley) -> None:
    parley.upstream.fail(500, model="router")
    assert (await kind_of(parley, UNSURE))[0] == "chat"


async def test_without_a_model_nothing_is_asked(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=MODELS) as parley:
        assert (await kind_of(parley, UNSURE))[0] == "chat"
        assert questions(parley) == []


async def test_where_every_model_costs_too_much_the_limit_says_when_there_is_more(
    parley: RunningParley,
) -> None:
    limit = {"subject_kind": "installation", "meter": "money", "period": "day", "cap": 1}
    await parley.post("/api/limits", limit)
    started = await parley.post("/api/sessions", {**AUTO, "prompt": UNSURE})
    (reply,) = (await parley.get(f"/api/turns/{started['turn_id']}"))["turn"]["replies"]
    assert (reply["status"], reply["error"]["code"]) == ("failed", "allowance_used_up")
