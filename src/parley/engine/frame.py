"""Frames: where a stage plays, and who hears it."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from parley.engine.live_reply import LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.purse import Purse
from parley.engine.recorder import Recorder
from parley.engine.voice import Voice
from parley.kernel.caps import Cap, Used
from parley.kernel.errors import OverBudget, TooMany
from parley.kernel.events import (
    Event,
    NoteAdded,
    ReplyProgressed,
    ReplyStarted,
    RoundStarted,
    SeatConcluded,
    event_kind,
)
from parley.kernel.messages import Attached, Channel
from parley.kernel.ports import EventLogged, LogEntry, TurnScript
from parley.kernel.progress import ReplyProgress
from parley.kernel.seats import Seat
from parley.kernel.tools import ToolCallView
from parley.kernel.views import ModelCard, NoteView

Appending: TypeAlias = Callable[[LiveReply, Channel, str, float], None]


@dataclass(eq=False, kw_only=True)
class Frame:
    """The place where a stage plays, and its audience. Without a turn, nothing is stored.

    `turn` has the log, in which inner replies are those at `path`, made for the reply `parent_reply_id`. Its followers
    are the `audience` of its own mode, at path ""; inside an ensemble, a `voice` hears the mode instead. `cards` are
    models by seat. `seed` is that of the turn, or of the call outside a turn. `renewed`: something was asked anew, so
    later questions may differ from those of an earlier play. `purse` pays all calls here, if they are capped.
    `key_id`: the API key by which the question came. `refused`: why a limit let a call here not be sent.
    """

    script: TurnScript
    cards: Mapping[str, ModelCard | None]
    recorder: Recorder
    turn: LiveTurn | None
    seed: str
    owner_id: str
    key_id: str | None = None
    purpose: str = "reply"
    path: str = ""
    parent_reply_id: str | None = None
    renewed: bool = False
    voice: Voice | None = None
    purse: Purse | None = None
    refused: OverBudget | TooMany | None = None

    def __post_init__(self) -> None:
        self.audience = None if self.path else self.turn
        self.replies: dict[str, LiveReply] = self.audience.replies if self.audience else {}
        self.append: Appending = self.audience.append if self.audience else LiveReply.append

    @property
    def turn_id(self) -> str:
        """The turn's id; empty outside a turn."""
        return self.turn.id if self.turn else ""

    @property
    def starts_over(self) -> bool:
        """True if a new play asks every seat again."""
        return self.turn is not None and self.turn.starts_over

    def limit(self, cap: Cap, used: Used) -> None:
        """Cap what all calls here may use together, within the caps around."""
        self.purse = Purse(cap, used, self.purse)
        if self.audience:
            self.audience.purse = self.purse

    def seed_of(self, name: str) -> str:
        """Return the text that seeds one choice on this stage."""
        return ":".join(filter(None, (self.seed, self.path, name)))

    def seed_number(self, name: str) -> int:
        """Return the number that seeds one choice on this stage."""
        return int.from_bytes(hashlib.sha256(self.seed_of(name).encode()).digest()[:6], "big")

    def log(self, event: Event) -> EventLogged:
        """Return the log entry of an event, with the turn's next number."""
        if self.turn is None:
            return EventLogged(turn_id="", seq=0, kind=event_kind(event), data=b"")
        return self.turn.log(event)

    def enqueue(self, *entries: LogEntry) -> None:
        """Queue entries for the log; they are stored, in order, within a second."""
        if self.turn:
            self.recorder.enqueue(*entries)

    def send(self, *entries: LogEntry) -> asyncio.Future[None]:
        """Queue entries for the log; return a future that is done once they are stored."""
        if self.turn:
            return self.recorder.send(*entries)
        stored = asyncio.get_running_loop().create_future()
        stored.set_result(None)
        return stored

    def store(self, event: Event) -> bytes:
        """Queue an event for the log; return it as JSON."""
        logged = self.log(event)
        self.enqueue(logged)
        return logged.data

    def begin(self, reply: LiveReply, event: ReplyStarted, encoded: bytes | None = None) -> None:
        """Begin a reply; `encoded` is the event as JSON, if known."""
        if self.audience:
            self.audience.begin(reply, event, encoded)
        else:
            self.replies[reply.id] = reply

    def attach(self, reply: LiveReply, attached: Attached, now: float, seed: int | None = None) -> None:
        """Add a picture or file to a reply."""
        if self.audience:
            self.audience.attach(reply, attached, now, seed)
        else:
            reply.attach(attached, now, seed)

    def show_progress(self, reply: LiveReply, progress: ReplyProgress) -> None:
        """Show the audience how far a reply's picture is; a blind one never sees it."""
        reply.progress = progress
        if self.audience:
            self.audience.publish(
                ReplyProgressed(reply_id=reply.id, attempt=reply.attempt, progress=progress)
            )

    def show_queue(self, reply: LiveReply, *, waiting: bool) -> None:
        """Show the audience that a reply waits for a place under a limit, or waits no more."""
        if self.audience:
            self.audience.show_queue(waiting=waiting, reply=reply)

    def rethink(self, reply: LiveReply) -> None:
        """Make all text of a reply so far its reasoning."""
        reply.rethink()
        if self.audience:
            self.audience.show_again()

    def withhold(self, reply: LiveReply) -> None:
        """Take back what was shown of a reply; in a blind turn, of every side."""
        reply.withhold()
        if self.audience:
            if self.audience.blind:  # one missing reply would tell the side
                self.audience.freeze(withhold=True)
            self.audience.show_again()

    def show_tool(self, call: ToolCallView, event: Event, encoded: bytes | None = None) -> None:
        """Show the audience that a tool was called or has returned."""
        if self.audience:
            self.audience.show_tool(call, event, encoded)

    def begin_round(self, event: RoundStarted) -> None:
        """Begin a round: those of an ensemble are not the turn's."""
        if self.audience:
            self.audience.begin_round(event, self.store(event))
        elif self.voice:
            self.voice.begin_round()

    def announce(self, name: str, number: int, key: str, data: object) -> None:
        """Store and publish a note; inside an ensemble it is dropped, since nobody reads it."""
        live = self.audience
        if live is None:
            return
        note = NoteView(seq=live.next_seq(), name=name, round=number, key=key, data=data)
        live.notes.append(note)
        added = NoteAdded(turn_id=live.id, note=note)
        live.publish(added, self.store(added))

    def conclude(self, seat: Seat, text: str, *, revises: bool) -> None:
        """Store what a seat's conversation keeps of this turn; inside an ensemble, tell the voice."""
        if self.voice:
            self.voice.conclude(seat, text)
        elif self.turn:
            self.store(SeatConcluded(turn_id=self.turn.id, seat=seat.name, text=text, revises=revises))


def turn_frame(live: LiveTurn, recorder: Recorder) -> Frame:
    """Return the outermost frame, of a turn's own mode."""
    return Frame(
        script=live.script,
        cards={seat.name: seat.model for seat in live.match.seats},
        recorder=recorder,
        turn=live,
        seed=live.id,
        owner_id=live.script.owner_id,
        purse=live.purse,
    )
