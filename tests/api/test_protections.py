"""Each protection, taken out alone: the attack that it stops then succeeds, so its test would notice."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt

from parley.api.contract import Contract
from parley.api.guard import Guard
from parley.features.accounts import access_tokens, factors, links, logins, routes, workspaces
from parley.features.accounts.attempts import Attempts
from parley.features.accounts.links import Links
from parley.features.accounts.logins import Logins
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.service import AccountsService
from parley.features.accounts.tables import LinkRow, LoginRow, RefreshTokenRow
from parley.features.accounts.tokens import digest
from parley.features.accounts.workspace_repository import WorkspaceRepository
from parley.features.openai_api import api_keys
from parley.kernel.caller import Caller, Role
from parley.storage.tables.rows import select_rows
from tests.api.test_second_factors import with_app
from tests.api.test_workspaces import CHAT, a_workspace, enter
from tests.fakes.people import (
    PASSWORD,
    SharedParley,
    a_shared_parley,
    account,
    hash_quickly,
    join,
    secret_of,
    sign_in,
    try_to_sign_in,
)

Attack = Callable[[SharedParley], Awaitable[bool]]
"""Returns whether the attacker got what they wanted."""

TakenOut = Callable[[pytest.MonkeyPatch], None]


def without(place: Any, name: str, instead: Any) -> TakenOut:
    """Return what takes a protection out."""
    return lambda patch: patch.setattr(place, name, instead)


def always(value: Any) -> Callable[..., Any]:
    """Return a function that answers the same to everything."""
    return lambda *_, **__: value


def promised(value: Any) -> Callable[..., Awaitable[Any]]:
    """Return the same as a coroutine."""

    async def answer(*_: Any, **__: Any) -> Any:
        return value

    return answer


# ── attacks ──────────────────────────────────────────────────────────────────────────────────────


async def another_site_writes(shared: SharedParley) -> bool:
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    answer = await shared.administrator.client.post("/api/sessions", json=CHAT, headers=headers)
    return answer.status_code == 200


async def a_foreign_host_is_served(shared: SharedParley) -> bool:
    return (await shared.parley.visitor().get("/api/me", headers={"Host": "evil.example"})).status_code == 200


async def a_member_manages(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    return (await jonas.client.get("/api/people")).status_code == 200


async def a_viewer_writes(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    enter(jonas, await a_workspace(shared.administrator, Jonas="viewer"))
    return (await jonas.client.post("/api/sessions", json=CHAT)).status_code == 200


async def a_stranger_enters_a_workspace(shared: SharedParley) -> bool:
    space = await a_workspace(shared.administrator)
    jonas = await shared.person("Jonas")
    enter(jonas, space)
    return (await jonas.client.get("/api/sessions")).status_code == 200


async def an_editor_rules_a_workspace(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    space = await a_workspace(shared.administrator, Jonas="editor")
    return (await jonas.client.patch(f"/api/workspaces/{space}", json={"name": "Mine"})).status_code == 200


async def a_made_up_cookie_opens(shared: SharedParley) -> bool:
    answer = await shared.parley.visitor().get(
        "/api/sessions", headers={"Cookie": f"parley_login={'A' * 43}"}
    )
    return answer.status_code == 200


async def a_made_up_code_opens(shared: SharedParley) -> bool:
    await with_app(shared.administrator)
    browser = shared.parley.visitor()
    ticket = (await try_to_sign_in(browser, "Ana")).json()["ticket"]
    answer = await browser.post("/api/auth/code", json={"ticket": ticket, "code": "x"})
    return answer.status_code == 200


async def a_password_opens_without_the_app(shared: SharedParley) -> bool:
    await with_app(shared.administrator)
    return "person" in (await try_to_sign_in(shared.parley.visitor(), "Ana")).json()


async def who_lacks_a_factor_goes_on(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    await with_app(shared.administrator)
    rules = {"second_factor": True, "providers_only": False}
    await shared.administrator.send("PUT", "/api/people/rules", rules)
    return (await jonas.client.get("/api/sessions")).status_code == 200


async def an_ended_login_goes_on(shared: SharedParley) -> bool:
    jonas, elsewhere = await shared.person("Jonas"), await sign_in(shared.parley, "Jonas")
    await elsewhere.get("/api/sessions")
    await jonas.client.delete("/api/me/logins")
    return (await elsewhere.client.get("/api/sessions")).status_code == 200


async def a_used_link_opens_again(shared: SharedParley) -> bool:
    token = await shared.invite()
    await join(shared.parley, token, "Jonas")
    again = await shared.parley.visitor().post("/api/auth/link/use", json={**account("Eve"), "token": token})
    return again.status_code == 200


async def an_old_login_goes_on(shared: SharedParley) -> bool:
    await shared.person("Jonas")
    browser = shared.parley.visitor()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logins, "LASTS", -timedelta(minutes=1))
        await try_to_sign_in(browser, "Jonas", PASSWORD)
    return (await browser.get("/api/sessions")).status_code == 200


async def an_old_link_opens(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "RESET_LASTS", -timedelta(minutes=1))
        link = await shared.administrator.send("POST", f"/api/people/{jonas.id}/reset")
    body = {"token": secret_of(link["url"]), "password": f"{PASSWORD} anew"}
    return (await shared.parley.visitor().post("/api/auth/link/use", json=body)).status_code == 200


async def a_disabled_persons_key_asks(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas")
    secret = (await jonas.send("POST", "/api/me/keys", {"name": "Mine"}))["secret"]
    await shared.administrator.send("PATCH", f"/api/people/{jonas.id}", {"disabled": True})
    visitor = shared.parley.visitor(headers={"Authorization": f"Bearer {secret}"})
    return (await visitor.get("/v1/models")).status_code == 200


async def a_key_reads_what_it_may_not(shared: SharedParley) -> bool:
    secret = (await shared.administrator.send("POST", "/api/me/keys", {"name": "Mine"}))["secret"]
    visitor = shared.parley.visitor(headers={"Authorization": f"Bearer {secret}"})
    return (await visitor.get("/api/models")).status_code == 200


async def a_revoked_key_asks(shared: SharedParley) -> bool:
    made = await shared.administrator.send("POST", "/api/me/keys", {"name": "Mine"})
    await shared.administrator.send("DELETE", f"/api/me/keys/{made['key']['id']}", status=204)
    visitor = shared.parley.visitor(headers={"Authorization": f"Bearer {made['secret']}"})
    return (await visitor.get("/v1/models")).status_code == 200


async def a_refresh_token_renews_twice(shared: SharedParley) -> bool:
    program = shared.parley.visitor()
    tokens = (await program.post("/api/auth/token", json=_entry())).json()
    body = {"refresh_token": tokens["refresh_token"]}
    answers = [await program.post("/api/auth/token/refresh", json=body) for _ in range(2)]
    return answers[1].status_code == 200


async def a_forged_access_token_opens(shared: SharedParley) -> bool:
    program = shared.parley.visitor()
    token = (await program.post("/api/auth/token", json=_entry())).json()["access_token"]
    forged = f"{token.rpartition('.')[0]}.{'A' * 43}"
    answer = await program.get("/api/sessions", headers={"Authorization": f"Bearer {forged}"})
    return answer.status_code == 200


async def an_expired_access_token_opens(shared: SharedParley) -> bool:
    program = shared.parley.visitor()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access_tokens, "LASTS_S", -60)
        token = (await program.post("/api/auth/token", json=_entry())).json()["access_token"]
    answer = await program.get("/api/sessions", headers={"Authorization": f"Bearer {token}"})
    return answer.status_code == 200


async def a_password_is_guessed(shared: SharedParley) -> bool:
    client = shared.parley.visitor()
    answers = [await try_to_sign_in(client, "Ana", f"wrong {number}") for number in range(12)]
    return all(answer.status_code == 401 for answer in answers)


async def a_password_is_guessed_from_an_open_browser(shared: SharedParley) -> bool:
    client = shared.administrator.client
    answers = [await client.post("/api/me/app", json={"password": f"wrong {it}"}) for it in range(12)]
    return all(answer.status_code == 422 for answer in answers)


async def addresses_are_made_up(shared: SharedParley) -> bool:
    answers: list[int] = []
    for number in range(12):
        client = shared.parley.visitor(headers={"X-Forwarded-For": f"10.{number}.0.1"})
        answers.append((await try_to_sign_in(client, "Ana", f"wrong {number}")).status_code)
    return set(answers) == {401}


async def a_demoted_administrators_link_opens(shared: SharedParley) -> bool:
    jonas = await shared.person("Jonas", "administrator")
    link = await jonas.send("POST", "/api/people/invitations", {"role": "administrator"})
    await shared.administrator.send("PATCH", f"/api/people/{jonas.id}", {"role": "member"})
    body = {**account("Eve"), "token": secret_of(link["url"])}
    return (await shared.parley.visitor().post("/api/auth/link/use", json=body)).status_code == 200


def _entry() -> dict[str, str]:
    return {"email": "ana@example.org", "password": PASSWORD}


# ── what stops them ──────────────────────────────────────────────────────────────────────────────


def _any_login(accounts: AccountsRepository, _: str) -> LoginRow | None:
    return next(iter(accounts._db.select(LoginRow, select_rows(LoginRow))), None)


def _that_never_ends(name: str) -> Callable[..., Any]:
    find = getattr(AccountsRepository, name)

    def found(accounts: AccountsRepository, token_sha256: str) -> Any:
        row = find(accounts, token_sha256)
        if row is not None:
            row.expires_at = datetime.max.replace(tzinfo=UTC)
        return row

    return found


def _forgets_use(of: type[Any]) -> Callable[..., None]:
    update = AccountsRepository.update

    def store(self: AccountsRepository, row: Any) -> None:
        if not isinstance(row, of):
            update(self, row)

    return store


def _unchecked(token: str, *_: Any, **__: Any) -> Any:
    import base64

    import msgspec

    head, body, _sign = (part + "=" * (-len(part) % 4) for part in token.split("."))
    header, claims = (msgspec.json.decode(base64.urlsafe_b64decode(part)) for part in (head, body))
    return jwt.Token(header, claims)


def _link_alone(links: Links, transaction: Any, token: str) -> LinkRow:
    row = AccountsRepository(transaction).link_of(digest(token))
    assert row is not None
    return row


def _everywhere(self: WorkspaceRepository, _: str) -> dict[str, str]:
    from sqlalchemy import select

    from parley.features.accounts.tables import WorkspaceRow

    return dict.fromkeys(self._db.scalars(select(WorkspaceRow.c.id)), "editor")


class _NoClaims:
    def __init__(self, **_: Any) -> None:
        pass

    def validate(self, _: Any) -> None:
        pass


PROTECTIONS: dict[str, tuple[TakenOut, Attack]] = {
    "origin check": (without(Guard, "_is_own", always(True)), another_site_writes),
    "host check": (without(Guard, "_refusal", always(None)), a_foreign_host_is_served),
    "scope check": (without(Contract, "allows", always(True)), a_member_manages),
    "viewer rule": (without(Caller, "may_write", True), a_viewer_writes),
    "membership": (without(WorkspaceRepository, "roles", _everywhere), a_stranger_enters_a_workspace),
    "owner of a workspace": (without(workspaces, "_check_owner", always(None)), an_editor_rules_a_workspace),
    "hash of a login": (without(AccountsRepository, "login_of", _any_login), a_made_up_cookie_opens),
    "comparison of a code": (without(factors, "same", always(True)), a_made_up_code_opens),
    "code after the password": (
        without(factors.SecondFactors, "is_needed", promised(False)),
        a_password_opens_without_the_app,
    ),
    "demand of a factor": (without(logins, "_lacks_factor", always(False)), who_lacks_a_factor_goes_on),
    "end of a login": (without(Logins, "_forget", always(None)), an_ended_login_goes_on),
    "use of a link": (without(Links, "_usable", _link_alone), a_used_link_opens_again),
    "expiry of a login": (
        without(AccountsRepository, "login_of", _that_never_ends("login_of")),
        an_old_login_goes_on,
    ),
    "expiry of a link": (
        without(AccountsRepository, "link_of", _that_never_ends("link_of")),
        an_old_link_opens,
    ),
    "mark of a used link": (
        without(AccountsRepository, "update", _forgets_use(LinkRow)),
        a_used_link_opens_again,
    ),
    "key no more than its owner": (
        without(AccountsService, "role_of", promised(Role.MEMBER)),
        a_disabled_persons_key_asks,
    ),
    "scopes of a key": (
        without(api_keys, "_scopes", always(frozenset({"read"}))),
        a_key_reads_what_it_may_not,
    ),
    "revocation of a key": (without(api_keys.ApiKeysRepository, "revoke", always(None)), a_revoked_key_asks),
    "use of a refresh token": (
        without(AccountsRepository, "update", _forgets_use(RefreshTokenRow)),
        a_refresh_token_renews_twice,
    ),
    "signature of a token": (without(jwt, "decode", _unchecked), a_forged_access_token_opens),
    "expiry of a token": (without(jwt, "JWTClaimsRegistry", _NoClaims), an_expired_access_token_opens),
    "limit on passwords": (without(Attempts, "count", promised(None)), a_password_is_guessed),
    "limit on confirmations": (
        without(Attempts, "count", promised(None)),
        a_password_is_guessed_from_an_open_browser,
    ),
    "trusted proxies": (
        without(
            routes, "client_address", lambda request, _: request.headers.get("x-forwarded-for", "127.0.0.1")
        ),
        addresses_are_made_up,
    ),
    "end of an administrator's links": (
        without(AccountsRepository, "revoke_made_by", always(None)),
        a_demoted_administrators_link_opens,
    ),
}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("name", PROTECTIONS)
async def test_an_attack_fails_and_succeeds_without_what_stops_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_out, attack = PROTECTIONS[name]
    async with a_shared_parley(tmp_path / "whole") as shared:
        assert not await attack(shared)
    async with a_shared_parley(tmp_path / "open") as shared:
        take_out(monkeypatch)
        assert await attack(shared), "the attack proves nothing"
