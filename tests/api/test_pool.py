"""The battle pool: read and changed where it is shown, for models of every source."""

from typing import Any

import pytest

from parley.features.catalog.service import CatalogService
from tests.fakes.running import RunningParley


def drawn(parley: RunningParley) -> set[str]:
    return {model.id for model in parley.application[CatalogService].battle_pool()}


async def change(parley: RunningParley, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await parley.client.patch(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


async def place(parley: RunningParley, model_id: str) -> dict[str, Any]:
    pool = await parley.get("/api/pool")
    return next(each for each in pool["places"] if each["model_id"] == model_id)


async def test_taking_one_model_out_leaves_the_others_in(parley: RunningParley) -> None:
    before = drawn(parley)
    first = min(before)
    pool = await change(parley, "/api/pool", {"models": {first: {"chosen": False}}})
    assert drawn(parley) == before - {first}
    assert pool["ready"] == len(before) - 1
    assert (await place(parley, first))["chosen"] is False
    await change(parley, "/api/pool", {"models": {first: {"chosen": True}}})
    assert drawn(parley) == before


async def test_a_weight_of_zero_says_that_it_keeps_a_model_out(parley: RunningParley) -> None:
    first = min(drawn(parley))
    await change(parley, "/api/pool", {"models": {first: {"weight": 0}}})
    assert first not in drawn(parley)
    state = await place(parley, first)
    assert (state["chosen"], state["out"], state["why"]) == (True, "weight_zero", "Its weight is 0.")


async def test_a_choice_about_a_model_of_the_database_is_the_latest_one(parley: RunningParley) -> None:
    added = await parley.post("/api/models", {"models": [{"provider": "near", "model": "n", "id": "mine"}]})
    assert added["models"][0]["id"] == "mine"
    before = drawn(parley)
    await change(parley, "/api/pool", {"models": {"mine": {"chosen": True}}})
    assert drawn(parley) == before | {"mine"}, "the others stay"
    await change(parley, "/api/models/mine", {"battle": False})
    assert "mine" not in drawn(parley)


@pytest.mark.parametrize(
    "body", [{"models": {}}, {"models": {"ada": {}}}, {"models": {"ada": {"weight": -1}}}]
)
async def test_a_change_that_says_nothing_is_refused(parley: RunningParley, body: dict[str, Any]) -> None:
    response = await parley.client.patch("/api/pool", json=body)
    assert response.status_code == 422


async def test_an_unknown_model_is_refused(parley: RunningParley) -> None:
    response = await parley.client.patch("/api/pool", json={"models": {"nobody": {"chosen": True}}})
    assert response.json()["code"] == "model_not_found"
