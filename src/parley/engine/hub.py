"""The hub: all live turns and open feeds of the process, and the timer that releases text."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from parley.engine.feed import HEARTBEAT, Feed, sse_frame
from parley.engine.live_turn import LiveTurn
from parley.engine.release import ReleaseQueue
from parley.kernel.events import PeoplePresent, SessionEvent
from parley.kernel.ports import LogEntry, TurnScript
from parley.kernel.views import MatchView
from parley.wire.ticker import Ticker, share

HEARTBEAT_S = 15.0

REMEMBERED = 10_000
"""For how many turns with a ballot the times are remembered, about 300 bytes each."""

TOPICS = ("session", "session-ended", "played", "voted")
"""The topics that `hear` takes from other replicas."""

log = logging.getLogger(__name__)


class Passed(NamedTuple):
    """Milliseconds since a turn's last play began and ended, by a monotonic clock."""

    since_begin: int
    since_end: int


class Hub:
    """Owns live turns and feeds; `start` begins the heartbeat, `close` ends everything."""

    def __init__(self, *, even_pacing: bool = True, ticker: Ticker | None = None) -> None:
        self._even_pacing = even_pacing
        self._ticker = ticker or Ticker()
        self._ticker.follow(self.flush)
        self._turns: dict[str, LiveTurn] = {}
        self._began: dict[str, float] = {}
        self._played: dict[str, tuple[float, float]] = {}
        """When turns with a ballot began and ended, by the loop's clock; the latest is last."""
        self._session_feeds: dict[str, dict[Feed, str]] = {}
        """By session, each with the person of a workspace who reads it; empty for others."""
        self._dirty: dict[LiveTurn, None] = {}
        self.tell: Callable[[str, bytes], object] | None = None
        """Tells other replicas what happens in sessions, if there may be any."""
        self._heart: asyncio.Task[None] | None = None

    def open_turn(self, script: TurnScript, match: MatchView) -> LiveTurn:
        """Make a turn live; text is held back only in blind matches."""
        releases = ReleaseQueue(paced=match.paced and self._even_pacing) if match.blind else None
        live = LiveTurn(script, match, releases, self._mark_dirty)
        self._turns[live.id] = live
        self._began[live.id] = asyncio.get_running_loop().time()
        return live

    def close_turn(self, live: LiveTurn) -> None:
        """Forget a turn that has ended; its feeds drain by themselves."""
        self._dirty.pop(live, None)
        if self._turns.get(live.id) is live:
            del self._turns[live.id]
            began, now = self._began.pop(live.id), asyncio.get_running_loop().time()
            self._played.pop(live.id, None)
            if live.match.ballot is not None:
                self._remember(live.id, began, now)
                if self.tell is not None:
                    self.tell("played", msgspec.json.encode((live.id, now - began)))

    def _remember(self, turn_id: str, began: float, ended: float) -> None:
        self._played[turn_id] = began, ended
        if len(self._played) > REMEMBERED:
            del self._played[next(iter(self._played))]

    def passed(self, turn_id: str, now: float) -> Passed | None:
        """Return how long before `now`, by the loop's clock, a turn was played; None if unknown."""
        if turn_id in self._began:
            began, ended = self._began[turn_id], now
        elif turn_id in self._played:
            began, ended = self._played[turn_id]
        else:
            return None
        return Passed(round((now - began) * 1000), round((now - ended) * 1000))

    def take_votes(self, match: MatchView) -> None:
        """Show new votes in the live turns of a match."""
        self._show_votes(match)
        if self.tell is not None:
            self.tell("voted", msgspec.json.encode(match))

    def hear(self, topic: str, data: bytes | None) -> None:
        """Take what another replica told; after a gap the followers must ask again for what they missed."""
        if data is None:
            self.end_feeds()
        elif topic == "played":
            turn_id, took_s = msgspec.json.decode(data, type=tuple[str, float])
            now = asyncio.get_running_loop().time()
            self._remember(turn_id, now - took_s, now)
        elif topic == "voted":
            self._show_votes(msgspec.json.decode(data, type=MatchView))
        elif topic == "session-ended":
            self._end_session(data.decode())
        else:
            session_id, event = msgspec.json.decode(data, type=tuple[str, msgspec.Raw])
            self._deliver(session_id, bytes(event))

    def _show_votes(self, match: MatchView) -> None:
        for live in self._turns.values():
            if live.match.id == match.id:
                live.match = msgspec.structs.replace(live.match, vote=match.vote, votes=match.votes)

    def turn(self, turn_id: str) -> LiveTurn | None:
        """Return a turn that is being played; None if it is not."""
        return self._turns.get(turn_id)

    def turns(self) -> tuple[LiveTurn, ...]:
        """Return every turn that is being played."""
        return tuple(self._turns.values())

    def checkpoints(self) -> list[LogEntry]:
        """Return the new texts of running replies since the last checkpoint."""
        return [entry for live in self.turns() for entry in live.checkpoint()]

    def follow_session(self, session_id: str, person_id: str = "") -> Feed:
        """Return a feed of a session's events outside its turns.

        A person of a workspace is shown to its other followers as present, until they close all their feeds.
        """
        feeds = self._session_feeds.setdefault(session_id, {})

        def leave(feed: Feed) -> None:
            there = feeds.pop(feed, "")
            if not feeds:
                self._session_feeds.pop(session_id, None)
            elif there and there not in feeds.values():
                self._tell_presence(session_id, feeds)

        feed = Feed(None, leave)
        feed.push(HEARTBEAT)
        feeds[feed] = person_id
        if person_id:
            self._tell_presence(session_id, feeds)
        return feed

    def publish(self, session_id: str, event: SessionEvent) -> None:
        """Send an event to all followers of a session."""
        encoded = msgspec.json.encode(event)
        self._deliver(session_id, encoded)
        if self.tell is not None:
            self.tell("session", msgspec.json.encode((session_id, msgspec.Raw(encoded))))

    def _deliver(self, session_id: str, event: bytes) -> None:
        frame = sse_frame(event)
        for feed in tuple(self._session_feeds.get(session_id, ())):
            feed.push(frame)

    def flush(self) -> None:
        """Release what may be seen by now in every turn that asked for it."""
        now = asyncio.get_running_loop().time()
        due, self._dirty = self._dirty, {}
        # Unpaced text was limited where it was read; paced turns share intervals here.
        paced = [live for live in due if live.visible is not None]
        for live in paced[share(len(paced)) :]:
            del due[live]
            self._dirty[live] = None
        for live in due:
            try:
                again = live.release(now)
            except Exception:
                log.exception("turn %s could not be shown; the others continue", live.id)
                again = False
            if again:
                self._dirty[live] = None
        if self._dirty:
            self._ticker.request()

    def start(self) -> None:
        """Begin to send heartbeats; needs a running loop."""
        self._heart = asyncio.create_task(self._send_heartbeats(), name="parley-heartbeat")

    async def close(self) -> None:
        """Stop the timers and end every feed."""
        self._ticker.stop()
        if self._heart:
            self._heart.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._heart
        self.end_feeds()

    def end_feeds(self) -> None:
        """End the feeds of all sessions."""
        for session_id in tuple(self._session_feeds):
            self._end_session(session_id)

    def end_session(self, session_id: str) -> None:
        """End the feeds of a session: it has another owner now, so who follows it must ask again."""
        self._end_session(session_id)
        if self.tell is not None:
            self.tell("session-ended", session_id.encode())

    def _end_session(self, session_id: str) -> None:
        for feed in tuple(self._session_feeds.get(session_id, ())):
            feed.end()

    def _tell_presence(self, session_id: str, feeds: dict[Feed, str]) -> None:
        people = tuple(dict.fromkeys(filter(None, feeds.values())))
        # Each replica knows those that it serves.
        event = PeoplePresent(session_id=session_id, person_ids=people)
        self._deliver(session_id, msgspec.json.encode(event))

    def _mark_dirty(self, live: LiveTurn) -> None:
        self._dirty[live] = None
        self._ticker.request()

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            for live in self.turns():
                for feed in tuple(live.feeds):
                    feed.send_heartbeat()
            for feeds in tuple(self._session_feeds.values()):
                for feed in tuple(feeds):
                    feed.send_heartbeat()
