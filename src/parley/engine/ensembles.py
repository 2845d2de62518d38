"""Ensembles: a mode with its brief and seats that answers like a model."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from parley.engine.asking import Asker
from parley.engine.gateway import Gateway
from parley.engine.hub import Hub
from parley.engine.inner_turn import InnerStage, InnerTurn, asked_otherwise, inner_turn, path_within
from parley.engine.live_reply import LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.kernel.connector import Chunk, Delta, Finish
from parley.kernel.errors import Unavailable, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.mode import Mode
from parley.kernel.models import Model
from parley.kernel.paths import MOST_DEPTH, depth
from parley.kernel.ports import Ensemble
from parley.kernel.seats import Seat
from parley.kernel.views import ModelCard

log = logging.getLogger(__name__)


class EnsembleFailed(UpstreamError):
    """An ensemble did not reach an answer."""

    code = "upstream_ensemble_failed"


class PlayedEnsembles:
    """Implements the kernel's port `Ensembles`: plays the mode within the reply that its answer becomes.

    An ensemble takes no provider slot while its members wait for theirs, and has no time limit besides theirs.
    """

    def __init__(
        self,
        *,
        find: Callable[[str], Ensemble],
        modes: Mapping[str, Mode[Any]],
        card: Callable[[str], ModelCard],
        hub: Hub,
        gateway: Gateway,
        recorder: Recorder,
        computing: asyncio.Semaphore,
    ) -> None:
        """`find` returns the ensemble of a model id, or raises NotFound; `computing` is the runner's."""
        self._find = find
        self._modes = modes
        self._card = card
        self._hub = hub
        self._gateway = gateway
        self._recorder = recorder
        self._computing = computing
        self._played: set[InnerTurn] = set()

    def seats(self, model_id: str) -> Sequence[Seat]:
        """Return the seats of an ensemble. Raises NotFound."""
        return self._find(model_id).seats

    async def stream(
        self, model: Model, messages: Sequence[Message], parent_reply_id: str | None, asked_sha256: str
    ) -> AsyncGenerator[Chunk]:
        """Yield conclusions of earlier rounds as reasoning, total usage, and at the end the answer in one piece.

        Which round is the last is known only at its end, so its text cannot be streamed.
        """
        ensemble = self._find(model.id)
        outer, parent = self._outer_reply(model, parent_reply_id)
        chunks: asyncio.Queue[Chunk | None] = asyncio.Queue()
        inner = inner_turn(outer, parent, ensemble, messages, self._card)
        mode = self._modes.get(ensemble.mode)
        if mode is None or mode.voice is None:
            raise _failed(model, f"The mode “{ensemble.mode}” is not installed.")
        stage = InnerStage(
            inner,
            Asker(inner, self._gateway, self._recorder),
            self._recorder,
            self._computing,
            path=path_within(parent),
            voice=mode.voice,
            asked_otherwise=asked_otherwise(outer.script, parent, asked_sha256),
            emit=chunks.put_nowait,
        )
        self._played.add(inner)
        playing = asyncio.create_task(self._play(model, mode, ensemble, stage), name=f"within-{parent.id}")
        playing.add_done_callback(lambda _: chunks.put_nowait(None))
        try:
            while (chunk := await chunks.get()) is not None:
                yield chunk
            answer = await playing
            inner.drop(stage.leftovers)
            yield Delta("text", answer)
            yield Finish("stop")
        finally:
            await _end(playing, inner)
            self._played.discard(inner)

    async def _play(self, model: Model, mode: Mode[Any], ensemble: Ensemble, stage: InnerStage) -> str:
        """Play the mode to its end and return its answer. Raises EnsembleFailed."""
        if depth(stage.path) > MOST_DEPTH:
            raise _failed(model, "It is nested too deeply in other ensembles.")
        try:
            await mode.play(stage, mode.brief.model_validate(ensemble.brief))
        except Unavailable as error:
            raise _failed(model, error.title, error.detail) from None
        except ValidationError:
            raise _failed(model, "Its settings are from another version.") from None
        if not stage.answer:
            problem = stage.last_reply.error if stage.last_reply else None
            raise _failed(model, problem.title if problem else "", problem.detail if problem else None)
        return stage.answer

    def _outer_reply(self, model: Model, reply_id: str | None) -> tuple[LiveTurn, LiveReply]:
        """Return the reply to fill, and its turn. Raises EnsembleFailed."""
        for live in (*self._hub.turns(), *self._played):
            if reply_id is not None and reply_id in live.replies:
                return live, live.replies[reply_id]
        raise _failed(model, "An ensemble can only answer within a turn.", "Choose a single model for this.")


async def _end(playing: asyncio.Task[str], inner: InnerTurn) -> None:
    """Stop the inner play and wait until it has ended."""
    inner.close()
    playing.cancel()
    await asyncio.wait([playing])
    if not playing.cancelled():
        playing.exception()  # already raised to the reader, if there still is one
    inner.settle()


def _failed(model: Model, why: str, advice: str | None = None) -> EnsembleFailed:
    """Return the error for an ensemble without an answer."""
    return EnsembleFailed(
        f"{model.name} did not reach an answer. {why}".rstrip(),
        advice or "Ask again, or choose another model.",
    )
