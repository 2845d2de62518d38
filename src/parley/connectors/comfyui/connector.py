"""The connector for ComfyUI. A job has Parley's name, so that it is found again after a restart of either."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from parley.connectors.comfyui.events import JobEvents
from parley.connectors.comfyui.graph import graph_of
from parley.connectors.local_server import LocalServer
from parley.connectors.pictures import PICTURE_BYTES
from parley.kernel.connector import ChatRequest, Chunk, Connector, Finish, Made, Progress, Usage
from parley.kernel.errors import BrokenOff, Garbled, Rejected, Unreachable, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest
from parley.wire.http import HttpClient

DEFAULT_BASE_URL = "http://127.0.0.1:8188"

POLL_S = 0.5
"""Seconds between two looks at a job."""

EVENTS_LOOK_S = 5.0
"""Seconds between two looks at a job whose steps are sent."""

LOST_S = 20.0
"""Seconds for which a server may be out of reach, or not know a job, before its picture is given up."""


class _File(msgspec.Struct):
    filename: str
    subfolder: str = ""
    type: str = "output"


class _Output(msgspec.Struct):
    images: list[_File] = []


class _Status(msgspec.Struct):
    status_str: str = ""
    completed: bool = False
    messages: list[list[object]] = []


class _Done(msgspec.Struct):
    outputs: dict[str, _Output] = {}
    status: _Status | None = None


class _Loader(msgspec.Struct):
    input: dict[str, dict[str, list[object]]]


class _Queue(msgspec.Struct):
    queue_running: list[list[object]] = []
    queue_pending: list[list[object]] = []


class ComfyUIConnector(Connector):
    """Draws by `POST /prompt`; listens to the job's events, and looks at `/queue` and `/history`.

    Where no WebSocket gets through, it looks alone: then there are no steps.
    """

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        self._server = LocalServer(provider, client, DEFAULT_BASE_URL)
        self._stopping: set[asyncio.Task[None]] = set()

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Refuse: this server writes no text."""
        raise Rejected(f"{request.model} draws pictures and writes no text.", "Choose another model.")
        yield  # pragma: no cover

    async def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield the place in the queue, steps and previews, then the pictures; resume a job that the server knows.

        Raises UpstreamError.
        """
        known = await self._known_job(request)
        job, done = known or _job_id(request.job), None
        events = JobEvents(job, self._server.listen(f"/ws?clientId={job}"))
        try:
            if known is None:
                job = events.job = await self._submit(request)
            yield Progress()
            async with aclosing(self._watch(job, events)) as watched:
                async for each in watched:
                    if isinstance(each, Progress):
                        yield each
                    else:
                        done = each
        finally:
            await events.close()
            if done is None:
                self._stop(job)
        for file in _files(done or _Done())[: request.count]:
            query = urlencode({"filename": file.filename, "subfolder": file.subfolder, "type": file.type})
            yield Made(await self._server.read(f"/view?{query}", PICTURE_BYTES), seed=request.seed)
        yield Finish("stop")
        yield Usage(0, 0)

    async def _watch(self, job: str, events: JobEvents) -> AsyncGenerator[Progress | _Done]:
        """Yield the progress of a job, and its result. Raises UpstreamError."""
        clock = asyncio.get_running_loop()
        known_at = clock.time()
        while True:
            ahead: int | None = None
            try:
                done, ahead = await self._look(job)
                if done is not None:
                    yield done
                    return
            except Unreachable:
                pass
            if ahead is not None or events.tells:
                known_at = clock.time()
            elif clock.time() >= known_at + LOST_S:
                raise BrokenOff(
                    "ComfyUI has lost this picture: it was restarted, or can't be reached any more.",
                    "Start it, then retry.",
                )
            if not events.tells:
                yield Progress(ahead=ahead or None)
            async with aclosing(events.within(EVENTS_LOOK_S if events.tells else POLL_S)) as progressing:
                async for progress in progressing:
                    yield progress

    async def list_models(self) -> Sequence[str]:
        """Return the checkpoints. Raises UpstreamError."""
        return checkpoints_of(
            await self._server.get("/object_info/CheckpointLoaderSimple", dict[str, object])
        )

    async def slots(self) -> int | None:
        """Return 1: it draws one picture after the other."""
        return 1

    async def close(self) -> None:
        """Wait until stopped jobs are removed."""
        await asyncio.gather(*self._stopping, return_exceptions=True)

    async def _known_job(self, request: DrawRequest) -> str | None:
        """Return the job of this request, or of the interrupted one before it, if the server knows it."""
        for name in (request.job, request.earlier_job):
            if name is not None and await self._look(job := _job_id(name)) != (None, None):
                return job
        return None

    async def _submit(self, request: DrawRequest) -> str:
        job = _job_id(request.job)
        fields: dict[str, object] = {"prompt": graph_of(request), "prompt_id": job, "client_id": job}
        answer = await self._server.post("/prompt", fields)
        try:
            # An older server gives a job a name of its own.
            return str(msgspec.json.decode(answer, type=dict[str, object])["prompt_id"])
        except (msgspec.DecodeError, KeyError):
            raise Garbled("ComfyUI did not queue this picture.", "Check its version, then retry.") from None

    async def _look(self, job: str) -> tuple[_Done | None, int | None]:
        """Return a finished job, or the jobs ahead of a queued one (0 while it runs); None and None if unknown."""
        finished = await self._server.get(f"/history/{job}", dict[str, _Done])
        if job in finished:
            return finished[job], None
        queue = await self._server.get("/queue", _Queue)
        if any(job in entry[1:2] for entry in queue.queue_running):
            return None, 0
        waiting = sorted(queue.queue_pending, key=_number)
        places = [place for place, entry in enumerate(waiting) if job in entry[1:2]]
        return None, places[0] + len(queue.queue_running) if places else None

    def _stop(self, job: str) -> None:
        async def stop() -> None:
            await self._server.tell("/queue", {"delete": [job]})
            with contextlib.suppress(UpstreamError):
                # Older servers interrupt whatever they draw, also for others.
                if await self._look(job) == (None, 0):
                    await self._server.tell("/interrupt", {"prompt_id": job})

        task = asyncio.create_task(stop())
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)


def checkpoints_of(info: Mapping[str, object]) -> list[str]:
    """Return the names of checkpoints in what ComfyUI says of its loader; empty if it says nothing of them."""
    try:
        loader = msgspec.convert(info["CheckpointLoaderSimple"], type=_Loader)
        names = loader.input["required"]["ckpt_name"][0]
    except (KeyError, IndexError, msgspec.ValidationError):
        return []
    return msgspec.convert(names, type=list[str]) if isinstance(names, list) else []


def _files(done: _Done) -> list[_File]:
    """Return the pictures of a finished job. Raises Rejected with the server's words if it failed."""
    files = [file for output in done.outputs.values() for file in output.images if file.type == "output"]
    if files:
        return files
    why = next(
        (words for message in (done.status or _Status()).messages if (words := _reason(message))), None
    )
    raise Rejected(
        "ComfyUI could not draw this picture.",
        why or "See its own log for the cause.",
        code="upstream_rejected",
    )


def _reason(message: list[object]) -> str | None:
    match message:
        case ["execution_error", {"exception_message": str(words)}]:
            return words[:300]
        case ["execution_interrupted", _]:
            return "It was interrupted there."
        case _:
            return None


def _number(entry: list[object]) -> float:
    first = entry[0] if entry else 0
    return first if isinstance(first, int | float) else 0.0


def _job_id(name: str) -> str:
    """Return a job's name in the form that ComfyUI gives its own."""
    try:
        return str(UUID(name))
    except ValueError:
        return name
