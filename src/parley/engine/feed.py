"""Feeds: what one client is sent, as ready-made bytes, at the client's own speed."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Self

MAX_PENDING_BYTES = 512 * 1024
"""What a slow client may owe before it is brought up to date by a fresh opening instead."""

HEARTBEAT = b": \n\n"


def sse_frame(data: bytes) -> bytes:
    """Return one server-sent event that carries `data`, which must hold no line break."""
    return b"data: " + data + b"\n\n"


class Feed:
    """A queue of frames for one client.

    `opening` makes the first frame. A client that does not read cannot make the queue grow: past
    the cap the queue is dropped, and the next read starts with a fresh opening, which replaces all.
    Without an opening nothing could replace it, so the feed ends, and the client has to come again.
    """

    __slots__ = ("_ended", "_frames", "_leave", "_opening", "_pending", "_stale", "_waiting")

    def __init__(self, opening: Callable[[], bytes] | None, leave: Callable[["Feed"], None]) -> None:
        self._opening = opening
        self._leave = leave
        self._frames: deque[bytes] = deque()
        self._pending = 0
        self._stale = opening is not None
        self._ended = False
        self._waiting: asyncio.Future[None] | None = None

    def open(self) -> None:
        """Make the opening now, so that what happens from here on follows it."""
        if self._stale and self._opening is not None:
            self._stale = False
            self._frames.appendleft(self._opening())

    def push(self, frame: bytes) -> None:
        """Queue a frame."""
        if self._stale:
            self._wake()
            return
        self._frames.append(frame)
        self._pending += len(frame)
        if self._pending > MAX_PENDING_BYTES:
            self._frames.clear()
            self._pending = 0
            self._stale = self._opening is not None
            self._ended = not self._stale
        self._wake()

    def end(self, last: bytes = b"") -> None:
        """Queue the last frame and end the feed once it is read; a fresh opening does not replace it."""
        if last:
            self._frames.append(last)
        self._ended = True
        self._wake()

    def send_heartbeat(self) -> None:
        """Keep an idle connection open."""
        if not self._frames and not self._stale:
            self.push(HEARTBEAT)

    async def read(self) -> bytes:
        """Return what is there, joined, waiting for something; empty once the feed has ended."""
        while True:
            if self._stale and self._opening:
                self._stale = False
                return self._opening()
            if self._frames:
                ready = self._frames[0] if len(self._frames) == 1 else b"".join(self._frames)
                self._frames.clear()
                self._pending = 0
                return ready
            if self._ended:
                return b""
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting

    def close(self) -> None:
        """Note that the client has left."""
        self._leave(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """Return what `read` returns, until the end; whoever is cancelled here has left."""
        frames = b""
        try:
            frames = await self.read()
        finally:
            if not frames:
                self.close()
        if not frames:
            raise StopAsyncIteration
        return frames

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
