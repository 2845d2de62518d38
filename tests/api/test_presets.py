"""Presets over HTTP: settings and seats under a name, saved, changed and removed."""

from typing import Any

from parley.features.presets.service import MOST_REMOVED
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

CHAT = {
    "mode": "chat",
    "name": "Terse",
    "seats": {"assistant": "ada"},
    "brief": {"system_prompt": "Be brief."},
}


async def save(parley: RunningParley, status: int = 200, **changed: Any) -> Any:
    return await parley.post("/api/presets", {**CHAT, **changed}, status=status)


async def change(parley: RunningParley, preset_id: str, status: int = 200, **changed: Any) -> Any:
    response = await parley.client.request("PATCH", f"/api/presets/{preset_id}", json=changed)
    assert response.status_code == status, response.text
    return response.json()


async def names(parley: RunningParley, query: str = "") -> list[str]:
    return [preset["name"] for preset in (await parley.get(f"/api/presets{query}"))["presets"]]


@ON_EVERY_KIND
async def test_a_preset_is_saved_and_listed_by_name(parley: RunningParley) -> None:
    saved = await save(parley, name="  zebra  crossing ", description="Why")
    await save(parley, name="Äpfel")
    await save(parley, name="apples")
    assert saved["name"] == "zebra crossing"
    assert (saved["brief"], saved["revision"], saved["missing"]) == (
        {"system_prompt": "Be brief.", "prompt": None},
        1,
        [],
    )
    assert sorted(await names(parley, "?mode=chat")) == sorted(["apples", "Äpfel", "zebra crossing"])
    assert await parley.get(f"/api/presets/{saved['id']}") == saved


async def test_a_match_begins_with_what_a_preset_holds(parley: RunningParley) -> None:
    preset = await save(parley)
    begun = {"prompt": "Hello", "mode": preset["mode"], "seats": preset["seats"], "brief": preset["brief"]}
    assert (await parley.post("/api/sessions", begun))["status"] == "completed"


@ON_EVERY_KIND
async def test_a_name_is_taken_only_once_in_a_mode(parley: RunningParley) -> None:
    first = await save(parley)
    assert (await save(parley, 409))["code"] == "preset_exists"
    other = await save(parley, name="Other")
    assert (await change(parley, other["id"], 409, name="Terse"))["code"] == "preset_exists"
    assert (await change(parley, first["id"], name="Terse"))["name"] == "Terse"


async def test_the_revision_grows_with_the_settings_only(parley: RunningParley) -> None:
    preset = await save(parley)
    assert (await change(parley, preset["id"], name="Short", description="Short answers"))["revision"] == 1
    assert (await change(parley, preset["id"], brief={"system_prompt": "Be brief."}))["revision"] == 1
    assert (await change(parley, preset["id"], brief={}))["revision"] == 2
    assert (await change(parley, preset["id"], seats={"assistant": "bob"}))["revision"] == 3
    assert (await change(parley, preset["id"], description=None))["description"] is None


async def test_what_could_not_run_is_not_saved(parley: RunningParley) -> None:
    assert (await save(parley, 422, mode="polka"))["field"] == "mode"
    assert (await save(parley, 422, seats={"assistant": "nobody"}))["field"] == "seats.assistant"
    assert (await save(parley, 422, brief={"system_prompt": 3}))["field"] == "brief.system_prompt"
    assert (await save(parley, 422, name="  "))["field"] == "name"
    assert (await save(parley, 422, mode="battle", seats={"left": "ada"}, brief={}))["field"] == "seats"
    preset = await save(parley)
    assert (await change(parley, preset["id"], 422, seats={"assistant": "nobody"}))[
        "field"
    ] == "seats.assistant"
    await change(parley, preset["id"], 422)
    assert await names(parley) == ["Terse"]
    assert await parley.get(f"/api/presets/{preset['id']}") == preset


async def test_a_removed_preset_is_gone_and_can_be_saved_again(parley: RunningParley) -> None:
    preset = await save(parley)
    path = f"/api/presets/{preset['id']}"
    assert (await parley.client.request("DELETE", path)).status_code == 204
    assert (await parley.get(path, 404))["code"] == "not_found"
    assert (await parley.client.request("DELETE", path)).status_code == 404
    assert (await save(parley))["brief"] == preset["brief"]


async def test_a_removed_preset_comes_back_as_what_it_was(parley: RunningParley) -> None:
    preset = await save(parley, description="Why")
    preset = await change(parley, preset["id"], brief={"system_prompt": "Be very brief."})
    path = f"/api/presets/{preset['id']}"
    assert (await parley.post(f"{path}/restore", status=404))["code"] == "not_found", "it is there"
    await parley.client.request("DELETE", path)
    assert await parley.post(f"{path}/restore") == preset
    assert await parley.get(path) == preset
    assert await names(parley) == ["Terse"]
    assert (await parley.post(f"{path}/restore", status=404))["code"] == "not_found", "it is back"
    assert (await parley.post("/api/presets/unknown/restore", status=404))["code"] == "not_found"


@ON_EVERY_KIND
async def test_a_removed_preset_waits_for_its_name(parley: RunningParley) -> None:
    preset = await save(parley)
    path = f"/api/presets/{preset['id']}"
    await parley.client.request("DELETE", path)
    other = await save(parley)
    assert (await parley.post(f"{path}/restore", status=409))["code"] == "preset_exists"
    await change(parley, other["id"], name="Other")
    assert await parley.post(f"{path}/restore") == preset
    assert await names(parley) == ["Other", "Terse"]


@ON_EVERY_KIND
async def test_only_the_last_removed_presets_can_come_back(parley: RunningParley) -> None:
    removed: list[str] = []
    for number in range(MOST_REMOVED + 1):
        removed.append((await save(parley, name=f"Number {number}"))["id"])
        await parley.client.request("DELETE", f"/api/presets/{removed[-1]}")
    assert (await parley.post(f"/api/presets/{removed[0]}/restore", status=404))["code"] == "not_found"
    for preset_id in (removed[1], removed[-1]):
        assert (await parley.post(f"/api/presets/{preset_id}/restore"))["id"] == preset_id


async def default_of(parley: RunningParley, mode: str = "chat") -> str | None:
    (card,) = [each for each in (await parley.get("/api/modes"))["modes"] if each["name"] == mode]
    return card["default_preset"] and card["default_preset"]["name"]


@ON_EVERY_KIND
async def test_new_sessions_of_a_mode_start_with_one_preset_at_most(parley: RunningParley) -> None:
    assert await default_of(parley) is None
    terse, other = await save(parley, is_default=True), await save(parley, name="Other")
    assert (terse["is_default"], other["is_default"]) == (True, False)
    assert await default_of(parley) == "Terse"
    await change(parley, other["id"], is_default=True)
    assert await default_of(parley) == "Other"
    assert not (await parley.get(f"/api/presets/{terse['id']}"))["is_default"]
    assert await default_of(parley, "battle") is None
    await change(parley, other["id"], name="Renamed")
    assert await default_of(parley) == "Renamed"


async def test_a_removed_default_comes_back_as_the_default(parley: RunningParley) -> None:
    terse, other = await save(parley, is_default=True), await save(parley, name="Other")
    await parley.client.delete(f"/api/presets/{terse['id']}")
    assert await default_of(parley) is None
    await change(parley, other["id"], is_default=True)
    await parley.post(f"/api/presets/{terse['id']}/restore", {})
    assert await default_of(parley) == "Terse"
    assert not (await parley.get(f"/api/presets/{other['id']}"))["is_default"]
    await change(parley, terse["id"], is_default=False)
    assert await default_of(parley) is None
