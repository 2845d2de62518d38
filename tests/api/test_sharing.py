"""Tests of shared sessions: what a link shows, and when it ends."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.fakes.people import Person, SharedParley, a_shared_parley, hash_quickly

CHAT = {"prompt": "What is a linocut?", "mode": "chat", "seats": {"assistant": "ada"}}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


async def a_link(person: Person, session_id: str, **terms: object) -> str:
    """Return the path of a new link to a session."""
    made = await person.send("POST", f"/api/sessions/{session_id}/shares", terms)
    return "/share/" + str(made["url"]).rpartition("/")[2]


async def read(shared: SharedParley, path: str, status: int = 200) -> str:
    """Return what somebody without an account sees."""
    answer = await shared.parley.visitor().get(path)
    assert answer.status_code == status, answer.text
    assert "<script" not in answer.text
    return answer.text


async def a_copy(person: Person, link: str) -> str:
    """Return the session that a person's copy of a shared one became."""
    copied = await person.send("POST", "/api/shared/copy", {"token": link.rpartition("/")[2]})
    return str(copied["session_id"])


async def questions(person: Person, session_id: str) -> list[str]:
    records = (await person.get(f"/api/sessions/{session_id}"))["matches"]
    return [turn["input"]["text"] for record in records for turn in record["turns"]]


def names_in(page: str) -> list[str]:
    return [name for name in ("Ada", "Bob", "Cleo") if name in page]


async def test_a_live_link_shows_new_turns_and_a_snapshot_does_not(shared: SharedParley) -> None:
    ana = shared.administrator
    started = await ana.send("POST", "/api/sessions", CHAT)
    session_id = started["session_id"]
    live, snapshot = await a_link(ana, session_id), await a_link(ana, session_id, live=False)
    body = {"input": {"type": "prompt", "text": "And a woodcut?"}}
    await ana.send("POST", f"/api/matches/{started['match_id']}/turns", body)
    for path, sees in ((live, True), (snapshot, False)):
        page = await read(shared, path)
        assert "What is a linocut?" in page
        assert ("And a woodcut?" in page) is sees
    await shared.parley.visitor().get(f"/api/sessions/{session_id}")
    shares = (await ana.get(f"/api/sessions/{session_id}/shares"))["shares"]
    assert sorted((each["live"], each["opened"], each["url"]) for each in shares) == [
        (False, 1, None),
        (True, 1, None),
    ]


async def test_a_shared_battle_is_blind_until_its_vote(shared: SharedParley) -> None:
    ana = shared.administrator
    battle = await ana.send("POST", "/api/sessions", {"prompt": "Who are you?", "mode": "battle"})
    live = await a_link(ana, battle["session_id"])
    snapshot = await a_link(ana, battle["session_id"], live=False)
    assert not names_in(await read(shared, live))
    await ana.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    assert names_in(await read(shared, live))
    assert not names_in(await read(shared, snapshot)), "it stays as it was"


async def test_a_copy_has_what_the_link_shows_and_goes_on_alone(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    started = await ana.send("POST", "/api/sessions", CHAT)
    live, snapshot = [await a_link(ana, started["session_id"], live=live) for live in (True, False)]
    body = {"input": {"type": "prompt", "text": "And a woodcut?"}}
    await ana.send("POST", f"/api/matches/{started['match_id']}/turns", body)
    copies = [await a_copy(jonas, each) for each in (live, snapshot)]
    assert [await questions(jonas, each) for each in copies] == [
        ["What is a linocut?", "And a woodcut?"],
        ["What is a linocut?"],
    ]
    assert await a_copy(jonas, snapshot) == copies[1], "a second one is the first"
    chat = (await jonas.get(f"/api/sessions/{copies[0]}"))["matches"][0]
    assert chat["match"]["seats"][0]["model"]["id"] == "ada"
    asked = {"input": {"type": "prompt", "text": "Mine alone"}}
    await jonas.send("POST", f"/api/matches/{chat['match']['id']}/turns", asked)
    assert "Mine alone" not in await questions(ana, started["session_id"])
    assert await a_copy(ana, live) != started["session_id"], "one's own can be copied too"


async def test_a_copied_battle_stays_blind_and_cannot_be_voted_on(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    battle = await ana.send("POST", "/api/sessions", {"prompt": "Who are you?", "mode": "battle"})
    copy = await a_copy(jonas, await a_link(ana, battle["session_id"]))
    await ana.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    (record,) = (await jonas.get(f"/api/sessions/{copy}"))["matches"]
    assert (record["match"]["mode"], record["match"]["ballot"]) == ("chat", None)
    assert record["match"]["seats"][0]["model"]["id"] not in ("ada", "bob", "cleo")
    assert not names_in(str(record["match"]["seats"]))


async def test_a_stranger_has_to_sign_in_and_a_guest_may_copy(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path, guests="on") as shared:
        ana = shared.administrator
        session_id = (await ana.send("POST", "/api/sessions", CHAT))["session_id"]
        link = await a_link(ana, session_id)
        token = link.rpartition("/")[2]
        stranger = shared.parley.visitor()
        refused = await stranger.post("/api/shared/copy", json={"token": token})
        assert (refused.status_code, "Sign in" in refused.json()["detail"]) == (401, True)
        page = await read(shared, link)
        assert f'href="/copy#{token}"' in page
        entered = await stranger.post("/api/auth/guest")
        assert entered.status_code == 200, entered.text
        copied = await stranger.post("/api/shared/copy", json={"token": token})
        assert copied.status_code == 200, copied.text
        sessions = (await stranger.get("/api/sessions")).json()["sessions"]
        assert [each["id"] for each in sessions] == [copied.json()["session_id"]]
        shares = (await ana.get(f"/api/sessions/{session_id}/shares"))["shares"]
        assert [share["opened"] for share in shares] == [2], "the page, and the copy"


async def test_a_link_that_has_ended_copies_nothing(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    session_id = (await ana.send("POST", "/api/sessions", CHAT))["session_id"]
    link = await a_link(ana, session_id)
    (share,) = (await ana.get(f"/api/sessions/{session_id}/shares"))["shares"]
    await ana.send("DELETE", f"/api/sessions/{session_id}/shares/{share['id']}", status=204)
    refused = await jonas.send("POST", "/api/shared/copy", {"token": link.rpartition("/")[2]}, status=404)
    assert refused["code"] == "link_ended"
    assert (await jonas.get("/api/sessions"))["sessions"] == []


async def test_a_shared_page_replays_line_by_line_without_a_script(shared: SharedParley) -> None:
    ana = shared.administrator
    started = await ana.send("POST", "/api/sessions", CHAT)
    page = await read(shared, await a_link(ana, started["session_id"]))
    times = re.findall(r'<section style="--at:([\d.]+)s;--for:([\d.]+)s">', page)
    begun = [float(at) for at, _ in times]
    assert len(times) == 2
    assert begun == sorted(set(begun)), "one after the other"
    exported = await ana.client.post(
        "/api/sessions/export", json={"ids": [started["session_id"]], "format": "html"}
    )
    assert ("#replay" in page, "--at:" in exported.text) == (True, False)


async def test_a_link_ends_when_it_is_revoked_or_its_session_is_gone(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    session_id = (await ana.send("POST", "/api/sessions", CHAT))["session_id"]
    first, second = await a_link(ana, session_id), await a_link(ana, session_id, live=False, days=None)
    newest, oldest = (await ana.get(f"/api/sessions/{session_id}/shares"))["shares"]
    assert (newest["expires_at"], oldest["expires_at"] is None) == (None, False)
    await jonas.send("DELETE", f"/api/sessions/{session_id}/shares/{oldest['id']}", status=404)
    await jonas.send("POST", f"/api/sessions/{session_id}/shares", {}, status=404)
    await ana.send("DELETE", f"/api/sessions/{session_id}/shares/{oldest['id']}", status=204)
    assert "revoked" in await read(shared, first, status=404)
    await ana.send("DELETE", f"/api/sessions/{session_id}", status=204)
    assert "no longer there" in await read(shared, second, status=404)


async def test_no_link_opens_what_another_purpose_has(shared: SharedParley) -> None:
    invitation = await shared.invite()
    await read(shared, f"/share/{invitation}", status=404)
    session_id = (await shared.administrator.send("POST", "/api/sessions", CHAT))["session_id"]
    path = await a_link(shared.administrator, session_id)
    answer = await shared.parley.visitor().post("/api/auth/link", json={"token": path.rpartition("/")[2]})
    assert answer.status_code == 404


async def test_what_people_wrote_is_no_html_of_the_page(shared: SharedParley) -> None:
    prompt = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    started = await shared.administrator.send("POST", "/api/sessions", {**CHAT, "prompt": prompt})
    page = await read(shared, await a_link(shared.administrator, started["session_id"]))
    assert "&lt;img" in page
    assert "<img" not in page
