"""Characters that fail on purpose, for tests: each shows one fault of a real server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.kernel.errors import Overloaded, Rejected

Fault: TypeAlias = Callable[[ChatRequest, int, float], AsyncIterator[Chunk]]
"""(request, which call of this model it is, speed) to an answer."""

_WORDS = ("This ", "answer ", "was ", "written ", "to ", "be ", "tested ", "with.")


async def _fails(_request: ChatRequest, _call: int, _speed: float) -> AsyncIterator[Chunk]:
    raise Rejected("This model refuses every request.", "It was made for tests.")
    yield Finish("stop")


async def _stalls(_request: ChatRequest, _call: int, speed: float) -> AsyncIterator[Chunk]:
    for word in _WORDS[:3]:
        await asyncio.sleep(0.02 / speed)
        yield Delta("text", word)
    await asyncio.Event().wait()


async def _slow(_request: ChatRequest, _call: int, speed: float) -> AsyncIterator[Chunk]:
    async for chunk in _whole(0.25 / speed):
        yield chunk


async def _breaks(_request: ChatRequest, _call: int, speed: float) -> AsyncIterator[Chunk]:
    for word in _WORDS[:4]:
        await asyncio.sleep(0.02 / speed)
        yield Delta("text", word)


async def _silent(_request: ChatRequest, _call: int, speed: float) -> AsyncIterator[Chunk]:
    await asyncio.sleep(0.02 / speed)
    yield Finish("stop")
    yield Usage(1, 0)


async def _late(_request: ChatRequest, _call: int, speed: float) -> AsyncIterator[Chunk]:
    await asyncio.sleep(20 / speed)
    async for chunk in _whole(0.02 / speed):
        yield chunk


async def _busy(_request: ChatRequest, call: int, speed: float) -> AsyncIterator[Chunk]:
    if call <= 2:
        raise Overloaded("This model is busy.", "It answers the third request.", retry_after_s=0.0)
    async for chunk in _whole(0.02 / speed):
        yield chunk


async def _whole(pause_s: float) -> AsyncIterator[Chunk]:
    for word in _WORDS:
        await asyncio.sleep(pause_s)
        yield Delta("text", word)
    yield Finish("stop")
    yield Usage(1, len(_WORDS))


FAULTS: dict[str, Fault] = {
    "demo-fails": _fails,
    "demo-stalls": _stalls,
    "demo-slow": _slow,
    "demo-breaks": _breaks,
    "demo-silent": _silent,
    "demo-late": _late,
    "demo-busy": _busy,
}
"""The faults by model id."""
