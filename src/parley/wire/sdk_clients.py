"""Clients for providers' own libraries that send through our HTTP client: one egress policy for them too."""

from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from parley.kernel.errors import Garbled, UpstreamError
from parley.wire.http import HttpClient, Response

Library: TypeAlias = Literal["httpx", "httpx2"]
"""The HTTP client of a provider's library."""

Refused: TypeAlias = Callable[[int, bytes, float | None], UpstreamError]
"""Returns the error for a status, the start of its body, and the seconds that the server asks to wait."""

_PASSED: Final = {
    *("accept", "authorization", "x-api-key", "x-goog-api-key"),
    *("anthropic-version", "anthropic-beta"),
}
"""The headers that are sent: others are our client's, tell of this computer, or come from its environment."""


def guarded_client(library: Library, client: HttpClient, refused: Refused) -> Any:
    """Return an `AsyncClient` of the library whose requests go through `client`.

    Its requests raise UpstreamError instead of the library's errors, also for every status that is no success: then
    no layer in between can word it differently, log it or ask again. Raises ModuleNotFoundError.
    """
    httpx: Any = import_module(library)

    class Body(httpx.AsyncByteStream):
        def __init__(self, response: Response) -> None:
            self._response = response

        def __aiter__(self) -> AsyncIterator[bytes]:
            return _packets(self._response, client.options.max_line_bytes)

        async def aclose(self) -> None:
            self._response.close()

    class Transport(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: Any) -> Any:
            headers = {name: value for name, value in request.headers.items() if name.lower() in _PASSED}
            response = await _send(client, request.method, str(request.url), await request.aread(), headers)
            if 200 <= response.status < 300:
                headers = {"content-type": response.media_type}
                return httpx.Response(response.status, headers=headers, stream=Body(response))
            try:
                start = await response.read_start()
            finally:
                response.close()
            raise refused(response.status, start, response.retry_after_s)

    return httpx.AsyncClient(transport=Transport(), trust_env=False, follow_redirects=False, timeout=None)


async def _send(client: HttpClient, method: str, url: str, body: bytes, headers: dict[str, str]) -> Response:
    if method != "GET":
        return await client.send_json(method, url, body, headers)
    return await client.get_json(url, {name: text for name, text in headers.items() if name != "accept"})


async def _packets(response: Response, limit: int) -> AsyncIterator[bytes]:
    """Yield a stream as it arrives. Raises UpstreamError, Garbled for a line that is too long: libraries keep it."""
    line = 0
    while packet := await response.read():
        last = max(packet.rfind(b"\n"), packet.rfind(b"\r"))
        line = line + len(packet) if last < 0 else len(packet) - last - 1
        if line > limit and response.media_type == "text/event-stream":
            raise Garbled(
                "The model's server sent a line longer than Parley accepts.",
                "Check that its address leads to a model server, or choose another model.",
            )
        yield packet
