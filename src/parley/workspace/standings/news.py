"""News of the standings: an event to everybody who follows them."""

from collections.abc import Callable

import msgspec

from parley.engine.feed import Feed, sse_frame
from parley.text.categories.categorise import OVERALL
from parley.workspace.standings.memory import Memory
from parley.workspace.standings.schemas import StandingsChanged


class News:
    """Feeds of everybody who follows the standings. `now` tells what they are, for a feed's beginning."""

    def __init__(self, now: Callable[[], StandingsChanged]) -> None:
        self._now = now
        self._feeds: set[Feed] = set()

    def follow(self) -> Feed:
        """Return a feed that opens with what the standings are now; a slow reader gets that again."""
        feed = Feed(lambda: _frame(self._now()), self._feeds.discard)
        self._feeds.add(feed)
        return feed

    def tell(self, event: StandingsChanged) -> None:
        """Tell everybody that the standings changed."""
        frame = _frame(event)
        for feed in tuple(self._feeds):
            feed.push(frame)

    def beat(self) -> None:
        """Keep idle connections open."""
        for feed in tuple(self._feeds):
            feed.send_heartbeat()

    def end(self) -> None:
        """End every feed."""
        for feed in tuple(self._feeds):
            feed.end()


def changed(memory: Memory, categories: tuple[str, ...] = ()) -> StandingsChanged:
    """Return what the standings are now, and the categories that changed."""
    return StandingsChanged(
        version=memory.version,
        categories=list(categories),
        votes=memory.votes(OVERALL),
        as_of=memory.as_of.isoformat() if memory.as_of else None,
    )


def _frame(event: StandingsChanged) -> bytes:
    return sse_frame(msgspec.json.encode(event))
