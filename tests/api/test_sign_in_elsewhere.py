"""Tests of sign-in with other providers' accounts, against a real OpenID Connect provider on this computer."""

import base64
import hmac
import time
import warnings
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx2  # noqa: TID251 - the client of these tests; it speaks to loopback only
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from parley.kernel.errors import Unknown
from parley.wire.failures import cannot_connect
from parley.wire.http import HttpClient, WireOptions
from parley.wire.identity import IdentityClient, IdentitySetting, Secrets
from tests.fakes.people import SharedParley, a_shared_parley, hash_quickly
from tests.fakes.running import Client

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    oidc_provider_mock = pytest.importorskip("oidc_provider_mock")

# The provider's own libraries warn of each other.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

CLAIMS = {"email": "jonas@example.org", "email_verified": True, "name": "Jonas Weber"}


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@dataclass
class Provider:
    """A provider that runs on this computer."""

    url: str

    def setting(self, **more: Any) -> dict[str, Any]:
        own = {"id": "acme", "name": "Acme", "issuer": self.url, "client_id": "us", "client_secret": "s"}
        return {**own, **more}

    async def knows(self, subject: str, **claims: Any) -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            (await client.put(f"{self.url}/users/{subject}", json=claims)).raise_for_status()

    async def consent(self, address: str, subject: str) -> str:
        """Sign in at the provider as a person would; return the address that it leads back to."""
        async with httpx2.AsyncClient(trust_env=False) as client:
            answer = await client.post(address, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])


@pytest.fixture(scope="module")
def provider() -> Generator[Provider]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with oidc_provider_mock.run_server_in_thread() as server:
            yield Provider(f"http://localhost:{server.server_port}")


@asynccontextmanager
async def shared_with(provider: Provider, folder: Path, **more: Any) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(folder, sign_in_with=[provider.setting(**more)], guests="on") as shared:
        yield shared


async def come_back(shared: SharedParley, provider: Provider, subject: str, client: Client) -> str:
    """Sign in with the provider's account; return where the browser is led in the end."""
    begun = await client.get("/api/auth/with/acme", follow_redirects=False)
    assert begun.status_code == 303
    back = await provider.consent(begun.headers["location"], subject)
    answer = await client.get(_path(back), follow_redirects=False)
    return str(answer.headers["location"])


def _path(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


async def me(client: Client) -> dict[str, Any]:
    return (await client.get("/api/me")).json()["person"]


async def test_who_comes_for_the_first_time_gets_an_account_and_keeps_it(
    provider: Provider, tmp_path: Path
) -> None:
    await provider.knows("jonas-1", **CLAIMS)
    async with shared_with(provider, tmp_path) as shared:
        first, second = shared.parley.visitor(), shared.parley.visitor()
        assert await come_back(shared, provider, "jonas-1", first) == "/"
        person = await me(first)
        assert (person["name"], person["email"], person["role"]) == (
            "Jonas Weber",
            "jonas@example.org",
            "member",
        )
        await provider.knows("jonas-1", **{**CLAIMS, "email": "new@example.org"})
        assert await come_back(shared, provider, "jonas-1", second) == "/"
        assert (await me(second))["id"] == person["id"], "by the subject, whatever the address"


async def test_an_address_alone_opens_nobodys_account(provider: Provider, tmp_path: Path) -> None:
    await provider.knows("evil", **{**CLAIMS, "email": "ana@example.org"})
    async with shared_with(provider, tmp_path) as shared:
        stranger = shared.parley.visitor()
        assert "add%20Acme%20under" in await come_back(shared, provider, "evil", stranger)
        assert await me(stranger) is None
        # Ana proves that she is Ana, and adds it.
        assert await come_back(shared, provider, "evil", shared.administrator.client) == "/"
        assert await come_back(shared, provider, "evil", stranger) == "/"
        assert (await me(stranger))["id"] == shared.administrator.id


@pytest.mark.parametrize("claims", [{**CLAIMS, "email_verified": False}, {"name": "No address"}])
async def test_an_unverified_address_makes_no_account(
    provider: Provider, tmp_path: Path, claims: dict[str, Any]
) -> None:
    await provider.knows("unverified", **claims)
    async with shared_with(provider, tmp_path) as shared:
        client = shared.parley.visitor()
        assert "verified" in await come_back(shared, provider, "unverified", client)
        assert await me(client) is None


async def test_sign_in_must_have_begun_in_the_same_browser_and_ends_once(
    provider: Provider, tmp_path: Path
) -> None:
    await provider.knows("jonas-2", **CLAIMS)
    async with shared_with(provider, tmp_path) as shared:
        attacker, victim = shared.parley.visitor(), shared.parley.visitor()
        begun = await attacker.get("/api/auth/with/acme", follow_redirects=False)
        back = _path(await provider.consent(begun.headers["location"], "jonas-2"))
        for client, expected in ((victim, None), (attacker, "Jonas Weber")):
            await client.get(back, follow_redirects=False)
            person = await me(client)
            assert (person and person["name"]) == expected
            if client is victim:  # it used up the state, so begin again
                begun = await attacker.get("/api/auth/with/acme", follow_redirects=False)
                back = _path(await provider.consent(begun.headers["location"], "jonas-2"))
        replayed = shared.parley.visitor()
        replayed.cookies.update(attacker.cookies)
        replayed.cookies.delete("parley_login")
        await replayed.get(back, follow_redirects=False)
        assert await me(replayed) is None


async def test_an_answer_of_one_provider_is_not_taken_for_anothers(
    provider: Provider, tmp_path: Path
) -> None:
    await provider.knows("jonas-3", **CLAIMS)
    both = [provider.setting(), provider.setting(id="other", name="Other")]
    async with a_shared_parley(tmp_path, sign_in_with=both) as shared:
        client = shared.parley.visitor()
        begun = await client.get("/api/auth/with/acme", follow_redirects=False)
        back = _path(await provider.consent(begun.headers["location"], "jonas-3"))
        mixed = await client.get(back.replace("/acme/", "/other/"), follow_redirects=False)
        assert "sign-in-failed" in mixed.headers["location"]
        assert (await client.get(back, follow_redirects=False)).headers["location"] != "/", "it is used up"
        assert await me(client) is None


async def test_an_administrator_by_group_who_is_one_no_more_leaves_no_open_invitation(
    provider: Provider, tmp_path: Path
) -> None:
    await provider.knows("lead-2", **CLAIMS, groups=["parley-admins"])
    async with shared_with(provider, tmp_path, admin_groups=["parley-admins"]) as shared:
        client = shared.parley.visitor()
        await come_back(shared, provider, "lead-2", client)
        made = await client.post("/api/people/invitations", json={"role": "administrator"})
        await provider.knows("lead-2", **CLAIMS, groups=[])
        await come_back(shared, provider, "lead-2", shared.parley.visitor())
        body = {"token": made.json()["url"].rpartition("#")[2]}
        assert (await shared.parley.visitor().post("/api/auth/link", json=body)).status_code == 404


async def test_groups_decide_the_role_where_they_are_named(provider: Provider, tmp_path: Path) -> None:
    await provider.knows("lead", **CLAIMS, groups=["staff", "parley-admins"])
    async with shared_with(provider, tmp_path, admin_groups=["parley-admins"]) as shared:
        client = shared.parley.visitor()
        await come_back(shared, provider, "lead", client)
        assert (await me(client))["role"] == "administrator"
        await provider.knows("lead", **CLAIMS, groups=["staff"])
        await come_back(shared, provider, "lead", shared.parley.visitor())
        assert (await me(client))["role"] == "member", "in every browser"


async def test_a_guest_keeps_what_is_theirs(provider: Provider, tmp_path: Path) -> None:
    await provider.knows("olu", **CLAIMS)
    async with shared_with(provider, tmp_path) as shared:
        guest = await shared.guest()
        assert await come_back(shared, provider, "olu", guest.client) == "/"
        person = await me(guest.client)
        assert (person["id"], person["role"]) == (guest.id, "member")


async def test_an_outage_of_the_provider_ends_nobodys_login(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await provider.knows("mei", **CLAIMS)
    async with shared_with(provider, tmp_path) as shared:
        client = shared.parley.visitor()
        await come_back(shared, provider, "mei", client)
        begun = await shared.administrator.client.get("/api/auth/with/acme", follow_redirects=False)
        back = _path(await provider.consent(begun.headers["location"], "mei"))

        async def fail(*_: Any) -> None:
            raise cannot_connect(ConnectionRefusedError())

        monkeypatch.setattr(HttpClient, "post_form", fail)
        answer = await shared.administrator.client.get(back, follow_redirects=False)
        said = unquote(answer.headers["location"])
        assert "Acme can't be reached: connection refused. Nobody was signed in" in said
        assert (await me(client))["name"] == "Jonas Weber"
        assert (await me(shared.administrator.client))["name"] == "Ana"


async def test_a_providers_word_that_it_signed_somebody_out_is_checked(
    provider: Provider, tmp_path: Path
) -> None:
    async with shared_with(provider, tmp_path) as shared:
        answer = await shared.parley.visitor().post(
            "/api/auth/with/acme/logout", data={"logout_token": "not.a.token"}
        )
        assert (answer.status_code, answer.json()["code"]) == (401, "identity_refused")


# ── forged answers ───────────────────────────────────────────────────────────────────────────────

KEY, OTHERS = RSAKey.generate_key(2048, {"kid": "k"}), RSAKey.generate_key(2048, {"kid": "k"})
SECRETS = Secrets("verifier" * 6, "the nonce")


def claims(**changes: Any) -> dict[str, Any]:
    """Return the claims of a good token, with changes; None takes one out."""
    now = int(time.time())
    good = {"iss": "http://localhost:1", "aud": "us", "sub": "1", "nonce": "the nonce", "iat": now}
    whole = {**good, "exp": now + 300, **CLAIMS, **changes}
    return {name: value for name, value in whole.items() if value is not None}


def signed(body: dict[str, Any], key: RSAKey = KEY, **header: Any) -> str:
    return jwt.encode({"alg": "RS256", "kid": "k", **header}, body, key, algorithms=["RS256"])


def unsigned(body: dict[str, Any]) -> str:
    head, text, _ = signed(body).split(".")
    del head
    none = "eyJhbGciOiJub25lIn0"
    return f"{none}.{text}."


def by_the_public_key(body: dict[str, Any]) -> str:
    """Sign with the provider's public key as if it were a secret, which a careless check takes."""
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"k"}').rstrip(b"=")
    text = signed(body).split(".")[1].encode()
    mark = hmac.digest(KEY.as_pem(private=False), head + b"." + text, "sha256")
    return b".".join((head, text, base64.urlsafe_b64encode(mark).rstrip(b"="))).decode()


FORGED = {
    "another key": lambda: signed(claims(), OTHERS),
    "no signature": lambda: unsigned(claims()),
    "signed by the public key": lambda: by_the_public_key(claims()),
    "another client": lambda: signed(claims(aud="them")),
    "another client among several": lambda: signed(claims(aud=["us", "them"], azp="them")),
    "another issuer": lambda: signed(claims(iss="http://localhost:2")),
    "no issuer": lambda: signed(claims(iss=None)),
    "no client": lambda: signed(claims(aud=None)),
    "another nonce": lambda: signed(claims(nonce="theirs")),
    "no nonce": lambda: signed(claims(nonce=None)),
    "expired": lambda: signed(claims(exp=int(time.time()) - 600)),
    "never expires": lambda: signed(claims(exp=None)),
    "no subject": lambda: signed(claims(sub=None)),
    "from the future": lambda: signed(claims(iat=int(time.time()) + 6000)),
    "cut off": lambda: signed(claims())[:-4],
    "changed": lambda: signed(claims()).replace(".", ".e", 1),
    "empty": lambda: "",
    "no token": lambda: "not.a.token",
}


@pytest.fixture
def client_of_a_forger(monkeypatch: pytest.MonkeyPatch) -> tuple[IdentityClient, IdentitySetting]:
    """A client whose provider answers with any token."""
    client = IdentityClient(HttpClient(WireOptions()))
    keys = KeySet([KEY]).as_dict(private=False)
    found = {"issuer": "http://localhost:1", "token_endpoint": "t", "jwks_uri": "j"}

    async def discover(_: IdentitySetting) -> dict[str, Any]:
        return found

    async def known_keys(_: IdentitySetting, *, fresh: bool) -> Any:
        del fresh
        return keys

    async def post(*_: Any) -> None:
        return None

    monkeypatch.setattr(client, "_discover", discover)
    monkeypatch.setattr(client, "_keys", known_keys)
    monkeypatch.setattr(client, "_post", post)
    setting = IdentitySetting.model_validate(Provider("http://localhost:1").setting())
    return client, setting


async def identify(client: IdentityClient, setting: IdentitySetting, token: str) -> Any:
    async def ask(*_: Any) -> dict[str, Any]:
        return {"id_token": token}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "_ask", ask)
        return await client.identify(setting, "back", "code", SECRETS)


@pytest.mark.parametrize("name", FORGED)
async def test_a_forged_token_is_nobodys(
    name: str, client_of_a_forger: tuple[IdentityClient, IdentitySetting]
) -> None:
    client, setting = client_of_a_forger
    assert (await identify(client, setting, signed(claims()))).subject == "1"
    with pytest.raises(Unknown):
        await identify(client, setting, FORGED[name]())


async def test_a_back_channel_logout_ends_the_logins_and_no_other_token_does(
    provider: Provider, tmp_path: Path
) -> None:
    del provider
    client = IdentityClient(HttpClient(WireOptions()))
    setting = IdentitySetting.model_validate(Provider("http://localhost:1").setting())
    event = {"http://schemas.openid.net/event/backchannel-logout": {}}
    with pytest.MonkeyPatch.context() as patch:

        async def discover(_: IdentitySetting) -> dict[str, Any]:
            return {"issuer": "http://localhost:1"}

        async def keys(_: IdentitySetting, *, fresh: bool) -> Any:
            del fresh
            return KeySet([KEY]).as_dict(private=False)

        patch.setattr(client, "_discover", discover)
        patch.setattr(client, "_keys", keys)
        good = signed(claims(nonce=None, events=event))
        assert await client.logged_out(setting, good) == "1"
        kept = claims(nonce=None, events=event, iat=int(time.time()) - 700)
        of_nobody = claims(nonce=None, events=event, sub=None)
        for bad in (
            signed(claims()),
            signed(claims(events=event)),
            signed(claims(nonce=None), OTHERS),
            signed(kept),
            signed(of_nobody),
        ):
            with pytest.raises(Unknown):
                await client.logged_out(setting, bad)


def test_an_issuer_without_https_is_refused_elsewhere() -> None:
    with pytest.raises(ValueError, match="https"):
        IdentitySetting.model_validate(Provider("http://idp.example.org").setting())
