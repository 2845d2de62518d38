"""The HTTP client of commands: talks to the running server, or to one started for the command."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

import msgspec

from parley.cli.terminal import say
from parley.kernel.errors import ParleyError, Unavailable, UpstreamError
from parley.storage.command_key import read_command_key
from parley.storage.folder_lock import read_address
from parley.wire.http import HttpClient, Response, WireOptions
from parley.wire.sse import SseDecoder

if TYPE_CHECKING:
    from parley.settings import Settings

T = TypeVar("T")

_OPTIONS = {
    "system_prompt": "--system",
    "temperature": "--temperature",
    "max_output_tokens": "--max-tokens",
    "reasoning_effort": "--effort",
}
"""The option that a person typed, by the field of a seat's settings."""

_FIELD = re.compile(rf"seat_settings\.\w+\.({'|'.join(_OPTIONS)})(?=:)")

MAX_FILE_BYTES = 512 << 20

WAIT_S = 60.0
"""Seconds that a command waits for another one that uses the data folder."""

BUSY = (
    "Nothing was done. Try again when the other command has ended. While `parley serve` runs, several commands can "
    "run at once."
)


class Refused(ParleyError):
    """The server refused a request; title, detail and code are the server's."""

    code = "refused"


class ApiClient:
    """Sends requests to the API. Raises Refused with the server's problem."""

    def __init__(self, http: HttpClient, url: str, key: str = "") -> None:
        """`key` proves to a shared server that the command may read its data folder."""
        self._http = http
        self._url = url
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def get(self, path: str, **query: str) -> Any:
        """GET and return the JSON."""
        address = f"{path}?{urlencode(query)}" if query else path
        return await _json(await self._http.get_json(self._url + address, self._headers))

    async def send(self, method: str, path: str, body: object = None) -> Any:
        """Send JSON and return the JSON of the response, or None if it is empty."""
        encoded = b"" if body is None else msgspec.json.encode(body)
        return await _json(await self._http.send_json(method, self._url + path, encoded, self._headers))

    async def send_file(self, path: str, content: bytes, **query: str) -> Any:
        """POST a file and return the JSON of the response."""
        return await _json(
            await self._http.post_file(f"{self._url}{path}?{urlencode(query)}", content, self._headers)
        )

    async def download(self, path: str, file: Path, **query: str) -> None:
        """GET and write what is sent into a file, however large."""
        answer = await self._http.get_json(f"{self._url}{path}?{urlencode(query)}", self._headers)
        if answer.status >= 400:
            await _json(answer)
        with closing(answer), file.open("wb") as out:
            while packet := await answer.read():
                out.write(packet)

    async def fetch_file(self, path: str, body: object) -> bytes:
        """POST JSON and return the file that answers."""
        answer = await self._http.post_json(self._url + path, msgspec.json.encode(body), self._headers)
        if answer.status >= 400:
            await _json(answer)
        with closing(answer):
            return await answer.read_body(MAX_FILE_BYTES)

    async def stream(self, path: str, body: object) -> AsyncIterator[dict[str, Any]]:
        """POST and yield the response's events."""
        headers = {"Accept": "text/event-stream", **self._headers}
        answer = await self._http.post_json(self._url + path, msgspec.json.encode(body), headers)
        if answer.media_type != "text/event-stream":
            await _json(answer)
            return
        decoder = SseDecoder(max_line_bytes=64 << 20)
        with closing(answer):
            while packet := await answer.read():
                for payload in decoder.feed(packet):
                    yield msgspec.json.decode(payload)


@asynccontextmanager
async def open_client(settings: "Settings") -> AsyncGenerator[ApiClient]:
    """Connect to the server that uses the data folder; if none runs, start one until the block ends.

    Raises ParleyError if Parley can't be opened, or if the running server does not answer.
    """
    async with AsyncExitStack() as stack:
        url = await _served(settings, stack)
        http = HttpClient(WireOptions(idle_s=None, allow_loopback=True, allowed_origins=frozenset({url})))
        stack.push_async_callback(http.close)
        client = ApiClient(http, url, read_command_key(settings.data_dir))
        try:
            await client.get("/healthz")
        except UpstreamError:
            raise Unavailable(
                f"Can't reach the Parley at {url} that uses the data folder {settings.data_dir}.",
                "Nothing was changed. Wait until it has started, or stop it and try again.",
                code="folder_locked",
            ) from None
        yield client


async def _served(settings: "Settings", stack: AsyncExitStack) -> str:
    """Return the address of the server that uses the data folder, or of one that runs until the stack closes.

    Waits while another command, or a server that starts, holds the folder. Raises ParleyError.
    """
    from parley.api.server import serve_beside
    from parley.application import open_application

    until = time.monotonic() + WAIT_S
    waits = False
    while True:
        try:
            app = await stack.enter_async_context(open_application(settings, resume=False))
            return await stack.enter_async_context(serve_beside(app))
        except Unavailable as error:
            if error.leaf_code != "folder_locked":
                raise
            if (address := read_address(settings.data_dir)) is not None:
                return address
            if time.monotonic() > until:
                raise Unavailable(error.title, BUSY, code="folder_locked") from None
        if not waits:
            say("Another command uses this data folder. Waiting for its end …", err=True)
            waits = True
        await asyncio.sleep(0.2)


def ask_server(settings: "Settings", work: Callable[[ApiClient], Awaitable[T]], *, reads: bool = False) -> T:
    """Carry out requests, see `open_client`, and return what `work` returns.

    What only `reads` works in a folder that can't be written too, on a copy.
    """

    async def with_client() -> T:
        with _readable(settings) if reads else nullcontext(settings) as place:
            async with open_client(place) as client:
                return await work(client)

    return asyncio.run(with_client())


@contextmanager
def _readable(settings: "Settings") -> Generator["Settings"]:
    """Yield settings with which the data folder can be opened to read; its attachments stay where they are."""
    from parley.settings import DATABASE_FILE
    from parley.storage.read_only import is_read_only, readable

    if not is_read_only(settings.data_dir / DATABASE_FILE):
        yield settings
        return
    with readable(settings.database_url) as address, TemporaryDirectory(prefix="parley-") as folder:
        (Path(folder) / "attachments").symlink_to(settings.data_dir / "attachments")
        yield settings.model_copy(update={"data_dir": Path(folder), "database_url": address})


class _DoorError(msgspec.Struct, frozen=True):
    """The part of an error of the OpenAI door that a command prints."""

    message: str
    code: str | None = None


class _Problem(msgspec.Struct, frozen=True):
    """The part of a problem that a command prints."""

    title: str = "The server refused the request."
    detail: str | None = None
    code: str = Refused.code
    error: _DoorError | None = None


async def _json(answer: Response) -> Any:
    """Return a response's JSON, or None if it is empty. Raises Refused."""
    with closing(answer):
        body = await answer.read_body()
    if answer.status < 400:
        return msgspec.json.decode(body) if body else None
    try:
        problem = msgspec.json.decode(body, type=_Problem)
    except msgspec.DecodeError:
        problem = _Problem()
    if problem.error is not None:
        raise Refused(problem.error.message, code=problem.error.code or Refused.code)
    title, detail = problem.title, problem.detail
    if match := _FIELD.match(title):
        title, detail = _OPTIONS[match[1]] + title[match.end() :], "Nothing was asked."
    raise Refused(title, detail, code=problem.code)
