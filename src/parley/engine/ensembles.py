"""Ensembles: a mode with its brief and seats that answers like a model, within a turn's reply or outside a turn."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from pydantic import ValidationError

from parley.engine.frame import Frame, turn_frame
from parley.engine.hub import Hub
from parley.engine.live_reply import LiveReply
from parley.engine.recorder import Recorder
from parley.engine.stage import LiveStage
from parley.engine.voice import Voice
from parley.kernel.calls import Call
from parley.kernel.caps import NOTHING_USED
from parley.kernel.connector import Chunk, Delta, Finish
from parley.kernel.errors import Unavailable, UpstreamError
from parley.kernel.inbox import Inbox
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import Message, text_of
from parley.kernel.mode import Mode
from parley.kernel.models import Model
from parley.kernel.paths import MOST_DEPTH, depth, inside
from parley.kernel.ports import Clock, Ensemble, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import ModelCard


class EnsembleFailed(UpstreamError):
    """An ensemble did not reach an answer."""

    code = "upstream_ensemble_failed"


class PlayedEnsembles:
    """Implements the kernel's port `Ensembles`: plays the mode in a frame of its own.

    An ensemble takes no provider slot while its members wait for theirs, and has no time limit besides theirs.
    """

    def __init__(
        self,
        *,
        find: Callable[[str], Ensemble],
        modes: Mapping[str, Mode[Any]],
        card: Callable[[str], ModelCard],
        hub: Hub,
        recorder: Recorder,
        open_stage: Callable[[Frame], LiveStage],
        clock: Clock,
    ) -> None:
        """`find` returns the ensemble of a model id, or raises NotFound; `open_stage` is the runner's."""
        self._find = find
        self._modes = modes
        self._card = card
        self._hub = hub
        self._recorder = recorder
        self._open_stage = open_stage
        self._clock = clock
        self._frames: set[Frame] = set()

    def seats(self, model_id: str) -> Sequence[Seat]:
        """Return the seats of an ensemble. Raises NotFound."""
        return self._find(model_id).seats

    async def stream(
        self,
        model: Model,
        messages: Sequence[Message],
        call: Call,
        *,
        key: str,
    ) -> AsyncGenerator[Chunk]:
        """Yield conclusions of earlier rounds as reasoning, total usage, and at the end the answer in one piece.

        Which round is the last is known only at its end, so its text cannot be streamed.
        """
        ensemble = self._find(model.id)
        mode = self._modes.get(ensemble.mode)
        if mode is None or mode.voice is None:
            raise _failed(model, f"The mode “{ensemble.mode}” is not installed.")
        chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()
        voice = Voice(mode.voice, chunks.put_nowait)
        outer = self._outer_frame(call.reply_id, call.owner_id, key)
        parent = outer.replies.get(call.reply_id or "")
        frame = Frame(
            script=inner_script(outer.script, ensemble, messages),
            cards={seat.name: self._card(seat.model_id) for seat in ensemble.seats},
            recorder=self._recorder,
            turn=outer.turn,
            seed=outer.seed,
            owner_id=call.owner_id,
            purpose=call.purpose,
            key_id=call.key_id,
            path=path_within(parent) if parent else model.id,
            parent_reply_id=call.reply_id,
            renewed=parent is not None and has_other_messages(outer.script, parent, key),
            voice=voice,
            purse=outer.purse,
        )
        stage = self._open_stage(frame)
        self._frames.add(frame)
        playing = asyncio.create_task(_play(model, mode, ensemble, stage, voice), name=f"within-{frame.path}")
        playing.add_done_callback(lambda _: chunks.put_nowait(None))
        try:
            while (chunk := await chunks.get()) is not None:
                yield chunk
            answer = await _answer_of(playing, model, frame)
            if frame.turn:
                frame.turn.dropped.update(stage.leftovers)
            yield Delta("text", answer)
            yield Finish("stop")
        finally:
            await _end(playing)
            self._frames.discard(frame)

    def _outer_frame(self, parent_reply_id: str | None, owner_id: str, seed: str) -> Frame:
        """Return the frame of the reply to fill; without a reply, one outside every turn."""
        if parent_reply_id is None:
            script = script_outside(owner_id, self._clock.now())
            return Frame(
                script=script, cards={}, recorder=self._recorder, turn=None, seed=seed, owner_id=owner_id
            )
        turns = (turn_frame(live, self._recorder) for live in self._hub.turns())
        return next(frame for frame in (*turns, *self._frames) if parent_reply_id in frame.replies)


def inner_script(outer: TurnScript, ensemble: Ensemble, messages: Sequence[Message]) -> TurnScript:
    """Return the script of an ensemble: the last message is its prompt, all before that its history.

    System messages are put before the first question, since the inner mode has its own.
    """
    talk = _without_system(messages)
    return msgspec.structs.replace(
        outer,
        mode=ensemble.mode,
        brief=ensemble.brief,
        seats=ensemble.seats,
        input=PromptInput(text_of(talk[-1])),
        prompt=text_of(talk[-1]),
        history={seat.name: tuple(talk[:-1]) for seat in ensemble.seats},
        notes=(),
        unanswered={},
        attached={},
        earlier=(),
        inbox=Inbox(),
        used=NOTHING_USED,
    )


def script_outside(owner_id: str, now: float) -> TurnScript:
    """Return what surrounds an ensemble outside every turn: nothing but the time."""
    return TurnScript(
        turn_id="",
        match_id="",
        session_id="",
        owner_id=owner_id,
        index=0,
        created_at=datetime.fromtimestamp(now, UTC).isoformat(),
        mode="",
        brief={},
        seats=(),
        input=PromptInput(""),
        prompt="",
        history={},
        play=1,
        next_seq=0,
        steps=(),
        notes=(),
    )


def path_within(parent: LiveReply) -> str:
    """Return the path of the replies within a reply."""
    return inside(parent.path, parent.seat.name, parent.round, parent.purpose)


def has_other_messages(script: TurnScript, parent: LiveReply, key: str) -> bool:
    """Return whether a reply's messages differ from those of its last attempt."""
    record = next((step for step in script.steps if step.reply_id == parent.id), None)
    return record is not None and record.messages_sha256 != key


async def _play(model: Model, mode: Mode[Any], ensemble: Ensemble, stage: LiveStage, voice: Voice) -> str:
    """Play the mode to its end and return its answer. Raises EnsembleFailed."""
    if depth(stage.path) > MOST_DEPTH:
        raise _failed(model, "It is nested too deeply in other ensembles.")
    try:
        await mode.play(stage, mode.brief.model_validate(ensemble.brief))
    except Unavailable as error:
        raise _failed(model, error.title, error.detail) from None
    except ValidationError:
        raise _failed(model, "Its settings are from another version.") from None
    if not voice.answer:
        problem = voice.last_reply.error if voice.last_reply else None
        raise _failed(model, problem.title if problem else "", problem.detail if problem else None)
    return voice.answer


async def _answer_of(playing: asyncio.Task[str], model: Model, frame: Frame) -> str:
    """Return the answer. Raises EnsembleFailed; the error of a limit if that refused a call, as it says when to ask."""
    try:
        return await playing
    except EnsembleFailed:
        if frame.refused is None:
            raise
        frame.refused.title = _unanswered(model, frame.refused.title)
        raise frame.refused from None


async def _end(playing: asyncio.Task[str]) -> None:
    """Stop the inner play and wait until it has ended."""
    playing.cancel()
    await asyncio.wait([playing])
    if not playing.cancelled():
        playing.exception()  # already raised to the reader, if there still is one


def _failed(model: Model, why: str, advice: str | None = None) -> EnsembleFailed:
    """Return the error for an ensemble without an answer."""
    return EnsembleFailed(
        _unanswered(model, why),
        advice or "Ask again, or choose another model.",
    )


def _unanswered(model: Model, why: str) -> str:
    return f"{model.name} did not reach an answer. {why}".rstrip()


def _without_system(messages: Sequence[Message]) -> list[Message]:
    rules = "\n\n".join(text_of(message) for message in messages if message.role == "system")
    talk = [message for message in messages if message.role != "system"]
    if rules:
        first = next(at for at, message in enumerate(talk) if message.role == "user")
        talk[first] = Message("user", f"{rules}\n\n{text_of(talk[first])}")
    return talk
