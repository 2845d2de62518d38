"""A live turn: what has happened so far in a turn that is being played, and who follows it."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from parley.engine.feed import Feed, sse_frame
from parley.engine.showing import Part, Showing
from parley.engine.speech import Speech
from parley.kernel import blindness
from parley.kernel.errors import Problem
from parley.kernel.events import (
    Event,
    InputAdded,
    ReplyCompleted,
    ReplyDelta,
    ReplyFailed,
    ReplyStarted,
    RoundStarted,
    TurnSnapshot,
    event_kind,
)
from parley.kernel.inbox import Interjection
from parley.kernel.messages import Channel
from parley.kernel.ports import EventLogged, ReplyText, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import MatchView, NoteView, TurnStatus, TurnView

encode = msgspec.json.Encoder().encode


class LiveTurn:
    """One turn while it is played. Its viewers are all blind or all not, as its match is.

    `parent_reply_id`: the reply that what is said becomes, within an ensemble; `dropped`: replies within ensembles
    for which a play again had no place; `interjected`: ids of what the person said while it ran, stored or about to
    be. `dirty` is called when there is something to release; at the next tick the hub calls `release`.
    """

    def __init__(
        self,
        script: TurnScript,
        match: MatchView,
        showing: Showing | None,
        dirty: Callable[["LiveTurn"], None],
    ) -> None:
        self.script = script
        self.match = match
        self.play = script.play
        self.status: TurnStatus = "running"
        self.round = 0
        self.error: Problem | None = None
        self.speeches: dict[str, Speech] = {}
        self.notes: list[NoteView] = list(script.notes)
        self.inbox = script.inbox
        self.interjected: set[str] = {said.id for said in script.inbox.interjections}
        self.feeds: set[Feed] = set()
        self.released = asyncio.Event()
        self.finished = asyncio.Event()
        self.stopping = False
        self.interrupted = False
        self.ending = False
        self.unstored: BaseException | None = None
        self.parent_reply_id: str | None = None
        self.dropped: set[str] = set()
        self._held = False
        self._showing = showing
        self._dirty = dirty
        self._seq = script.next_seq

    @property
    def id(self) -> str:
        """The turn's id."""
        return self.script.turn_id

    @property
    def takes_input(self) -> bool:
        """True while an interjection can still reach a round."""
        return not (self.ending or self.stopping or self.finished.is_set())

    @property
    def blind(self) -> bool:
        """True if its viewers must not know which model sits where."""
        return self.match.blind

    @property
    def judged(self) -> bool:
        """True if a person votes blind, so that an incomplete reply voids the match."""
        return self.match.blind and self.match.ballot is not None

    @property
    def starts_over(self) -> bool:
        """True where nothing of earlier plays stands, however they ended: at Stop, at a restart, at a crash.

        An answer that stays while the other changes reveals which side was quick; two that stay reveal when both were
        done, and with their lengths which of them was quicker.
        """
        return self.blind

    @property
    def paced(self) -> bool:
        """True if text is held back and shown tick by tick until all of it is out."""
        return self._showing is not None

    @property
    def visible(self) -> dict[str, int] | None:
        """How many code points of each reply a blind viewer sees, by its id; None where nothing is held back.

        A reply that is not in it may not be known of yet.
        """
        return self._showing.visible if self._showing else None

    def follow(self) -> Feed:
        """Return a new feed that opens with a snapshot and goes on with events."""
        feed = Feed(self._opening, self.feeds.discard)
        self.feeds.add(feed)
        return feed

    def snapshot(self) -> TurnSnapshot:
        """Return all that a viewer may see now."""
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
                speech.view() for speech in sorted(self.speeches.values(), key=lambda each: each.order)
            ),
            notes=tuple(self.notes),
            interjections=self.inbox.interjections,
            error=self.error,
            created_at=self.script.created_at,
        )
        if self.blind:
            turn = blindness.veil_turn(turn, visible=self.visible)
        return TurnSnapshot(match=blindness.veil_match(self.match), turn=turn)

    async def its_turn(self, seats: Sequence[Seat]) -> Part | None:
        """Wait until seats may be asked: several at once, or one that is alone or one of them.

        Returns the part of the turn that several are shown in, which `all_asked` takes.

        A paced turn asks nobody while what was said before is being shown: what a later round says or fails at,
        and when, would reveal how soon the models were done with the one before.
        """
        showing, together = self._showing, len(seats) > 1
        if showing is None or not showing.paced or (not together and showing.awaits(seats[0].name)):
            return None
        if together:
            showing.show_alone()
        await self._shown(showing)
        return showing.expect(seat.name for seat in seats) if together else None

    def all_asked(self, part: Part | None) -> None:
        """A group of seats has been asked."""
        if self._showing and part:
            self._publish_begun(self._showing.settle(part))

    async def all_shown(self) -> None:
        """Wait until all that was said has been shown: the mode has been played."""
        if self._showing:
            self._showing.show_alone()
            await self._shown(self._showing)

    def begin_round(self, event: RoundStarted, encoded: bytes) -> None:
        """Let a round begin. A blind viewer learns it with the first words of it that they may know of."""
        if self._showing is None:
            self.round = event.round
            self.publish(event, encoded)

    def read_inbox(self, number: int) -> tuple[Interjection, ...]:
        """Let a round read the inbox; return what it hears."""
        self.inbox = self.inbox.read(number)
        heard = self.inbox.readings[number]
        return tuple(said for said in self.inbox.interjections if said.id in heard)

    def take(self, event: InputAdded, encoded: bytes) -> None:
        """Add a stored interjection to the inbox and publish it."""
        self.inbox = self.inbox.add(event.interjection)
        self.publish(event, encoded)

    def begin(self, speech: Speech, event: ReplyStarted, encoded: bytes | None = None) -> None:
        """Let a seat begin; `encoded`: as in `publish`."""
        self.speeches[speech.id] = speech
        if self._showing is None:
            self.publish(event, encoded)
        else:
            self._publish_begun(self._showing.add(speech))

    def say(self, speech: Speech, channel: Channel, text: str, now: float) -> None:
        """Record a piece of a reply; the first piece of an unpaced reply is published at once."""
        first = speech.first_at is None
        speech.say(channel, text, now)
        if first and self._showing is None:
            self._publish_text(speech, None)
        else:
            self._dirty(self)

    def log(self, event: Event) -> EventLogged:
        """Return a durable event's row, numbered."""
        seq = self._seq
        self._seq += 1
        return EventLogged(turn_id=self.id, seq=seq, kind=event_kind(event), data=encode(event))

    def next_seq(self) -> int:
        """The number that the next durable event will get."""
        return self._seq

    def publish(self, event: Event, encoded: bytes | None = None) -> None:
        """Send an event to all followers, veiled for a blind viewer.

        `encoded`: the event as JSON, where it was made already.
        """
        shown = blindness.veil_event(event, attempt=self.play) if self.blind else event
        if shown is not None and self.feeds:
            frame = sse_frame(encoded if encoded is not None and shown is event else encode(shown))
            for feed in tuple(self.feeds):
                feed.push(frame)

    def publish_end(self, speech: Speech, event: ReplyCompleted | ReplyFailed) -> None:
        """Publish the end of a reply after all of its text; blind viewers see it when the turn ends."""
        speech.end_published = True
        if self.blind:
            self.awaken()
            return
        self._publish_text(speech, None)
        self.publish(event)

    def publish_all_ends(self) -> None:
        """Publish to a blind viewer that every reply is complete, in the order of the seats."""
        for speech in sorted(self.speeches.values(), key=lambda each: each.order):
            self.publish(
                ReplyCompleted(
                    turn_id=self.id,
                    reply_id=speech.id,
                    attempt=self.play,
                    text_end=speech.text.length,
                    reasoning_end=0,
                    finish_reason=None,
                    metrics=None,
                )
            )

    def release(self, now: float) -> bool:
        """Publish what may be seen by now; return True while another tick is needed."""
        showing = self._showing
        if showing is None:
            for speech in self.speeches.values():
                if speech.text.shown < speech.text.length or speech.reasoning.shown < speech.reasoning.length:
                    self._publish_text(speech, None)
            return False
        part = showing.current
        if self._held or part is None:
            return False
        self._publish_begun(showing.advance(now))
        for speech in part.speeches:
            self._publish_text(speech, part.cursor.position)
        if showing.current is None:
            self.released.set()
        return showing.current is not None and not self.finished.is_set()

    def hold(self) -> None:
        """Show a blind viewer nothing more, so that nothing reveals which side broke off."""
        self._held = True

    def end(self, event: Event) -> None:
        """Publish the end of the turn and close all feeds."""
        last = sse_frame(encode(blindness.veil_event(event, attempt=self.play) if self.blind else event))
        for feed in tuple(self.feeds):
            feed.end(last)
        self.finished.set()
        self.released.set()

    def abandon(self) -> None:
        """Close all feeds without an end: the turn was interrupted and will be resumed."""
        for feed in tuple(self.feeds):
            feed.end()
        self.finished.set()
        self.released.set()

    def checkpoint(self) -> list[ReplyText]:
        """Return the texts of running replies that have grown since the last checkpoint."""
        grown = [
            speech
            for speech in self.speeches.values()
            if speech.status == "streaming" and speech.length > speech.checkpointed
        ]
        for speech in grown:
            speech.checkpointed = speech.length
        return [
            ReplyText(
                reply_id=speech.id,
                attempt=speech.attempt,
                text=speech.text.text(),
                reasoning=speech.reasoning.text(),
            )
            for speech in grown
        ]

    def awaken(self) -> None:
        """Request a tick: something may be released."""
        self._dirty(self)

    async def _shown(self, showing: Showing) -> None:
        while showing.current is not None:
            self.released.clear()
            self.awaken()
            await self.released.wait()

    def _publish_begun(self, speeches: Sequence[Speech]) -> None:
        """Publish replies that begin, and the round if they are its first."""
        for speech in speeches:
            if speech.round > self.round:
                self.round = speech.round
                heard = self.inbox.readings.get(speech.round, ())
                self.publish(RoundStarted(turn_id=self.id, round=speech.round, heard=heard))
            self.publish(speech.started(self.id))

    def _publish_text(self, speech: Speech, until: int | None) -> None:
        for channel in ("reasoning", "text"):
            if channel == "reasoning" and self.blind:
                continue
            said = speech.text if channel == "text" else speech.reasoning
            offset = said.shown
            if offset == said.length:
                continue
            fresh = said.show(until)
            if fresh and self.feeds:
                attempt = self.play if self.blind else speech.attempt
                self.publish(
                    ReplyDelta(
                        reply_id=speech.id,
                        attempt=attempt,
                        channel=channel,
                        offset=offset,
                        end=said.shown,
                        text=fresh,
                    )
                )

    def _opening(self) -> bytes:
        return sse_frame(encode(self.snapshot()))
