"""Asking one seat once: its reply is streamed as it arrives and stored when it ends."""

import asyncio
import logging
from contextlib import aclosing
from typing import Any, NamedTuple

import msgspec

from parley.engine.calls import Call
from parley.engine.gateway import Gateway
from parley.engine.live_reply import GrowingText, LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.stream_end import StreamEnd
from parley.kernel.connector import Delta, Finish
from parley.kernel.errors import NotFound, ParleyError, Problem
from parley.kernel.events import Event, ReplyCompleted, ReplyFailed, ToolCalled, ToolReturned
from parley.kernel.messages import Message, ToolCall, fingerprint, mend_surrogates, text_of
from parley.kernel.mode import Reply
from parley.kernel.options import AskOptions
from parley.kernel.ports import LogEntry, ReplyEnded, ReplyOpened, ReplyText, StepRecord
from parley.kernel.seats import Seat
from parley.kernel.views import ReplyStatus

log = logging.getLogger(__name__)

BROKEN = Problem(
    code="connector_broken",
    title="Parley ran into an internal error while asking this model.",
    detail="Replies so far are saved. See the server's log for the cause. Ask again, or choose another model.",
)


class Question(NamedTuple):
    """The messages and options of one question."""

    messages: tuple[Message, ...]
    options: AskOptions

    @property
    def sha256(self) -> str:
        """The fingerprint that a replay must match."""
        return fingerprint(self.messages, self.options)


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
    """Asks the seats of one live turn."""

    def __init__(self, live: LiveTurn, gateway: Gateway, recorder: Recorder) -> None:
        self._live = live
        self._gateway = gateway
        self._recorder = recorder
        self._returned: set[str] = set()
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

    async def ask(self, reply: LiveReply, question: Question, *, seed: int) -> Reply:
        """Ask the model of `reply.seat`; a failure is a reply too, never an exception."""
        self._publish_results(reply, question)
        self._begin(reply, question)
        call = Call(
            owner_id=self._live.script.owner_id,
            purpose="reply",
            model_id=reply.seat.model_id,
            messages=question.messages,
            options=question.options,
            seat_seed=seed,
            turn_id=self._live.id,
            reply_id=reply.id,
            attempt=reply.attempt,
            place=f"{reply.path}/{reply.round}/{reply.seat.name}/{reply.purpose}",
            blind=self._live.hidden,
            judged=self._live.match.ballot is not None,
            inner=self._live.inner,
        )
        end = StreamEnd()
        try:
            status = await self._hear(reply, call, end)
        except asyncio.CancelledError:
            self._record_partial(reply, call, end)
            raise
        if status != "completed" and self._live.judged:
            self._live.freeze()
        # Entries are stored in order, so the mode need not wait; followers see the end once it is stored.
        stored = self._recorder.send(*self._finish(reply, call, end, status))
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
            end.problem = None
            return "stopped"
        finally:
            del self._hearing[reply.id]
            hearing.ended.set()
        return end.status_of(reply)

    def _publish_stored(self, reply: LiveReply, stored: asyncio.Future[None]) -> None:
        """Publish the end of a reply once it is stored."""
        failure = stored.exception()
        if failure is None:
            self._publish_end(reply)
        else:
            self._live.unstored = failure

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
        self._live.begin(reply, reply.started(self._live.id))
        self._live.request_flush()
        self._publish_calls(reply)
        self._publish_end(reply)
        return _reply(reply)

    def _record_partial(self, reply: LiveReply, call: Call, end: StreamEnd) -> None:
        """Record a reply that was cancelled: its turn was stopped, or the server shuts down."""
        if self._live.interrupted:
            text, reasoning = reply.text.text(), reply.reasoning.text()
            self._recorder.enqueue(
                ReplyText(reply_id=reply.id, attempt=reply.attempt, text=text, reasoning=reasoning)
            )
            return
        end.problem = None
        self._recorder.enqueue(*self._finish(reply, call, end, "stopped"))
        self._publish_end(reply)

    def _begin(self, reply: LiveReply, question: Question) -> None:
        self._recorder.enqueue(
            ReplyOpened(
                turn_id=self._live.id,
                reply_id=reply.id,
                path=reply.path,
                parent_reply_id=self._live.parent_reply_id,
                round=reply.round,
                seat=reply.seat.name,
                purpose=reply.purpose,
                order=reply.order,
                model_id=reply.seat.model_id,
                attempt=reply.attempt,
                messages_sha256=question.sha256,
            )
        )
        event = reply.started(self._live.id)
        logged = self._live.log(event)
        self._recorder.enqueue(logged)
        self._live.begin(reply, event, logged.data)

    async def _stream(self, reply: LiveReply, call: Call, end: StreamEnd) -> None:
        """Read the stream. This loop is the hot path: it runs once per token."""
        append = self._live.append
        try:
            async with aclosing(self._gateway.stream(call)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Delta):
                        append(reply, chunk.channel, mend_surrogates(chunk.text), call.received_at)
                    elif isinstance(chunk, ToolCall):
                        end.calls.append(chunk)
                    elif isinstance(chunk, Finish):
                        end.finish = end.finish or chunk.reason
        except NotFound:
            end.problem = Problem(
                code="model_gone",
                title="This model is no longer in the catalog.",
                detail="Choose another model, or add it to the model list again.",
            )
        except ParleyError as error:
            end.problem = error.problem
            end.stalled = error.leaf_code == "upstream_stalled"
        except Exception:
            log.exception("the connector of %s failed", call.model_id)
            end.problem = BROKEN

    def _finish(self, reply: LiveReply, call: Call, end: StreamEnd, status: ReplyStatus) -> list[LogEntry]:
        """Set the reply's end; return the entries to store."""
        if end.problem is not None and not call.blind:
            provider = call.provider_id or "no provider"
            log.warning(
                "%s (%s): %s %s", call.model_id, provider, end.problem.title, end.problem.detail or ""
            )
        reply.ended_at = asyncio.get_running_loop().time()
        reply.status = status
        reply.finish_reason = end.finish if status == "completed" else None
        reply.error = end.problem
        reply.tool_calls = tuple(end.calls) if status == "completed" else ()
        reply.metrics = call.metrics
        ended = ReplyEnded(
            turn_id=self._live.id,
            reply_id=reply.id,
            attempt=reply.attempt,
            status=status,
            text=reply.text.text(),
            reasoning=reply.reasoning.text(),
            finish_reason=reply.finish_reason,
            metrics=reply.metrics,
            error=reply.error,
            timeline=msgspec.msgpack.encode(reply.timeline.tolist()),
        )
        calls = [self._live.log(event) for event in self._publish_calls(reply)]
        return [ended, *calls, self._live.log(_end_event(self._live.id, reply))]

    def _publish_calls(self, reply: LiveReply) -> list[ToolCalled]:
        """Publish and return the tool calls of a reply."""
        calls = _calls(self._live.id, reply)
        for event in calls:
            self._live.publish(event)
        return calls

    def _publish_end(self, reply: LiveReply) -> None:
        self._live.publish_end(reply, _end_event(self._live.id, reply))

    def _publish_results(self, reply: LiveReply, question: Question) -> None:
        """Store and publish the results of tools that this turn called, once each."""
        callers = {
            call.id: caller.id
            for caller in self._live.replies.values()
            for call in caller.tool_calls
            if caller.seat == reply.seat
        }
        for message in question.messages:
            call_id = message.tool_call_id
            if call_id is None or call_id not in callers or call_id in self._returned:
                continue
            self._returned.add(call_id)
            self._publish(
                ToolReturned(
                    turn_id=self._live.id,
                    reply_id=callers[call_id],
                    call_id=call_id,
                    content=mend_surrogates(text_of(message)),
                    failed=message.failed,
                )
            )

    def _publish(self, event: Event) -> None:
        logged = self._live.log(event)
        self._recorder.enqueue(logged)
        self._live.publish(event, logged.data)


def _calls(turn_id: str, reply: LiveReply) -> list[ToolCalled]:
    return [
        ToolCalled(
            turn_id=turn_id, reply_id=reply.id, call_id=call.id, name=call.name, arguments=call.arguments
        )
        for call in reply.tool_calls
    ]


def _end_event(turn_id: str, reply: LiveReply) -> ReplyCompleted | ReplyFailed:
    if reply.status == "completed":
        return ReplyCompleted(
            turn_id=turn_id,
            reply_id=reply.id,
            attempt=reply.attempt,
            text_end=reply.text.length,
            reasoning_end=reply.reasoning.length,
            finish_reason=reply.finish_reason,
            metrics=reply.metrics,
        )
    return ReplyFailed(
        turn_id=turn_id,
        reply_id=reply.id,
        attempt=reply.attempt,
        status=reply.status,
        text_end=reply.text.length,
        reasoning_end=reply.reasoning.length,
        metrics=reply.metrics,
        error=reply.error,
    )


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
    )
