"""Tests of second factors: codes of an app, recovery codes, and what happens to lost ones."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pyotp.totp import TOTP

from parley.features.accounts.tables import CredentialRow
from parley.features.catalog.secrets import Secrets
from parley.storage.database import Database
from parley.storage.tables.rows import select_rows
from tests.fakes.people import PASSWORD, Person, SharedParley, a_shared_parley, hash_quickly, try_to_sign_in
from tests.fakes.running import Client


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


def code_of(secret: str, steps: int = 0) -> str:
    """Return the code that an app shows `steps` of 30 s from now."""
    import time

    return TOTP(secret).at(int(time.time()) + 30 * steps)


async def with_app(person: Person) -> tuple[str, list[str]]:
    """Give a person an app; return its secret and the recovery codes. Its first code is that of the step before."""
    app = await person.send("POST", "/api/me/app", {"password": PASSWORD})
    assert app["picture"].startswith("<svg")
    assert app["secret"] in app["uri"]
    confirmed = await person.send("POST", "/api/me/app/confirm", {"code": code_of(app["secret"], -1)})
    return app["secret"], confirmed["codes"]


async def ticket_of(client: Client, name: str) -> str:
    answer = await try_to_sign_in(client, name)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers, "the password alone signs nobody in"
    return str(answer.json()["ticket"])


async def enter(client: Client, ticket: str, code: str) -> int:
    return (await client.post("/api/auth/code", json={"ticket": ticket, "code": code})).status_code


async def test_a_code_follows_the_password_and_works_once(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    refused = await jonas.send("POST", "/api/me/app", {"password": "wrong"}, status=422)
    assert refused["code"] == "wrong_password"
    secret, _ = await with_app(jonas)
    browser = shared.parley.visitor()
    ticket = await ticket_of(browser, "Jonas")
    assert (await browser.get("/api/sessions")).status_code == 401
    assert await enter(browser, ticket, "000000") == 401
    code = code_of(secret)
    assert await enter(browser, ticket, code) == 200
    assert (await browser.get("/api/sessions")).status_code == 200
    again = shared.parley.visitor()
    assert await enter(again, await ticket_of(again, "Jonas"), code) == 401, (
        "somebody saw it over the shoulder"
    )


async def test_a_recovery_code_works_once_and_a_new_app_makes_new_ones(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    _, codes = await with_app(jonas)
    assert len(set(codes)) == 10
    for expected in (200, 401):
        browser = shared.parley.visitor()
        assert await enter(browser, await ticket_of(browser, "Jonas"), codes[0].upper()) == expected
    assert (await jonas.get("/api/me/factors"))["recovery_codes_left"] == 9
    await jonas.send("POST", "/api/me/app/remove", {"password": PASSWORD}, status=204)
    assert (await jonas.get("/api/me/factors")) == {"app": False, "recovery_codes_left": 0, "passkeys": []}
    assert (await try_to_sign_in(shared.parley.visitor(), "Jonas")).json()["person"]["name"] == "Jonas"


async def test_codes_cannot_be_guessed(shared: SharedParley) -> None:
    await with_app(await shared.person("Jonas"))
    browser = shared.parley.visitor()
    ticket = await ticket_of(browser, "Jonas")
    statuses = [await enter(browser, ticket, f"{number:06}") for number in range(12)]
    assert statuses.count(429) == 2


@pytest.mark.parametrize("ticket", ["", "owner.99999999999.00", "owner", "x.y.z", "owner.1.0"])
async def test_forged_tickets_sign_nobody_in(shared: SharedParley, ticket: str) -> None:
    secret, codes = await with_app(shared.administrator)
    for code in (code_of(secret), codes[0]):
        assert await enter(shared.parley.visitor(), ticket, code) == 401


async def test_a_ticket_of_one_person_takes_no_code_of_another(shared: SharedParley) -> None:
    secret, codes = await with_app(shared.administrator)
    await with_app(await shared.person("Jonas"))
    browser = shared.parley.visitor()
    ticket = await ticket_of(browser, "Jonas")
    for code in (code_of(secret), codes[0]):
        assert await enter(browser, ticket, code) == 401


async def test_an_app_that_has_shown_no_code_does_not_count(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    await jonas.send("POST", "/api/me/app", {"password": PASSWORD})
    refused = await jonas.send("POST", "/api/me/app/confirm", {"code": "000000"}, status=422)
    assert refused["code"] == "wrong_code"
    assert (await try_to_sign_in(shared.parley.visitor(), "Jonas")).json()["person"]["name"] == "Jonas"


async def test_an_administrator_removes_the_factors_of_who_has_lost_them(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    await with_app(jonas)
    await shared.administrator.send("DELETE", f"/api/people/{jonas.id}/factors", status=204)
    assert (await try_to_sign_in(shared.parley.visitor(), "Jonas")).json()["person"]["name"] == "Jonas"


async def test_secrets_of_apps_are_sealed_and_survive_a_new_secret_of_the_installation(
    shared: SharedParley,
) -> None:
    jonas = await shared.person("Jonas")
    secret, codes = await with_app(jonas)

    async def rows() -> list[CredentialRow]:
        query = select_rows(CredentialRow)
        return await shared.parley.application[Database].read(
            lambda it: list(it.select(CredentialRow, query))
        )

    before = repr(await rows())
    assert secret not in before
    assert not any(code in before or code.replace("-", "") in before for code in codes)
    await shared.administrator.send("POST", "/api/keys/rotate")
    assert repr(await rows()) != before
    browser = shared.parley.visitor()
    assert await enter(browser, await ticket_of(browser, "Jonas"), code_of(secret)) == 200


async def test_no_rotation_comes_between_the_sealing_of_an_app_and_its_storing(
    shared: SharedParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    jonas = await shared.person("Jonas")
    sealed, rotate = asyncio.Event(), asyncio.Event()
    seal, loop = Secrets.seal, asyncio.get_running_loop()

    def seal_and_wait(secrets: Secrets, key: str, place: str, address: str | None) -> bytes:
        value = seal(secrets, key, place, address)
        if place.startswith("totp:") and not sealed.is_set():
            loop.call_soon_threadsafe(sealed.set)
            asyncio.run_coroutine_threadsafe(rotate.wait(), loop).result(20)
        return value

    monkeypatch.setattr(Secrets, "seal", seal_and_wait)
    making = asyncio.create_task(jonas.send("POST", "/api/me/app", {"password": PASSWORD}))
    await sealed.wait()
    rotating = asyncio.create_task(shared.administrator.send("POST", "/api/keys/rotate"))
    # A rotation that does not wait is done in this time.
    await asyncio.wait([rotating], timeout=0.5)
    rotate.set()
    app, rotated = await making, await rotating
    assert rotated["lost"] == []
    await jonas.send("POST", "/api/me/app/confirm", {"code": code_of(app["secret"])})


async def test_a_challenge_is_answered_once_and_only_by_who_asked(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    made = await jonas.send("POST", "/api/me/passkeys/options", {"password": PASSWORD})
    assert made["options"]["rp"]["id"] == "127.0.0.1"
    body = {"ticket": made["ticket"], "credential": {"id": "x"}, "name": "My phone"}
    refused = await shared.administrator.send("POST", "/api/me/passkeys", body, status=401)
    assert refused["code"] == "ticket_ended"
    refused = await jonas.send("POST", "/api/me/passkeys", body, status=401)
    assert refused["code"] == "ticket_ended", "the first answer used it up"
    made = await jonas.send("POST", "/api/me/passkeys/options", {"password": PASSWORD})
    refused = await jonas.send("POST", "/api/me/passkeys", {**body, "ticket": made["ticket"]}, status=422)
    assert refused["field"] == "credential"


@pytest.mark.parametrize(
    "credential",
    [{}, {"id": "x"}, {"id": "x", "rawId": "x", "response": {}, "type": "public-key"}, {"id": ["x"]}],
)
async def test_forged_passkeys_sign_nobody_in(shared: SharedParley, credential: dict[str, object]) -> None:
    client = shared.parley.visitor()
    ticket = (await client.post("/api/auth/passkey/options")).json()["ticket"]
    answer = await client.post("/api/auth/passkey", json={"ticket": ticket, "credential": credential})
    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_passkey")
