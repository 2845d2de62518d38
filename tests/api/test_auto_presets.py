"""Presets as targets of Auto: a policy names them and their kinds, their seats say what they cost."""

from typing import Any

import pytest

from tests.api.test_contestants import agrees, parley, remove, save
from tests.fakes.running import RunningParley

__all__ = ["parley"]

STORY = "Write a short story about the sea"
EQUAL = {"quality": 1, "price": 0, "wait": 0}
"""Nobody has a rating, so all are tied, and the first by its id is chosen."""


async def let(parley: RunningParley, presets: dict[str, list[str]], status: int = 200) -> Any:
    answer = await parley.client.put("/api/auto", json={**EQUAL, "presets": presets})
    assert answer.status_code == status, answer.text
    return answer.json()


async def chosen(parley: RunningParley, prompt: str) -> dict[str, Any]:
    agrees(parley, "The sea was calm.")
    body = {"prompt": prompt, "mode": "chat", "seats": {"assistant": "auto"}}
    outcome = await parley.post("/api/sessions", body)
    turns = (await parley.get(f"/api/sessions/{outcome['session_id']}/auto"))["turns"]
    return turns[0]["decision"]


async def test_a_preset_answers_what_its_person_lets_it(parley: RunningParley) -> None:
    preset = await save(parley, "A board")
    assert (await chosen(parley, STORY))["target"] != preset["model_id"], "not before it may"
    policy = await let(parley, {preset["id"]: ["writing"], "of-another": ["chat"]})
    assert (await parley.get("/api/auto")) == policy
    story = await chosen(parley, STORY)
    assert (story["target"], story["kind"]) == ("a-board-r1", "writing")
    assert "4 of 4 models and presets can" in story["because"]
    costs = {option["model"]: option["cost_micros"] for option in story["options"]}
    assert costs["a-board-r1"] > 3 * costs["ada"], "two members and an arbiter"
    talk = await chosen(parley, "How are you today?")
    assert talk["target"] != "a-board-r1"
    assert talk["rejected"] == {"a-board-r1": "it is not for such questions"}


async def test_the_replay_counts_all_calls_of_a_preset(parley: RunningParley) -> None:
    preset = await save(parley, "A board")
    agrees(parley)
    await parley.post("/api/sessions", {"prompt": STORY, "mode": "chat", "seats": {"assistant": "ada"}})
    without = await parley.get("/api/auto/replay")
    await let(parley, {preset["id"]: ["writing"]})
    replay = await parley.get("/api/auto/replay")
    assert replay["models"] == [{"name": "Consortium: A board", "questions": 1}]
    assert replay["would_cost_micros"] > 3 * without["would_cost_micros"]


async def test_a_preset_that_is_gone_is_not_chosen_and_one_that_changed_is_by_its_new_revision(
    parley: RunningParley,
) -> None:
    preset = await save(parley, "A board")
    await let(parley, {preset["id"]: ["writing"]})
    changed = {"brief": {"max_iterations": 2}}
    await parley.client.request("PATCH", f"/api/presets/{preset['id']}", json=changed)
    assert (await chosen(parley, STORY))["target"] == "a-board-r2"
    await remove(parley, preset)
    assert (await chosen(parley, STORY))["target"] == "ada"


@pytest.mark.parametrize("kind", ["tools", "data", "picture", "everything"])
async def test_a_preset_is_for_kinds_without_tools_and_pictures(parley: RunningParley, kind: str) -> None:
    assert (await let(parley, {"board": [kind]}, 422))["code"] == "invalid_input"


async def test_programs_are_answered_by_models_alone(parley: RunningParley) -> None:
    preset = await save(parley, "A board")
    await let(parley, {preset["id"]: ["writing"]})
    agrees(parley)
    parley.upstream.reply("The sea.", model="ada")
    body = {"model": "auto", "messages": [{"role": "user", "content": STORY}]}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200, answer.text
    assert len(parley.upstream.chats) == 1, "one model, and no board"
