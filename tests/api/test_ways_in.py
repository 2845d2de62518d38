"""Tests of what attackers try at the ways in: odd texts, borrowed links, guessing, and everything at once."""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from parley.engine.clock import WallClock
from parley.features.accounts import attempts
from parley.features.accounts.links import Links
from parley.features.accounts.logins import Logins
from parley.features.accounts.service import AccountsService
from tests.api.test_second_factors import code_of, ticket_of, with_app
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.people import (
    PASSWORD,
    Person,
    SharedParley,
    a_shared_parley,
    account,
    hash_quickly,
    secret_of,
    try_to_sign_in,
)
from tests.fakes.running import Response

ACME = {
    "id": "acme",
    "name": "Acme",
    "issuer": "http://localhost:1",
    "client_id": "us",
    "client_secret": "s",
    "admin_groups": ["leads"],
}
ANOTHER = "another set of long words"
ODD = ("é", "１２３４５６", "\U0001f511", "\x00", "\ud800", "²", "a.²." + "0" * 64, "owner.99999999999.é")
"""Texts that no secret of ours has, and that comparisons of secrets, numbers and databases stumble over."""


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path, sign_in_with=(ACME,), sign_up="open", guests="on") as shared:
        yield shared


async def use(shared: SharedParley, token: str, **more: str) -> Response:
    """Use a link in a new browser."""
    body = {"token": token, "password": PASSWORD, **more}
    return await shared.parley.visitor().post("/api/auth/link/use", json=body)


# ── odd texts ────────────────────────────────────────────────────────────────────────────────────


async def test_any_text_in_place_of_a_secret_is_refused_in_words(shared: SharedParley) -> None:
    await with_app(shared.administrator)
    jonas, client = await shared.person("Jonas"), shared.parley.visitor()
    await jonas.send("POST", "/api/me/app", {"password": PASSWORD})
    ticket = await ticket_of(client, "Ana")
    sent: list[tuple[str, Any]] = []
    for odd in ODD:
        sent += [
            ("/api/auth/code", {"ticket": odd, "code": "123456"}),
            ("/api/auth/code", {"ticket": f"{ticket[:-64]}{odd}"[:200], "code": "123456"}),
            ("/api/auth/token", {"email": "ana@example.org", "password": PASSWORD, "code": odd[:40]}),
            ("/api/auth/token/refresh", {"refresh_token": odd}),
            ("/api/auth/link", {"token": odd}),
            ("/api/auth/passkey", {"ticket": odd, "credential": {"id": odd}}),
        ]
    # Five a ticket: more are too many attempts.
    sent += [("/api/auth/code", {"ticket": ticket, "code": odd[:40]}) for odd in ODD[:5]]
    for path, body in sent:
        answer = await client.post(path, content=_json(body), headers={"Content-Type": "application/json"})
        assert answer.status_code in (401, 404, 422, 429), (path, body, answer.status_code)
    for odd in ODD:
        body = _json({"code": odd[:40]})
        answer = await jonas.client.post(
            "/api/me/app/confirm", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 422, odd


@pytest.mark.parametrize("state", ["%C3%A9", "%FF", "x" * 900, ""])
async def test_any_state_leads_back_to_the_page(shared: SharedParley, state: str) -> None:
    client = shared.parley.visitor()
    for cookie in (b"parley_state=\xe9", b"parley_state=x; parley_browser=\xe9", b""):
        answer = await client.get(
            f"/api/auth/with/acme/back?code=x&state={state}", headers={b"Cookie": cookie}
        )
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/#sign-in-failed=")


def _json(body: Any) -> bytes:
    """Return JSON that may hold half a surrogate pair, which the client would refuse to write."""
    return json.dumps(body).encode()  # noqa: TID251 - writes half of a pair as \ud800


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("ANA@example.org", 409),
        (" ana@EXAMPLE.org ", 409),
        ("ana@example.or\N{KELVIN SIGN}", 200),
        ("\N{CYRILLIC SMALL LETTER A}na@example.org", 200),
        ("ana@example.org\N{ZERO WIDTH SPACE}", 422),
        ("ana\N{RIGHT-TO-LEFT OVERRIDE}@example.org", 422),
        ("ana@example.org\N{NO-BREAK SPACE}x", 422),
    ],
)
async def test_an_address_that_looks_like_anothers_is_never_taken_for_it(
    shared: SharedParley, typed: str, answers: int
) -> None:
    client = shared.parley.visitor()
    answer = await client.post("/api/auth/sign-up", json={**account("Eve"), "email": typed})
    assert answer.status_code == answers, answer.text
    person = (await client.get("/api/me")).json()["person"]
    assert (person and person["id"]) != shared.administrator.id


# ── who is led here ──────────────────────────────────────────────────────────────────────────────

OPENED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


async def test_a_provider_leads_a_browser_back_and_no_other_page_sends_anything(shared: SharedParley) -> None:
    client, back = shared.parley.visitor(), "/api/auth/with/acme/back?code=x&state=y"
    assert (await client.get(back, headers=OPENED)).status_code == 303
    for headers in (
        {**OPENED, "Sec-Fetch-Dest": "iframe"},
        {**OPENED, "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"},
        {**OPENED, "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example"},
    ):
        assert (await client.get(back, headers=headers)).json()["code"] == "cross_site"
    assert (await client.post(back, headers=OPENED)).json()["code"] == "cross_site"
    for path in ("/api/auth/with/acme", "/api/me", "/api/sessions", "/api/data/export", "/v1/models"):
        assert (await client.get(path, headers=OPENED)).status_code == 403, path


# ── links ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["disabled", "member", "deleted"])
async def test_the_links_of_who_administers_no_more_let_nobody_in(shared: SharedParley, how: str) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas", "administrator")
    mei = await shared.person("Mei")
    invitation = await jonas.send("POST", "/api/people/invitations", {"role": "administrator"})
    reset = await jonas.send("POST", f"/api/people/{mei.id}/reset")
    kept = await shared.invite("administrator")
    if how == "deleted":
        await jonas.send("POST", "/api/me/delete", {"password": PASSWORD}, status=204)
    else:
        change = {"disabled": True} if how == "disabled" else {"role": "member"}
        await ana.send("PATCH", f"/api/people/{jonas.id}", change)
    assert (await use(shared, secret_of(invitation["url"]), **_who("Eve"))).status_code == 404
    assert (await use(shared, secret_of(reset["url"]))).status_code == 404
    assert (await use(shared, kept, **_who("Olu"))).status_code == 200, "others' links go on"


def _who(name: str) -> dict[str, str]:
    return {"name": name, "email": f"{name.lower()}@example.org"}


async def test_a_link_for_a_new_password_does_not_pass_by_the_app(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    secret, _ = await with_app(jonas)
    link = await shared.administrator.send("POST", f"/api/people/{jonas.id}/reset")
    browser = shared.parley.visitor()
    body = {"token": secret_of(link["url"]), "password": ANOTHER}
    entered = await browser.post("/api/auth/link/use", json=body)
    assert (entered.status_code, list(entered.json()), dict(entered.cookies)) == (200, ["ticket"], {})
    assert (await browser.get("/api/sessions")).status_code == 401
    code = {**entered.json(), "code": code_of(secret)}
    assert (await browser.post("/api/auth/code", json=code)).status_code == 200
    assert (await browser.get("/api/sessions")).status_code == 200


async def test_a_link_from_the_server_rescues_who_has_lost_the_app(shared: SharedParley) -> None:
    await with_app(shared.administrator)
    links = shared.parley.application[Links]
    link = await links.reset(AccountsService.owner("command"), shared.administrator.id)
    entered = await use(shared, secret_of(link.url or ""), password=ANOTHER)
    assert entered.json()["person"]["id"] == shared.administrator.id


@pytest.mark.parametrize(("late_s", "status"), [(-1, 200), (0, 404), (1, 404)])
async def test_a_link_ends_at_its_time_and_not_after(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch, late_s: int, status: int
) -> None:
    clock = shared.parley.application[WallClock]
    now = float(int(clock.now()))
    monkeypatch.setattr(clock, "now", lambda: now)
    token = await shared.invite()
    later = now + timedelta(days=7).total_seconds() + late_s
    monkeypatch.setattr(clock, "now", lambda: later)
    assert (await use(shared, token, **_who("Olu"))).status_code == status


@pytest.mark.parametrize(("late_s", "status"), [(-1, 200), (0, 401), (1, 401)])
async def test_a_login_and_a_key_end_at_their_time_and_not_after(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch, late_s: int, status: int
) -> None:
    clock = shared.parley.application[WallClock]
    now = float(int(clock.now()))
    monkeypatch.setattr(clock, "now", lambda: now)
    jonas = await shared.person("Jonas")
    key = await jonas.send("POST", "/api/me/keys", {"name": "Mine", "days": 30})
    shared.parley.application[Logins]._known.clear()
    later = now + timedelta(days=30).total_seconds() + late_s
    monkeypatch.setattr(clock, "now", lambda: later)
    program = shared.parley.visitor(headers={"Authorization": f"Bearer {key['secret']}"})
    assert (await program.get("/v1/models")).status_code == status
    assert (await jonas.client.get("/api/sessions")).status_code == status


# ── guessing ─────────────────────────────────────────────────────────────────────────────────────


async def test_a_browser_left_open_is_no_way_to_guess_the_password(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    asked: list[tuple[str, str, dict[str, str]]] = [
        ("PUT", "/api/me/password", {"current": "wrong", "password": ANOTHER}),
        ("PATCH", "/api/me", {"email": "eve@example.org", "password": "wrong"}),
        ("POST", "/api/me/delete", {"password": "wrong"}),
        ("POST", "/api/me/app", {"password": "wrong"}),
        ("POST", "/api/me/app/remove", {"password": "wrong"}),
        ("POST", "/api/me/passkeys/options", {"password": "wrong"}),
    ]
    statuses = [
        (await jonas.client.request(method, path, json=body)).status_code
        for _ in range(2)
        for method, path, body in asked
    ]
    assert statuses == [422] * 10 + [429] * 2
    for method, path, body in asked:
        right = {**body, "current": PASSWORD} if "current" in body else {**body, "password": PASSWORD}
        assert (await jonas.client.request(method, path, json=right)).status_code == 429, path
    await shared.administrator.send("POST", "/api/me/app", {"password": PASSWORD})


async def test_the_right_password_forgets_the_wrong_ones(shared: SharedParley) -> None:
    for _ in range(3):
        for password, status in (("wrong", 422),) * 9 + ((PASSWORD, 200),):
            await shared.administrator.send("POST", "/api/me/app", {"password": password}, status)


async def test_newcomers_of_one_network_are_counted(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "NEWCOMERS_PER_NETWORK", "4/hour")
    paths = ("/api/auth/guest", "/api/auth/sign-up") * 3
    answers = [
        await shared.parley.visitor().post(path, json=account(f"P{number}"))
        for number, path in enumerate(paths)
    ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
    assert answers[-1].json()["code"] == "too_many_attempts"
    assert (await try_to_sign_in(shared.parley.visitor(), "Ana")).status_code == 200


# ── everything at once ───────────────────────────────────────────────────────────────────────────


@ON_EVERY_KIND
async def test_of_many_who_enter_the_same_address_at_once_one_gets_it(shared: SharedParley) -> None:
    tokens = [await shared.invite() for _ in range(4)]
    signing_up = [
        shared.parley.visitor().post("/api/auth/sign-up", json={**account("Same"), "name": f"P{number}"})
        for number in range(4)
    ]
    joining = [use(shared, token, **_who("Same")) for token in tokens]
    answers = await asyncio.gather(*signing_up, *joining)
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    people = (await shared.administrator.get("/api/people"))["people"]
    assert [it["email"] for it in people].count("same@example.org") == 1


@ON_EVERY_KIND
async def test_of_many_who_use_an_invitation_at_once_one_comes_in(shared: SharedParley) -> None:
    token = await shared.invite("administrator")
    answers = await asyncio.gather(*(use(shared, token, **_who(f"P{number}")) for number in range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 11
    people = (await shared.administrator.get("/api/people"))["people"]
    assert sum(it["role"] == "administrator" for it in people) == 2


@ON_EVERY_KIND
async def test_a_recovery_code_entered_many_times_at_once_opens_one_login(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    _, codes = await with_app(jonas)
    browsers = [shared.parley.visitor() for _ in range(6)]
    tickets = [await ticket_of(browser, "Jonas") for browser in browsers]
    answers = await asyncio.gather(
        *(
            browser.post("/api/auth/code", json={"ticket": ticket, "code": codes[0]})
            for browser, ticket in zip(browsers, tickets, strict=True)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 5


async def test_two_administrators_who_demote_each_other_at_once_leave_one(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas", "administrator")

    async def demote(who: Person, whom: Person) -> None:
        await who.client.patch(f"/api/people/{whom.id}", json={"role": "member"})

    await asyncio.gather(demote(ana, jonas), demote(jonas, ana))
    roles = [(await person.get("/api/me"))["person"]["role"] for person in (ana, jonas)]
    assert sorted(roles) == ["administrator", "member"]


# ── what belongs elsewhere ───────────────────────────────────────────────────────────────────────


async def test_tokens_of_another_installation_open_nothing(shared: SharedParley, tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path / "other") as other:
        entry = {"email": "ana@example.org", "password": PASSWORD}
        tokens = (await other.parley.visitor().post("/api/auth/token", json=entry)).json()
        key = (await other.administrator.send("POST", "/api/me/keys", {"name": "Mine", "scopes": ["read"]}))[
            "secret"
        ]
        cookie = other.administrator.client.cookies["parley_login"]
        invitation = await other.invite("administrator")
        client = shared.parley.visitor()
        for bearer in (tokens["access_token"], tokens["refresh_token"], key):
            headers = {"Authorization": f"Bearer {bearer}"}
            assert (await client.get("/api/models", headers=headers)).status_code == 401
            assert (await client.get("/v1/models", headers=headers)).status_code == 401
        assert (
            await client.get("/api/sessions", headers={"Cookie": f"parley_login={cookie}"})
        ).status_code == 401
        renewed = await client.post(
            "/api/auth/token/refresh", json={"refresh_token": tokens["refresh_token"]}
        )
        assert renewed.status_code == 401
        assert (await use(shared, invitation, **_who("Eve"))).status_code == 404
        ticket = (await other.parley.visitor().post("/api/auth/passkey/options")).json()["ticket"]
        passkey = await client.post("/api/auth/passkey", json={"ticket": ticket, "credential": {"id": "x"}})
        assert passkey.json()["code"] == "ticket_ended"
