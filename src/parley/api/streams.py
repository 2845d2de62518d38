"""Responses that are event streams."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from fastapi import Response
from starlette.types import Receive, Scope, Send

from parley.api.contract import EVENT_STREAM
from parley.engine.feed import Feed

_STREAM_HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"content-type", f"{EVENT_STREAM}; charset=utf-8".encode()),
]


class FeedResponse(Response):
    """Sends a feed's encoded frames as server-sent events."""

    def __init__(self, feed: Feed) -> None:
        # Without Response's __init__: a stream has no length, and its headers never change.
        self.status_code = 200
        self.background = None
        self.raw_headers = _STREAM_HEADERS
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the feed's frames until it ends, or the client or its login does."""
        feed = self._feed
        watching = asyncio.create_task(_end_with_client(feed, receive))
        streams, login_id = scope.get("parley.login") or (None, "")
        if streams is not None:
            streams.add(login_id, feed)
        try:
            feed.open()
            # Let a turn that has just started call its models, so that its first events are sent with the headers.
            await asyncio.sleep(0)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while frames := await feed.read():
                await send({"type": "http.response.body", "body": frames, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            feed.close()
            watching.cancel()
            if streams is not None:
                streams.remove(login_id, feed)


class Frames:
    """Reads encoded frames in a task of its own, so that whoever sends them can wait for the client too.

    `has_begun`: they are being sent, so nothing that goes wrong is raised to anybody any more.
    """

    def __init__(self, frames: AsyncGenerator[bytes]) -> None:
        self.has_begun = False
        self._frames = frames
        self._waiting: list[bytes] = []
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read_all())

    async def begin(self, within_s: float) -> bool:
        """Wait for the first frame, but not longer; raise what went wrong before it. Always returns True."""
        await self._wait(within_s)
        if not self._waiting and self._reading.done():
            self._reading.result()
        # In the same step as the look at what went wrong: what fails a moment later finds it set.
        self.has_begun = True
        return True

    async def read(self, within_s: float) -> bytes | None:
        """Return all frames that wait, empty after the last; None if none has come in this time."""
        if not self._waiting and not self._reading.done():
            await self._wait(within_s)
        if not self._waiting:
            return b"" if self._reading.done() else None
        frames = b"".join(self._waiting)
        self._waiting.clear()
        return frames

    async def close(self) -> None:
        """Stop reading; what makes the frames has ended when this returns."""
        self._reading.cancel()
        await asyncio.wait([self._reading])
        if not self._reading.cancelled():
            self._reading.exception()  # already raised to whoever waited for the first frame

    async def _wait(self, within_s: float) -> None:
        self._changed.clear()
        try:
            async with asyncio.timeout(within_s):
                await self._changed.wait()
        except TimeoutError:
            pass

    async def _read_all(self) -> None:
        try:
            async with aclosing(self._frames) as frames:
                async for frame in frames:
                    self._waiting.append(frame)
                    self._changed.set()
        finally:
            self._changed.set()


class FramesResponse(Response):
    """Sends frames as server-sent events until they or the client end; comments keep a silent connection open."""

    def __init__(self, frames: Frames, headers: Mapping[str, str], alive_s: float) -> None:
        self.status_code = 200
        self.background = None
        own = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        self.raw_headers = [*_STREAM_HEADERS, *own]
        self._frames = frames
        self._alive_s = alive_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the frames."""
        del scope
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            leaving.cancel()
            sending.cancel()
            await self._frames.close()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        while (frames := await self._frames.read(self._alive_s)) != b"":
            await send({"type": "http.response.body", "body": frames or b": \n\n", "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _end_with_client(feed: Feed, receive: Receive) -> None:
    await _until_gone(receive)
    feed.end()
