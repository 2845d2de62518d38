"""A live reply: one attempt of one step while it is streamed, with a growing text per channel, and parts."""

import logging
from array import array
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.events import PartAdded, ReplyCompleted, ReplyDelta, ReplyFailed, ReplyStarted
from parley.kernel.messages import Attached, Channel, ReplyPart, ToolCall
from parley.kernel.ports import ReplyText
from parley.kernel.progress import ReplyProgress
from parley.kernel.seats import Seat
from parley.kernel.views import Metrics, ReplyStatus, ReplyView

log = logging.getLogger(__name__)

MAX_PIECES = 64

CHANNELS: tuple[Channel, ...] = ("reasoning", "text")
"""In the order in which they are shown."""


class GrowingText:
    """A text that grows at its end and is shown up to a point. Lengths are code points."""

    __slots__ = ("_backlog", "_pieces", "length", "shown")

    def __init__(self, text: str = "") -> None:
        self._pieces: list[str] = [text] if text else []
        self._backlog: list[str] = [text] if text else []
        self.length = len(text)
        self.shown = 0

    def add(self, text: str) -> None:
        """Append a piece."""
        self._pieces.append(text)
        self._backlog.append(text)
        self.length += len(text)
        if len(self._pieces) > MAX_PIECES:
            # A token as a string of its own takes ten times its size.
            self.text()

    def show(self, until: int | None = None) -> str:
        """Show the text up to `until` (default: all of it); return what is newly shown."""
        if until is None or until >= self.length:
            fresh = "".join(self._backlog)
            self._backlog.clear()
        elif until <= self.shown:
            return ""
        else:
            waiting = "".join(self._backlog)
            fresh = waiting[: until - self.shown]
            self._backlog = [waiting[until - self.shown :]]
        self.shown += len(fresh)
        return fresh

    def text(self) -> str:
        """Return all of it."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def shown_text(self) -> str:
        """Return what is shown."""
        return self.text()[: self.shown]


class LiveReply:
    """One attempt of one step. Times are the event loop's seconds."""

    __slots__ = (
        "attempt",
        "checkpointed",
        "end_published",
        "ended_at",
        "error",
        "finish_reason",
        "first_at",
        "first_text_at",
        "id",
        "metrics",
        "order",
        "parts",
        "parts_shown",
        "path",
        "progress",
        "provider_id",
        "purpose",
        "queued",
        "reasoning",
        "round",
        "seat",
        "started_at",
        "status",
        "text",
        "timeline",
        "tool_calls",
    )

    def __init__(
        self,
        *,
        reply_id: str,
        seat: Seat,
        path: str,
        number: int,
        purpose: str,
        order: int,
        attempt: int,
        now: float,
    ) -> None:
        self.id = reply_id
        self.seat = seat
        self.path = path
        self.round = number
        self.purpose = purpose
        self.order = order
        self.attempt = attempt
        self.status: ReplyStatus = "waiting"
        self.text = GrowingText()
        self.reasoning = GrowingText()
        self.parts: list[ReplyPart] = []
        self.parts_shown = 0
        self.started_at = now
        self.first_at: float | None = None
        self.first_text_at: float | None = None
        self.ended_at: float | None = None
        self.timeline = array("L")
        self.checkpointed = 0
        self.finish_reason: FinishReason | None = None
        self.metrics: Metrics | None = None
        self.error: Problem | None = None
        self.provider_id: str | None = None
        self.tool_calls: tuple[ToolCall, ...] = ()
        self.end_published = False
        self.queued = False
        self.progress: ReplyProgress | None = None

    def log_cause(self, *, sealed: bool = False) -> None:
        """Log why it is not complete, with its model and provider: not before the vote.

        `sealed`: by its code alone, since the words may quote what was asked.
        """
        if self.error is not None:
            at = f" ({self.provider_id})" if self.provider_id else ""
            why = self.error.code if sealed else f"{self.error.title} {self.error.detail or ''}"
            log.warning("%s%s: %s", self.seat.model_id, at, why)

    def append(self, channel: Channel, text: str, now: float) -> None:
        """Append a piece to a channel, with the time when it arrived."""
        if self.first_at is None:
            self.first_at = now
            self.status = "streaming"
        if channel == "text":
            if self.first_text_at is None:
                self.first_text_at = now
            self.text.add(text)
        else:
            self.reasoning.add(text)
        self.timeline.append(int((now - self.started_at) * 1000))
        self.timeline.append(self.text.length)

    def rethink(self) -> None:
        """Make all text so far reasoning."""
        self.reasoning.add(self.text.text())
        self.text = GrowingText()
        self.first_text_at = None
        self.timeline = array("L")

    def withhold(self) -> None:
        """Forget all text and parts so far: a rule holds them."""
        self.text, self.reasoning = GrowingText(), GrowingText()
        self.parts, self.parts_shown = [], 0
        self.timeline = array("L")

    def attach(self, attached: Attached, now: float, seed: int | None = None) -> None:
        """Add a picture or file after the text so far, with the time when it arrived."""
        if self.first_at is None:
            self.first_at = now
            self.status = "streaming"
        self.parts.append(ReplyPart(self.text.length, attached, seed))

    def show(
        self, channels: Sequence[Channel], attempt: int, until: int | None = None
    ) -> Iterator[ReplyDelta | PartAdded]:
        """Show the text up to so many code points (default: all) and the parts before them; yield what is new."""
        for channel in channels:
            text = self.text if channel == "text" else self.reasoning
            offset = text.shown
            if fresh := text.show(until):
                yield ReplyDelta(
                    reply_id=self.id,
                    attempt=attempt,
                    channel=channel,
                    offset=offset,
                    end=text.shown,
                    text=fresh,
                )
        for index, part in enumerate(self.parts[self.parts_shown :], self.parts_shown):
            if until is not None and part.offset >= until:
                break
            self.parts_shown += 1
            yield PartAdded(reply_id=self.id, attempt=attempt, index=index, part=part)

    def checkpoint(self, turn_id: str) -> ReplyText | None:
        """Return the text while it is streamed; None if it has not grown since the last checkpoint."""
        if self.status != "streaming" or self.length <= self.checkpointed:
            return None
        self.checkpointed = self.length
        return self.text_entry(turn_id)

    def text_entry(self, turn_id: str) -> ReplyText:
        """Return the text so far as an entry of the log."""
        return ReplyText(
            turn_id=turn_id,
            reply_id=self.id,
            attempt=self.attempt,
            text=self.text.text(),
            reasoning=self.reasoning.text(),
        )

    @property
    def length(self) -> int:
        """Code points on both channels."""
        return self.text.length + self.reasoning.length

    def started(self, turn_id: str) -> ReplyStarted:
        """Return the event that begins the reply."""
        return ReplyStarted(
            turn_id=turn_id,
            reply_id=self.id,
            seat=self.seat.name,
            path=self.path,
            round=self.round,
            purpose=self.purpose,
            order=self.order,
            attempt=self.attempt,
        )

    def end_event(self, turn_id: str) -> ReplyCompleted | ReplyFailed:
        """Return the event of its end."""
        if self.status == "completed":
            return ReplyCompleted(
                turn_id=turn_id,
                reply_id=self.id,
                attempt=self.attempt,
                text_end=self.text.length,
                reasoning_end=self.reasoning.length,
                finish_reason=self.finish_reason,
                metrics=self.metrics,
                parts=tuple(self.parts),
            )
        return ReplyFailed(
            turn_id=turn_id,
            reply_id=self.id,
            attempt=self.attempt,
            status=self.status,
            text_end=self.text.length,
            reasoning_end=self.reasoning.length,
            metrics=self.metrics,
            error=self.error,
            parts=tuple(self.parts),
        )

    def view(self) -> ReplyView:
        """Return the reply as an open match shows it; its end shows once it is stored and published."""
        running = "waiting" if self.first_at is None else "streaming"
        return ReplyView(
            id=self.id,
            seat=self.seat.name,
            path=self.path,
            round=self.round,
            purpose=self.purpose,
            order=self.order,
            attempt=self.attempt,
            status=self.status if self.end_published else running,
            text=self.text.shown_text(),
            text_end=self.text.shown,
            reasoning=self.reasoning.shown_text(),
            reasoning_end=self.reasoning.shown,
            finish_reason=self.finish_reason if self.end_published else None,
            metrics=self.metrics if self.end_published else None,
            error=self.error if self.end_published else None,
            parts=tuple(self.parts[: self.parts_shown]),
            queued=self.queued or UNSET,
            progress=UNSET if self.end_published else self.progress or UNSET,
        )
