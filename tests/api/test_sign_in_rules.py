"""Tests of what administrators demand of who signs in: a second factor, or a provider and nothing else."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from parley.api.contract import ANYONE
from parley.application import built_in_routes
from parley.features.accounts.links import Links
from parley.features.accounts.rules import Rules
from parley.features.accounts.service import AccountsService
from parley.features.accounts.tables import IdentityRow
from parley.storage.database import Database
from tests.api.test_second_factors import code_of, with_app
from tests.fakes.people import (
    PASSWORD,
    Person,
    SharedParley,
    a_shared_parley,
    hash_quickly,
    secret_of,
    try_to_sign_in,
)

ISSUER = "https://id.example.org"
ACME = {"id": "acme", "name": "Acme", "issuer": ISSUER, "client_id": "us", "client_secret": "s"}
RULES = "/api/people/rules"
CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path, sign_in_with=(ACME,)) as shared:
        yield shared


async def demand(shared: SharedParley, status: int = 200, **rules: bool) -> Any:
    wanted = {"second_factor": False, "providers_only": False, **rules}
    return await shared.administrator.send("PUT", RULES, wanted, status)


async def known_at_the_provider(shared: SharedParley, person: Person) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    row = IdentityRow(ISSUER, f"subject of {person.id}", person.id, "ana@example.org", now, now)
    await shared.parley.application[Database].write(lambda it: it.insert(row))


async def link_for(shared: SharedParley, person: Person, *, console: bool) -> str:
    """Return the secret of a link for a new password, made by an administrator or on the server."""
    caller = AccountsService.owner("command" if console else "page")
    return secret_of((await shared.parley.application[Links].reset(caller, person.id)).url or "")


async def use(shared: SharedParley, secret: str) -> tuple[int, str]:
    answer = await shared.parley.visitor().post(
        "/api/auth/link/use", json={"token": secret, "password": PASSWORD}
    )
    return answer.status_code, answer.json().get("code", "")


# ── a second factor ──────────────────────────────────────────────────────────────────────────────


async def test_who_has_no_second_factor_can_do_nothing_but_add_one(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    await with_app(shared.administrator)
    await demand(shared, second_factor=True)
    me = await jonas.get("/api/me")
    assert (me["person"]["id"], me["lacks_factor"]) == (jonas.id, True)
    for contract in (it for routes in built_in_routes() for it in routes.contracts):
        if contract.needs is ANYONE or contract.path.startswith("/v1"):
            continue
        body = (
            {"content": b"x", "headers": {"Content-Type": min(contract.uploads)}} if contract.uploads else {}
        )
        answer = await jonas.client.request(contract.method, contract.path, **(body or {"json": {}}))
        may = contract.adds_factor
        assert (answer.status_code == 403) is not may, (contract.method, contract.path)
        assert may or answer.json()["code"] == "second_factor_needed"
    await with_app(jonas)
    assert (await jonas.get("/api/me"))["lacks_factor"] is False
    await jonas.send("POST", "/api/sessions", CHAT)
    assert (await shared.administrator.get("/api/me"))["lacks_factor"] is False


async def test_who_comes_later_is_asked_for_a_factor_too_and_guests_are_not(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path, guests="on") as shared:
        await with_app(shared.administrator)
        await demand(shared, second_factor=True)
        jonas, guest = await shared.person("Jonas"), await shared.guest()
        assert (await jonas.get("/api/me"))["lacks_factor"] is True
        assert (await guest.get("/api/me"))["lacks_factor"] is False


async def test_the_door_takes_api_keys_of_who_lacks_a_factor(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    secret = (await jonas.send("POST", "/api/me/keys", {"name": "Editor"}))["secret"]
    await with_app(shared.administrator)
    await demand(shared, second_factor=True)
    key = {"Authorization": f"Bearer {secret}"}
    assert (await shared.parley.visitor(headers=key).get("/v1/models")).status_code == 200


async def test_nobody_turns_on_a_rule_that_they_do_not_meet(shared: SharedParley) -> None:
    for rule in ("second_factor", "providers_only"):
        assert (await demand(shared, 409, **{rule: True}))["code"] == "rule_not_met"
    jonas = await shared.person("Jonas")
    await jonas.send("PUT", RULES, {"second_factor": False, "providers_only": False}, status=403)
    assert await shared.administrator.get(RULES) == {
        "second_factor": False,
        "providers_only": False,
        "has_providers": True,
    }


# ── a provider and nothing else ──────────────────────────────────────────────────────────────────


async def test_with_a_provider_alone_no_password_passkey_or_link_lets_anybody_in(
    shared: SharedParley,
) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    invitation = await shared.invite()
    await known_at_the_provider(shared, ana)
    assert (await demand(shared, providers_only=True))["providers_only"] is True
    visitor = shared.parley.visitor()
    refusals = [
        await try_to_sign_in(visitor, "Jonas"),
        await try_to_sign_in(visitor, "Ana"),
        await visitor.post("/api/auth/passkey/options"),
        await visitor.post("/api/auth/passkey", json={"ticket": "x", "credential": {}}),
        await visitor.post("/api/auth/link", json={"token": invitation}),
    ]
    assert [it.json()["code"] for it in refusals] == ["providers_only"] * len(refusals)
    assert await use(shared, await link_for(shared, jonas, console=False)) == (403, "providers_only")
    assert await use(shared, await link_for(shared, jonas, console=True)) == (403, "providers_only")
    options = (await visitor.get("/api/me")).json()["sign_in"]
    assert (options["password"], [it["id"] for it in options["providers"]]) == (False, ["acme"])
    assert await jonas.get("/api/sessions") is not None, "logins that there are go on"


async def test_an_administrator_comes_in_by_a_link_from_the_server(shared: SharedParley) -> None:
    ana = shared.administrator
    await known_at_the_provider(shared, ana)
    await demand(shared, providers_only=True)
    assert await use(shared, await link_for(shared, ana, console=False)) == (403, "providers_only")
    assert (await use(shared, await link_for(shared, ana, console=True)))[0] == 200


async def test_the_rule_rests_while_the_settings_name_no_provider(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known_at_the_provider(shared, shared.administrator)
    await demand(shared, providers_only=True)
    monkeypatch.setattr(shared.parley.application[Rules], "_issuers", set())
    assert (await try_to_sign_in(shared.parley.visitor(), "Ana")).status_code == 200


async def test_a_code_of_an_app_still_follows_the_password(shared: SharedParley) -> None:
    secret, _ = await with_app(shared.administrator)
    await demand(shared, second_factor=True)
    browser = shared.parley.visitor()
    ticket = (await try_to_sign_in(browser, "Ana")).json()["ticket"]
    code = {"ticket": ticket, "code": code_of(secret)}
    assert (await browser.post("/api/auth/code", json=code)).status_code == 200
    assert (await browser.get("/api/me")).json()["lacks_factor"] is False
