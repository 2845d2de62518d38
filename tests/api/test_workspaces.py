"""Tests of workspaces: what several people share, and what each may do in it."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.people import PASSWORD, Person, SharedParley, a_shared_parley, hash_quickly
from tests.fakes.running import EventStream, kinds

CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


async def a_workspace(owner: Person, **members: str) -> str:
    """Return the id of a workspace with these members, by name, and their places."""
    workspace = await owner.send("POST", "/api/workspaces", {"name": "Kestrel Labs"})
    for name, role in members.items():
        body = {"email": f"{name.lower()}@example.org", "role": role}
        await owner.send("PUT", f"/api/workspaces/{workspace['id']}/members", body)
    return str(workspace["id"])


def enter(person: Person, workspace_id: str) -> None:
    person.client.headers["Parley-Space"] = workspace_id


def leave(person: Person) -> None:
    del person.client.headers["Parley-Space"]


async def ids(person: Person) -> list[str]:
    return [card["id"] for card in (await person.get("/api/sessions"))["sessions"]]


async def test_members_share_sessions_and_see_who_wrote_each_turn(shared: SharedParley) -> None:
    ana, jonas, mei = shared.administrator, await shared.person("Jonas"), await shared.person("Mei")
    own = await jonas.send("POST", "/api/sessions", CHAT)
    space = await a_workspace(ana, Jonas="editor")
    enter(ana, space)
    enter(jonas, space)
    started = await ana.send("POST", "/api/sessions", CHAT)
    assert await ids(jonas) == [started["session_id"]], "their own are elsewhere"
    body = {"input": {"type": "prompt", "text": "And then?"}}
    await jonas.send("POST", f"/api/matches/{started['match_id']}/turns", body)
    session = await ana.get(f"/api/sessions/{started['session_id']}")
    authors = [turn["author_id"] for turn in session["matches"][0]["turns"]]
    assert authors == [ana.id, jonas.id]
    leave(jonas)
    assert await ids(jonas) == [own["session_id"]]
    enter(mei, space)
    refused = await mei.get("/api/sessions", status=403)
    assert refused["code"] == "not_in_workspace"
    await mei.get("/api/me")


async def test_a_turn_appears_to_the_other_member_while_it_runs(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = await a_workspace(ana, Jonas="viewer")
    enter(ana, space)
    enter(jonas, space)
    started = await ana.send("POST", "/api/sessions", CHAT)
    shared.parley.upstream.reply("Slowly ", "said.", model="ada", hold_after=1)
    body = {"input": {"type": "prompt", "text": "And then?"}}
    asking = asyncio.create_task(ana.send("POST", f"/api/matches/{started['match_id']}/turns", body))
    async with asyncio.timeout(20):
        while True:
            session = await jonas.get(f"/api/sessions/{started['session_id']}")
            if len(session["matches"][0]["turns"]) == 2:
                break
            await asyncio.sleep(0.05)
    turn_id = session["matches"][0]["turns"][1]["id"]
    async with jonas.client.stream("GET", f"/api/turns/{turn_id}/events") as response:
        stream = EventStream(response)
        snapshot = await stream.until("turn.snapshot")
        assert snapshot["turn"]["author_id"] == ana.id
        shared.parley.upstream.release()
        await stream.until("turn.completed")
    await asking


async def test_a_viewer_reads_and_cannot_write(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = await a_workspace(ana, Jonas="viewer")
    enter(ana, space)
    enter(jonas, space)
    started = await ana.send("POST", "/api/sessions", CHAT)
    await jonas.get(f"/api/sessions/{started['session_id']}")
    for method, path, body in (
        ("POST", "/api/sessions", CHAT),
        ("PATCH", f"/api/sessions/{started['session_id']}", {"title": "Mine"}),
        ("DELETE", f"/api/sessions/{started['session_id']}", None),
        ("POST", "/api/prompts", {"name": "Mine", "messages": [{"role": "user", "text": "x"}]}),
        ("DELETE", "/api/data?confirm=delete", None),
    ):
        refused = await jonas.send(method, path, body, status=403)
        assert "read in this workspace" in refused["title"], path
    await jonas.send("PATCH", "/api/me", {"name": "Jonas W"})
    await ana.send(
        "PUT", f"/api/workspaces/{space}/members", {"email": "jonas@example.org", "role": "editor"}
    )
    await jonas.send("PATCH", f"/api/sessions/{started['session_id']}", {"title": "Ours"})
    refused = await jonas.send("DELETE", "/api/data?confirm=delete", status=403)
    assert "owner" in refused["title"]


async def test_each_member_votes_under_their_own_pseudonym(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = await a_workspace(ana, Jonas="editor")
    enter(ana, space)
    enter(jonas, space)
    for person in (ana, jonas):
        battle = await person.send("POST", "/api/sessions", {"prompt": f"By {person.id}", "mode": "battle"})
        vote = await jonas.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    assert len((await jonas.get("/api/votes"))["votes"]) == 2
    assert (await ana.get("/api/votes"))["votes"] == []
    refused = await ana.send("POST", f"/api/votes/{vote['vote_id']}/withdraw", status=404)
    assert "not yours" in refused["title"]


async def test_a_session_moves_with_everything_in_it(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    headers = {"Content-Type": "application/octet-stream"}
    uploaded = await ana.client.post("/api/attachments?name=a.txt", content=b"Ours alone.", headers=headers)
    file = {"sha256": uploaded.json()["sha256"]}
    started = await ana.send("POST", "/api/sessions", {**CHAT, "prompt": "Findable", "attachments": [file]})
    session_id = started["session_id"]
    await ana.send("PATCH", f"/api/sessions/{session_id}", {"tags": ["team"]})
    space = await a_workspace(ana, Jonas="editor")
    await jonas.send("POST", f"/api/workspaces/of/{session_id}", {"workspace_id": space}, status=404)
    await ana.send("POST", f"/api/workspaces/of/{session_id}", {"workspace_id": space}, status=204)
    assert await ids(ana) == []
    assert (await jonas.get(f"/api/workspaces/of/{session_id}"))["workspace_id"] == space
    enter(jonas, space)
    assert await ids(jonas) == [session_id]
    found = await jonas.get("/api/sessions?search=findable")
    assert [card["id"] for card in found["sessions"]] == [session_id]
    assert [tag["name"] for tag in (await jonas.get("/api/tags"))["tags"]] == ["team"]
    text = await jonas.client.get(f"/api/attachments/{file['sha256']}")
    assert text.content == b"Ours alone."
    body = {"input": {"type": "prompt", "text": "And then?"}}
    await jonas.send("POST", f"/api/matches/{started['match_id']}/turns", body)
    await jonas.send("POST", f"/api/workspaces/of/{session_id}", {"workspace_id": None}, status=204)
    leave(jonas)
    assert await ids(jonas) == [session_id]


async def test_a_session_that_moves_away_tells_nothing_more_to_who_followed_it(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = await a_workspace(ana, Jonas="viewer")
    enter(ana, space)
    enter(jonas, space)
    started = await ana.send("POST", "/api/sessions", CHAT)
    events = f"/api/sessions/{started['session_id']}/events"
    async with shared.parley.stream("GET", events, client=jonas.client) as stream:
        await stream.until("people.present")
        await ana.send(
            "POST", f"/api/workspaces/of/{started['session_id']}", {"workspace_id": None}, status=204
        )
        leave(ana)
        body = {"input": {"type": "prompt", "text": "And then?"}}
        await ana.send("POST", f"/api/matches/{started['match_id']}/turns", body)
        assert "turn.added" not in kinds(await stream.rest())
    await jonas.get(events, status=404)


async def test_who_is_taken_out_is_out_at_once_and_one_owner_stays(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = await a_workspace(ana, Jonas="editor")
    enter(jonas, space)
    await jonas.get("/api/sessions")
    await jonas.send("DELETE", f"/api/workspaces/{space}/members/{ana.id}", status=403)
    await ana.send("DELETE", f"/api/workspaces/{space}/members/{jonas.id}", status=204)
    await jonas.get("/api/sessions", status=403)
    refused = await ana.send("DELETE", f"/api/workspaces/{space}/members/{ana.id}", status=409)
    assert refused["code"] == "last_owner"
    mei = await shared.person("Mei", "administrator")
    lone = await a_workspace(mei)
    refused = await mei.send("POST", "/api/me/delete", {"password": PASSWORD}, status=409)
    assert refused["code"] == "last_owner"
    await mei.send("DELETE", f"/api/workspaces/{lone}", status=204)
    await mei.send("POST", "/api/me/delete", {"password": PASSWORD}, status=204)


async def test_a_deleted_workspace_takes_its_sessions_with_it(shared: SharedParley) -> None:
    ana = shared.administrator
    own = await ana.send("POST", "/api/sessions", CHAT)
    space = await a_workspace(ana)
    enter(ana, space)
    started: Any = await ana.send("POST", "/api/sessions", CHAT)
    await ana.send("DELETE", f"/api/workspaces/{space}", status=204)
    await ana.get("/api/sessions", status=403)
    leave(ana)
    assert await ids(ana) == [own["session_id"]]
    await ana.get(f"/api/sessions/{started['session_id']}", status=404)


async def test_only_accounts_can_be_added(shared: SharedParley) -> None:
    space = await a_workspace(shared.administrator)
    body = {"email": "nobody@example.org", "role": "viewer"}
    refused = await shared.administrator.send("PUT", f"/api/workspaces/{space}/members", body, status=422)
    assert refused["code"] == "no_account"


async def test_a_viewer_may_have_all_that_changes_nothing_in_the_workspace(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas", "administrator")
    space = await a_workspace(ana, Jonas="viewer")
    enter(ana, space)
    enter(jonas, space)
    session = (await ana.send("POST", "/api/sessions", CHAT))["session_id"]
    exported = await jonas.client.post("/api/sessions/export", json={"ids": [session], "format": "markdown"})
    assert exported.status_code == 200, exported.text
    await jonas.send("PATCH", "/api/pool", {"models": {"ada": {"chosen": False}}})
    await jonas.send("PATCH", f"/api/sessions/{session}", {"title": "Mine"}, status=403)
    await jonas.send("POST", "/api/sessions", CHAT, status=403)
