"""A visit: what a command says to Parley over its HTTP door, to the server that runs or to one of its own."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec

from parley.kernel.errors import ParleyError, Unavailable, UpstreamError
from parley.storage.folder_lock import read_address
from parley.wire.http import Answer, HttpClient, WireOptions
from parley.wire.sse import SseDecoder

if TYPE_CHECKING:
    from parley.settings import Settings


class Refused(ParleyError):
    """The server did not do what it was asked: its own words and code."""

    code = "refused"


class Visit:
    """The HTTP door as a command uses it. Raises ParleyError with the server's words."""

    def __init__(self, client: HttpClient, url: str) -> None:
        self._client = client
        self._url = url

    async def get(self, path: str, **query: str) -> Any:
        """GET and return the JSON."""
        asked = f"{path}?{urlencode(query)}" if query else path
        return await _said(await self._client.get_json(self._url + asked, {}))

    async def send(self, method: str, path: str, body: object = None) -> Any:
        """Send JSON and return JSON; None where there is none."""
        encoded = b"" if body is None else msgspec.json.encode(body)
        return await _said(await self._client.send_json(method, self._url + path, encoded, {}))

    async def follow(self, path: str, body: object) -> AsyncIterator[dict[str, Any]]:
        """POST and yield the events of the answer as they come."""
        headers = {"Accept": "text/event-stream"}
        answer = await self._client.post_json(self._url + path, msgspec.json.encode(body), headers)
        if answer.media_type != "text/event-stream":
            await _said(answer)
            return
        decoder = SseDecoder(max_line_bytes=64 << 20)
        with closing(answer):
            while packet := await answer.read():
                for payload in decoder.feed(packet):
                    yield msgspec.json.decode(payload)


@asynccontextmanager
async def visit(settings: "Settings") -> AsyncGenerator[Visit]:
    """Open the door of the Parley that has the data folder; where none runs, one opens for as long as this lasts.

    Raises ParleyError where the house cannot be opened, or the one that runs does not answer.
    """
    from parley.api.server import serve_beside
    from parley.wiring import open_house

    async with AsyncExitStack() as open_things:
        try:
            house = await open_things.enter_async_context(open_house(settings, resume=False))
            url = await open_things.enter_async_context(serve_beside(house))
        except Unavailable as error:
            address = read_address(settings.data_dir)
            if error.leaf_code != "folder_locked" or address is None:
                raise
            url = address
        client = HttpClient(WireOptions(idle_s=None, allow_loopback=True, allowed_origins=frozenset({url})))
        open_things.push_async_callback(client.close)
        there = Visit(client, url)
        try:
            await there.get("/healthz")
        except UpstreamError:
            raise Unavailable(
                f"A Parley uses the data folder {settings.data_dir}, but does not answer at {url}.",
                "Nothing was changed. Wait until it has started, or stop it.",
                code="folder_locked",
            ) from None
        yield there


class _Problem(msgspec.Struct, frozen=True):
    """What the server says of an error."""

    title: str = "The server did not do it."
    detail: str | None = None
    code: str = Refused.code


async def _said(answer: Answer) -> Any:
    """Return an answer's JSON; None where it has none."""
    with closing(answer):
        body = await answer.read_whole()
    if answer.status < 400:
        return msgspec.json.decode(body) if body else None
    try:
        problem = msgspec.json.decode(body, type=_Problem)
    except msgspec.DecodeError:
        problem = _Problem()
    raise Refused(problem.title, problem.detail, code=problem.code)
