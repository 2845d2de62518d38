"""A server of tools that people sign in at, made with the protocol's own library: it is its authorization server too.

It consents at once, as the account in `account`, unless `asks`: then its page asks whether to allow or to refuse.
Answers of its own at a path replace what the library says there.
"""

import asyncio
import contextlib
import html
import secrets
import socket
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any, Protocol
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2  # noqa: TID251 - the browser of these tests; it speaks to loopback only
import msgspec
import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from mcp.types import ToolAnnotations
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LASTS_S = 3600


class Accounts(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """The authorization server, in memory."""

    def __init__(self) -> None:
        self.account = "ada"
        self.asks = False
        self.lasts_s = LASTS_S
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.renewals = 0

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a registered program."""
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Register a program."""
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Consent."""
        code = AuthorizationCode(
            code=secrets.token_hex(16),
            scopes=params.scopes or [],
            expires_at=time.time() + LASTS_S,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=True,
            resource=params.resource,
            subject=self.account,
        )
        self.codes[code.code] = code
        state = {"state": params.state or ""}
        allowed = f"{params.redirect_uri}?{urlencode({'code': code.code, **state})}"
        refused = f"{params.redirect_uri}?{urlencode({'error': 'access_denied', **state})}"
        return f"/consent?{urlencode({'allow': allowed, 'refuse': refused})}" if self.asks else allowed

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """Return a code that has not been used."""
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """Use a code up."""
        code = self.codes.pop(authorization_code.code)
        return self._give(client.client_id, code.subject or "", code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        """Return a token that has not been used."""
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """Give new tokens; the old ones are over."""
        self.renewals += 1
        del self.refresh[refresh_token.token]
        return self._give(client.client_id, refresh_token.subject or "", refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Return a token that is good."""
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End all tokens of the account."""
        self.end_tokens(token.subject or "")
        self.refresh = {key: it for key, it in self.refresh.items() if it.subject != token.subject}

    def end_tokens(self, account: str) -> None:
        """End the access tokens of an account before their time."""
        self.access = {key: it for key, it in self.access.items() if it.subject != account}

    def _give(self, client_id: str, account: str, resource: str | None) -> OAuthToken:
        access, refresh = secrets.token_hex(16), secrets.token_hex(16)
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=[], resource=resource, subject=account
        )
        self.refresh[refresh] = RefreshToken(
            token=refresh, client_id=client_id, scopes=[], resource=resource, subject=account
        )
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=self.lasts_s)


class Browser(Protocol):
    """Where a person is signed in at Parley."""

    async def get(self, url: str, *, headers: dict[str, str] = ..., follow_redirects: bool = ...) -> Any:
        """Go to an address of Parley's."""
        ...

    async def post(self, url: str, *, json: Any) -> Any:
        """Send JSON to Parley."""
        ...


class SignedServer:
    """A server on one port, which can be stopped and started again. `asked` are the paths of all requests.

    `keeps_sessions`: it speaks an older form of the protocol, and knows those in `sessions` alone.
    """

    def __init__(self, *, signed: bool = True) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.origin = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.origin}/mcp"
        self.accounts = Accounts()
        self.notes: list[str] = []
        self.asked: list[str] = []
        self.answers: dict[str, tuple[int, dict[str, str], object]] = {}
        self.keeps_sessions = False
        self.sessions: set[str] = set()
        self._signed = signed

    def app(self) -> ASGIApp:
        """Return the library's app, with this server's own answers before it."""
        auth = AuthSettings.model_validate(
            {
                "issuer_url": self.origin,
                "resource_server_url": self.url,
                "validate_token_resource": True,
                "client_registration_options": ClientRegistrationOptions(enabled=True),
                "revocation_options": RevocationOptions(enabled=True),
            }
        )
        own: dict[str, Any] = {"auth": auth, "auth_server_provider": self.accounts} if self._signed else {}
        server = MCPServer("signed", **own)

        @server.tool(annotations=ToolAnnotations(read_only_hint=True))
        def whoami() -> str:
            """Say who asks."""
            token = get_access_token()
            return (token.subject or "") if token else "nobody"

        @server.tool()
        def add_note(text: str) -> str:
            """Add a note."""
            self.notes.append(text)
            return f"{len(self.notes)} notes"

        app = server.streamable_http_app()

        async def answering(scope: Scope, receive: Receive, send: Send) -> None:
            path = scope.get("path", "")
            if scope["type"] == "http":
                self.asked.append(path)
            given = dict(scope.get("headers", ()))
            session = given.get(b"mcp-session-id", b"").decode()
            if session and session not in self.sessions:
                status, headers, body = 404, {}, {}
            elif self.keeps_sessions and given.get(b"mcp-protocol-version", b"") >= b"2026":
                status, headers, body = 400, {}, {}
            elif path == "/consent":
                await _page(scope, send)
                return
            elif path in self.answers:
                status, headers, body = self.answers[path]
            else:
                await app(scope, receive, self._noting(send))
                return
            sent = [(name.encode(), value.encode()) for name, value in headers.items()]
            sent.append((b"content-type", b"application/json"))
            await send({"type": "http.response.start", "status": status, "headers": sent})
            await send({"type": "http.response.body", "body": msgspec.json.encode(body)})

        return answering

    def _noting(self, send: Send) -> Send:
        """Note the sessions that the library begins."""

        async def noting(message: Message) -> None:
            begun = dict(message.get("headers", ())).get(b"mcp-session-id") if self.keeps_sessions else None
            if begun:
                self.sessions.add(begun.decode())
            await send(message)

        return noting

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator["SignedServer"]:
        """Serve while the block runs."""
        config = uvicorn.Config(
            self.app(),
            host="127.0.0.1",
            port=self.port,
            log_level="critical",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        served = _Quiet(config)
        task = asyncio.create_task(served.serve())
        try:
            async with asyncio.timeout(30):
                while not served.started:  # noqa: ASYNC110 - the library has no event for it
                    await asyncio.sleep(0.01)
            yield self
        finally:
            served.should_exit = True
            await asyncio.wait([task], timeout=30)

    @contextlib.contextmanager
    def in_thread(self) -> Iterator["SignedServer"]:
        """Serve in a thread while the block runs, for tests that have no event loop."""
        ready, over = threading.Event(), threading.Event()

        async def serve() -> None:
            async with self.running():
                ready.set()
                await asyncio.to_thread(over.wait)

        thread = threading.Thread(target=lambda: asyncio.run(serve()), name="signed-server", daemon=True)
        thread.start()
        try:
            assert ready.wait(30), "the server did not start"
            yield self
        finally:
            over.set()
            thread.join(30)

    async def consent(self, address: str) -> str:
        """Go where Parley sends a person, and consent; return the address that leads back."""
        async with httpx2.AsyncClient(trust_env=False) as client:
            answer = await client.get(address)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])

    async def sign_in(self, browser: Browser, account: str, name: str = "signed") -> str:
        """Sign somebody in through Parley, as a browser does; return where it ends."""
        self.accounts.account = account
        begun = await browser.post(f"/api/tools/servers/{name}/sign-in", json={"back": "/settings"})
        assert begun.status_code == 200, begun.text
        return await arrive(browser, await self.consent(begun.json()["address"]))


NAVIGATES = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
"""What a browser says when another site's page leads to an address."""


async def arrive(browser: Browser, address: str) -> str:
    """Come to an address of Parley's from another site; return where the browser is led."""
    parts = urlsplit(address)
    answer = await browser.get(f"{parts.path}?{parts.query}", headers=NAVIGATES, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def query_of(address: str) -> dict[str, str]:
    """Return the parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


async def _page(scope: Scope, send: Send) -> None:
    """Ask whether to allow or to refuse, with the addresses that lead back."""
    links = parse_qs(scope["query_string"].decode())
    body = "".join(
        f'<p><a href="{html.escape(address)}">{words.title()}</a></p>' for words, (address,) in links.items()
    )
    headers = [(b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": f"<!doctype html><title>Signed</title>{body}".encode()})


class _Quiet(uvicorn.Server):
    """Leaves signals to the tests."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@contextlib.asynccontextmanager
async def a_signed_server(*, signed: bool = True) -> AsyncIterator[SignedServer]:
    """Yield a running server."""
    async with SignedServer(signed=signed).running() as server:
        yield server
