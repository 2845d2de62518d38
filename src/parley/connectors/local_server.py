"""A server that draws, usually on this computer: JSON in, JSON or bytes out."""

from collections.abc import AsyncGenerator
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from parley.connectors.openai.faults import check_key, error_from_response
from parley.kernel.errors import Garbled, UpstreamError
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, Response
from parley.wire.websocket import listen

T = TypeVar("T")


class LocalServer:
    """One server at its address, with its key if it has one."""

    def __init__(self, provider: Provider, client: HttpClient, default_url: str) -> None:
        parts = urlsplit(provider.base_url or default_url)
        # An address that was entered as for text has the path of that API.
        path = parts.path.rstrip("/").removesuffix("/v1")
        self._root = parts._replace(path=path, query="", fragment="").geturl()
        self._client = client
        self._key = (provider.api_key or "").strip() or None

    async def get(self, path: str, kind: type[T]) -> T:
        """Return a JSON answer. Raises UpstreamError."""
        return self._decoded(await self.read(path, None), kind)

    async def read(self, path: str, limit: int | None) -> bytes:
        """Return the bytes at a path. Raises UpstreamError."""
        return await self._body(await self._client.get_json(self._root + path, self._headers()), limit)

    def listen(self, path: str) -> AsyncGenerator[str | bytes]:
        """Yield what the server tells over a WebSocket, a message at a time. Raises UpstreamError."""
        return listen(self._client, self._root + path, self._headers())

    async def post(self, path: str, fields: dict[str, object], limit: int | None = None) -> bytes:
        """Post JSON; return the answer. Raises UpstreamError."""
        body = msgspec.json.encode(fields)
        return await self._body(await self._client.post_json(self._root + path, body, self._headers()), limit)

    async def tell(self, path: str, fields: dict[str, object]) -> None:
        """Post JSON; an answer, or none, changes nothing."""
        try:
            await self.post(path, fields)
        except UpstreamError:
            return

    async def _body(self, response: Response, limit: int | None) -> bytes:
        try:
            if not 200 <= response.status < 300:
                raise error_from_response(
                    response.status,
                    await response.read_start(),
                    retry_after_s=response.retry_after_s,
                    secrets=(self._key,),
                )
            return await response.read_body(limit)
        finally:
            response.close()

    def _decoded(self, body: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Garbled(
                "The server's answer is not what this kind of server sends.",
                "Check its address in Models, and its version.",
            ) from None

    def _headers(self) -> dict[str, str]:
        if self._key is None:
            return {}
        check_key(self._key)
        return {"Authorization": f"Bearer {self._key}"}
