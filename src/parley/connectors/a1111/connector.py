"""The connector for the API of Stable Diffusion WebUI: one answer with the pictures, and polled progress."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

import msgspec

from parley.connectors.local_server import LocalServer
from parley.connectors.pictures import PICTURE_BYTES, picture_of, progress_until, restarted
from parley.kernel.connector import ChatRequest, Chunk, Connector, Finish, Progress, Usage
from parley.kernel.errors import Garbled, Rejected, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest
from parley.wire.http import HttpClient

DEFAULT_BASE_URL = "http://127.0.0.1:7860"

POLL_S = 0.5
"""Seconds between two looks at the progress."""


class _Pictures(msgspec.Struct):
    images: list[str]
    info: str = ""


class _Info(msgspec.Struct):
    all_seeds: list[int] = []


class _State(msgspec.Struct):
    sampling_step: int | None = None
    sampling_steps: int | None = None


class _Progress(msgspec.Struct):
    progress: float | None = None
    eta_relative: float | None = None
    state: _State | None = None


class _Listed(msgspec.Struct):
    title: str


class A1111Connector(Connector):
    """Draws by `POST /sdapi/v1/txt2img`; a stopped picture is interrupted at the server."""

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        self._server = LocalServer(provider, client, DEFAULT_BASE_URL)
        self._interrupting: set[asyncio.Task[None]] = set()

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Refuse: this server writes no text."""
        raise Rejected(f"{request.model} draws pictures and writes no text.", "Choose another model.")
        yield  # pragma: no cover

    async def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield polled progress, then the pictures. Raises UpstreamError.

        It can't be asked for the pictures of an earlier request, which it goes on drawing.
        """
        if request.earlier_job is not None:
            raise restarted()
        answer: asyncio.Task[bytes] = asyncio.create_task(
            self._server.post("/sdapi/v1/txt2img", _asked(request), PICTURE_BYTES)
        )
        try:
            async with aclosing(progress_until(answer, POLL_S, self._progress)) as progress:
                async for each in progress:
                    yield each
        finally:
            if answer.cancelled() or not answer.done():
                self._interrupt()
        try:
            made = msgspec.json.decode(answer.result(), type=_Pictures)
        except msgspec.DecodeError:
            made = _Pictures([])
        if not made.images:
            raise Garbled("The server's answer has no picture.", "Ask again, or choose another model.")
        seeds = dict(enumerate(_seeds_in(made.info)))
        for number, encoded in enumerate(made.images[: request.count]):
            yield msgspec.structs.replace(picture_of(encoded), seed=seeds.get(number))
        yield Finish("stop")
        yield Usage(0, 0)

    async def list_models(self) -> Sequence[str]:
        """Return the checkpoints. Raises UpstreamError."""
        return [each.title for each in await self._server.get("/sdapi/v1/sd-models", list[_Listed])]

    async def slots(self) -> int | None:
        """Return 1: it draws one picture after the other."""
        return 1

    async def close(self) -> None:
        """Wait until stopped pictures are interrupted."""
        await asyncio.gather(*self._interrupting, return_exceptions=True)

    async def _progress(self) -> Progress:
        try:
            seen = await self._server.get("/sdapi/v1/progress?skip_current_image=true", _Progress)
        except UpstreamError:
            return Progress()
        state = seen.state or _State()
        return Progress(
            share=min(max(seen.progress or 0.0, 0.0), 1.0),
            step=state.sampling_step,
            steps=state.sampling_steps,
            left_s=round(seen.eta_relative, 1) if seen.eta_relative and seen.eta_relative > 0 else None,
        )

    def _interrupt(self) -> None:
        task = asyncio.create_task(self._server.tell("/sdapi/v1/interrupt", {}))
        self._interrupting.add(task)
        task.add_done_callback(self._interrupting.discard)


def _seeds_in(info: str) -> list[int]:
    """Return the seed of each picture, as far as the server says it."""
    try:
        return msgspec.json.decode(info, type=_Info).all_seeds
    except msgspec.DecodeError:
        return []


def _asked(request: DrawRequest) -> dict[str, object]:
    settings = request.settings
    fields: dict[str, object | None] = {
        "prompt": request.prompt,
        "negative_prompt": settings.negative_prompt,
        "seed": request.seed,
        "steps": settings.steps,
        "width": settings.width,
        "height": settings.height,
        "batch_size": request.count,
        "force_task_id": request.job,
        "override_settings": {"sd_model_checkpoint": request.model},
    }
    return {name: value for name, value in fields.items() if value is not None}
