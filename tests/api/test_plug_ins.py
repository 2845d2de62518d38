"""Plug-ins over HTTP: they take effect at once, belong to a place, and can be switched, changed and restored."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.people import a_shared_parley, hash_quickly
from tests.fakes.running import RunningParley, a_running_parley

CHECK = "kind: check\nname: {}\ntitle: Short\ncheck: {{kind: length, most: 50}}\n"
CARD = "kind: card\nname: {}\ntitle: Cost\ncard: {{measure: cost, draw: bars, by: [model]}}\n"
WORDS = "kind: words\nname: {}\ntitle: Zonks\nwords: {{terms: [zonk], verdict: hold}}\n"
ZONK = {"prompt": "Tell me of the Zonk.", "mode": "chat", "seats": {"assistant": "ada"}}
PLUG_INS = "/api/plug-ins"


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, moderation="on") as running:
        yield running


async def listed(parley: RunningParley) -> list[dict[str, Any]]:
    return (await parley.get(PLUG_INS))["plug_ins"]


async def add(parley: RunningParley, text: str, status: int = 200) -> dict[str, Any]:
    return await parley.post(PLUG_INS, {"text": text}, status)


async def test_one_is_added_switched_changed_deleted_and_restored(parley: RunningParley) -> None:
    added = await add(parley, CHECK.format("short"))
    assert (added["origin"], added["content"]) == ("own", {"kind": "length", "most": 50})
    address = f"{PLUG_INS}/{added['id']}"
    off = (await parley.client.patch(address, json={"enabled": False})).json()
    assert (off["enabled"], off["text"]) == (False, added["text"])
    changed = (await parley.client.patch(address, json={"text": CHECK.format("tiny")})).json()
    assert (changed["name"], changed["enabled"]) == ("tiny", False)
    assert (await parley.client.delete(address)).status_code == 204
    assert await listed(parley) == []
    assert await parley.post(f"{address}/restore") == changed
    assert await listed(parley) == [changed]


async def test_a_wrong_text_changes_nothing(parley: RunningParley) -> None:
    added = await add(parley, CHECK.format("short"))
    wrong = CHECK.format("short").replace("most", "mots")
    refused = await parley.client.patch(f"{PLUG_INS}/{added['id']}", json={"text": wrong})
    assert (refused.status_code, refused.json()["field"]) == (422, "text")
    assert "Line 4, check.mots" in refused.json()["title"]
    assert await listed(parley) == [added]


async def test_a_name_is_there_once_of_a_kind(parley: RunningParley) -> None:
    await add(parley, CHECK.format("one"))
    await add(parley, CARD.format("one"))
    assert (await add(parley, CHECK.format("one"), 409))["code"] == "plug_in_exists"
    two = await add(parley, CHECK.format("two"))
    taken = await parley.client.patch(f"{PLUG_INS}/{two['id']}", json={"text": CHECK.format("one")})
    assert taken.status_code == 409


async def test_a_word_list_applies_at_once_and_ends_at_once(parley: RunningParley) -> None:
    assert (await parley.post("/api/sessions", ZONK))["status"] == "completed"
    added = await add(parley, WORDS.format("zonk"))
    assert (await parley.post("/api/sessions", ZONK))["error"]["code"] == "prompt_held"
    await parley.client.patch(f"{PLUG_INS}/{added['id']}", json={"enabled": False})
    assert (await parley.post("/api/sessions", ZONK))["status"] == "completed"


async def test_files_of_the_folder_are_read_when_they_change(parley: RunningParley) -> None:
    folder = Path((await parley.get(PLUG_INS))["folder"])
    folder.mkdir()  # noqa: ASYNC240 - small files
    (folder / "a.yaml").write_text(CHECK.format("short"))
    (folder / "b.yaml").write_text(CHECK.format("short"))
    (folder / "c.yml").write_bytes(b"\xff\xfe")
    (folder / "d.yaml").mkdir()
    (folder / "e.txt").write_text("no plug-in")
    files = {each["file"]: each for each in await listed(parley)}
    assert files.keys() == {"a.yaml", "b.yaml", "c.yml", "d.yaml"}
    assert (files["a.yaml"]["origin"], files["a.yaml"]["problem"]) == ("folder", None)
    assert "a.yaml has a check named “short” already" in files["b.yaml"]["problem"]
    assert files["c.yml"]["problem"] == "This file is not UTF-8."
    assert files["d.yaml"]["problem"] == "It is not a file."
    assert (await add(parley, CHECK.format("short"), 409))["code"] == "plug_in_exists"
    (folder / "a.yaml").write_text(CHECK.format("another-name"))
    files = {each["file"]: each for each in await listed(parley)}
    assert (files["a.yaml"]["name"], files["b.yaml"]["problem"]) == ("another-name", None)


async def test_what_is_a_persons_own_is_exported_and_erased(parley: RunningParley) -> None:
    added = await add(parley, CHECK.format("short"))
    gone = await add(parley, CHECK.format("gone"))
    await parley.client.delete(f"{PLUG_INS}/{gone['id']}")
    assert added["text"].replace("\n", "\\n") in (await parley.client.get("/api/data/export")).text
    await parley.client.request("DELETE", "/api/data?confirm=delete")
    assert await listed(parley) == []
    assert (await parley.client.post(f"{PLUG_INS}/{gone['id']}/restore")).status_code == 404


async def test_a_hundred_are_the_most(parley: RunningParley, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley.features.plug_ins.service.MOST", 2)
    for name in ("one", "two"):
        await add(parley, CHECK.format(name))
    assert (await add(parley, CHECK.format("three"), 409))["code"] == "too_many_plug_ins"


# ── people ───────────────────────────────────────────────────────────────────────────────────────


async def test_who_sees_and_changes_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path) as shared:
        ana, bea, cid = shared.administrator, await shared.person("bea"), await shared.person("cid")
        mine = await bea.send("POST", PLUG_INS, {"text": CHECK.format("mine")})
        for what in ({"text": WORDS.format("zonk")}, {"text": CHECK.format("all"), "everybody": True}):
            await bea.send("POST", PLUG_INS, what, status=403)
        shown = await ana.send("POST", PLUG_INS, {"text": CARD.format("all"), "everybody": True})

        async def seen(person: Any) -> set[tuple[str, str, bool]]:
            plug_ins = (await person.send("GET", PLUG_INS))["plug_ins"]
            return {(each["name"], each["origin"], each["may_change"]) for each in plug_ins}

        assert await seen(bea) == {("mine", "own", True), ("all", "everybody", False)}
        assert await seen(cid) == {("all", "everybody", False)}
        assert await seen(ana) == {("all", "everybody", True)}
        for body in ({"enabled": False}, {"text": CARD.format("all")}):
            await bea.send("PATCH", f"{PLUG_INS}/{shown['id']}", body, status=403)
            await ana.send("PATCH", f"{PLUG_INS}/{mine['id']}", body, status=404)
        await bea.send("DELETE", f"{PLUG_INS}/{shown['id']}", status=403)
        listed = await cid.send("GET", PLUG_INS)
        assert (listed["folder"], listed["installed"], listed["may_add_for_everybody"]) == (None, [], False)


async def test_a_workspaces_word_list_applies_to_the_workspace_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path) as shared:
        ana = shared.administrator
        space = await ana.send("POST", "/api/workspaces", {"name": "Lab"})
        inside = {"Parley-Space": space["id"]}
        added = await ana.client.post(PLUG_INS, json={"text": WORDS.format("zonk")}, headers=inside)
        assert added.json()["origin"] == "workspace"
        held = await ana.client.post("/api/sessions", json=ZONK, headers=inside)
        assert held.json()["error"]["code"] == "prompt_held"
        assert (await ana.send("POST", "/api/sessions", ZONK))["status"] == "completed"
