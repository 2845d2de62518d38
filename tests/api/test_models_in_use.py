"""Removing a model that presets need: refused by name first, done with force, and the presets stay."""

from typing import Any

import pytest

from tests.api.test_providers import add, delete
from tests.fakes.running import RunningParley

pytestmark = pytest.mark.databases("sqlite")


async def save(parley: RunningParley, mode: str, name: str, *models: str, **more: Any) -> dict[str, Any]:
    seats = dict(zip("abcdef", models, strict=False))
    seats |= {"arbiter": "ada"} if mode == "consortium" else {}
    return await parley.post("/api/presets", {"mode": mode, "name": name, "seats": seats, **more})


async def test_a_model_in_use_is_removed_only_by_force_and_its_presets_say_what_is_missing(
    parley: RunningParley,
) -> None:
    await add(parley, parley.upstream, "extra")
    board = await save(parley, "consortium", "Board", "ada", "extra", contestant=True)
    duo = await save(parley, "team", "Duo", "ada", "bob")
    trio = await save(parley, "team", "Trio", "ada", board["model_id"], "bob")
    lines = await save(parley, "compare", "Both", "ada", "extra")
    refused = await delete(parley, "/api/models/extra", 409)
    assert refused["code"] == "model_in_use"
    assert refused["result"] == [
        {"id": each["id"], "mode": each["mode"], "name": each["name"]} for each in (lines, board, trio)
    ]
    assert (
        refused["title"]
        == "Presets that would stop working: compare “Both”, consortium “Board”, team “Trio”."
    )
    assert "Nothing was removed" in refused["detail"]
    await parley.chat(model="extra")
    await delete(parley, "/api/models/extra?force=true", 204)
    missing = {each["name"]: each["missing"] for each in (await parley.get("/api/presets"))["presets"]}
    assert missing == {"Board": ["extra"], "Both": ["extra"], "Duo": [], "Trio": [board["model_id"]]}
    begun = {"prompt": "Hi", "mode": "team", "seats": trio["seats"], "brief": trio["brief"]}
    problem = await parley.post("/api/sessions", begun, status=422)
    assert (problem["field"], board["model_id"] in problem["title"]) == ("seats.b", True), problem
    assert duo["missing"] == []


async def test_a_provider_is_removed_with_its_models_only_if_no_preset_needs_them(
    parley: RunningParley,
) -> None:
    await add(parley, parley.upstream, "one", "two")
    await save(parley, "team", "Duo", "one", "two")
    refused = await delete(parley, "/api/providers/lab", 409)
    assert (refused["code"], [each["name"] for each in refused["result"]]) == ("model_in_use", ["Duo"])
    listed = {card["id"] for card in (await parley.get("/api/models"))["models"]}
    assert {"one", "two"} <= listed, "a refusal removes nothing"
    assert await delete(parley, "/api/providers/lab?force=true") == {"retired_models": ["one", "two"]}


async def test_a_model_that_no_preset_needs_is_removed_at_once(parley: RunningParley) -> None:
    await add(parley, parley.upstream, "extra")
    await delete(parley, "/api/models/extra", 204)


async def test_of_many_presets_the_first_are_named_and_all_are_listed(parley: RunningParley) -> None:
    await add(parley, parley.upstream, "extra")
    for number in range(7):
        await save(parley, "team", f"Duo {number}", "ada", "extra")
    refused = await delete(parley, "/api/models/extra", 409)
    assert refused["title"].endswith("team “Duo 4”, 2 more.")
    assert len(refused["result"]) == 7
