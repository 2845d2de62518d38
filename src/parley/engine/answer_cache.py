"""The answer cache: reuses a model's answer to the same question, for the same person.

The key covers the model with its prices and routes, the configuration of its providers, the messages, the options, the
person and the place in the match. A change of any of them misses, so nothing has to be deleted. Two seats with the same
model have separate answers.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Delta, Finish, FinishReason, Made, Progress, Rethought, Usage
from parley.kernel.errors import NotFound
from parley.kernel.messages import Channel, ToolCall, fingerprint
from parley.kernel.models import Model, Provider
from parley.kernel.ports import AnswerStore, Catalog

log = logging.getLogger(__name__)

VERSION = 1
WITHIN_S = 1.0
"""Time limit for a lookup or a write: a call must not wait for a store that hangs."""

PAUSE_S = 30.0
"""Seconds that a failed store is left unused."""


FORGET_S = 10.0
"""Seconds that deleting all of a person's answers may take."""


class _StoredAnswer(msgspec.Struct, array_like=True):
    """An answer as it is stored: texts by channel in order, then tool calls, usage and why it ended."""

    texts: list[tuple[Channel, str]]
    calls: list[ToolCall]
    usage: Usage | None
    finish: FinishReason


class AnswerCache:
    """Reads and stores answers. A store that fails is logged and never fails a call."""

    def __init__(self, answers: AnswerStore, catalog: Catalog) -> None:
        self._answers = answers
        self._catalog = catalog
        self._paused_until = 0.0

    def key(self, model: Model, call: Call) -> str | None:
        """Return the key of a call; None if its answer is neither read nor stored."""
        if not model.cache_s or not call.replaceable or call.sealed:
            return None
        try:
            providers = [self._catalog.provider(route.provider) for route in model.routes]
        except NotFound:
            return None
        question = fingerprint(call.messages, call.options)
        known = (VERSION, call.owner_id, call.place, model, [_public(each) for each in providers], question)
        return _of(call.owner_id) + hashlib.sha256(msgspec.msgpack.encode(known)).hexdigest()

    async def forget(self, owner_id: str) -> None:
        """Delete all stored answers to a person."""
        try:
            async with asyncio.timeout(FORGET_S):
                await self._answers.forget(_of(owner_id))
        except (OSError, TimeoutError) as error:
            self._pause(error)

    async def read(self, key: str) -> Sequence[Chunk] | None:
        """Return the chunks of a stored answer; None if there is none."""
        if self._is_paused():
            return None
        try:
            async with asyncio.timeout(WITHIN_S):
                stored = await self._answers.read(key)
            return None if stored is None else _chunks(msgspec.msgpack.decode(stored, type=_StoredAnswer))
        except (OSError, TimeoutError, msgspec.DecodeError) as error:
            self._pause(error)
            return None

    async def store(self, key: str, chunks: Sequence[Chunk], model: Model) -> None:
        """Store an answer for the model's `cache_s`, if it is complete."""
        stored = _kept(chunks)
        if stored is None or not model.cache_s or self._is_paused():
            return
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._answers.write(key, msgspec.msgpack.encode(stored), model.cache_s)
        except (OSError, TimeoutError) as error:
            self._pause(error)

    def _is_paused(self) -> bool:
        return asyncio.get_running_loop().time() < self._paused_until

    def _pause(self, error: Exception) -> None:
        self._paused_until = asyncio.get_running_loop().time() + PAUSE_S
        log.warning(
            "The answer cache is unavailable, so models are asked directly: %s. Retrying in %d s.",
            error or type(error).__name__,
            PAUSE_S,
        )


class MemoryAnswers:
    """Stored answers in memory; the least recently used go first when they take more than `most_bytes`."""

    def __init__(self, most_bytes: int = 64 << 20) -> None:
        self._most = most_bytes
        self._size = 0
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()

    async def read(self, key: str) -> bytes | None:
        """Return what is stored; None if there is nothing, or no longer."""
        stored = self._kept.get(key)
        if stored is None:
            return None
        if stored[0] <= asyncio.get_running_loop().time():
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return stored[1]

    async def write(self, key: str, answer: bytes, ttl_s: float) -> None:
        """Store an answer for some seconds."""
        self._drop(key)
        self._kept[key] = (asyncio.get_running_loop().time() + ttl_s, answer)
        self._size += len(answer)
        while self._size > self._most:
            self._drop(next(iter(self._kept)))

    async def forget(self, beginning: str) -> None:
        """Delete what is stored under keys with this beginning."""
        for key in [key for key in self._kept if key.startswith(beginning)]:
            self._drop(key)

    async def close(self) -> None:
        """Nothing is held open."""

    def _drop(self, key: str) -> None:
        _, answer = self._kept.pop(key, (0.0, b""))
        self._size -= len(answer)


def _of(owner_id: str) -> str:
    """Return the beginning of the keys of a person."""
    return hashlib.sha256(owner_id.encode()).hexdigest()[:16] + ":"


def _public(provider: Provider) -> Provider:
    """Return a provider without its key, which does not affect answers."""
    return msgspec.structs.replace(provider, api_key=None)


def _kept(chunks: Sequence[Chunk]) -> _StoredAnswer | None:
    """Return what to store; None for an answer that was interrupted, cut short or filtered, or has pictures."""
    texts: list[tuple[Channel, list[str]]] = []
    calls: list[ToolCall] = []
    usage, finish = None, None
    for chunk in chunks:
        if isinstance(chunk, Delta):
            if not texts or texts[-1][0] != chunk.channel:
                texts.append((chunk.channel, []))
            texts[-1][1].append(chunk.text)
        elif isinstance(chunk, ToolCall):
            calls.append(chunk)
        elif isinstance(chunk, Usage):
            usage = chunk
        elif isinstance(chunk, Made | Progress):
            return None
        elif isinstance(chunk, Rethought):
            texts = [("reasoning", [part for _, parts in texts for part in parts])]
        else:
            finish = finish or chunk.reason
    if finish not in ("stop", "tool_calls") or not (texts or calls):
        return None
    return _StoredAnswer([(channel, "".join(parts)) for channel, parts in texts], calls, usage, finish)


def _chunks(stored: _StoredAnswer) -> list[Chunk]:
    texts = [Delta(channel, text) for channel, text in stored.texts]
    return [*texts, *stored.calls, Finish(stored.finish), *([stored.usage] if stored.usage else [])]
