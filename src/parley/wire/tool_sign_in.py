"""Sign-in at a server of tools by OAuth 2.1: where a person goes, and the tokens that they come back with.

Authorization code with PKCE, as the Model Context Protocol has it: the server names its authorization server
(RFC 9728), that describes itself (RFC 8414) and registers Parley if it offers to (RFC 7591), and its tokens are for
this server alone (RFC 8707). Every request passes the egress check, and no redirect is followed.
"""

import base64
import hashlib
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec
from pydantic import BaseModel, ValidationError
from yarl import URL

from parley.kernel.errors import Unavailable, Unknown, UpstreamError
from parley.wire.egress import origin_of
from parley.wire.failures import why_of
from parley.wire.http import HttpClient, Response
from parley.wire.tool_servers import ToolServerSetting
from parley.wire.tool_tokens import Arrival, Grantor, Journey, Tokens

if TYPE_CHECKING:
    from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata

ModelT = TypeVar("ModelT", bound=BaseModel)

MOST_BYTES = 256 << 10
MOST_TOKEN_CHARS = 16 << 10
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
_HEADER_SAFE = re.compile(r"[\x21-\x7e]+")


class Refused(Unknown):
    """An authorization server refuses a code or a token, or describes itself wrongly."""


class ToolSignIn:
    """Speaks to the authorization server of one server of tools."""

    def __init__(self, setting: ToolServerSetting, http: HttpClient) -> None:
        """`http` reaches the setting's own origins wherever they are, and otherwise public addresses alone."""
        self.title = setting.title or setting.name
        self._setting = setting
        self._http = http
        self._url = setting.url or ""

    async def begin(self, redirect_uri: str, until: float) -> tuple[str, Journey]:
        """Return the address to send a person to, and what must come back. Raises Refused, Unavailable."""
        from mcp.client.auth.utils import get_client_metadata_scopes
        from mcp.shared.auth_utils import resource_url_from_server_url

        challenge = await self._challenge()
        resource = await self._resource(challenge.get("resource_metadata"))
        described = await self._authorization_server(resource)
        grantor = await self._grantor(
            described,
            str(resource.resource) if resource else resource_url_from_server_url(self._url),
            redirect_uri,
        )
        verifier = secrets.token_urlsafe(64)
        digest = hashlib.sha256(verifier.encode()).digest()
        journey = Journey(
            grantor=grantor,
            state=secrets.token_urlsafe(32),
            verifier=verifier,
            redirect_uri=redirect_uri,
            names_issuer=bool(described.authorization_response_iss_parameter_supported),
            until=until,
        )
        query = {
            "response_type": "code",
            "client_id": grantor.client_id,
            "redirect_uri": redirect_uri,
            "state": journey.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            "resource": grantor.resource,
        }
        grants = ["authorization_code", "refresh_token"]
        if scope := get_client_metadata_scopes(challenge.get("scope"), resource, described, grants):
            query["scope"] = scope
            if "offline_access" in scope.split():
                query["prompt"] = "consent"
        address = str(described.authorization_endpoint)
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}", journey

    async def finish(self, journey: Journey, arrival: Arrival) -> Tokens:
        """Return the tokens of who came back. Raises Refused, Unavailable."""
        if not secrets.compare_digest(journey.state.encode(), arrival.state.encode()):
            raise Unknown(
                f"This sign-in at “{self.title}” is not the one that was begun last in this browser.",
                "Nobody was signed in. Begin again.",
                code="ticket_ended",
            )
        if (arrival.issuer or journey.names_issuer) and arrival.issuer != journey.grantor.issuer:
            raise self._refused("another authorization server answered than was asked")
        if arrival.error or not arrival.code:
            raise self._refused(arrival.error or "it sent no code")
        form = {
            "grant_type": "authorization_code",
            "code": arrival.code,
            "redirect_uri": journey.redirect_uri,
            "code_verifier": journey.verifier,
        }
        return await self._tokens(journey.grantor, form)

    async def renew(self, tokens: Tokens) -> Tokens:
        """Return fresh tokens. Raises Refused if the sign-in has ended, Unavailable."""
        if tokens.refresh is None:
            raise self._refused("the sign-in has ended")
        fresh = await self._tokens(
            tokens.grantor, {"grant_type": "refresh_token", "refresh_token": tokens.refresh}
        )
        return fresh if fresh.refresh else msgspec.structs.replace(fresh, refresh=tokens.refresh)

    async def revoke(self, tokens: Tokens) -> None:
        """Tell the authorization server that the tokens are done with, if it wants to know. Raises Unavailable."""
        if tokens.grantor.revocation_endpoint is None:
            return
        form = {"token": tokens.refresh or tokens.access}
        (await self._post(tokens.grantor.revocation_endpoint, tokens.grantor, form)).close()

    async def close(self) -> None:
        """Close every connection."""
        await self._http.close()

    # ── finding out ──────────────────────────────────────────────────────────────────────────────

    async def _challenge(self) -> dict[str, str]:
        """Return what the server says to who comes without a token."""
        headers = {"Accept": "application/json, text/event-stream"}
        with closing(await self._sent(self._http.post_json(self._url, PING, headers))) as answer:
            challenge = answer.header("www-authenticate") if answer.status == 401 else ""
        return {
            name: field[1] or field[2]
            for name in ("resource_metadata", "scope")
            if (field := re.search(rf'\b{name}=(?:"([^"]+)"|([^\s,]+))', challenge))
        }

    async def _resource(self, named: str | None) -> "ProtectedResourceMetadata | None":
        from mcp.client.auth.utils import build_protected_resource_metadata_discovery_urls
        from mcp.shared.auth import ProtectedResourceMetadata
        from mcp.shared.auth_utils import check_resource_allowed

        for address in build_protected_resource_metadata_discovery_urls(named, self._url):
            resource = await self._document(address, ProtectedResourceMetadata)
            if resource is None:
                continue
            if not check_resource_allowed(self._url, str(resource.resource)):
                raise self._refused(f"it says that it is {resource.resource}")
            return resource
        return None

    async def _authorization_server(self, resource: "ProtectedResourceMetadata | None") -> "OAuthMetadata":
        from mcp.client.auth.utils import (
            build_oauth_authorization_server_metadata_discovery_urls,
            issuers_match,
        )
        from mcp.shared.auth import OAuthMetadata

        named = str(resource.authorization_servers[0]) if resource else None
        expected = named or str(URL(self._url).origin())
        self._check_origin(expected)
        for address in build_oauth_authorization_server_metadata_discovery_urls(named, self._url):
            described = await self._document(address, OAuthMetadata)
            if described is None:
                continue
            if not issuers_match(str(described.issuer), expected):
                raise self._refused(f"{expected} says that it is {described.issuer}")
            if "S256" not in (described.code_challenge_methods_supported or ()):
                raise self._refused(f"{expected} does not offer PKCE, without which a code can be stolen")
            for endpoint in (described.authorization_endpoint, described.token_endpoint):
                self._check_origin(str(endpoint))
            # The browser goes there, and must not be led into the network that it is in.
            await self._sent(self._http.check(str(described.authorization_endpoint)))
            return described
        raise self._refused("it names no authorization server")

    async def _grantor(self, described: "OAuthMetadata", resource: str, redirect_uri: str) -> Grantor:
        if self._setting.client_id:
            secret = self._setting.client_secret.get_secret_value() if self._setting.client_secret else None
            offered = described.token_endpoint_auth_methods_supported or ["client_secret_basic"]
            posts = "client_secret_post" in offered
            method = "none" if secret is None else "client_secret_post" if posts else "client_secret_basic"
            client_id = self._setting.client_id
        else:
            client_id, secret, method = await self._register(described, redirect_uri)
        revocation = described.revocation_endpoint
        return Grantor(
            issuer=str(described.issuer),
            token_endpoint=str(described.token_endpoint),
            revocation_endpoint=str(revocation) if revocation and self._is_fit(str(revocation)) else None,
            resource=resource,
            client_id=client_id,
            client_secret=secret,
            method=method,
        )

    async def _register(self, described: "OAuthMetadata", redirect_uri: str) -> tuple[str, str | None, str]:
        from mcp.client.auth.exceptions import OAuthRegistrationError
        from mcp.client.auth.oauth2 import check_registration_usable
        from mcp.shared.auth import OAuthClientInformationFull

        if described.registration_endpoint is None:
            raise self._refused(
                f"{described.issuer} registers no programs by itself, so the settings must name a client_id"
            )
        self._check_origin(str(described.registration_endpoint))
        offered = described.token_endpoint_auth_methods_supported or ["client_secret_basic"]
        known = ("none", "client_secret_post", "client_secret_basic")
        registration = {
            "client_name": "Parley",
            "redirect_uris": [redirect_uri],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": next((each for each in known if each in offered), "none"),
            "application_type": "web" if redirect_uri.startswith("https:") else "native",
        }
        sent = self._http.post_json(
            str(described.registration_endpoint), msgspec.json.encode(registration), {}
        )
        status, body = await self._body(await self._sent(sent))
        if status not in (200, 201):
            raise self._refused(f"{described.issuer} did not register Parley: {_why(body) or status}")
        client = self._read(body, OAuthClientInformationFull)
        try:
            check_registration_usable(client)
        except OAuthRegistrationError as error:
            raise self._refused(str(error)) from None
        secret = client.client_secret
        method = client.token_endpoint_auth_method or ("client_secret_basic" if secret else "none")
        return client.client_id, secret, method

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    async def _tokens(self, grantor: Grantor, form: Mapping[str, str]) -> Tokens:
        from mcp.shared.auth import OAuthToken

        response = await self._post(grantor.token_endpoint, grantor, {**form, "resource": grantor.resource})
        status, body = await self._body(response)
        if status >= 500 or status == 429:
            raise self._unreachable(f"{grantor.issuer} answered {status}")
        if status not in (200, 201):
            raise self._refused(_why(body) or str(status))
        answer = self._read(body, OAuthToken)
        for token in (answer.access_token, answer.refresh_token):
            if token is not None and not (_HEADER_SAFE.fullmatch(token) and len(token) <= MOST_TOKEN_CHARS):
                raise self._refused("its token is not one that a request can carry")
        lasts = answer.expires_in
        return Tokens(
            grantor=grantor,
            access=answer.access_token,
            refresh=answer.refresh_token,
            expires_at=None if lasts is None else time.time() + lasts,
        )

    async def _post(self, endpoint: str, grantor: Grantor, form: Mapping[str, str]) -> Response:
        # Some want the id in the form even beside the header.
        headers, fields = {"Accept": "application/json"}, {**form, "client_id": grantor.client_id}
        if grantor.method == "client_secret_basic" and grantor.client_secret:
            pair = urlencode({grantor.client_id: grantor.client_secret}).replace("=", ":", 1)
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        elif grantor.method == "client_secret_post" and grantor.client_secret:
            fields["client_secret"] = grantor.client_secret
        return await self._sent(self._http.post_form(endpoint, fields, headers))

    async def _document(self, address: str, kind: type[ModelT]) -> ModelT | None:
        """Return a document; None if there is none at this address."""
        self._check_origin(address)
        status, body = await self._body(await self._sent(self._http.get_json(address, {})))
        if status >= 500 or status == 429:
            raise self._unreachable(f"{address} answered {status}")
        return self._read(body, kind) if status == 200 else None

    async def _sent(self, request: Any) -> Any:
        try:
            return await request
        except UpstreamError as error:
            raise self._unreachable(why_of(error)) from None

    async def _body(self, answer: Response) -> tuple[int, bytes]:
        with closing(answer):
            return answer.status, await self._sent(answer.read_body(MOST_BYTES))

    def _read(self, body: bytes, kind: type[ModelT]) -> ModelT:
        try:
            return kind.model_validate_json(body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise self._refused(f"its answer is not right: {where} {first['msg']}".strip()) from None

    def _check_origin(self, address: str) -> None:
        if not self._is_fit(address):
            raise self._refused(f"{urlsplit(address).netloc} is not where this server may send people")

    def _is_fit(self, address: str) -> bool:
        """Return whether a request may go there: to the operator's own origins, else by https if they name none."""
        try:
            origin = origin_of(address)
        except UpstreamError:
            return False
        own = {origin_of(self._url), *map(origin_of, self._setting.sign_in_at)}
        return origin in own or (origin.startswith("https:") and not self._setting.sign_in_at)

    def _refused(self, why: str) -> Refused:
        return Refused(
            f"“{self.title}” did not sign you in: {why[:300]}.",
            "Nothing was saved. Sign in again, or ask who runs Parley.",
            code="tool_sign_in_refused",
        )

    def _unreachable(self, why: str) -> Unavailable:
        return Unavailable(
            f"Can't sign in at “{self.title}”: {why[:300]}.",
            "Nothing was changed. Try again in a minute.",
            code="tool_server_unreachable",
        )


def _why(body: bytes) -> str:
    """Return an error of OAuth in words; empty if the answer has none."""
    try:
        content = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return " ".join(str(content.get("error_description") or content.get("error") or "").split())[:200]
