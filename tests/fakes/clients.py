"""Every HTTP client with egress rules: a test of the rules runs with each of them."""

from collections.abc import Mapping
from typing import Protocol

from parley.wire.egress import Lookup
from parley.wire.http import HttpClient, WireOptions


class WireAnswer(Protocol):
    """What tests read of an answer."""

    status: int

    async def read_body(self) -> bytes: ...
    def close(self) -> None: ...


class WireClient(Protocol):
    """What tests ask of a client."""

    async def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> WireAnswer: ...
    async def get_json(self, url: str, headers: Mapping[str, str]) -> WireAnswer: ...
    async def close(self) -> None: ...


class ClientFactory(Protocol):
    """Makes a client; a `lookup` takes the place of the system's resolver."""

    def __call__(self, options: WireOptions | None = None, *, lookup: Lookup | None = None) -> WireClient: ...


CLIENTS: dict[str, ClientFactory] = {"own": HttpClient}
