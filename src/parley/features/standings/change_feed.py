"""The change feed: an event to every subscriber when the standings change."""

import asyncio
from collections.abc import Callable

import msgspec

from parley.engine.feed import Feed, sse_frame
from parley.engine.hub import HEARTBEAT_S
from parley.features.standings.schemas import StandingsChanged
from parley.features.standings.snapshot import Snapshot
from parley.text.categories.categorise import OVERALL


class ChangeFeed:
    """Publishes changes to all subscribers; `snapshot` is read for a new one's first event."""

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._feeds: set[Feed] = set()

    def subscribe(self) -> Feed:
        """Return a feed that opens with the current state; a slow reader gets that again."""
        feed = Feed(self._frame, self._feeds.discard)
        self._feeds.add(feed)
        return feed

    def publish(self, categories: tuple[str, ...]) -> None:
        """Send every subscriber an event: these categories changed."""
        frame = self._frame(categories)
        for feed in tuple(self._feeds):
            feed.push(frame)

    async def keep_alive(self) -> None:
        """Keep idle connections open until cancelled."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            for feed in tuple(self._feeds):
                feed.send_heartbeat()

    def close(self) -> None:
        """End every feed."""
        for feed in tuple(self._feeds):
            feed.end()

    def _frame(self, categories: tuple[str, ...] = ()) -> bytes:
        snapshot = self._snapshot()
        event = StandingsChanged(
            version=snapshot.version,
            categories=list(categories),
            votes=snapshot.votes(OVERALL),
            as_of=snapshot.as_of.isoformat() if snapshot.as_of else None,
        )
        return sse_frame(msgspec.json.encode(event))
