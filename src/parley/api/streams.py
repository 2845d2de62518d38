"""Responses that are event streams."""

import asyncio

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's
        """Send the feed's frames until it ends or the client leaves."""
        feed = self._feed
        watching = asyncio.create_task(_end_with_client(feed, receive))
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


async def _end_with_client(feed: Feed, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    feed.end()
