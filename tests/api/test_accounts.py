"""Tests of accounts: the ways in, who may do what, and how a login ends."""

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from parley.api.contract import ANYONE, Contract
from parley.api.openai_errors import is_door
from parley.application import built_in_routes
from parley.features.accounts import passwords
from parley.features.accounts.links import Links
from parley.features.accounts.service import AccountsService
from parley.features.accounts.tables import AccountRow, LinkRow, LoginRow
from parley.kernel.caller import SCOPES_OF, Role
from parley.storage.command_key import read_command_key
from parley.storage.database import Database
from parley.storage.tables.rows import Row, select_rows
from parley.storage.tables.votes import VoteRow
from tests.fakes.people import (
    PASSWORD,
    Person,
    SharedParley,
    a_shared_parley,
    account,
    hash_quickly,
    join,
    secret_of,
    sign_in,
    try_to_sign_in,
)
from tests.fakes.running import Client, a_running_parley

PROMPT = {"prompt": "x"}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path, guests="on") as shared:
        yield shared


# ── who may do what ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_each_route_answers_only_who_has_its_scope(shared: SharedParley) -> None:
    """The whole matrix of routes and callers follows from what each route states and each role may.

    A login opens all but the OpenAI door, by its cookie or an access token, and an API key opens that alone. The secret
    of a shared session opens its page, and a refresh token nothing.
    """
    member, guest = await shared.person("Jonas"), await shared.guest()
    disabled = await shared.person("Karim")
    await shared.administrator.send("PATCH", f"/api/people/{disabled.id}", {"disabled": True})
    parley = shared.parley
    forged, by_key, keyed = parley.visitor(), parley.visitor(), parley.visitor()
    forged.cookies.set("parley_login", "A" * 43)
    by_key.headers["Authorization"] = "Bearer " + "A" * 43
    made = await shared.administrator.send("POST", "/api/me/keys", {"name": "Mine"})
    keyed.headers["Authorization"] = f"Bearer {made['secret']}"
    program, renewer, reader = parley.visitor(), parley.visitor(), parley.visitor()
    tokens = (await parley.visitor().post("/api/auth/token", json=_entry("jonas"))).json()
    program.headers["Authorization"] = f"Bearer {tokens['access_token']}"
    renewer.headers["Authorization"] = f"Bearer {tokens['refresh_token']}"
    reader.headers["Authorization"] = f"Bearer {await _shared_session(member)}"
    callers: list[tuple[Client, Role | None]] = [
        (shared.administrator.client, Role.ADMINISTRATOR),
        (member.client, Role.MEMBER),
        (guest.client, Role.GUEST),
        (keyed, Role.ADMINISTRATOR),
        (program, Role.MEMBER),
        *((client, None) for client in (disabled.client, parley.visitor(), forged, by_key, renewer, reader)),
    ]
    for contract in (it for routes in built_in_routes() for it in routes.contracts):
        for client, known_as in callers:
            role = known_as if is_door(contract.path) == (client is keyed) else None
            may = contract.needs is ANYONE or (role is not None and contract.needs in SCOPES_OF[role])
            if may and (contract.method != "GET" or contract.path.endswith("/events")):
                continue
            answer = await client.request(contract.method, contract.path, **_some_body(contract))
            refused = answer.status_code if answer.status_code in (401, 403) else None
            assert refused == (None if may else 403 if role else 401), (contract.method, contract.path, role)


def _entry(name: str) -> dict[str, str]:
    return {"email": f"{name}@example.org", "password": PASSWORD}


async def _shared_session(person: Person) -> str:
    """Return the secret of a link to a session."""
    chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
    started = await person.send("POST", "/api/sessions", chat)
    link = await person.send("POST", f"/api/sessions/{started['session_id']}/shares", {})
    return str(link["url"].rpartition("/")[2])


def _some_body(contract: Contract) -> dict[str, Any]:
    if contract.uploads:
        return {"content": b"x", "headers": {"Content-Type": "application/octet-stream"}}
    return {"json": PROMPT} if contract.method in ("POST", "PATCH", "PUT") else {}


async def test_two_people_see_nothing_of_each_other(shared: SharedParley) -> None:
    jonas, mei = await shared.person("Jonas"), await shared.person("Mei")
    chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
    started = await jonas.send("POST", "/api/sessions", chat)
    assert [each["id"] for each in (await jonas.get("/api/sessions"))["sessions"]] == [started["session_id"]]
    assert (await mei.get("/api/sessions"))["sessions"] == []
    await mei.get(f"/api/sessions/{started['session_id']}", status=404)
    await shared.administrator.get(f"/api/turns/{started['turn_id']}", status=404)


async def test_a_member_learns_nothing_of_where_the_data_is(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    summary = await jonas.get("/api/data")
    assert (summary["folder"], summary["database"], summary["bytes"]) == (None, None, None)
    assert (await shared.administrator.get("/api/data"))["folder"]


# ── the first administrator ──────────────────────────────────────────────────────────────────────


async def test_of_many_who_use_the_first_link_at_once_one_becomes_the_administrator(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, mode="shared") as parley:
        url = await parley.application[Links].first_administrator(AccountsService.owner("inside"))
        assert url is not None
        client = parley.visitor()
        bodies = [{**account(f"P{number}"), "token": secret_of(url)} for number in range(40)]
        answers = await asyncio.gather(*(client.post("/api/auth/link/use", json=body) for body in bodies))
        assert sorted(answer.status_code for answer in answers) == [200] + [404] * 39
        assert await parley.application[Links].first_administrator(AccountsService.owner("inside")) is None


@pytest.mark.slow
async def test_whoever_signs_up_or_comes_as_a_guest_administers_nothing(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, mode="shared", sign_up="open", guests="on") as parley:
        visitors = [parley.visitor() for _ in range(200)]
        bodies = [account(f"P{number}") for number in range(200)]
        signing_up = zip(visitors, bodies, strict=True)
        answers = await asyncio.gather(
            *(client.post("/api/auth/sign-up", json=body) for client, body in signing_up)
        )
        assert {(answer.status_code, answer.json()["may_manage"]) for answer in answers} == {(200, False)}
        for path, body in (("/api/auth/sign-up", account("Eve")), ("/api/auth/guest", None)):
            client = parley.visitor()
            me = (await client.post(path, json=body)).json()
            assert me["may_manage"] is False
            assert (await client.get("/api/people")).status_code == 403


async def test_a_personal_installation_becomes_shared_and_keeps_everything(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    async with a_running_parley(tmp_path, database_url=url) as personal:
        session = await personal.chat()
        made = await personal.post("/api/me/account", account("Ana"))
        assert made["role"] == "administrator"
        await personal.post("/api/me/account", account("Eve"), status=409)
        refused = await personal.post("/api/people/invitations", {"role": "member"})
        assert refused["url"]
    async with a_running_parley(tmp_path, database_url=url, mode="shared") as parley:
        assert (await parley.client.get("/api/sessions")).status_code == 401
        ana = await sign_in(parley, "Ana")
        assert [it["id"] for it in (await ana.get("/api/sessions"))["sessions"]] == [session["session_id"]]
        assert (await ana.get("/api/me"))["may_manage"] is True


# ── sign in ──────────────────────────────────────────────────────────────────────────────────────


async def test_an_unknown_address_is_answered_like_a_wrong_password(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    verify = passwords._verify

    def counting(password: str, stored: str) -> bool:
        checked.append(password)
        return verify(password, stored)

    monkeypatch.setattr(passwords, "_verify", counting)
    disabled = await shared.person("Karim")
    await shared.administrator.send("PATCH", f"/api/people/{disabled.id}", {"disabled": True})
    client = shared.parley.visitor()
    answers = [
        await try_to_sign_in(client, "Ana", "wrong"),
        await try_to_sign_in(client, "Nobody", PASSWORD),
        await try_to_sign_in(client, "Karim", PASSWORD),
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(401, answers[0].content)}
    assert len(checked) == len(answers), "each takes as long as a check of a password"


async def test_too_many_attempts_are_refused_and_the_owners_browser_is_not(shared: SharedParley) -> None:
    stranger, owners = shared.parley.visitor(), shared.administrator.client
    answers = await asyncio.gather(*(try_to_sign_in(stranger, "Ana", f"wrong {it}") for it in range(30)))
    assert sorted(answer.status_code for answer in answers) == [401] * 10 + [429] * 20
    refused = await try_to_sign_in(stranger, "Ana")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 900
    assert (await try_to_sign_in(owners, "Ana")).status_code == 200
    assert (await try_to_sign_in(stranger, "Jonas", "wrong")).status_code == 401, "others are not locked out"


async def test_a_proof_of_another_account_opens_nothing(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    for number in range(10):
        await try_to_sign_in(shared.parley.visitor(), "Ana", f"wrong {number}")
    assert jonas.client.cookies["parley_browser"]
    assert (await try_to_sign_in(jonas.client, "Ana")).status_code == 429


async def test_the_cookie_cannot_be_read_or_sent_by_another_site(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path, public_url="https://parley.example.org") as shared:
        client = shared.parley.visitor(headers={"Host": "parley.example.org"})
        answer = await try_to_sign_in(client, "Ana")
        cookies = answer.headers.get_list("set-cookie")
        assert len(cookies) == 2
        for cookie in cookies:
            assert {"httponly", "samesite=lax", "secure", "path=/"} <= {
                part.strip().lower() for part in cookie.split(";")
            }
        stolen = await client.post(
            "/api/auth/login",
            json={},
            headers={"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
        )
        assert (stolen.status_code, stolen.json()["code"]) == (403, "cross_site")


async def test_secrets_are_stored_as_hashes_only(shared: SharedParley) -> None:
    token = await shared.invite()
    login = shared.administrator.client.cookies["parley_login"]
    stored = "".join([repr(await rows_of(shared, kind)) for kind in (AccountRow, LoginRow, LinkRow)])
    assert "$argon2id$" in stored
    for secret in (token, login, PASSWORD):
        assert secret not in stored


@pytest.mark.parametrize(
    "password", ["short", "password1234", "jonas@example.org", "qwertyuiop12", "x" * 201]
)
async def test_a_weak_password_is_refused_and_uses_up_no_link(shared: SharedParley, password: str) -> None:
    token = await shared.invite()
    body = {**account("Jonas"), "token": token, "password": password}
    answer = await shared.parley.visitor().post("/api/auth/link/use", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "weak_password")
    await join(shared.parley, token, "Jonas")


# ── links ────────────────────────────────────────────────────────────────────────────────────────


async def test_an_invitation_works_once_and_until_it_is_revoked(shared: SharedParley) -> None:
    token = await shared.invite("administrator")
    offer = await shared.administrator.send("POST", "/api/auth/link", {"token": token})
    assert (offer["purpose"], offer["role"], offer["invited_by"]) == ("invitation", "administrator", "Ana")
    jonas = await join(shared.parley, token, "Jonas")
    assert (await jonas.get("/api/me"))["person"]["role"] == "administrator"
    again = await shared.parley.visitor().post("/api/auth/link/use", json={**account("Eve"), "token": token})
    assert (again.status_code, again.json()["code"]) == (404, "link_ended")

    other = await shared.invite()
    (listed,) = (await shared.administrator.get("/api/people"))["invitations"]
    assert listed["url"] is None
    await shared.administrator.send("DELETE", f"/api/people/invitations/{listed['id']}", status=204)
    revoked = await shared.parley.visitor().post("/api/auth/link", json={"token": other})
    assert revoked.status_code == 404


async def test_a_guest_who_makes_an_account_keeps_their_id_and_sessions(shared: SharedParley) -> None:
    guest = await shared.guest()
    chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
    started = await guest.send("POST", "/api/sessions", chat)
    joined = await join(shared.parley, await shared.invite(), "Olu", guest.client)
    assert joined.id == guest.id
    assert [it["id"] for it in (await joined.get("/api/sessions"))["sessions"]] == [started["session_id"]]
    assert (await joined.get("/api/me"))["person"]["role"] == "member"


async def test_a_link_for_a_new_password_ends_the_other_logins(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    link = await shared.administrator.send("POST", f"/api/people/{jonas.id}/reset")
    newer = await shared.administrator.send("POST", f"/api/people/{jonas.id}/reset")
    browser = shared.parley.visitor()
    body = {"password": "another set of long words", "token": secret_of(link["url"])}
    assert (await browser.post("/api/auth/link/use", json=body)).status_code == 404, "a newer one replaces it"
    body["token"] = secret_of(newer["url"])
    assert (await browser.post("/api/auth/link/use", json=body)).status_code == 200
    await jonas.get("/api/sessions", status=401)
    assert (await try_to_sign_in(shared.parley.visitor(), "Jonas")).status_code == 401
    answer = await try_to_sign_in(shared.parley.visitor(), "Jonas", body["password"])
    assert answer.status_code == 200


# ── logins end ───────────────────────────────────────────────────────────────────────────────────


async def test_an_ended_login_closes_its_open_streams(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    shared.parley.upstream.reply("Never ", "whole.", model="ada", hold_after=1)
    elsewhere = await sign_in(shared.parley, "Jonas")
    chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
    headers = {"Accept": "text/event-stream"}
    async with elsewhere.client.stream("POST", "/api/sessions", json=chat, headers=headers) as stream:
        lines = stream.aiter_lines()
        await anext(lines)
        (other,) = [it for it in (await jonas.get("/api/me/logins"))["logins"] if not it["is_this"]]
        await jonas.send("DELETE", f"/api/me/logins/{other['id']}", status=204)
        begun = time.monotonic()
        async with asyncio.timeout(20):
            async for _ in lines:
                pass
        assert time.monotonic() - begun < 20
    await elsewhere.get("/api/sessions", status=401)
    shared.parley.upstream.release()
    assert (await jonas.get("/api/sessions"))["sessions"], (
        "the turn belongs to the person, not to the browser"
    )


async def test_a_changed_role_holds_at_once_and_somebody_stays_administrator(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas", "administrator")
    await jonas.get("/api/people")
    await shared.administrator.send("PATCH", f"/api/people/{jonas.id}", {"role": "member"})
    await jonas.get("/api/people", status=403)
    for change in ({"role": "member"}, {"disabled": True}):
        refused = await shared.administrator.send("PATCH", "/api/people/owner", change, status=409)
        assert refused["code"] == "last_administrator"
    refused = await shared.administrator.send("POST", "/api/me/delete", {"password": PASSWORD}, status=409)
    assert refused["code"] == "last_administrator"


async def test_a_new_password_ends_every_other_login(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    elsewhere = await sign_in(shared.parley, "Jonas")
    change = {"current": "wrong", "password": "another set of long words"}
    refused = await jonas.send("PUT", "/api/me/password", change, status=422)
    assert refused["field"] == "current"
    await jonas.send("PUT", "/api/me/password", {**change, "current": PASSWORD}, status=204)
    await jonas.get("/api/sessions")
    await elsewhere.get("/api/sessions", status=401)


async def test_sign_out_ends_the_login(shared: SharedParley) -> None:
    kept = shared.administrator.client.cookies["parley_login"]
    await shared.administrator.send("POST", "/api/auth/logout", status=204)
    replayed = shared.parley.visitor()
    replayed.cookies.set("parley_login", kept)
    assert (await replayed.get("/api/sessions")).status_code == 401


async def test_a_deleted_account_takes_everything_with_it_but_its_votes(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    battle = await jonas.send("POST", "/api/sessions", {"prompt": "x", "mode": "battle"})
    await jonas.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    refused = await jonas.send("POST", "/api/me/delete", {"password": "wrong"}, status=422)
    assert refused["code"] == "wrong_password"
    await jonas.send("POST", "/api/me/delete", {"password": PASSWORD}, status=204)
    await jonas.get("/api/sessions", status=401)
    people = (await shared.administrator.get("/api/people"))["people"]
    assert [person["name"] for person in people] == ["Ana"]
    assert len(await rows_of(shared, VoteRow)) == 1
    assert (await try_to_sign_in(shared.parley.visitor(), "Jonas")).status_code == 401


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.databases("sqlite")
async def test_a_command_on_this_computer_proves_that_it_may_read_the_data_folder(
    shared: SharedParley,
) -> None:
    folder = Path((await shared.administrator.get("/api/data"))["folder"])
    assert (folder / "parley.command").stat().st_mode & 0o777 == 0o600
    command = shared.parley.visitor(headers={"Authorization": f"Bearer {read_command_key(folder)}"})
    assert len((await command.get("/api/people")).json()["people"]) == 1


async def test_personal_mode_asks_nobody_to_sign_in(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        me = await parley.get("/api/me")
        assert (me["mode"], me["person"]["id"], me["may_manage"]) == ("personal", "owner", True)
        refused = await parley.post("/api/auth/login", {"email": "a@b.c", "password": "x"}, status=409)
        assert refused["code"] == "personal_mode"
        stranger = parley.visitor(headers={"Authorization": "Bearer x"})
        assert (await stranger.get("/api/sessions")).status_code == 200


async def rows_of(shared: SharedParley, kind: type[Row]) -> list[Row]:
    return await shared.parley.application[Database].read(lambda it: list(it.select(kind, select_rows(kind))))


def person_ids(people: list[Person]) -> set[str]:
    return {person.id for person in people}


async def test_people_have_their_own_pseudonyms(shared: SharedParley) -> None:
    people = [await shared.person(name) for name in ("Jonas", "Mei")]
    for person in people:
        battle = await person.send("POST", "/api/sessions", {"prompt": f"x {person.id}", "mode": "battle"})
        await person.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    assert len(person_ids(people)) == 2
    for person in people:
        assert len((await person.get("/api/votes"))["votes"]) == 1
    assert await shared.parley.application[Database].ping() is None


@pytest.mark.parametrize(("setting", "reason"), [("counted", None), ("not_counted", "guest")])
async def test_a_guests_vote_counts_where_guests_count(
    tmp_path: Path, setting: str, reason: str | None
) -> None:
    async with a_shared_parley(tmp_path, guests="on", sign_up="open", guest_votes=setting) as shared:
        guest = await shared.guest()
        vote = await _vote(guest, "Which is better?")
        assert (vote["counted"], vote["not_counted_reason"]) == (reason is None, reason)
        moved = vote["left"]["elo_before"] != vote["left"]["elo_after"]
        assert moved == (reason is None)
        await guest.send("POST", "/api/auth/sign-up", account("Mei"))
        assert (await _vote(guest, "Which is worse?"))["counted"], "they have an account now"


async def _vote(person: Person, prompt: str) -> Any:
    battle = await person.send("POST", "/api/sessions", {"prompt": prompt, "mode": "battle"})
    return await person.send("POST", f"/api/battles/{battle['match_id']}/vote", {"vote": "left"})
