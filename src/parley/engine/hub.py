"""The hub: all live turns and open feeds of the process, and the one tick that releases text."""

import asyncio
import contextlib
import logging

import msgspec

from parley.engine.feed import HEARTBEAT, Feed, sse_frame
from parley.engine.live_turn import LiveTurn
from parley.engine.pacing import EvenCursor, NaturalCursor, ReleaseCursor
from parley.kernel.events import SessionEvent
from parley.kernel.ports import TurnScript
from parley.kernel.views import MatchView
from parley.wire.pulse import Pulse, share

HEARTBEAT_S = 15.0

log = logging.getLogger(__name__)


class Hub:
    """Owns what is live. Use within `running()`, which owns the heartbeat."""

    def __init__(self, *, even_pacing: bool = True, pulse: Pulse | None = None) -> None:
        self._even_pacing = even_pacing
        self._pulse = pulse or Pulse()
        self._pulse.follow(self.tick)
        self._turns: dict[str, LiveTurn] = {}
        self._session_feeds: dict[str, set[Feed]] = {}
        self._dirty: dict[LiveTurn, None] = {}
        self._heart: asyncio.Task[None] | None = None

    def open_turn(self, script: TurnScript, match: MatchView) -> LiveTurn:
        """Make a turn live. Only turns of blind matches have a release cursor."""
        cursor: ReleaseCursor | None = None
        if match.blind:
            cursor = EvenCursor() if match.paced and self._even_pacing else NaturalCursor()
        live = LiveTurn(script, match, cursor, self._mark)
        self._turns[live.id] = live
        return live

    def close_turn(self, live: LiveTurn) -> None:
        """Forget a turn that has ended; its feeds drain by themselves."""
        self._dirty.pop(live, None)
        if self._turns.get(live.id) is live:
            del self._turns[live.id]

    def turn(self, turn_id: str) -> LiveTurn | None:
        """Return a turn that is being played now."""
        return self._turns.get(turn_id)

    def turns(self) -> tuple[LiveTurn, ...]:
        """Return every turn that is being played now."""
        return tuple(self._turns.values())

    def follow_session(self, session_id: str) -> Feed:
        """Return a feed of what happens in a session outside its turns."""
        feeds = self._session_feeds.setdefault(session_id, set())

        def leave(feed: Feed) -> None:
            feeds.discard(feed)
            if not feeds:
                self._session_feeds.pop(session_id, None)

        feed = Feed(None, leave)
        feed.push(HEARTBEAT)
        feeds.add(feed)
        return feed

    def publish(self, session_id: str, event: SessionEvent) -> None:
        """Tell everybody who follows the session."""
        frame = sse_frame(msgspec.json.encode(event))
        for feed in tuple(self._session_feeds.get(session_id, ())):
            feed.push(frame)

    def tick(self) -> None:
        """Release what may be seen by now in every turn that has something to release."""
        now = asyncio.get_running_loop().time()
        told, self._dirty = self._dirty, {}
        # Text that goes out as it comes was rationed where it was read; paced turns take turns here.
        paced = [live for live in told if live.paced]
        for live in paced[share(len(paced)) :]:
            del told[live]
            self._dirty[live] = None
        for live in told:
            try:
                again = live.release(now)
            except Exception:
                log.exception("turn %s could not be shown; the others go on", live.id)
                again = False
            if again:
                self._dirty[live] = None
        if self._dirty:
            self._pulse.need()

    def start(self) -> None:
        """Begin to beat; needs a running loop."""
        self._heart = asyncio.create_task(self._beat(), name="parley-heartbeat")

    async def close(self) -> None:
        """Stop the timers and end every feed."""
        self._pulse.stop()
        if self._heart:
            self._heart.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._heart
        self.end_feeds()

    def end_feeds(self) -> None:
        """End the feeds of all sessions."""
        for feeds in tuple(self._session_feeds.values()):
            for feed in tuple(feeds):
                feed.end()

    def _mark(self, live: LiveTurn) -> None:
        self._dirty[live] = None
        self._pulse.need()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            for live in self.turns():
                for feed in tuple(live.feeds):
                    feed.beat()
            for feeds in tuple(self._session_feeds.values()):
                for feed in tuple(feeds):
                    feed.beat()
