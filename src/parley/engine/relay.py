"""The relay: a turn that one replica plays is shown by all of them.

Whoever follows a turn elsewhere shows it as it is stored, then asks its owner. The owner answers with a snapshot and
goes on with each frame of its own followers: made once, veiled and paced there. Without an answer, as when Redis is
away, the stored turn is looked at once a second.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import msgspec

from parley.engine.feed import HEARTBEAT, Feed, sse_frame
from parley.engine.hub import HEARTBEAT_S, Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.replicas import Replicas
from parley.kernel.bus import Bus
from parley.kernel.errors import NotFound, ParleyError

LOOK_S = 1.0
"""Seconds of silence after which the stored turn is looked at."""

_SNAPSHOT = b'data: {"kind":"turn.snapshot"'
_ENDS = tuple(b'data: {"kind":"turn.%s"' % end for end in (b"completed", b"failed", b"stopped"))
"""The beginnings of frames; within a frame's text the quotes are escaped."""

_PLAY_BYTES = 4
"""Each message begins with the number of its play: one that was taken over may still speak for a moment."""

log = logging.getLogger(__name__)


class Seen(NamedTuple):
    """A turn as it is stored, as frames of its stream: the snapshot, and the end if it has ended. `play` counts."""

    frames: bytes
    has_ended: bool
    play: int


Look = Callable[[], Awaitable[Seen]]
"""Reads the stored turn for one viewer. Raises NotFound, Unavailable."""


class Relay:
    """Sends the frames of turns played here to those who ask, and follows turns played elsewhere."""

    def __init__(self, hub: Hub, bus: Bus, replicas: Replicas) -> None:
        self._hub = hub
        self._bus = bus
        self._replicas = replicas
        self._sent: dict[str, Feed] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._followed: dict[Feed, asyncio.Task[None]] = {}
        replicas.listen("follow", lambda data: self._send(data.decode()) if data else None)

    async def announce(self, turn_id: str) -> None:
        """Let the followers of a turn ask again: it is played here from now on."""
        try:
            await self._bus.publish(_channel(turn_id), b"")
        except OSError as error:
            log.debug("followers of a turn find it in the database: %s", error)

    def follow(self, turn_id: str, look: Look) -> Feed:
        """Return the feed of a turn that is played elsewhere, with one end."""

        def leave(feed: Feed) -> None:
            if (task := self._followed.pop(feed, None)) is not None:
                task.cancel()

        feed = Feed(None, leave)
        following = _Following(feed, look, lambda: self._ask(turn_id))
        work = self._follow(turn_id, following)
        self._followed[feed] = asyncio.create_task(work, name=f"follow-{turn_id}")
        return feed

    def end_feeds(self) -> None:
        """End what is followed: this process ends, so whoever follows must ask another."""
        for feed in tuple(self._followed):
            feed.end()

    async def close(self) -> None:
        """End everything."""
        self.end_feeds()
        tasks = [*self._followed.values(), *self._sending]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _follow(self, turn_id: str, following: "_Following") -> None:
        try:
            if not await following.look():
                async with self._bus.subscribe(_channel(turn_id)) as messages:
                    await following.read(messages)
        except NotFound:
            pass
        except Exception:
            log.exception("the turn %s could not be followed", turn_id)
        following.feed.end()

    def _ask(self, turn_id: str) -> None:
        """Ask the owner for a snapshot; it may be this process by now."""
        self._send(turn_id)
        self._replicas.tell("follow", turn_id.encode())

    def _send(self, turn_id: str) -> None:
        """Send a snapshot of a turn that is played here, and all that follows."""
        live = self._hub.turn(turn_id)
        if live is None or live.finished.is_set():
            return
        if (feed := self._sent.get(turn_id)) is not None:
            feed.push(sse_frame(msgspec.json.encode(live.snapshot())))
            return
        self._sent[turn_id] = feed = live.follow()
        task = asyncio.create_task(self._send_all(live, feed), name=f"relay-{turn_id}")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send_all(self, live: LiveTurn, feed: Feed) -> None:
        channel = _channel(live.id)
        feed.open()
        try:
            play = live.play.to_bytes(_PLAY_BYTES, "big")
            async for frames in feed:
                await self._bus.publish(channel, play + frames)
            await self._bus.publish(channel, play)
        except OSError as error:
            log.debug("a turn's frames could not be sent, so its followers ask again: %s", error)
        finally:
            feed.close()
            del self._sent[live.id]


class _Following:
    """One viewer of a turn that is played elsewhere."""

    def __init__(self, feed: Feed, look: Look, ask: Callable[[], None]) -> None:
        self.feed = feed
        self._look = look
        self._ask = ask
        self._play = 0
        self._joined = False
        """The owner's snapshot has come: only then do the frames after it fit."""
        self._seen = Seen(b"", has_ended=False, play=0)

    async def look(self) -> bool:
        """Show the turn as it is stored, unless the owner shows more; return whether it has ended."""
        seen, before = await self._look(), self._seen
        self._seen = seen
        if seen.play != before.play:
            self._joined = False
        if seen.has_ended or (not self._joined and seen.frames != before.frames):
            self.feed.push(seen.frames)
        return seen.has_ended

    async def read(self, messages: AsyncIterator[bytes | None]) -> None:
        """Show what the owner sends, until the turn ends."""
        loop = asyncio.get_running_loop()
        self._ask()
        alive_at = loop.time()
        while True:
            try:
                async with asyncio.timeout(LOOK_S):
                    message = await anext(messages)
            except TimeoutError:
                if await self._look_again():
                    return
            except StopAsyncIteration:
                return
            else:
                if message is None:
                    # More than the queue holds: another snapshot at once could be too much again.
                    self._joined = False
                    await asyncio.sleep(LOOK_S)
                    if await self._look_again():
                        return
                elif self._take(message):
                    return
            if loop.time() - alive_at > HEARTBEAT_S:
                alive_at = loop.time()
                self.feed.push(HEARTBEAT)

    async def _look_again(self) -> bool:
        try:
            has_ended = await self.look()
        except NotFound:
            raise
        except ParleyError as error:
            log.info("a followed turn can't be read yet: %s", error)
            return False
        if not has_ended and not self._joined:
            self._ask()
        return has_ended

    def _take(self, message: bytes) -> bool:
        """Show the owner's frames; return whether they have the turn's end. Without any, the owner ended or changed."""
        play, frames = int.from_bytes(message[:_PLAY_BYTES], "big"), message[_PLAY_BYTES:]
        if message and play < self._play:
            return False
        if play > self._play:
            self._play, self._joined = play, False
        if not frames:
            self._joined = False
            self._ask()
            return False
        if not self._joined:
            at = frames.find(_SNAPSHOT)
            if at < 0:
                return False
            frames, self._joined = frames[at:], True
        self.feed.push(frames)
        return any(end in frames for end in _ENDS)


def _channel(turn_id: str) -> str:
    return f"turn:{turn_id}"
