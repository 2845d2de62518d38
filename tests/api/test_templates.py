"""Prompt templates over HTTP: saved, listed, changed, removed, and deleted with everything."""

from typing import Any

import pytest

from parley.features.templates import service
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley


async def save(parley: RunningParley, name: str, text: str = "Say it", status: int = 200) -> Any:
    return await parley.post("/api/templates", {"name": name, "text": text}, status=status)


async def names(parley: RunningParley) -> list[str]:
    return [template["name"] for template in (await parley.get("/api/templates"))["templates"]]


async def test_templates_are_saved_changed_and_removed(parley: RunningParley) -> None:
    saved = await save(parley, "  Review   code ", "Review {{code}}")
    await save(parley, "A first one")
    assert (saved["name"], saved["text"]) == ("Review code", "Review {{code}}")
    assert await names(parley) == ["A first one", "Review code"]
    changed = {"name": "Review", "text": "Review {{language}}: {{code}}"}
    response = await parley.client.request("PUT", f"/api/templates/{saved['id']}", json=changed)
    assert (response.status_code, response.json()["text"]) == (200, changed["text"])
    assert (await parley.client.delete(f"/api/templates/{saved['id']}")).status_code == 204
    assert (await parley.client.delete(f"/api/templates/{saved['id']}")).status_code == 404
    assert await names(parley) == ["A first one"]


@ON_EVERY_KIND
async def test_a_name_is_taken_once(parley: RunningParley) -> None:
    await save(parley, "One")
    two = await save(parley, "Two")
    assert (await save(parley, "One", status=409))["code"] == "template_exists"
    taken = await parley.client.request(
        "PUT", f"/api/templates/{two['id']}", json={"name": "One", "text": "x"}
    )
    assert (taken.status_code, taken.json()["code"]) == (409, "template_exists")
    same = await parley.client.request(
        "PUT", f"/api/templates/{two['id']}", json={"name": "Two", "text": "x"}
    )
    assert same.status_code == 200


@pytest.mark.parametrize(
    ("field", "body"), [("name", {"name": " ", "text": "x"}), ("text", {"name": "x", "text": ""})]
)
async def test_what_is_empty_is_refused_by_its_name(
    parley: RunningParley, field: str, body: dict[str, str]
) -> None:
    problem = await parley.post("/api/templates", body, status=422)
    assert problem["field"] == field


async def test_there_is_a_limit(parley: RunningParley, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_TEMPLATES", 2)
    await save(parley, "One")
    await save(parley, "Two")
    assert (await save(parley, "Three", status=409))["code"] == "too_many_templates"


async def test_they_are_exported_and_deleted_with_everything(parley: RunningParley) -> None:
    await save(parley, "One", "Only mine")
    exported = (await parley.client.get("/api/data/export")).content
    assert b'"kind":"template"' in exported
    assert b"Only mine" in exported
    await parley.client.delete("/api/data?confirm=delete")
    assert await names(parley) == []
