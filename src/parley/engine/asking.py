"""Asking one seat once: its reply is streamed as it comes and stored when it ends."""

import asyncio
import logging
from contextlib import aclosing
from typing import NamedTuple

import msgspec

from parley.engine.gateway import Call, Gateway
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.speech import GrowingText, Speech
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
    title="Something went wrong inside Parley while this model was asked.",
    detail="What had come is kept; the server's log has the cause. Ask again, or choose another model.",
)


class Question(NamedTuple):
    """What a seat is asked."""

    messages: tuple[Message, ...]
    options: AskOptions

    @property
    def sha256(self) -> str:
        """Its fingerprint."""
        return fingerprint(self.messages, self.options)


class Asker:
    """Asks the seats of one live turn."""

    def __init__(self, live: LiveTurn, gateway: Gateway, recorder: Recorder) -> None:
        self._live = live
        self._gateway = gateway
        self._recorder = recorder
        self._returned: set[str] = set()

    async def ask(self, speech: Speech, question: Question, *, seed: int) -> Reply:
        """Ask the model of `speech.seat`; a failing model is a reply too, never an exception."""
        self._publish_results(speech, question)
        self._open(speech, question)
        call = Call(
            owner_id=self._live.script.owner_id,
            purpose="reply",
            model_id=speech.seat.model_id,
            messages=question.messages,
            options=question.options,
            seat_seed=seed,
            turn_id=self._live.id,
            reply_id=speech.id,
            attempt=speech.attempt,
        )
        end = StreamEnd()
        try:
            await self._listen(speech, call, end)
            status = end.settle(speech)
        except asyncio.CancelledError:
            self._cut_off(speech, call, end)
            raise
        if status != "completed" and self._live.judged:
            self._live.hold()
        # What the mode does next is stored after this, so it need not wait; whoever follows does.
        stored = self._recorder.send(*self._end(speech, call, end, status))
        stored.add_done_callback(lambda stored: self._publish_stored(speech, stored))
        return _reply(speech)

    def _publish_stored(self, speech: Speech, stored: asyncio.Future[None]) -> None:
        """Publish the end of a reply once it is stored."""
        failure = stored.exception()
        if failure is None:
            self._publish_end(speech)
        else:
            self._live.unstored = failure

    def recall(self, record: StepRecord, seat: Seat) -> Reply:
        """Restore a reply that ended in an earlier play, without asking the model."""
        now = asyncio.get_running_loop().time()
        speech = Speech(
            reply_id=record.reply_id,
            seat=seat,
            path=record.path,
            number=record.round,
            purpose=record.purpose,
            order=record.order,
            attempt=record.attempt,
            now=now,
        )
        speech.text = GrowingText(record.text)
        speech.reasoning = GrowingText(record.reasoning)
        speech.first_at = speech.first_text_at = speech.ended_at = now
        speech.status = record.status
        speech.finish_reason = record.finish_reason
        speech.metrics = record.metrics
        speech.error = record.error
        speech.tool_calls = record.tool_calls
        self._live.begin(speech, speech.started(self._live.id))
        self._live.awaken()
        self._publish_calls(speech)
        self._publish_end(speech)
        return _reply(speech)

    def _cut_off(self, speech: Speech, call: Call, end: StreamEnd) -> None:
        """Record the partial reply of a seat whose turn is over, or whose server shuts down."""
        if self._live.interrupted:
            text, reasoning = speech.text.text(), speech.reasoning.text()
            self._recorder.note(
                ReplyText(reply_id=speech.id, attempt=speech.attempt, text=text, reasoning=reasoning)
            )
            return
        end.problem = None
        self._recorder.note(*self._end(speech, call, end, "stopped"))
        self._publish_end(speech)

    def _open(self, speech: Speech, question: Question) -> None:
        self._recorder.note(
            ReplyOpened(
                turn_id=self._live.id,
                reply_id=speech.id,
                path=speech.path,
                parent_reply_id=self._live.parent_reply_id,
                round=speech.round,
                seat=speech.seat.name,
                purpose=speech.purpose,
                order=speech.order,
                model_id=speech.seat.model_id,
                attempt=speech.attempt,
                messages_sha256=question.sha256,
            )
        )
        event = speech.started(self._live.id)
        logged = self._live.log(event)
        self._recorder.note(logged)
        self._live.begin(speech, event, logged.data)

    async def _listen(self, speech: Speech, call: Call, end: StreamEnd) -> None:
        """Read the stream. This loop is the hot path: it runs once per token."""
        say = self._live.say
        try:
            async with aclosing(self._gateway.stream(call)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Delta):
                        say(speech, chunk.channel, mend_surrogates(chunk.text), call.received_at)
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

    def _end(self, speech: Speech, call: Call, end: StreamEnd, status: ReplyStatus) -> list[LogEntry]:
        """Settle the speech and return what is to be stored of it."""
        if end.problem is not None:
            # A blind viewer does not see it: the operator finds the cause in the log.
            provider = call.provider_id or "no provider"
            log.warning(
                "%s (%s): %s %s", call.model_id, provider, end.problem.title, end.problem.detail or ""
            )
        speech.ended_at = asyncio.get_running_loop().time()
        speech.status = status
        speech.finish_reason = end.finish if status == "completed" else None
        speech.error = end.problem
        speech.tool_calls = tuple(end.calls) if status == "completed" else ()
        speech.metrics = call.metrics
        ended = ReplyEnded(
            turn_id=self._live.id,
            reply_id=speech.id,
            attempt=speech.attempt,
            status=status,
            text=speech.text.text(),
            reasoning=speech.reasoning.text(),
            finish_reason=speech.finish_reason,
            metrics=speech.metrics,
            error=speech.error,
            timeline=msgspec.msgpack.encode(speech.timeline.tolist()),
        )
        calls = [self._live.log(event) for event in self._publish_calls(speech)]
        return [ended, *calls, self._live.log(_end_event(self._live.id, speech))]

    def _publish_calls(self, speech: Speech) -> list[ToolCalled]:
        """Publish and return the tool calls of a reply, before their results."""
        calls = _calls(self._live.id, speech)
        for event in calls:
            self._live.publish(event)
        return calls

    def _publish_end(self, speech: Speech) -> None:
        self._live.publish_end(speech, _end_event(self._live.id, speech))

    def _publish_results(self, speech: Speech, question: Question) -> None:
        """Record and publish the results of tools that this turn called, once each."""
        callers = {
            call.id: said.id
            for said in self._live.speeches.values()
            for call in said.tool_calls
            if said.seat == speech.seat
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
        self._recorder.note(logged)
        self._live.publish(event, logged.data)


def _calls(turn_id: str, speech: Speech) -> list[ToolCalled]:
    return [
        ToolCalled(
            turn_id=turn_id, reply_id=speech.id, call_id=call.id, name=call.name, arguments=call.arguments
        )
        for call in speech.tool_calls
    ]


def _end_event(turn_id: str, speech: Speech) -> ReplyCompleted | ReplyFailed:
    if speech.status == "completed":
        return ReplyCompleted(
            turn_id=turn_id,
            reply_id=speech.id,
            attempt=speech.attempt,
            text_end=speech.text.length,
            reasoning_end=speech.reasoning.length,
            finish_reason=speech.finish_reason,
            metrics=speech.metrics,
        )
    return ReplyFailed(
        turn_id=turn_id,
        reply_id=speech.id,
        attempt=speech.attempt,
        status=speech.status,
        text_end=speech.text.length,
        reasoning_end=speech.reasoning.length,
        metrics=speech.metrics,
        error=speech.error,
    )


def _reply(speech: Speech) -> Reply:
    """Return a reply just as its record says it: what a mode makes of it must not depend on which of them it has."""
    return Reply(
        id=speech.id,
        seat=speech.seat,
        round=speech.round,
        text=speech.text.text().replace("\x00", "\ufffd"),
        reasoning=speech.reasoning.text().replace("\x00", "\ufffd"),
        status=speech.status,
        metrics=speech.metrics,
        error=speech.error,
        finish_reason=speech.finish_reason,
        tool_calls=speech.tool_calls,
    )
