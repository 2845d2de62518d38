"""Tests of shared sessions: what a link shows, and when it ends."""

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
