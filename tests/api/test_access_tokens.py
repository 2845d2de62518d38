"""Tests of programs that sign in as a person: short tokens, their renewal, and how the login behind them ends."""

import asyncio
import base64
import hashlib
import hmac
import time
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.features.accounts.access_tokens import AccessTokens
from tests.fakes.people import PASSWORD, SharedParley, a_shared_parley, hash_quickly
from tests.fakes.running import Client

CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


async def tokens_of(program: Client, name: str = "ana", **more: str) -> dict[str, Any]:
    body = {"email": f"{name}@example.org", "password": PASSWORD, **more}
    answer = await program.post("/api/auth/token", json=body)
    assert answer.status_code == 200, answer.text
    assert "set-cookie" not in answer.headers
    return answer.json()


async def renewed(program: Client, token: str, status: int = 200) -> dict[str, Any]:
    answer = await program.post("/api/auth/token/refresh", json={"refresh_token": token})
    assert answer.status_code == status, answer.text
    return answer.json()


async def may(program: Client, token: str, path: str = "/api/sessions", **headers: str) -> int:
    """Return the status of a request with an access token."""
    answer = await program.get(path, headers={"Authorization": f"Bearer {token}", **headers})
    return answer.status_code


async def test_a_program_does_what_its_person_may_and_no_more(shared: SharedParley) -> None:
    await shared.person("Jonas")
    program = shared.parley.visitor()
    tokens = await tokens_of(program, "jonas")
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 600)
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    started = await program.post("/api/sessions", json=CHAT, headers=headers)
    assert started.status_code == 200, started.text
    assert await may(program, tokens["access_token"], "/api/people") == 403
    assert await may(program, tokens["access_token"], "/v1/models") == 401, "the door takes API keys"
    assert await may(program, tokens["refresh_token"]) == 401
    cookie = {"Cookie": f"parley_login={tokens['refresh_token']}"}
    assert (await program.get("/api/sessions", headers=cookie)).status_code == 401


async def test_each_refresh_token_is_good_once_and_a_second_use_ends_the_login(shared: SharedParley) -> None:
    program = shared.parley.visitor()
    first = await tokens_of(program)
    second = await renewed(program, first["refresh_token"])
    assert await may(program, second["access_token"]) == 200
    other = await tokens_of(program)
    refused = await renewed(program, first["refresh_token"], status=401)
    assert (refused["code"], "used before" in refused["detail"]) == ("token_ended", True)
    await renewed(program, second["refresh_token"], status=401)
    assert [await may(program, each["access_token"]) for each in (first, second, other)] == [401, 401, 200]
    await renewed(program, other["refresh_token"])


async def test_of_two_who_renew_at_once_one_is_first_and_both_are_out(shared: SharedParley) -> None:
    program = shared.parley.visitor()
    token = (await tokens_of(program))["refresh_token"]
    answers = await asyncio.gather(
        *(program.post("/api/auth/token/refresh", json={"refresh_token": token}) for _ in range(2))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 401]
    following = next(answer.json() for answer in answers if answer.status_code == 200)
    assert await may(program, following["access_token"]) == 401


async def test_an_access_token_ends_with_its_login_and_its_person(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    program = shared.parley.visitor()
    tokens = [await tokens_of(program, "jonas") for _ in range(2)]
    logins = (await jonas.get("/api/me/logins"))["logins"]
    assert len(logins) == 3
    (mine,) = [each for each in logins if each["is_this"]]
    for each in logins:
        if each is not mine:
            await jonas.send("DELETE", f"/api/me/logins/{each['id']}", status=204)
            break
    assert sorted([await may(program, each["access_token"]) for each in tokens]) == [200, 401]
    await ana.send("PATCH", f"/api/people/{jonas.id}", {"disabled": True})
    assert [await may(program, each["access_token"]) for each in tokens] == [401, 401]
    assert [(await renewed(program, each["refresh_token"], status=401))["code"] for each in tokens] == [
        "token_ended"
    ] * 2


async def test_an_access_token_expires(shared: SharedParley, monkeypatch: pytest.MonkeyPatch) -> None:
    program = shared.parley.visitor()
    monkeypatch.setattr("parley.features.accounts.access_tokens.LASTS_S", -1)
    tokens = await tokens_of(program)
    assert await may(program, tokens["access_token"]) == 401
    monkeypatch.undo()
    assert await may(program, (await renewed(program, tokens["refresh_token"]))["access_token"]) == 200


async def test_wrong_passwords_and_missing_codes_give_no_tokens(shared: SharedParley) -> None:
    ana, program = shared.administrator, shared.parley.visitor()
    wrong = {"email": "ana@example.org", "password": "not this one at all"}
    refused = await program.post("/api/auth/token", json=wrong)
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_password")
    app = await ana.send("POST", "/api/me/app", {"password": PASSWORD})
    from pyotp.totp import TOTP

    await ana.send("POST", "/api/me/app/confirm", {"code": TOTP(app["secret"]).now()})
    body = {"email": "ana@example.org", "password": PASSWORD}
    refused = await program.post("/api/auth/token", json=body)
    assert (refused.status_code, refused.json()["code"]) == (401, "wrong_code")
    later = TOTP(app["secret"]).at(int(time.time()) + 30)
    assert await may(program, (await tokens_of(program, code=later))["access_token"]) == 200


def coded(part: Mapping[str, Any] | bytes) -> str:
    data = part if isinstance(part, bytes) else msgspec.json.encode(part)
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(header: Mapping[str, Any], claims: Mapping[str, Any], key: bytes, digest: str = "sha256") -> str:
    start = f"{coded(header)}.{coded(claims)}"
    return f"{start}.{coded(hmac.new(key, start.encode(), getattr(hashlib, digest)).digest())}"


def forgeries(token: str, sid: str, key: bytes) -> list[str]:
    """Return tokens that look like ours and are not; some are signed with the real key, for another use."""
    head, body, sign = token.split(".")
    header, claims = {"alg": "HS256", "typ": "at+jwt"}, {"sid": sid, "exp": int(time.time()) + 600}
    forged = [signed(header, claims, other) for other in (b"", b"secret", b"0" * 32, sid.encode(), key[:-1])]
    forged += [f"{coded({**header, 'alg': alg})}.{body}.{end}" for alg in ALGS for end in ("", sign)]
    forged += [signed({**header, "alg": alg}, claims, key) for alg in ALGS]
    forged += [signed({**header, **more}, claims, b"k" * 32) for more in POINTERS]
    forged += [signed({**header, "typ": kind}, claims, key) for kind in ("JWT", "", None, "rt+jwt", "at")]
    forged += [
        signed(header, {**claims, "exp": exp}, key) for exp in (0, -1, time.time() - 1, None, "2099", [])
    ]
    forged += [signed(header, {"sid": sid}, key), signed(header, {"exp": claims["exp"]}, key)]
    forged += [
        signed(header, {**claims, "sid": other}, key) for other in (None, "", "owner", 0, [sid], {"$ne": 1})
    ]
    forged += [signed(header, {**claims, "nbf": int(time.time()) + 900}, key)]
    for place in range(len(sign)):
        letter = "A" if sign[place] != "A" else "B"
        # The last letter has bits that stand for nothing.
        if place < len(sign) - 1:
            forged.append(f"{head}.{body}.{sign[:place]}{letter}{sign[place + 1 :]}")
    changed = coded({**claims, "sid": sid, "role": "administrator"})
    forged += [f"{head}.{changed}.{sign}", f"{head}..{sign}", f".{body}.{sign}", "..", f"{head}.{body}."]
    forged += [
        f"{token}.",
        f".{token}",
        f"{token}=",
        token.replace(".", "%2e"),
        token[::-1],
        f"{token}.{sign}",
    ]
    forged += [f"{head}.{body}.{sign[:cut]}" for cut in (1, 10, 20, 30, 42)]
    return forged


ALGS = ("none", "None", "NONE", "nOnE", "HS384", "HS512", "RS256", "ES256", "EdDSA", "dir", "", "hs256")
POINTERS: tuple[dict[str, Any], ...] = (
    {"kid": "../../../../dev/null"},
    {"kid": "' UNION SELECT 'k"},
    {"jwk": {"kty": "oct", "k": coded(b"k" * 32)}},
    {"jku": "https://evil.example/jwks.json"},
    {"x5u": "https://evil.example/cert.pem"},
    {"crit": ["exp"]},
)


async def test_no_forged_token_is_accepted(shared: SharedParley) -> None:
    program = shared.parley.visitor()
    tokens = await tokens_of(program)
    sid = next(
        each["id"]
        for each in (await shared.administrator.get("/api/me/logins"))["logins"]
        if not each["is_this"]
    )
    forged = forgeries(tokens["access_token"], sid, shared.parley.application[AccessTokens]._key)
    assert len(forged) == len(set(forged)) >= 120
    accepted = [each for each in forged if await may(program, each) != 401]
    assert accepted == []
    renewals = [
        tokens["refresh_token"][:-1],
        tokens["access_token"],
        "",
        "x" * 43,
        f"{tokens['refresh_token']} ",
    ]
    for each in renewals:
        answer = await program.post("/api/auth/token/refresh", json={"refresh_token": each})
        assert answer.status_code in (401, 422), each
    assert await may(program, tokens["access_token"]) == 200, "the real one goes on"
