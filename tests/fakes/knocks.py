"""Requests that reach the app without a socket, so that every route can be asked by every caller in little time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message

from parley.api.app import create_app
from tests.fakes.running import RunningParley

WITHIN_S = 60


@dataclass(frozen=True)
class Knock:
    """An answer; of a stream that does not end only its beginning."""

    status: int
    content: bytes
    streams: bool


class Door:
    """Sends requests to a Parley's own app, the guard first."""

    def __init__(self, parley: RunningParley) -> None:
        self._app: ASGIApp = create_app(parley.application)

    async def knock(
        self, method: str, path: str, headers: Mapping[str, str], body: Any = None, accept: str = "*/*"
    ) -> Knock:
        """Return the answer. A body of bytes is a file."""
        path, _, query = path.partition("?")
        given = {"host": "127.0.0.1", "accept": accept, **{name.lower(): it for name, it in headers.items()}}
        content = b""
        if body is not None:
            content = body if isinstance(body, bytes) else msgspec.json.encode(body)
            kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
            given = {"content-type": kind, "content-length": str(len(content)), **given}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
        }
        return await _answered(self._app, scope, content)


async def _answered(app: ASGIApp, scope: dict[str, Any], content: bytes) -> Knock:
    """Let the app answer; leave a stream once it has begun."""
    waiting = [{"type": "http.request", "body": content, "more_body": False}]
    began, status, streams, parts = asyncio.Event(), 0, False, []

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    async def send(message: Message) -> None:
        nonlocal status, streams
        if message["type"] == "http.response.start":
            status = message["status"]
            kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
            streams = any(kind.startswith(b"text/event-stream") for kind in kinds)
        else:
            parts.append(message.get("body", b""))
        if streams:
            began.set()

    answering = asyncio.ensure_future(app(scope, receive, send))
    beginning = asyncio.ensure_future(began.wait())
    try:
        async with asyncio.timeout(WITHIN_S):
            await asyncio.wait((answering, beginning), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        for task in (answering, beginning):
            task.cancel()
        await asyncio.gather(answering, beginning, return_exceptions=True)
    return Knock(status, b"".join(parts), streams)
