"""People who sign in to a running Parley: each with a browser of their own."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from parley.features.accounts import passwords
from parley.features.accounts.links import Links
from parley.features.accounts.service import AccountsService
from tests.fakes.running import Client, Response, RunningParley, a_running_parley

PASSWORD = "four unrelated wordy words"


def hash_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make argon2 cheap, where its cost is not what is tried."""
    hasher = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    stored = hasher.hash("the password of nobody")
    monkeypatch.setattr(passwords, "_hasher", lambda: hasher)
    monkeypatch.setattr(passwords, "_nobodys_hash", lambda: stored)


@dataclass
class Person:
    """Somebody who is signed in, with their browser."""

    id: str
    client: Client

    async def get(self, path: str, status: int = 200) -> Any:
        """GET and return the JSON."""
        return _json(await self.client.get(path), status)

    async def send(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Send JSON and return the JSON."""
        given = {} if body is None else {"json": body}
        return _json(await self.client.request(method, path, **given), status)


class SharedParley:
    """A shared Parley, with its first administrator and ways to add others."""

    def __init__(self, parley: RunningParley, administrator: Person) -> None:
        self.parley = parley
        self.administrator = administrator

    async def invite(self, role: str = "member") -> str:
        """Return the secret of an invitation."""
        link = await self.administrator.send("POST", "/api/people/invitations", {"role": role})
        return secret_of(link["url"])

    async def person(self, name: str, role: str = "member", browser: Client | None = None) -> Person:
        """Return somebody who has accepted an invitation."""
        return await join(self.parley, await self.invite(role), name, browser)

    async def guest(self) -> Person:
        """Return somebody without an account."""
        client = self.parley.visitor()
        answer = await client.post("/api/auth/guest")
        return Person(_json(answer, 200)["person"]["id"], client)


async def join(parley: RunningParley, token: str, name: str, browser: Client | None = None) -> Person:
    """Use a link as a new person."""
    client = browser or parley.visitor()
    answer = await client.post("/api/auth/link/use", json={**account(name), "token": token})
    return Person(_json(answer, 200)["person"]["id"], client)


def account(name: str) -> dict[str, str]:
    """Return what a person of this name enters to make an account."""
    return {"name": name, "email": f"{name.lower()}@example.org", "password": PASSWORD}


async def sign_in(parley: RunningParley, name: str, browser: Client | None = None) -> Person:
    """Return a person who has signed in, in a new browser."""
    client = browser or parley.visitor()
    answer = await try_to_sign_in(client, name)
    return Person(_json(answer, 200)["person"]["id"], client)


async def try_to_sign_in(client: Client, name: str, password: str = PASSWORD) -> Response:
    """Send a person's address with a password."""
    return await client.post(
        "/api/auth/login", json={"email": f"{name.lower()}@example.org", "password": password}
    )


def secret_of(url: str) -> str:
    """Return the secret of a link."""
    (secret,) = re.findall(r"/join#([\w-]{43})$", url)
    return secret


@asynccontextmanager
async def a_shared_parley(folder: Path, **settings: Any) -> AsyncGenerator[SharedParley]:
    """Serve a shared Parley with one administrator, Ana."""
    async with a_running_parley(folder, mode="shared", **settings) as parley:
        url = await parley.application[Links].first_administrator(AccountsService.owner("inside"))
        assert url is not None
        await asyncio.sleep(0)
        yield SharedParley(parley, await join(parley, secret_of(url), "Ana"))


def _json(answer: Response, status: int) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None
