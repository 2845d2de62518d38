"""Tests of tags and of changing many sessions over HTTP."""

from typing import Any

from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley


async def cards(parley: RunningParley, **query: str) -> list[dict[str, Any]]:
    return (await parley.get("/api/sessions", params=query))["sessions"]


async def titles(parley: RunningParley, **query: str) -> list[str]:
    return [card["title"] for card in await cards(parley, **query)]


async def change(parley: RunningParley, *ids: str, status: int = 200, **values: Any) -> Any:
    return await parley.post("/api/sessions/changes", {"ids": list(ids), **values}, status)


@ON_EVERY_KIND
async def test_a_session_is_listed_by_its_tags(parley: RunningParley) -> None:
    first, second = [(await parley.chat(title))["session_id"] for title in ("First", "Second")]
    await parley.client.patch(f"/api/sessions/{first}", json={"tags": [" Work ", "To  Do", "work"]})
    await parley.client.patch(f"/api/sessions/{second}", json={"tags": ["work"]})
    assert [card["tags"] for card in await cards(parley)] == [["work"], ["to do", "work"]]
    assert await titles(parley, tag="WORK") == ["Second", "First"]
    assert await titles(parley, tag="to do") == ["First"]
    assert await titles(parley, tag="to") == []
    listed = (await parley.get("/api/tags"))["tags"]
    assert listed == [{"name": "to do", "sessions": 1}, {"name": "work", "sessions": 2}]
    await parley.client.patch(f"/api/sessions/{first}", json={"tags": []})
    assert (await parley.get(f"/api/sessions/{first}"))["session"]["tags"] == []
    assert (await parley.get("/api/tags"))["tags"] == [{"name": "work", "sessions": 1}]


async def test_a_tag_finds_archived_sessions_too(parley: RunningParley) -> None:
    first = (await parley.chat("First"))["session_id"]
    await parley.client.patch(f"/api/sessions/{first}", json={"tags": ["work"], "archived": True})
    assert await titles(parley) == []
    assert await titles(parley, tag="work") == ["First"]
    assert await titles(parley, tag="work", search="first") == ["First"]
    assert await titles(parley, tag="work", archived="false") == []


@ON_EVERY_KIND
async def test_many_sessions_are_changed_at_once(parley: RunningParley) -> None:
    ids = [(await parley.chat(f"Number {number}"))["session_id"] for number in range(3)]
    assert await change(parley, *ids, add_tags=["Work"], archived=True) == {"changed": 3}
    assert await titles(parley) == []
    assert len(await titles(parley, tag="work")) == 3
    await change(parley, *ids[:2], remove_tags=["work", "none"], archived=False)
    assert await titles(parley) == ["Number 1", "Number 0"]
    await change(parley, *ids[:2], deleted=True)
    assert await titles(parley) == []
    assert (await parley.client.get(f"/api/sessions/{ids[0]}")).status_code == 404
    await change(parley, *ids[:2], deleted=False)
    assert await titles(parley) == ["Number 1", "Number 0"]


async def test_a_change_of_many_is_made_whole_or_not_at_all(parley: RunningParley) -> None:
    known = (await parley.chat("Known"))["session_id"]
    assert (await change(parley, known, "0" * 32, status=404, archived=True))["code"] == "not_found"
    assert await titles(parley) == ["Known"]
    assert (await change(parley, known, status=422))["code"] == "invalid_input"
    assert (await change(parley, status=422, archived=True))["field"] == "ids"


async def test_a_tag_that_cannot_be_is_refused_with_the_reason(parley: RunningParley) -> None:
    known = (await parley.chat("Known"))["session_id"]
    problem = await change(parley, known, status=422, add_tags=["x" * 41])
    assert "the limit is 40" in problem["title"] + (problem["detail"] or "")
    await change(parley, known, add_tags=[f"tag {number}" for number in range(20)])
    problem = await change(parley, known, status=422, add_tags=["one more"])
    assert problem["title"] == "“Known” can't have more than 20 tags."
    assert len((await parley.get("/api/tags"))["tags"]) == 20


async def test_deleting_everything_deletes_tags(parley: RunningParley) -> None:
    known = (await parley.chat("Known"))["session_id"]
    await change(parley, known, add_tags=["work"])
    await parley.client.delete("/api/data?confirm=delete")
    assert (await parley.get("/api/tags"))["tags"] == []


async def test_what_is_deleted_already_does_not_keep_others_from_it(parley: RunningParley) -> None:
    ids = [(await parley.chat(f"Number {number}"))["session_id"] for number in range(3)]
    await change(parley, ids[1], deleted=True)
    await change(parley, *ids, deleted=True)
    assert await titles(parley) == []
    refused = await change(parley, *ids, status=404, archived=True)
    assert ids[0] in refused["detail"]
