"""The floor: one seat speaks once. What it says is streamed as it comes and stored when it ends."""

import asyncio
import logging
from contextlib import aclosing
from typing import NamedTuple

import msgspec

from parley.engine.gateway import Call, Gateway
from parley.engine.heard import Heard
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.speech import GrowingText, Speech
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
        """What tells it from another question."""
        return fingerprint(self.messages, self.options)


class Floor:
    """Lets seats speak in one live turn."""

    def __init__(self, live: LiveTurn, gateway: Gateway, recorder: Recorder) -> None:
        self._live = live
        self._gateway = gateway
        self._recorder = recorder
        self._returned: set[str] = set()

    async def give(self, speech: Speech, question: Question, *, seed: int) -> Reply:
        """Let the model of `speech.seat` answer. A failing model is a reply too, never an exception."""
        self._tell_returned(speech, question)
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
        heard = Heard()
        try:
            await self._listen(speech, call, heard)
            status = heard.settle(speech)
        except asyncio.CancelledError:
            self._cut_off(speech, call, heard)
            raise
        if status != "completed" and self._live.judged:
            self._live.hold()
        # What the mode does next is stored after this, so it need not wait; whoever follows does.
        stored = self._recorder.send(*self._end(speech, call, heard, status))
        stored.add_done_callback(lambda stored: self._told(speech, stored))
        return _reply(speech)

    def _told(self, speech: Speech, stored: asyncio.Future[None]) -> None:
        """Tell the end of a speech once it is stored."""
        failure = stored.exception()
        if failure is None:
            self._tell_end(speech)
        else:
            self._live.unstored = failure

    def recall(self, record: StepRecord, seat: Seat) -> Reply:
        """Bring back how a reply ended in an earlier play, without asking anybody."""
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
        self._tell_calls(speech)
        self._tell_end(speech)
        return _reply(speech)

    def _cut_off(self, speech: Speech, call: Call, heard: Heard) -> None:
        """Record what a seat has said that must not go on: its scene is over, or the house closes."""
        if self._live.interrupted:
            text, reasoning = speech.text.text(), speech.reasoning.text()
            self._recorder.note(
                ReplyText(reply_id=speech.id, attempt=speech.attempt, text=text, reasoning=reasoning)
            )
            return
        heard.problem = None
        self._recorder.note(*self._end(speech, call, heard, "stopped"))
        self._tell_end(speech)

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

    async def _listen(self, speech: Speech, call: Call, heard: Heard) -> None:
        """Take in the stream. This loop is the hot path: it runs once per token."""
        say = self._live.say
        try:
            async with aclosing(self._gateway.stream(call)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Delta):
                        say(speech, chunk.channel, mend_surrogates(chunk.text), call.heard_at)
                    elif isinstance(chunk, ToolCall):
                        heard.calls.append(chunk)
                    elif isinstance(chunk, Finish):
                        heard.finish = heard.finish or chunk.reason
        except NotFound:
            heard.problem = Problem(
                code="model_gone",
                title="This model is no longer in the catalog.",
                detail="Choose another model, or add it to the model list again.",
            )
        except ParleyError as error:
            heard.problem = error.problem
            heard.stalled = error.leaf_code == "upstream_stalled"
        except Exception:
            log.exception("the connector of %s failed", call.model_id)
            heard.problem = BROKEN

    def _end(self, speech: Speech, call: Call, heard: Heard, status: ReplyStatus) -> list[LogEntry]:
        """Settle the speech and return what is to be stored of it."""
        if heard.problem is not None:
            # A blind viewer is not told: whoever runs the server must be able to find out.
            provider = call.provider_id or "no provider"
            log.warning(
                "%s (%s): %s %s", call.model_id, provider, heard.problem.title, heard.problem.detail or ""
            )
        speech.ended_at = asyncio.get_running_loop().time()
        speech.status = status
        speech.finish_reason = heard.finish if status == "completed" else None
        speech.error = heard.problem
        speech.tool_calls = tuple(heard.calls) if status == "completed" else ()
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
        calls = [self._live.log(event) for event in self._tell_calls(speech)]
        return [ended, *calls, self._live.log(_end_event(self._live.id, speech))]

    def _tell_calls(self, speech: Speech) -> list[ToolCalled]:
        """Tell which tools a reply calls, before what they answer; return what was told."""
        calls = _calls(self._live.id, speech)
        for event in calls:
            self._live.tell(event)
        return calls

    def _tell_end(self, speech: Speech) -> None:
        self._live.tell_end(speech, _end_event(self._live.id, speech))

    def _tell_returned(self, speech: Speech, question: Question) -> None:
        """Record and tell what tools have answered to calls of this turn, once each."""
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
            self._tell(
                ToolReturned(
                    turn_id=self._live.id,
                    reply_id=callers[call_id],
                    call_id=call_id,
                    content=mend_surrogates(text_of(message)),
                    failed=message.failed,
                )
            )

    def _tell(self, event: Event) -> None:
        logged = self._live.log(event)
        self._recorder.note(logged)
        self._live.tell(event, logged.data)


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
