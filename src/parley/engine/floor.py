"""The floor: one seat speaks once. What it says is streamed as it comes and stored when it ends."""

import asyncio
import logging
from contextlib import aclosing

import msgspec

from parley.engine.gateway import Call, Gateway
from parley.engine.live_turn import LiveTurn
from parley.engine.metering import measure
from parley.engine.recorder import Recorder
from parley.engine.speech import GrowingText, Speech
from parley.kernel.connector import Delta, Finish, FinishReason, Usage
from parley.kernel.errors import NotFound, ParleyError, Problem
from parley.kernel.events import ReplyCompleted, ReplyFailed, ReplyStarted
from parley.kernel.messages import Message, fingerprint, mend_surrogates
from parley.kernel.mode import Reply
from parley.kernel.models import Model
from parley.kernel.ports import Catalog, LogEntry, ReplyEnded, ReplyOpened, ReplyText, Spent, StepRecord
from parley.kernel.seats import Seat
from parley.kernel.views import Metrics, ReplyStatus

log = logging.getLogger(__name__)

INCOMPLETE = Problem(
    code="reply_incomplete",
    title="The answer broke off before the model said that it was done.",
    detail="What had come is kept. Ask again to get a whole answer.",
)
EMPTY = Problem(
    code="reply_empty",
    title="The model sent an empty answer.",
    detail="Ask again, or choose another model.",
)
BROKEN = Problem(
    code="connector_broken",
    title="Something went wrong inside Parley while this model was asked.",
    detail="What had come is kept; the server's log has the cause. Ask again, or choose another model.",
)


class Heard(msgspec.Struct):
    """How a call to a model ended."""

    usage: Usage | None = None
    finish: FinishReason | None = None
    problem: Problem | None = None
    stalled: bool = False

    def status(self, speech: Speech) -> ReplyStatus:
        """Return what the reply is now: only a finish reason makes it complete."""
        if self.problem is not None:
            return "incomplete" if self.stalled and speech.length else "failed"
        if self.finish is None:
            return "incomplete" if speech.length else "failed"
        return "completed" if speech.text.length else "failed"


class Floor:
    """Lets seats speak in one live turn."""

    def __init__(self, live: LiveTurn, gateway: Gateway, recorder: Recorder, catalog: Catalog) -> None:
        self._live = live
        self._gateway = gateway
        self._recorder = recorder
        self._catalog = catalog

    async def give(self, speech: Speech, messages: tuple[Message, ...], *, seed: int) -> Reply:
        """Let the model of `speech.seat` answer. A failing model is a reply too, never an exception."""
        self._open(speech, messages)
        call = Call(model_id=speech.seat.model_id, messages=messages, seat_seed=seed, reply_id=speech.id)
        heard = Heard()
        try:
            await self._listen(speech, call, heard)
            status = heard.status(speech)
            if heard.problem is None and status != "completed":
                heard.problem = INCOMPLETE if speech.length and heard.finish is None else EMPTY
        except asyncio.CancelledError:
            self._cut_off(speech, messages, call, heard)
            raise
        if status != "completed" and self._live.judged:
            self._live.hold()
        # What the mode does next is stored after this, so it need not wait; whoever follows does.
        stored = self._recorder.send(*self._end(speech, messages, call, heard, status))
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
        self._live.add(speech)
        self._live.tell(_start_event(self._live.id, speech))
        self._live.awaken()
        self._tell_end(speech)
        return _reply(speech)

    def _cut_off(self, speech: Speech, messages: tuple[Message, ...], call: Call, heard: Heard) -> None:
        """Record what a seat has said that must not go on: its scene is over, or the house closes."""
        if self._live.interrupted:
            text, reasoning = speech.text.text(), speech.reasoning.text()
            said = ReplyText(reply_id=speech.id, attempt=speech.attempt, text=text, reasoning=reasoning)
            metrics = self._measured(speech, messages, call, heard)
            self._recorder.note(said, *self._spent(speech, call, metrics))
            return
        heard.problem = None
        self._recorder.note(*self._end(speech, messages, call, heard, "stopped"))
        self._tell_end(speech)

    def _open(self, speech: Speech, messages: tuple[Message, ...]) -> None:
        self._live.add(speech)
        self._recorder.note(
            ReplyOpened(
                turn_id=self._live.id,
                reply_id=speech.id,
                path=speech.path,
                parent_reply_id=self._live.parent_reply_id,
                round=speech.round,
                seat=speech.seat.name,
                purpose=speech.purpose,
                model_id=speech.seat.model_id,
                attempt=speech.attempt,
                messages_sha256=fingerprint(messages),
            )
        )
        event = _start_event(self._live.id, speech)
        logged = self._live.log(event)
        self._recorder.note(logged)
        self._live.tell(event, logged.data)

    async def _listen(self, speech: Speech, call: Call, heard: Heard) -> None:
        """Take in the stream. This loop is the hot path: it runs once per token."""
        clock = asyncio.get_running_loop().time
        say = self._live.say
        try:
            async with aclosing(self._gateway.stream(call)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Delta):
                        say(speech, chunk.channel, mend_surrogates(chunk.text), clock())
                    elif isinstance(chunk, Usage):
                        heard.usage = chunk
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

    def _end(
        self, speech: Speech, messages: tuple[Message, ...], call: Call, heard: Heard, status: ReplyStatus
    ) -> list[LogEntry]:
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
        speech.metrics = self._measured(speech, messages, call, heard)
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
        event = self._live.log(_end_event(self._live.id, speech))
        return [ended, event, *self._spent(speech, call, speech.metrics)]

    def _measured(self, speech: Speech, messages: tuple[Message, ...], call: Call, heard: Heard) -> Metrics:
        """Return what a speech took: just what is booked, and of an ensemble what is booked within it."""
        model = self._model(speech.seat.model_id)
        answered = call.provider_id is not None or speech.length > 0
        return measure(speech, messages, heard.usage, model, answered=answered)

    def _spent(self, speech: Speech, call: Call, metrics: Metrics) -> list[Spent]:
        """Return what is to be booked: nothing where no provider answered."""
        if call.provider_id is None:
            return []
        spent = Spent(
            owner_id=self._live.script.owner_id,
            turn_id=self._live.id,
            reply_id=speech.id,
            attempt=speech.attempt,
            model_id=speech.seat.model_id,
            provider_id=call.provider_id,
            input_tokens=metrics.input_tokens,
            output_tokens=metrics.output_tokens,
            cost_micros=metrics.cost_micros,
            estimated=metrics.estimated,
        )
        return [spent]

    def _tell_end(self, speech: Speech) -> None:
        self._live.tell_end(speech, _end_event(self._live.id, speech))

    def _model(self, model_id: str) -> Model | None:
        try:
            return self._catalog.model(model_id)
        except NotFound:
            return None


def _start_event(turn_id: str, speech: Speech) -> ReplyStarted:
    return ReplyStarted(
        turn_id=turn_id,
        reply_id=speech.id,
        seat=speech.seat.name,
        path=speech.path,
        round=speech.round,
        purpose=speech.purpose,
        attempt=speech.attempt,
    )


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
    )
