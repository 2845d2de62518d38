"""Feeds: the encoded events for one client, sent at the client's own speed."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Self

MAX_PENDING_BYTES = 512 * 1024
"""The bytes that may be queued for a slow client before a new snapshot replaces them."""

HEARTBEAT = b": \n\n"


def sse_frame(data: bytes) -> bytes:
    """Return one server-sent event that carries `data`, which must hold no line break."""
    return b"data: " + data + b"\n\n"


class Feed:
    """A queue of frames for one client.

    `snapshot` makes the first frame. Past the limit the queue is dropped, and the next read starts with a new snapshot,
    which replaces everything. Without a snapshot nothing could replace it, so the feed ends and the client reconnects.
    """

    __slots__ = ("_ended", "_frames", "_on_close", "_pending", "_snapshot", "_stale", "_waiting")

    def __init__(self, snapshot: Callable[[], bytes] | None, on_close: Callable[["Feed"], None]) -> None:
        self._snapshot = snapshot
        self._on_close = on_close
        self._frames: deque[bytes] = deque()
        self._pending = 0
        self._stale = snapshot is not None
        self._ended = False
        self._waiting: asyncio.Future[None] | None = None

    def open(self) -> None:
        """Take the snapshot now, so that later events follow it."""
        if self._stale and self._snapshot is not None:
            self._stale = False
            self._frames.appendleft(self._snapshot())

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
            self._stale = self._snapshot is not None
            self._ended = not self._stale
        self._wake()

    def end(self, last: bytes = b"") -> None:
        """Queue the last frame and end the feed once it is read; no new snapshot replaces it."""
        if last:
            self._frames.append(last)
        self._ended = True
        self._wake()

    def send_heartbeat(self) -> None:
        """Keep an idle connection open."""
        if not self._frames and not self._stale:
            self.push(HEARTBEAT)

    async def read(self) -> bytes:
        """Return all queued frames, joined, waiting for one; empty once the feed has ended."""
        while True:
            if self._stale and self._snapshot:
                self._stale = False
                return self._snapshot()
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
        """Unsubscribe: the client has left."""
        self._on_close(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """Return what `read` returns, until the end; a client that is cancelled here has left."""
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
