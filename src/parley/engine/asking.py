"""Asking one seat once: its reply is streamed as it arrives and stored when it ends."""

import asyncio
import logging
from contextlib import aclosing
from typing import Any, NamedTuple

import msgspec

from parley.engine.accounting import CallResult
from parley.engine.attachments import store_made, store_preview
from parley.engine.drawing import is_cut_off, shown_progress
from parley.engine.frame import Frame
from parley.engine.gateway import Gateway
from parley.engine.live_reply import GrowingText, LiveReply
from parley.engine.moderation import held_in_part
from parley.engine.stream_end import BROKEN, StreamEnd
from parley.engine.tool_calls import tool_called
from parley.kernel.calls import Call
from parley.kernel.connector import Delta, Finish, Made, Progress, Rethought
from parley.kernel.errors import NotFound, OverBudget, ParleyError, Problem, Rejected, TooMany
from parley.kernel.events import ToolCalled
from parley.kernel.messages import Message, ToolCall, fingerprint, mend_surrogates
from parley.kernel.mode import Reply
from parley.kernel.moderation import Held
from parley.kernel.options import AskOptions
from parley.kernel.ports import LogEntry, ReplyEnded, ReplyOpened, StepRecord
from parley.kernel.seats import Seat
from parley.kernel.tools import ToolCallView
from parley.kernel.views import ReplyStatus

log = logging.getLogger(__name__)


class Question(NamedTuple):
    """The messages and options of one question."""

    messages: tuple[Message, ...]
    options: AskOptions

    @property
    def sha256(self) -> str:
        """The fingerprint that a replay must match. Other tools may be there by then."""
        return fingerprint(self.messages, msgspec.structs.replace(self.options, tools=None))


class _Hearing:
    """A seat that is answering: the task that reads its stream, and whether the person stopped it."""

    __slots__ = ("ended", "seat", "stopped", "task")

    def __init__(self, seat: str, task: asyncio.Task[Any] | None) -> None:
        if task is None:
            raise RuntimeError("a seat is asked within a task")
        self.seat = seat
        self.task = task
        self.stopped = False
        self.ended = asyncio.Event()


class Asker:
    """Asks the seats of one stage."""

    def __init__(self, frame: Frame, gateway: Gateway) -> None:
        self._frame = frame
        self._gateway = gateway
        self._hearing: dict[str, _Hearing] = {}

    async def stop(self, seat: str) -> None:
        """Stop a seat: its reply ends, the turn continues. A seat that is not answering is unaffected."""
        heard = [hearing for hearing in self._hearing.values() if hearing.seat == seat]
        for hearing in heard:
            if not hearing.stopped:
                hearing.stopped = True
                hearing.task.cancel()
        for hearing in heard:
            await hearing.ended.wait()

    async def ask(
        self, reply: LiveReply, question: Question, *, seed: int, earlier: StepRecord | None = None
    ) -> Reply:
        """Ask the model of `reply.seat`; a failure is a reply too, never an exception."""
        self._begin(reply, question)
        if self._gateway.draws(reply.seat.model_id):
            # After a crash it must be known that a picture was asked for: it may have been paid for.
            await self._frame.send()
        frame, audience = self._frame, self._frame.audience
        call = Call(
            owner_id=frame.owner_id,
            purpose=frame.purpose,
            key_id=frame.key_id,
            model_id=reply.seat.model_id,
            messages=question.messages,
            options=question.options,
            seat_seed=seed,
            mode=frame.script.mode,
            turn_id=frame.turn_id or None,
            reply_id=reply.id,
            attempt=reply.attempt,
            place=f"{reply.path}/{reply.round}/{reply.seat.name}/{reply.purpose}",
            blind=frame.turn is not None and frame.turn.blind,
            judged=audience is not None and audience.match.ballot is not None,
            inner=bool(frame.path),
            author_id=frame.script.author_id,
            resumed=is_cut_off(earlier),
            sealed=frame.script.seal is not None,
        )
        end = StreamEnd()
        try:
            status = await self._hear(reply, call, end)
            if end.held:
                await self._take_back(reply)
        except asyncio.CancelledError:
            await self._record_partial(reply, call, end)
            raise
        if status != "completed" and audience and audience.judged:
            audience.freeze()
        # Entries are stored in order, so the mode need not wait; followers see the end once it is stored.
        stored = frame.send(*self._finish(reply, call, end, status))
        stored.add_done_callback(lambda stored: self._publish_stored(reply, stored))
        return _reply(reply)

    async def _hear(self, reply: LiveReply, call: Call, end: StreamEnd) -> ReplyStatus:
        """Read the stream to its end, or until the person stops this seat; return how it ended."""
        self._hearing[reply.id] = hearing = _Hearing(reply.seat.name, asyncio.current_task())
        try:
            await self._stream(reply, call, end)
        except asyncio.CancelledError:
            # The whole turn may be stopped at the same time.
            if not hearing.stopped or hearing.task.uncancel() > 0:
                raise
            await self._check_stopped(reply, call, end)
            return "failed" if end.held else "stopped"
        finally:
            del self._hearing[reply.id]
            hearing.ended.set()
        return end.status_of(reply)

    async def _check_stopped(self, reply: LiveReply, call: Call, end: StreamEnd) -> None:
        """Check what was shown of a reply until it was stopped."""
        if not end.held:
            end.problem = None
            shown = {"text": reply.text.text(), "reasoning": reply.reasoning.text()}
            end.problem = await held_in_part(self._gateway.moderator, call, shown)
            end.held = end.problem is not None

    async def _take_back(self, reply: LiveReply) -> None:
        """Take back a held reply; in a judged turn once all sides have ended, so that its time tells nothing."""
        if self._frame.audience and self._frame.audience.judged:
            for hearing in tuple(self._hearing.values()):
                await hearing.ended.wait()
        self._frame.withhold(reply)

    def _publish_stored(self, reply: LiveReply, stored: asyncio.Future[None]) -> None:
        """Publish the end of a reply once it is stored."""
        failure = stored.exception()
        if failure is None:
            self._publish_end(reply)
        elif self._frame.turn:
            self._frame.turn.unstored = failure

    def recall(self, record: StepRecord, seat: Seat) -> Reply:
        """Restore a reply that ended in an earlier play, without asking the model."""
        now = asyncio.get_running_loop().time()
        reply = LiveReply(
            reply_id=record.reply_id,
            seat=seat,
            path=record.path,
            number=record.round,
            purpose=record.purpose,
            order=record.order,
            attempt=record.attempt,
            now=now,
        )
        reply.text = GrowingText(record.text)
        reply.reasoning = GrowingText(record.reasoning)
        reply.first_at = reply.first_text_at = reply.ended_at = now
        reply.status = record.status
        reply.finish_reason = record.finish_reason
        reply.metrics = record.metrics
        reply.error = record.error
        reply.tool_calls = record.tool_calls
        reply.parts = list(record.parts)
        self._frame.begin(reply, reply.started(self._frame.turn_id))
        if self._frame.audience:
            self._frame.audience.request_flush()
        self._publish_end(reply)
        return _reply(reply)

    async def _record_partial(self, reply: LiveReply, call: Call, end: StreamEnd) -> None:
        """Record a reply that was cancelled: its turn was stopped, or the server shuts down."""
        if self._frame.turn and self._frame.turn.interrupted:
            self._frame.enqueue(reply.text_entry(self._frame.turn_id))
            return
        try:
            await self._check_stopped(reply, call, end)
        finally:
            if end.held:
                self._frame.withhold(reply)
            self._frame.enqueue(*self._finish(reply, call, end, "failed" if end.held else "stopped"))
            self._publish_end(reply)

    def _begin(self, reply: LiveReply, question: Question) -> None:
        self._frame.enqueue(
            ReplyOpened(
                turn_id=self._frame.turn_id,
                reply_id=reply.id,
                path=reply.path,
                parent_reply_id=self._frame.parent_reply_id,
                round=reply.round,
                seat=reply.seat.name,
                purpose=reply.purpose,
                order=reply.order,
                model_id=reply.seat.model_id,
                attempt=reply.attempt,
                messages_sha256=question.sha256,
            )
        )
        event = reply.started(self._frame.turn_id)
        self._frame.begin(reply, event, self._frame.store(event))

    async def _stream(self, reply: LiveReply, call: Call, end: StreamEnd) -> None:
        """Read the stream. This loop is the hot path: it runs once per token."""
        append, result = self._frame.append, end.result
        result.purse = self._frame.purse
        if not call.blind:
            result.queued = lambda waiting: self._frame.show_queue(reply, waiting=waiting)
        try:
            async with aclosing(self._gateway.stream(call, result)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Delta):
                        append(reply, chunk.channel, mend_surrogates(chunk.text), result.received_at)
                    elif isinstance(chunk, ToolCall):
                        end.calls.append(chunk)
                    elif isinstance(chunk, Finish):
                        end.finish = end.finish or chunk.reason
                    elif isinstance(chunk, Rethought):
                        self._frame.rethink(reply)
                    elif isinstance(chunk, Made):
                        await self._keep(reply, chunk, call, result)
                    elif isinstance(chunk, Progress) and not (call.blind or call.sealed):
                        await self._show(reply, chunk, call)
        except NotFound:
            end.problem = Problem(
                code="model_gone",
                title="This model is no longer in the catalog.",
                detail="Choose another model, or add it to the model list again.",
            )
        except Held as error:
            end.problem, end.held = error.problem, True
        except ParleyError as error:
            end.problem = error.problem
            end.stalled = error.leaf_code == "upstream_stalled"
            if isinstance(error, OverBudget | TooMany):
                self._frame.refused = error
        except Exception as error:
            if call.sealed:  # its words may quote what was asked
                log.error("the connector of %s failed: %s", call.model_id, type(error).__name__)
            else:
                log.exception("the connector of %s failed", call.model_id)
            end.problem = BROKEN

    async def _keep(self, reply: LiveReply, made: Made, call: Call, result: CallResult) -> None:
        """Store a picture or file and add it to the reply. Raises ParleyError."""
        if call.sealed:
            raise Rejected(
                "The model sent a picture or file, which a sealed session can't keep.",
                "Its text so far is saved. Ask for text alone, or ask in an unsealed session.",
                code="not_in_sealed",
            )
        if call.blind:
            # Its name may reveal the model, and whether there is a seed its server.
            made = Made(made.data)
        attached = await store_made(
            self._gateway.blobs, call.owner_id, made, len(reply.parts), alike=call.blind
        )
        self._frame.attach(reply, attached, result.received_at, made.seed)

    async def _show(self, reply: LiveReply, progress: Progress, call: Call) -> None:
        """Show how far a picture is. A preview that can't be read is left out."""
        preview = await store_preview(self._gateway.blobs, call.owner_id, progress.preview)
        self._frame.show_progress(reply, shown_progress(progress, preview))

    def _finish(self, reply: LiveReply, call: Call, end: StreamEnd, status: ReplyStatus) -> list[LogEntry]:
        """Set the reply's end; return the entries to store."""
        reply.ended_at = asyncio.get_running_loop().time()
        reply.status = status
        reply.finish_reason = end.finish if status == "completed" else None
        reply.error = end.problem
        reply.provider_id = end.result.asked_id
        if not call.blind:
            reply.log_cause(sealed=call.sealed)
        reply.tool_calls = tuple(end.calls) if status == "completed" else ()
        reply.metrics = end.result.metrics
        ended = ReplyEnded(
            turn_id=self._frame.turn_id,
            reply_id=reply.id,
            attempt=reply.attempt,
            status=status,
            text=reply.text.text(),
            reasoning=reply.reasoning.text(),
            finish_reason=reply.finish_reason,
            metrics=reply.metrics,
            error=reply.error,
            timeline=msgspec.msgpack.encode(reply.timeline.tolist()),
            parts=tuple(reply.parts),
        )
        calls = [self._frame.log(event) for event in self._publish_calls(reply)]
        return [ended, *calls, self._frame.log(reply.end_event(self._frame.turn_id))]

    def _publish_calls(self, reply: LiveReply) -> list[ToolCalled]:
        """Publish and return the tool calls of a reply."""
        events: list[ToolCalled] = []
        for made in reply.tool_calls:
            call = ToolCallView(
                id=made.id,
                reply_id=reply.id,
                round=reply.round,
                attempt=reply.attempt,
                name=made.name,
                arguments=made.arguments,
            )
            events.append(tool_called(self._frame, call))
            self._frame.show_tool(call, events[-1])
        return events

    def _publish_end(self, reply: LiveReply) -> None:
        if self._frame.audience:
            self._frame.audience.publish_end(reply, reply.end_event(self._frame.turn_id))


def _reply(reply: LiveReply) -> Reply:
    """Return the reply for the mode, exactly as a replay would read it from the record."""
    return Reply(
        id=reply.id,
        seat=reply.seat,
        round=reply.round,
        text=reply.text.text().replace("\x00", "\ufffd"),
        reasoning=reply.reasoning.text().replace("\x00", "\ufffd"),
        status=reply.status,
        metrics=reply.metrics,
        error=reply.error,
        finish_reason=reply.finish_reason,
        tool_calls=reply.tool_calls,
        parts=tuple(reply.parts),
    )
