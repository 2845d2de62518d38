"""Servers of tools: how the operator names them, and the guarded HTTP client for those on the network."""

import re
from collections.abc import AsyncGenerator
from importlib import import_module
from typing import Annotated, Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator
from yarl import URL

from parley.kernel.errors import ParleyError
from parley.wire.egress import EgressPolicy, checked_addresses, origin_of
from parley.wire.listening import check_bare_origin

_NAME = re.compile(r"[a-z][a-z0-9_]{0,23}")
CONNECT_S, READ_S = 10.0, 60.0


class ToolServerSetting(BaseModel):
    """A server that speaks the Model Context Protocol: over HTTP at a `url`, or a program that Parley starts.

    Only the operator's settings name programs: the API and imports can't. `sign_in_at`: the origins of its
    authorization server, which may have private addresses; people are then sent nowhere else. `client_id`: Parley's
    registration there, for one that registers no programs by itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str
    title: Annotated[str, Field(max_length=60)] = ""
    url: str | None = None
    headers: dict[str, SecretStr] = {}
    sign_in_at: tuple[str, ...] = ()
    client_id: Annotated[str, Field(max_length=500)] = ""
    client_secret: SecretStr | None = None
    command: tuple[str, ...] = ()
    env: dict[str, SecretStr] = {}

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError("must be up to 24 lower-case letters, digits and _, beginning with a letter")
        return name

    @field_validator("sign_in_at")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            check_bare_origin(origin)
        return origins

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.url) == bool(self.command):
            raise ValueError("needs either a url or a command")
        if self.client_id and not self.sign_in_at:
            raise ValueError("a client_id needs sign_in_at: the origins that it may be shown to")
        if (self.sign_in_at and not self.url) or (self.client_secret and not self.client_id):
            raise ValueError("sign_in_at needs a url, and a client_secret a client_id")
        return self

    @property
    def takes_sign_in(self) -> bool:
        """People may sign in there: it is on the network, and the operator's settings don't sign in for all."""
        return self.url is not None and "authorization" not in map(str.lower, self.headers)


class TokenSource(Protocol):
    """A person's token at one server, as it is now."""

    async def token(self, refused: str | None) -> str | None:
        """Return the token, renewed if it has expired or is the one that was refused. Raises ParleyError."""
        ...


class Bearer:
    """Sends a person's token with each request, and notes what the server said to it."""

    def __init__(self, source: TokenSource | None) -> None:
        self._source = source
        self.failure: ParleyError | None = None
        self.is_refused = False
        self.has_lost_session = False
        """The server does not know the session that the connection is in, so it has done nothing of what was asked."""

    async def token(self, refused: str | None = None) -> str | None:
        """Return the token; a failure is kept, and then there is none."""
        try:
            return await self._source.token(refused) if self._source else None
        except ParleyError as error:
            self.failure = error
            return None


def guarded_tool_client(url: str, headers: dict[str, str], bearer: Bearer) -> Any:
    """Return an HTTP client that reaches this server's origin, and otherwise public addresses alone.

    Every request goes to an address that passed the check: the name is not looked up a second time. Tokens go to the
    server's own origin alone.
    """
    httpx: Any = import_module("httpx2")
    policy = EgressPolicy(allowed_origins=(url,))
    own = origin_of(url)

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: Any) -> Any:
            target = URL(str(request.url))
            grant = policy.grant_for(target)
            host, port = target.raw_host or "", target.port or 443
            (address, *_) = await checked_addresses(host, port, grant)
            checked = httpx.Request(
                request.method,
                request.url.copy_with(host=address.host),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": host},
            )
            return await httpx.AsyncHTTPTransport.handle_async_request(self, checked)

    class Auth(httpx.Auth):
        async def async_auth_flow(self, request: Any) -> AsyncGenerator[Any, Any]:
            is_own = origin_of(str(request.url)) == own
            token = await bearer.token() if is_own else None
            response = yield _signed(request, token)
            if response.status_code == 401 and token:
                token = await bearer.token(refused=token)
                if token:
                    response = yield _signed(request, token)
            bearer.is_refused = response.status_code == 401
            if response.status_code == 404 and "mcp-session-id" in request.headers:
                bearer.has_lost_session = True

    return httpx.AsyncClient(
        transport=Transport(),
        auth=Auth(),
        headers=headers,
        trust_env=False,
        follow_redirects=False,
        timeout=httpx.Timeout(READ_S, connect=CONNECT_S),
    )


def _signed(request: Any, token: str | None) -> Any:
    if token:
        request.headers["Authorization"] = f"Bearer {token}"
    return request
