"""Characters that fail on purpose, for tests: each shows one fault of a real server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeAlias

from parley.kernel.connector import Chunk, Delta, Finish, Usage
from parley.kernel.errors import Overloaded, Rejected

Fault: TypeAlias = Callable[[int, float], AsyncIterator[Chunk]]
"""Takes the number of the model's call, from 1, and the speed."""

_WORDS = ("This ", "answer ", "was ", "written ", "to ", "be ", "tested ", "with.")


async def _send(words: Sequence[str], pause_s: float) -> AsyncIterator[Chunk]:
    for word in words:
        await asyncio.sleep(pause_s)
        yield Delta("text", word)


async def _answer(words: Sequence[str], pause_s: float, *, first_s: float = 0.0) -> AsyncIterator[Chunk]:
    await asyncio.sleep(first_s)
    async for chunk in _send(words, pause_s):
        yield chunk
    yield Finish("stop")
    yield Usage(1, len(words))


async def _fails(_call: int, _speed: float) -> AsyncIterator[Chunk]:
    raise Rejected("This model refuses every request.", "It was made for tests.")
    yield Finish("stop")


async def _stalls(_call: int, speed: float) -> AsyncIterator[Chunk]:
    async for chunk in _send(_WORDS[:3], 0.02 / speed):
        yield chunk
    await asyncio.Event().wait()


async def _busy(call: int, speed: float) -> AsyncIterator[Chunk]:
    if call <= 2:
        raise Overloaded("This model is busy.", "It answers the third request.", retry_after_s=0.0)
    async for chunk in _answer(_WORDS, 0.02 / speed):
        yield chunk


FAULTS: dict[str, Fault] = {
    "demo-fails": _fails,
    "demo-stalls": _stalls,
    "demo-slow": lambda _, speed: _answer(_WORDS, 0.25 / speed),
    "demo-breaks": lambda _, speed: _send(_WORDS[:4], 0.02 / speed),
    "demo-silent": lambda _, speed: _answer((), 0.0, first_s=0.02 / speed),
    "demo-late": lambda _, speed: _answer(_WORDS, 0.02 / speed, first_s=20 / speed),
    "demo-busy": _busy,
}
"""The faults by model id."""
