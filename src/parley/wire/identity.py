"""OpenID Connect and GitHub: sends a person to their provider, and finds out who came back.

Authorization code with PKCE (RFC 7636), state and nonce (OpenID Connect Core §3.1). The provider's tokens are dropped
after the check: a login here has a life of its own.
"""

import base64
import hashlib
import re
import time
from contextlib import closing
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode, urlsplit

import msgspec
from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from parley.kernel.errors import Unavailable, Unknown, UpstreamError
from parley.wire.failures import why_of
from parley.wire.http import HttpClient, Response

KNOWN_FOR_S = 3600.0
LEEWAY_S = 60
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
LOGOUT_S = 600
"""A token of a logout is sent at once; one that somebody has kept ends nobody's logins."""

LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"

_GITHUB = {
    "issuer": "https://github.com",
    "authorization_endpoint": "https://github.com/login/oauth/authorize",
    "token_endpoint": "https://github.com/login/oauth/access_token",
}
_GITHUB_API = "https://api.github.com"


class IdentitySetting(BaseModel):
    """A provider that people sign in with, as the settings file has it.

    `admin_groups`: who is in one of them is an administrator, everybody else a member; without any, roles are given
    here. `sign_up`: who comes for the first time gets an account.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=40)]
    kind: Literal["oidc", "github"] = "oidc"
    issuer: str = ""
    client_id: Annotated[str, Field(min_length=1, max_length=500)]
    client_secret: SecretStr
    scopes: str = "openid email profile"
    groups_claim: str = "groups"
    admin_groups: tuple[str, ...] = ()
    sign_up: bool = True

    @field_validator("id")
    @classmethod
    def _plain(cls, provider_id: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", provider_id):
            raise ValueError("must be lower-case letters, digits and hyphens, as in “google”")
        return provider_id

    @model_validator(mode="after")
    def _whole(self) -> "IdentitySetting":
        parts = urlsplit(self.issuer)
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if self.kind == "oidc" and not (parts.scheme == "https" or (parts.scheme == "http" and local)):
            raise ValueError("issuer must be an address with https, such as https://accounts.google.com")
        return self

    @property
    def address(self) -> str:
        """The issuer without a slash at its end."""
        return (self.issuer or _GITHUB["issuer"]).rstrip("/")


class Identity(msgspec.Struct, frozen=True):
    """Who came back. `email` is empty unless the provider has verified it."""

    issuer: str
    subject: str
    email: str
    name: str
    groups: tuple[str, ...] = ()


class Secrets(NamedTuple):
    """The secrets of one sign-in: PKCE's verifier and the nonce."""

    verifier: str
    nonce: str


class _Document(NamedTuple):
    content: dict[str, Any]
    until: float


class IdentityClient:
    """Speaks to identity providers, through the egress check."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._known: dict[str, _Document] = {}

    async def close(self) -> None:
        """Close every connection."""
        await self._http.close()

    async def address(self, setting: IdentitySetting, back: str, state: str, secrets: Secrets) -> str:
        """Return the address to send a person to. Raises Unavailable."""
        endpoints = await self._discover(setting)
        digest = hashlib.sha256(secrets.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": setting.client_id,
            "redirect_uri": back,
            "scope": "read:user user:email" if setting.kind == "github" else setting.scopes,
            "state": state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        if setting.kind == "oidc":
            query["nonce"] = secrets.nonce
        address = str(endpoints["authorization_endpoint"])
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def identify(self, setting: IdentitySetting, back: str, code: str, secrets: Secrets) -> Identity:
        """Return who a code stands for. Raises Unknown if the provider refuses it or its answer is not right."""
        endpoints = await self._discover(setting)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "client_id": setting.client_id,
            "client_secret": setting.client_secret.get_secret_value(),
            "code_verifier": secrets.verifier,
        }
        token = await self._ask(setting, await self._post(setting, str(endpoints["token_endpoint"]), form))
        if setting.kind == "github":
            return await self._github_user(setting, str(token.get("access_token", "")))
        claims = await self._claims(setting, str(token.get("id_token", "")), nonce=secrets.nonce)
        return _identity(setting, claims)

    async def logged_out(self, setting: IdentitySetting, logout_token: str) -> str:
        """Return the subject whom a provider has signed out (Back-Channel Logout §2.6). Raises Unknown."""
        claims = await self._claims(setting, logout_token, nonce=None)
        events = claims.get("events")
        if not isinstance(events, dict) or LOGOUT_EVENT not in events or "nonce" in claims:
            raise _refused(setting, "the token is not one of a logout")
        if claims["iat"] < time.time() - LOGOUT_S:
            raise _refused(setting, "the token of the logout is too old")
        if not claims.get("sub"):
            raise _refused(setting, "the token of the logout names nobody")
        return str(claims["sub"])

    # ── internals ────────────────────────────────────────────────────────────────────────────────

    async def _claims(self, setting: IdentitySetting, token: str, *, nonce: str | None) -> dict[str, Any]:
        """Return the claims of a token that the provider signed for this client. Raises Unknown."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        expected: dict[str, Any] = {
            "iss": {"essential": True, "value": str((await self._discover(setting))["issuer"])},
            "aud": {"essential": True, "value": setting.client_id},
            "iat": {"essential": True},
        }
        if nonce is not None:
            expected |= {"exp": {"essential": True}, "sub": {"essential": True}}
            expected["nonce"] = {"essential": True, "value": nonce}
        for fresh in (False, True):  # a provider changes its keys now and then
            keys = await self._keys(setting, fresh=fresh)
            try:
                decoded = jwt.decode(token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # pyright: ignore[reportArgumentType] - its own type of a dict
                jwt.JWTClaimsRegistry(leeway=LEEWAY_S, **expected).validate(decoded.claims)
            except (JoseError, ValueError) as error:
                if fresh:
                    raise _refused(setting, str(error) or type(error).__name__) from None
                continue
            claims = decoded.claims
            if claims.get("azp") not in (None, setting.client_id):
                raise _refused(setting, "the token is for another client")
            return claims
        raise AssertionError("unreachable")

    async def _github_user(self, setting: IdentitySetting, token: str) -> Identity:
        headers = {"Authorization": f"Bearer {token}"}
        user = await self._ask(setting, await self._get(setting, f"{_GITHUB_API}/user", headers))
        answer = await self._get(setting, f"{_GITHUB_API}/user/emails", headers)
        emails = msgspec.json.decode(await self._body(setting, answer), type=list[dict[str, Any]])
        verified = [it["email"] for it in emails if it.get("primary") and it.get("verified")]
        name = str(user.get("name") or user.get("login") or "")
        return Identity(setting.address, str(user["id"]), verified[0] if verified else "", name)

    async def _discover(self, setting: IdentitySetting) -> dict[str, Any]:
        if setting.kind == "github":
            return dict(_GITHUB)
        address = f"{setting.address}/.well-known/openid-configuration"
        endpoints = await self._document(setting, address)
        if str(endpoints.get("issuer", "")).rstrip("/") != setting.address:
            raise _refused(setting, f"it says that it is {endpoints.get('issuer')}")
        return endpoints

    async def _keys(self, setting: IdentitySetting, *, fresh: bool) -> dict[str, Any]:
        return await self._document(setting, str((await self._discover(setting))["jwks_uri"]), fresh=fresh)

    async def _document(
        self, setting: IdentitySetting, address: str, *, fresh: bool = False
    ) -> dict[str, Any]:
        known = self._known.get(address)
        if known is None or fresh or known.until < time.monotonic():
            content = await self._ask(setting, await self._get(setting, address, {}))
            known = self._known[address] = _Document(content, time.monotonic() + KNOWN_FOR_S)
        return known.content

    async def _get(self, setting: IdentitySetting, address: str, headers: dict[str, str]) -> Response:
        try:
            return await self._http.get_json(address, headers)
        except UpstreamError as error:
            raise _unreachable(setting, why_of(error)) from None

    async def _post(self, setting: IdentitySetting, address: str, form: dict[str, str]) -> Response:
        try:
            return await self._http.post_form(address, form, {"Accept": "application/json"})
        except UpstreamError as error:
            raise _unreachable(setting, why_of(error)) from None

    async def _ask(self, setting: IdentitySetting, answer: Response) -> dict[str, Any]:
        """Return an answer's JSON. Raises Unknown if it is a refusal, Unavailable if the provider is in trouble."""
        body = await self._body(setting, answer)
        try:
            content = msgspec.json.decode(body, type=dict[str, Any])
        except msgspec.DecodeError:
            content = {}
        if answer.status >= 500:
            raise _unreachable(setting, f"it answered {answer.status}")
        if answer.status >= 400 or "error" in content or not content:
            raise _refused(
                setting, str(content.get("error_description") or content.get("error") or answer.status)
            )
        return content

    async def _body(self, setting: IdentitySetting, answer: Response) -> bytes:
        with closing(answer):
            try:
                return await answer.read_body()
            except UpstreamError as error:
                raise _unreachable(setting, why_of(error)) from None


def _identity(setting: IdentitySetting, claims: dict[str, Any]) -> Identity:
    email = str(claims.get("email") or "").strip().lower()
    groups = claims.get(setting.groups_claim)
    return Identity(
        setting.address,
        str(claims["sub"]),
        email if claims.get("email_verified") is True else "",
        str(claims.get("name") or claims.get("preferred_username") or email.partition("@")[0] or "Member"),
        tuple(str(group) for group in groups) if isinstance(groups, list) else (),  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] - of any provider
    )


def _refused(setting: IdentitySetting, why: str) -> Unknown:
    return Unknown(
        f"{setting.name} did not say who you are: {why[:200]}.",
        "Nobody was signed in. Try again, or ask an administrator.",
        code="identity_refused",
    )


def _unreachable(setting: IdentitySetting, why: str) -> Unavailable:
    return Unavailable(
        f"{setting.name} can't be reached: {why}.",
        "Nobody was signed in, and nobody was signed out. Try again in a minute.",
        code="identity_unreachable",
    )
