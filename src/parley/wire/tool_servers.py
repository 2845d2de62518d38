"""Servers of tools: how the operator names them, and the guarded HTTP client for those on the network."""

import re
from importlib import import_module
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator
from yarl import URL

from parley.wire.egress import EgressPolicy, checked_addresses

_NAME = re.compile(r"[a-z][a-z0-9_]{0,23}")
CONNECT_S, READ_S = 10.0, 60.0


class ToolServerSetting(BaseModel):
    """A server that speaks the Model Context Protocol: over HTTP at a `url`, or a program that Parley starts.

    Only the operator's settings name programs: the API and imports can't.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str
    title: Annotated[str, Field(max_length=60)] = ""
    url: str | None = None
    headers: dict[str, SecretStr] = {}
    command: tuple[str, ...] = ()
    env: dict[str, SecretStr] = {}

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError("must be up to 24 lower-case letters, digits and _, beginning with a letter")
        return name

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.url) == bool(self.command):
            raise ValueError("needs either a url or a command")
        return self


def guarded_tool_client(url: str, headers: dict[str, str]) -> Any:
    """Return an HTTP client that reaches this server's origin, and otherwise public addresses alone.

    Every request goes to an address that passed the check: the name is not looked up a second time.
    """
    httpx: Any = import_module("httpx2")
    policy = EgressPolicy(allowed_origins=(url,))

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: Any) -> Any:
            target = URL(str(request.url))
            grant = policy.grant_for(target)
            host, port = target.raw_host or "", target.port or 443
            (address, *_) = await checked_addresses(host, port, grant)
            request.extensions = {**request.extensions, "sni_hostname": host}
            request.url = request.url.copy_with(host=address.host)
            return await httpx.AsyncHTTPTransport.handle_async_request(self, request)

    return httpx.AsyncClient(
        transport=Transport(),
        headers=headers,
        trust_env=False,
        follow_redirects=False,
        timeout=httpx.Timeout(READ_S, connect=CONNECT_S),
    )
