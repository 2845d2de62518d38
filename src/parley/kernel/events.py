"""Events: what happens in a turn, in the past tense; new kinds may be added, none changed.

Applying an event twice changes nothing. All but `reply.delta`, `reply.progressed`, `part.added` and
`turn.snapshot` are stored; `turn.renewed` and `seat.concluded` are never sent. A stream begins with `turn.snapshot` and
has exactly one end: `turn.completed`, `turn.failed` or `turn.stopped`. Clients ignore kinds and notes that
they do not know.
"""

from typing import TypeAlias

import msgspec

from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.inbox import Interjection
from parley.kernel.messages import Channel, ReplyPart
from parley.kernel.progress import ReplyProgress
from parley.kernel.tools import ToolResult
from parley.kernel.views import MatchView, Metrics, NoteView, ReplyStatus, TurnView, VoteView


class Event(msgspec.Struct, frozen=True, tag_field="kind", kw_only=True):
    """Something that happened in a turn; `kind` is its type."""


class TurnSnapshot(Event, frozen=True, tag="turn.snapshot"):
    """Everything that the viewer may see of the turn now. It replaces the client's copy."""

    match: MatchView
    turn: TurnView


class TurnStarted(Event, frozen=True, tag="turn.started"):
    """The mode started to play, or started again after an interruption or a retry."""

    turn_id: str
    play: int


class RoundStarted(Event, frozen=True, tag="round.started"):
    """A round started. Rounds count from 1; a later turn may continue the numbers of an earlier one.

    `heard` are the ids of the interjections that it read: those since the previous round.
    """

    turn_id: str
    round: int
    heard: tuple[str, ...] = ()


class ReplyStarted(Event, frozen=True, tag="reply.started"):
    """A seat starts to answer. Show replies by `order`. A higher attempt resets a reply, a lower one is ignored."""

    turn_id: str
    reply_id: str
    seat: str
    path: str
    round: int
    purpose: str
    order: int
    attempt: int


class ReplyDelta(Event, frozen=True, tag="reply.delta"):
    """More of a reply: `text` covers the code points from `offset` to `end` of the channel."""

    reply_id: str
    attempt: int
    channel: Channel
    offset: int
    end: int
    text: str


class ReplyProgressed(Event, frozen=True, tag="reply.progressed"):
    """A reply that draws is this far. Not sent in a blind match."""

    reply_id: str
    attempt: int
    progress: ReplyProgress


class PartAdded(Event, frozen=True, tag="part.added"):
    """A picture or file of a reply: `part` is the one after `index` others."""

    reply_id: str
    attempt: int
    index: int
    part: ReplyPart


class ReplyCompleted(Event, frozen=True, tag="reply.completed"):
    """A reply is complete and stored. Metrics and finish reason are null while blind. `parts` are all it has."""

    turn_id: str
    reply_id: str
    attempt: int
    text_end: int
    reasoning_end: int
    finish_reason: FinishReason | None
    metrics: Metrics | None
    parts: tuple[ReplyPart, ...] = ()


class ReplyFailed(Event, frozen=True, tag="reply.failed"):
    """A reply ended early: `status` is failed, incomplete or stopped. Its text and parts so far are saved."""

    turn_id: str
    reply_id: str
    attempt: int
    status: ReplyStatus
    text_end: int
    reasoning_end: int
    metrics: Metrics | None
    error: Problem | None
    parts: tuple[ReplyPart, ...] = ()


class NoteAdded(Event, frozen=True, tag="note.added"):
    """The mode added a note, which the mode's feature on the page renders."""

    turn_id: str
    note: NoteView


class InputAdded(Event, frozen=True, tag="input.added"):
    """The person sent an input while the turn ran. The next round reads it."""

    turn_id: str
    interjection: Interjection


class ToolCalled(Event, frozen=True, tag="tool.called"):
    """A reply called a tool, or the mode did: then `reply_id` is null. A higher attempt resets the call."""

    turn_id: str
    reply_id: str | None
    call_id: str
    name: str
    arguments: str
    path: str = ""
    round: int = 0
    attempt: int = 1


class ToolReturned(Event, frozen=True, tag="tool.returned"):
    """A called tool has ended, and its result is stored."""

    turn_id: str
    reply_id: str | None
    call_id: str
    result: ToolResult


class BallotOpened(Event, frozen=True, tag="ballot.opened"):
    """Enough replies are complete to vote. The person can vote for one of these choices."""

    turn_id: str
    match_id: str
    choices: tuple[str, ...]


class MatchRevealed(Event, frozen=True, tag="match.revealed"):
    """A vote is stored, and a blind match is revealed. Sent on the session's stream."""

    match_id: str
    match: MatchView
    vote: VoteView


class TurnCompleted(Event, frozen=True, tag="turn.completed"):
    """The mode played to its end."""

    turn_id: str


class TurnFailed(Event, frozen=True, tag="turn.failed"):
    """The turn failed before its end. In a blind match, the event never names a side."""

    turn_id: str
    error: Problem


class TurnStopped(Event, frozen=True, tag="turn.stopped"):
    """The person stopped the turn. Its text so far is saved."""

    turn_id: str


class TurnRenewed(Event, frozen=True, tag="turn.renewed"):
    """The person retried what was incomplete, or one `seat` in any case. Stored only.

    Earlier notes are outdated; without a seat, so are failures.
    """

    turn_id: str
    seat: str | None = None


class SeatConcluded(Event, frozen=True, tag="seat.concluded"):
    """The text that a seat's conversation keeps of a turn instead of its last reply. Stored only; the last one counts.

    `revises`: see `parley.kernel.history.Conclusion`; true in events stored before this field existed.
    """

    turn_id: str
    seat: str
    text: str
    revises: bool


TurnEvent: TypeAlias = (
    TurnSnapshot
    | TurnStarted
    | RoundStarted
    | ReplyStarted
    | ReplyDelta
    | ReplyProgressed
    | PartAdded
    | ReplyCompleted
    | ReplyFailed
    | NoteAdded
    | InputAdded
    | ToolCalled
    | ToolReturned
    | BallotOpened
    | MatchRevealed
    | TurnCompleted
    | TurnFailed
    | TurnStopped
)

TurnEnd: TypeAlias = TurnCompleted | TurnFailed | TurnStopped


class TurnAdded(msgspec.Struct, frozen=True, tag_field="kind", tag="turn.added", kw_only=True):
    """A turn started in the session, perhaps from another tab. It has its own stream."""

    session_id: str
    match_id: str
    turn_id: str


class SessionChanged(msgspec.Struct, frozen=True, tag_field="kind", tag="session.changed", kw_only=True):
    """The session's title or its position in the list changed, or it was `deleted`."""

    session_id: str
    deleted: bool


class PeoplePresent(msgspec.Struct, frozen=True, tag_field="kind", tag="people.present", kw_only=True):
    """The people of a workspace who have the session open now, in the order in which they came."""

    session_id: str
    person_ids: tuple[str, ...]


SessionEvent: TypeAlias = MatchRevealed | TurnAdded | SessionChanged | PeoplePresent


def event_kind(event: Event) -> str:
    """Return an event's wire name, as in "reply.completed"."""
    return event_tag(type(event))


def event_tag(kind: type[Event]) -> str:
    """Return the wire name of a kind of event."""
    return str(kind.__struct_config__.tag)
