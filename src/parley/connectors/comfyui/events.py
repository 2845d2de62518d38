"""Events of a job at ComfyUI: steps, previews, its end."""

import asyncio
import struct
from collections.abc import AsyncGenerator

import msgspec

from parley.kernel.connector import Progress
from parley.kernel.errors import UpstreamError

PREVIEW_S = 2.0
"""Seconds between two previews: each is stored."""

_PREVIEW, _PREVIEW_WITH_NAME = 1, 4


class _Data(msgspec.Struct):
    prompt_id: str | None = None
    node: str | None = None
    value: float | None = None
    max: float | None = None


class _Event(msgspec.Struct):
    type: str = ""
    data: _Data = msgspec.field(default_factory=_Data)


class JobEvents:
    """The events of one job. Without a connection, or after its end, nothing comes: then the job is looked at."""

    def __init__(self, job: str, messages: AsyncGenerator[str | bytes]) -> None:
        """`messages`: those of a connection in the job's name, which may fail to be made."""
        self.job = job
        self._messages = messages
        self._steps = _Steps()
        self._unsent: Progress | None = None
        self._changed = asyncio.Event()
        self._ended = False
        self._task = asyncio.create_task(self._listen())

    @property
    def tells(self) -> bool:
        """The job is being drawn, and its steps are data."""
        return self._steps.begun and not self._task.done()

    async def within(self, seconds: float) -> AsyncGenerator[Progress]:
        """Yield progress as it comes, for so many seconds or until the job has ended."""
        until = asyncio.get_running_loop().time() + seconds
        while not self._ended:
            try:
                async with asyncio.timeout_at(until):
                    await self._changed.wait()
            except TimeoutError:
                return
            self._changed.clear()
            if self._unsent is not None:
                progress, self._unsent = self._unsent, None
                yield progress
        self._ended = False

    async def close(self) -> None:
        """End the connection."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            async for message in self._messages:
                self._take(message)
        except UpstreamError:
            return
        finally:
            await self._messages.aclose()

    def _take(self, message: str | bytes) -> None:
        now = asyncio.get_running_loop().time()
        if isinstance(message, bytes):
            progress = self._steps.previewed(message, now)
        else:
            try:
                event = msgspec.json.decode(message, type=_Event)
            except (msgspec.DecodeError, RecursionError):
                return
            if event.data.prompt_id != self.job:
                return
            self._ended = self._ended or (event.type == "executing" and event.data.node is None)
            progress = self._steps.stepped(event.data, now) if event.type == "progress" else None
        if progress is not None or self._ended:
            self._unsent = progress or self._unsent
            self._changed.set()


class _Steps:
    """The steps of the sampler, and the seconds that the remaining ones will take."""

    def __init__(self) -> None:
        self._last = Progress()
        self._began: tuple[float, float] | None = None
        self._previewed_at = -PREVIEW_S
        self.begun = False

    def stepped(self, data: _Data, now: float) -> Progress | None:
        """Return the progress after a step; None if none was data."""
        if data.value is None or not data.max or data.max < 1:
            return None
        self.begun = True
        done, whole = min(max(data.value, 0.0), data.max), data.max
        if self._began is None or done < self._began[1]:
            self._began = (now, done)
        moment, first = self._began
        left = (now - moment) / (done - first) * (whole - done) if done > first else None
        self._last = Progress(
            share=done / whole,
            step=int(done),
            steps=int(whole),
            left_s=None if left is None else round(left, 1),
        )
        return self._last

    def previewed(self, message: bytes, now: float) -> Progress | None:
        """Return the progress with the picture as it is so far; None if it is too soon, or no picture."""
        picture = _picture(message)
        if not picture or now < self._previewed_at + PREVIEW_S:
            return None
        self._previewed_at = now
        return msgspec.structs.replace(self._last, preview=picture)


def _picture(message: bytes) -> bytes:
    """Return the picture of a binary message, after its kind and the picture's; empty if it has none."""
    if len(message) < 8:
        return b""
    kind, length = struct.unpack(">II", message[:8])
    if kind == _PREVIEW:
        return message[8:]
    return message[8 + length :] if kind == _PREVIEW_WITH_NAME else b""
