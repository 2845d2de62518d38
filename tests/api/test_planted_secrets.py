"""Thirty secrets of every kind go through a run of every feature, and are found nowhere that they should not be."""

import logging
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_people_matrix import contracts
from tests.api.test_provider_keys import stored
from tests.api.test_second_factors import code_of
from tests.fakes.canaries import canary, found_in
from tests.fakes.people import SharedParley, a_shared_parley, hash_quickly, secret_of
from tests.fakes.running import Client, Response
from tests.fakes.upstream import ScriptedUpstream

CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}
SECRET_KEY = "b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldC1vdGhlci4="


class Secrets:
    """Every secret by its name, and what was shown to anybody but whom it was made for."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.shown: list[bytes] = []

    def new(self, name: str) -> str:
        """Return a secret of our making."""
        return self.note(name, canary(len(self.known)))

    def note(self, name: str, secret: str) -> str:
        """Remember a secret of Parley's making."""
        self.known[name] = secret
        return secret

    def show(self, answer: Response) -> Response:
        """Remember an answer that should hold no secret."""
        head = repr([(name, it) for name, it in answer.headers.multi_items() if name != "set-cookie"])
        self.shown.append(f"{answer.status_code} {answer.request.url.path} {head}".encode() + answer.content)
        return answer

    def found(self, text: bytes) -> list[str]:
        """Return which secrets stand in a text, in any form."""
        return found_in(text, [*self.known.values()])


@pytest.mark.slow
@pytest.mark.databases("sqlite")
async def test_thirty_secrets_are_found_nowhere_in_any_form(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hash_quickly(monkeypatch)
    secrets = Secrets()
    acme = {"id": "acme", "name": "Acme", "issuer": "http://localhost:1", "client_id": "us"}
    notes = {"name": "notes", "url": "http://127.0.0.1:1/mcp"}
    settings: dict[str, Any] = {
        "sign_up": "open",
        "guests": "on",
        "secret_key": secrets.note("installation's secret", SECRET_KEY),
        "metrics_key": secrets.new("metrics key"),
        "sign_in_with": [{**acme, "client_secret": secrets.new("client secret of OpenID Connect")}],
        "tool_servers": [
            {**notes, "headers": {"Authorization": f"Bearer {secrets.new('token of a tool server')}"}}
        ],
    }
    caplog.set_level(logging.WARNING, "httpcore2")  # the browsers' side of the same process
    with caplog.at_level(logging.DEBUG):
        async with a_shared_parley(tmp_path, **settings) as shared:
            # The console prints the first link for who starts Parley; it is used up.
            caplog.clear()
            capfd.readouterr()
            jonas = await _people(shared, secrets)
            await _keys(shared, secrets, jonas)
            await _links(shared, secrets)
            await _factors(shared, secrets, jonas)
            await _errors(shared, secrets, jonas)
            await _everything(shared, secrets, jonas)
            kept = await stored(shared.parley, tmp_path)
    said = capfd.readouterr()
    logged = "\n".join([caplog.text, *map(repr, (vars(record) for record in caplog.records))])
    assert len({*secrets.known.values()}) >= 30, [*secrets.known]
    assert (len(secrets.shown) > 150, len(kept) > 20_000, len(logged) > 10_000) == (True, True, True)
    names = [*secrets.known]
    for where, text in (
        ("answers", b"\n".join(secrets.shown)),
        ("storage", kept),
        ("log", f"{logged}{said.out}{said.err}".encode()),
    ):
        found = secrets.found(text)
        assert found == [], (where, [names[int(it.split()[1])] for it in found])


async def _people(shared: SharedParley, secrets: Secrets) -> Client:
    """Let somebody sign up, in and out, with tokens too; return their browser."""
    client = shared.parley.visitor()
    entry = {"email": "jonas@example.org", "password": secrets.new("password")}
    secrets.show(await client.post("/api/auth/sign-up", json={**entry, "name": "Jonas"}))
    secrets.note("cookie of the login", client.cookies["parley_login"])
    secrets.note("proof of the browser", client.cookies["parley_browser"])
    changed = {"current": entry["password"], "password": secrets.new("new password")}
    secrets.show(await client.put("/api/me/password", json=changed))
    entry["password"] = changed["password"]
    secrets.show(
        await client.post("/api/auth/login", json={**entry, "password": secrets.new("wrong password")})
    )
    tokens: dict[str, str] = {}
    for number in range(2):
        tokens = (await shared.parley.visitor().post("/api/auth/token", json=entry)).json()
        secrets.note(f"access token {number}", tokens["access_token"])
        secrets.note(f"refresh token {number}", tokens["refresh_token"])
    again = await client.post("/api/auth/token/refresh", json={"refresh_token": tokens["refresh_token"]})
    secrets.note("renewed access token", again.json()["access_token"])
    secrets.note("renewed refresh token", again.json()["refresh_token"])
    ended = await client.post("/api/auth/token/refresh", json={"refresh_token": tokens["refresh_token"]})
    assert secrets.show(ended).status_code == 401
    guest = shared.parley.visitor()
    secrets.show(await guest.post("/api/auth/guest"))
    secrets.note("cookie of a guest", guest.cookies["parley_login"])
    return client


async def _keys(shared: SharedParley, secrets: Secrets, jonas: Client) -> None:
    """Give keys to a provider, a person and a workspace, and to a program."""
    ana = shared.administrator.client
    async with ScriptedUpstream() as up:
        body = {"name": "Lab", "base_url": up.url, "models": [{"model": "m"}]}
        key = secrets.new("key of a provider")
        up.fail(401, {"error": {"message": f"No such key: {key}"}}, times=1)
        secrets.show(await ana.post("/api/providers", json={**body, "api_key": key}))
        for _ in range(2):
            secrets.show(await ana.post("/api/sessions", json={**CHAT, "seats": {"assistant": "m"}}))
        assert {it.headers.get("authorization") for it in up.requests} == {f"Bearer {key}"}, "it was in use"
        named = f"http://user:{secrets.new('password in an address').encode().hex()}@127.0.0.1:1/v1"
        secrets.note("password in an address", named.partition("user:")[2].partition("@")[0])
        secrets.show(await ana.post("/api/providers", json={"name": "Named", "base_url": named}))
        secrets.show(await ana.post("/api/providers/test", json={"base_url": named}))
    space = (await jonas.post("/api/workspaces", json={"name": "Kestrel"})).json()["id"]
    for name, path in (
        ("person's own key", "/api/me/provider-keys/near"),
        ("workspace's own key", f"/api/workspaces/{space}/provider-keys/near"),
    ):
        secrets.show(await jonas.put(path, json={"key": secrets.new(name)}))
    secrets.show(await jonas.post("/api/sessions", json=CHAT))
    secrets.show(await ana.post("/api/keys/rotate"))
    scopes = ["chat", "embeddings", "images", "read"]
    made = (await jonas.post("/api/me/keys", json={"name": "Editor", "scopes": scopes})).json()
    program = shared.parley.visitor(
        headers={"Authorization": f"Bearer {secrets.note('API key', made['secret'])}"}
    )
    asked = {"model": "ada", "messages": [{"role": "user", "content": "Hello"}]}
    for more in ({}, {"stream": True}, {"model": "nobody"}):
        secrets.show(await program.post("/v1/chat/completions", json={**asked, **more}))
    secrets.show(await program.get("/api/models"))


async def _links(shared: SharedParley, secrets: Secrets) -> None:
    """Make links of each purpose, and use them up or not."""
    ana = shared.administrator
    for name in ("invitation", "used invitation"):
        link = await ana.send("POST", "/api/people/invitations", {"role": "member"})
        secrets.note(name, secret_of(link["url"]))
    body = {"token": secrets.known["used invitation"], "email": "mei@example.org", "name": "Mei"}
    mei = shared.parley.visitor()
    joined = await mei.post("/api/auth/link/use", json={**body, "password": secrets.new("invited password")})
    person = secrets.show(joined).json()["person"]["id"]
    secrets.show(await mei.post("/api/auth/link/use", json={**body, "password": secrets.new("too late")}))
    reset = await ana.send("POST", f"/api/people/{person}/reset")
    secrets.note("link for a new password", secret_of(reset["url"]))
    session = (await ana.send("POST", "/api/sessions", CHAT))["session_id"]
    shared_at = (await ana.send("POST", f"/api/sessions/{session}/shares", {"live": False}))["url"]
    secrets.note("link to a session", shared_at.rpartition("/")[2])
    copied = await mei.post("/api/shared/copy", json={"token": secrets.known["link to a session"]})
    assert secrets.show(copied).status_code == 200


async def _factors(shared: SharedParley, secrets: Secrets, jonas: Client) -> None:
    """Add an app, and come in by a code and by a recovery code."""
    password = {"password": secrets.known["new password"]}
    app = (await jonas.post("/api/me/app", json=password)).json()
    confirmed = await jonas.post("/api/me/app/confirm", json={"code": code_of(app["secret"], -1)})
    secrets.note("secret of an app", app["secret"])
    for number, code in enumerate(confirmed.json()["codes"][:2]):
        secrets.note(f"recovery code {number}", code)
    entry = {"email": "jonas@example.org", **password}
    browser = shared.parley.visitor()
    ticket = (await browser.post("/api/auth/login", json=entry)).json()["ticket"]
    secrets.note("ticket", ticket)
    for code in (secrets.known["recovery code 0"],) * 2:
        secrets.show(await browser.post("/api/auth/code", json={"ticket": ticket, "code": code}))


async def _errors(shared: SharedParley, secrets: Secrets, jonas: Client) -> None:
    """Send secrets where they are refused, and in fields that are not there."""
    ana, visitor = shared.administrator.client, shared.parley.visitor()
    for secret in [*secrets.known.values()]:
        for path, body in (
            ("/api/auth/login", {"email": "x", "password": secret}),
            ("/api/auth/link", {"token": secret * 3}),
            ("/api/auth/token/refresh", {"refresh_token": secret * 3}),
            ("/api/auth/code", {"ticket": secret * 6, "code": secret}),
        ):
            secrets.show(await visitor.post(path, json=body))
        secrets.show(await visitor.get("/api/me", headers={"Authorization": f"Bearer {secret}"}))
    key = secrets.known["person's own key"]
    secrets.show(await jonas.put("/api/me/provider-keys/nobody", json={"key": key}))
    secrets.show(await jonas.put("/api/me/provider-keys/near", json={"key": [key]}))
    secrets.show(await ana.post("/api/auth/with/acme/logout", data={"logout_token": "x.y.z"}))
    secrets.show(await visitor.get("/api/auth/with/acme", follow_redirects=False))
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("parley.features.accounts.people.People.verify", _crash)
        entry = {"email": "jonas@example.org", "password": secrets.known["new password"]}
        assert secrets.show(await visitor.post("/api/auth/login", json=entry)).status_code == 500


async def _crash(*_: Any) -> None:
    raise SystemError("the power is gone")


async def _everything(shared: SharedParley, secrets: Secrets, jonas: Client) -> None:
    """Read everything that can be read without an id, as each of two, and the exports and figures."""
    for client in (shared.administrator.client, jonas):
        for contract in contracts():
            if contract.method == "GET" and "{" not in contract.path and not contract.stream:
                secrets.show(await client.get(contract.path))
        sessions = (await client.get("/api/sessions")).json()["sessions"]
        for kind in ("markdown", "json", "html"):
            ids = [each["id"] for each in sessions]
            secrets.show(await client.post("/api/sessions/export", json={"ids": ids, "format": kind}))
        for each in sessions:
            secrets.show(await client.get(f"/api/sessions/{each['id']}"))
            secrets.show(await client.get(f"/api/sessions/{each['id']}/tools"))
    key = {"Authorization": f"Bearer {secrets.known['metrics key']}"}
    figures = await shared.parley.visitor().get("/metrics", headers=key)
    assert secrets.show(figures).status_code in (200, 403)
