"""A live turn: the state of a turn that is being played, and its followers."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from parley.engine.feed import Feed, sse_frame
from parley.engine.live_reply import CHANNELS, LiveReply
from parley.engine.purse import Purse
from parley.engine.release import ReleaseGroup, ReleaseQueue
from parley.kernel import blindness
from parley.kernel.errors import Problem
from parley.kernel.events import (
    Event,
    InputAdded,
    ReplyCompleted,
    ReplyFailed,
    ReplyStarted,
    RoundStarted,
    TurnSnapshot,
    event_kind,
)
from parley.kernel.inbox import Interjection
from parley.kernel.messages import Attached, Channel
from parley.kernel.ports import EventLogged, ReplyText, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.tools import ToolCallView, latest_calls
from parley.kernel.views import MatchView, NoteView, TurnStatus, TurnView

encode = msgspec.json.Encoder().encode


class LiveTurn:
    """One turn while it is played. All its viewers are blind, or none is.

    `admitted` is set once it has its place under the limits. `dropped` are outdated inner replies, `interjected` ids of
    interjections, stored or about to be. `dirty` is called when there is something for the hub to `release`.
    """

    def __init__(
        self,
        script: TurnScript,
        match: MatchView,
        releases: ReleaseQueue | None,
        dirty: Callable[["LiveTurn"], None],
    ) -> None:
        self.script = script
        self.match = match
        self.play = script.play
        self.status: TurnStatus = "running"
        self.round = 0
        self.error: Problem | None = None
        self.replies: dict[str, LiveReply] = {}
        self.notes: list[NoteView] = list(script.notes)
        self.tools = {each.call.key: each.call for each in script.tools if not each.path}
        self.inbox = script.inbox
        self.interjected: set[str] = {each.id for each in script.inbox.interjections}
        self.feeds: set[Feed] = set()
        self.released = asyncio.Event()
        self.finished = asyncio.Event()
        self.admitted = asyncio.Event()
        self.queued = False
        self.purse: Purse | None = None
        self.stopping = self.interrupted = self.ending = False
        self.unstored: BaseException | None = None
        self.dropped: set[str] = set()
        self._frozen = False
        self._releases = releases
        self._dirty = dirty
        self._seq = script.next_seq

    @property
    def id(self) -> str:
        """The turn's id."""
        return self.script.turn_id

    @property
    def takes_input(self) -> bool:
        """True while another round may read an interjection."""
        return not (self.ending or self.stopping or self.finished.is_set())

    @property
    def blind(self) -> bool:
        """True while viewers must not know the models."""
        return self.match.blind

    @property
    def judged(self) -> bool:
        """True if a person votes blind, so that an incomplete reply voids the match."""
        return self.match.blind and self.match.ballot is not None

    @property
    def starts_over(self) -> bool:
        """True if a new play asks every seat again, however the earlier one ended.

        One kept reply would reveal which side was quick; two, with their lengths, which was quicker.
        """
        return self.blind

    @property
    def visible(self) -> dict[str, int] | None:
        """The released code points of each reply that viewers may know, by id; None if nothing is held back."""
        return self._releases.visible if self._releases else None

    def follow(self) -> Feed:
        """Return a new feed: a snapshot, then events."""
        feed = Feed(self._snapshot_frame, self.feeds.discard)
        self.feeds.add(feed)
        return feed

    def snapshot(self) -> TurnSnapshot:
        """Return everything that a viewer may see now."""
        turn = TurnView(
            id=self.id,
            match_id=self.match.id,
            session_id=self.match.session_id,
            index=self.script.index,
            input=self.script.input,
            status=self.status,
            play=self.play,
            round=self.round,
            replies=tuple(
                reply.view() for reply in sorted(self.replies.values(), key=lambda each: each.order)
            ),
            notes=tuple(self.notes),
            tools=latest_calls(
                self.tools.values(), {each.id: each.attempt for each in self.replies.values()}
            ),
            interjections=self.inbox.interjections,
            error=self.error,
            created_at=self.script.created_at,
            author_id=self.script.author_id,
            queued=self.queued or msgspec.UNSET,
        )
        if self.blind:
            turn = blindness.veil_turn(turn, visible=self.visible)
        return TurnSnapshot(match=blindness.veil_match(self.match), turn=turn)

    async def wait_to_ask(self, seats: Sequence[Seat]) -> ReleaseGroup | None:
        """Wait until seats may be asked; return their group if they are several, for `end_group`.

        A paced turn asks no seat while earlier replies are being shown: the time of a later round's text or failure
        would reveal how soon the models had finished the round before.
        """
        releases, together = self._releases, len(seats) > 1
        if releases is None or not releases.paced or (not together and releases.is_expected(seats[0].name)):
            return None
        if together:
            releases.queue_alone()
        await self._wait_until_empty(releases)
        return releases.add_group(seat.name for seat in seats) if together else None

    def end_group(self, group: ReleaseGroup | None) -> None:
        """Publish a group's replies even if some of its seats never began."""
        if self._releases and group:
            self._publish_begun(self._releases.close_group(group))

    async def wait_until_released(self) -> None:
        """Wait until every reply is shown; the mode has ended."""
        if self._releases:
            self._releases.queue_alone()
            await self._wait_until_empty(self._releases)

    def show_queue(self, *, waiting: bool, reply: LiveReply | None = None) -> None:
        """Show that the turn, or a reply, waits for a place under a limit, or waits no more."""
        (reply or self).queued = waiting
        self.show_again()

    def admit(self) -> None:
        """Show that the turn has its place."""
        self.admitted.set()
        if self.queued:
            self.show_queue(waiting=False)

    def begin_round(self, event: RoundStarted, encoded: bytes) -> None:
        """Begin a round. A blind viewer sees that with the round's first visible reply."""
        if self._releases is None:
            self.round = event.round
            self.publish(event, encoded)

    def read_inbox(self, number: int) -> tuple[Interjection, ...]:
        """Read the inbox for a round; return its interjections."""
        self.inbox = self.inbox.read(number)
        ids = self.inbox.readings[number]
        return tuple(each for each in self.inbox.interjections if each.id in ids)

    def add_interjection(self, event: InputAdded, encoded: bytes) -> None:
        """Add a stored interjection to the inbox and publish it."""
        self.inbox = self.inbox.add(event.interjection)
        self.publish(event, encoded)

    def begin(self, reply: LiveReply, event: ReplyStarted, encoded: bytes | None = None) -> None:
        """Begin a reply; `encoded` as in `publish`."""
        self.replies[reply.id] = reply
        if self._releases is None:
            self.publish(event, encoded)
        else:
            self._publish_begun(self._releases.add(reply))

    def hold(self, seat: Seat) -> None:
        """Hide the replies of a seat from a blind viewer until `show_last`; in an open match, do nothing."""
        if self._releases:
            self._releases.hold(seat.name)

    def show_last(self, seat: Seat) -> None:
        """Show the last reply of a seat that was held."""
        if self._releases:
            self._publish_begun(self._releases.show_last(seat.name))
            self.request_flush()

    def show_tool(self, call: ToolCallView, event: Event, encoded: bytes | None = None) -> None:
        """Show a tool's call as it is now, and publish the event; `encoded` as in `publish`."""
        self.tools[call.key] = call
        self.publish(event, encoded)

    def append(self, reply: LiveReply, channel: Channel, text: str, now: float) -> None:
        """Append a piece to a reply; the first piece of a reply in an open match is published at once."""
        first = reply.first_at is None and self._releases is None
        reply.append(channel, text, now)
        if first:
            self._publish_text(reply, None)
        else:
            self._dirty(self)

    def attach(self, reply: LiveReply, attached: Attached, now: float, seed: int | None = None) -> None:
        """Add a picture or file to a reply; that of a reply in an open match is published at once."""
        reply.attach(attached, now, seed)
        if self._releases is None:
            self._publish_text(reply, None)
        else:
            self._dirty(self)

    def show_again(self) -> None:
        """Send all followers a snapshot: something that they have seen has changed."""
        for feed in tuple(self.feeds):
            feed.push(self._snapshot_frame())

    def log(self, event: Event) -> EventLogged:
        """Return the log entry of an event, with the next number."""
        seq = self._seq
        self._seq += 1
        return EventLogged(turn_id=self.id, seq=seq, kind=event_kind(event), data=encode(event))

    def next_seq(self) -> int:
        """Return the number of the next logged event."""
        return self._seq

    def publish(self, event: Event, encoded: bytes | None = None) -> None:
        """Send an event to all followers, veiled if they are blind; `encoded` is its JSON, if known."""
        shown = blindness.veil_event(event, attempt=self.play) if self.blind else event
        if shown is not None and self.feeds:
            frame = sse_frame(encoded if encoded is not None and shown is event else encode(shown))
            for feed in tuple(self.feeds):
                feed.push(frame)

    def publish_end(self, reply: LiveReply, event: ReplyCompleted | ReplyFailed) -> None:
        """Publish the end of a reply after its text; blind viewers see it when the turn ends."""
        reply.end_published = True
        if self.blind:
            self.request_flush()
            return
        self._publish_text(reply, None)
        self.publish(event)

    def publish_all_ends(self) -> None:
        """Publish to a blind viewer that every reply that they see is complete, in the order of the seats."""
        seen = (reply for reply in self.replies.values() if reply.id in (self.visible or {}))
        for reply in sorted(seen, key=lambda each: each.order):
            self.publish(
                ReplyCompleted(
                    turn_id=self.id,
                    reply_id=reply.id,
                    attempt=self.play,
                    text_end=reply.text.length,
                    reasoning_end=0,
                    finish_reason=None,
                    metrics=None,
                    parts=tuple(reply.parts),
                )
            )

    def release(self, now: float) -> bool:
        """Publish what may be seen by now; return whether another call is needed."""
        releases = self._releases
        if releases is None:
            for reply in self.replies.values():
                if reply.text.shown < reply.text.length or reply.reasoning.shown < reply.reasoning.length:
                    self._publish_text(reply, None)
            return False
        group = releases.current
        if self._frozen or group is None:
            return False
        self._publish_begun(releases.advance(now))
        for reply in group.replies:
            self._publish_text(reply, group.position)
        if releases.current is None:
            self.released.set()
        return releases.current is not None and not self.finished.is_set()

    def freeze(self, *, withhold: bool = False) -> None:
        """Release nothing more, so that nothing reveals which side failed; `withhold`: not even what was."""
        self._frozen = True
        if self._releases and withhold:
            self._releases.withheld = True

    def end(self, event: Event | None = None) -> None:
        """Publish the end of the turn and close all feeds; without an event, the turn will be resumed."""
        if event is not None and self.blind:
            event = blindness.veil_event(event, attempt=self.play)
        last = b"" if event is None else sse_frame(encode(event))
        for feed in tuple(self.feeds):
            feed.end(last)
        self.finished.set()
        self.released.set()
        self.admitted.set()

    def checkpoint(self) -> list[ReplyText]:
        """Return the texts of running replies that have grown since the last checkpoint."""
        return [entry for reply in self.replies.values() if (entry := reply.checkpoint(self.id))]

    def request_flush(self) -> None:
        """Ask the hub to call `release` at the next interval."""
        self._dirty(self)

    async def _wait_until_empty(self, releases: ReleaseQueue) -> None:
        while releases.current is not None:
            self.released.clear()
            self.request_flush()
            await self.released.wait()

    def _publish_begun(self, replies: Sequence[LiveReply]) -> None:
        """Publish the start of replies, and of their round before the first one."""
        for reply in replies:
            if reply.round > self.round:
                self.round = reply.round
                heard = self.inbox.readings.get(reply.round, ())
                self.publish(RoundStarted(turn_id=self.id, round=reply.round, heard=heard))
            self.publish(reply.started(self.id))

    def _publish_text(self, reply: LiveReply, until: int | None) -> None:
        """Publish what is new of a reply, up to so many code points."""
        channels: tuple[Channel, ...] = ("text",) if self.blind else CHANNELS
        attempt = self.play if self.blind else reply.attempt
        for event in reply.show(channels, attempt, until):
            self.publish(event)

    def _snapshot_frame(self) -> bytes:
        return sse_frame(encode(self.snapshot()))
