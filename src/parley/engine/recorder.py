"""The recorder: writes entries to the turn log, in order, many to a transaction."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from parley.engine.sealed_entries import sealed_entry
from parley.kernel.calls import CallEnded
from parley.kernel.errors import Unavailable
from parley.kernel.ports import LogEntry, TurnLog
from parley.kernel.replicas import TurnsLost
from parley.kernel.sealing import Seal

CHECKPOINT_S = 1.0
SOON_S = 0.005
"""Seconds that sent entries wait for more: most often a turn's end follows its last reply's."""

RETRIES_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Pauses between attempts while the database is locked or full; the last one repeats."""

LAST_RETRIES_S = 0.2
"""The longest pause between attempts once the server shuts down."""

CLOSING_S = 3.0
"""Seconds to retry once the server shuts down."""

log = logging.getLogger(__name__)


FULL_S = 10.0
"""Seconds that turns wait for space on a full disk before they fail."""


class Batch(NamedTuple):
    """Entries that belong together, and a future for those who wait until they are stored."""

    entries: tuple[LogEntry, ...]
    stored: asyncio.Future[None] | None = None


class Recorder:
    """Group-commits entries in order: `enqueue` within a second, `send` at once, `commit` before it returns.

    Implements the kernel's port `Calls`. While the database is locked or full, everything waits and nothing is lost;
    only a recorder that is being closed gives up.
    """

    def __init__(self, turn_log: TurnLog, checkpoints: Callable[[], Iterable[LogEntry]]) -> None:
        self._log = turn_log
        self._checkpoints = checkpoints
        self._queue: list[Batch] = []
        self._calls: list[CallEnded] = []
        self._urgent = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._give_up_at: float | None = None
        self._closing = asyncio.Event()
        self._soon: asyncio.TimerHandle | None = None
        self.seals: dict[str, Seal] = {}
        """The keys of the sealed turns that are being played, by turn: what is queued of them is sealed at once."""

    def start(self) -> None:
        """Begin to write; needs a running loop."""
        self._task = asyncio.create_task(self._run(), name="parley-recorder")

    def enqueue(self, *entries: LogEntry) -> None:
        """Queue entries; they are stored, in order, within a second."""
        self._put(entries)

    def record(self, ended: CallEnded) -> None:
        """Queue a request; it is stored with the next entries, such as its reply's end."""
        self._calls.append(ended)

    def send(self, *entries: LogEntry) -> asyncio.Future[None]:
        """Queue entries; return a future that is done once they and all before them are stored.

        It fails with Unavailable if the recorder closes before that.
        """
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[None] = loop.create_future()
        if self._task is not None and self._task.done():
            stored.set_exception(
                Unavailable(
                    "Parley is shutting down.",
                    "Nothing was saved. Try again once it runs.",
                    code="shutting_down",
                )
            )
            return stored
        self._put(entries, stored)
        if self._soon is None:
            self._soon = loop.call_later(SOON_S, self._urgent.set)
        return stored

    async def commit(self, *entries: LogEntry) -> None:
        """Queue entries and wait until they and all before them are stored. Raises Unavailable."""
        stored = self.send(*entries)
        self._urgent.set()
        await stored

    async def close(self) -> None:
        """Store what is queued, then stop."""
        self._give_up_at = asyncio.get_running_loop().time() + CLOSING_S
        self._closing.set()
        self._urgent.set()
        if self._task:
            await self._task

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        due = clock() + CHECKPOINT_S
        while self._give_up_at is None or self._queue or self._calls:
            late = clock() >= due
            try:
                async with asyncio.timeout_at(due):
                    await self._urgent.wait()
            except TimeoutError:
                late = True
            if late:
                self._put(self._checkpoints())
                due = clock() + CHECKPOINT_S
            self._urgent.clear()
            if self._soon is not None:
                self._soon.cancel()
                self._soon = None
            if self._calls:
                self._put(())
            batch, self._queue = self._queue, []
            await self._store(batch)

    def _put(self, entries: Iterable[LogEntry], stored: asyncio.Future[None] | None = None) -> None:
        if self.seals:
            entries = [self._sealed(entry) for entry in entries]
        self._queue.append(Batch((*self._calls, *entries), stored))
        self._calls.clear()

    def _sealed(self, entry: LogEntry) -> LogEntry:
        seal = self.seals.get(getattr(entry, "turn_id", None) or "")
        return entry if seal is None else sealed_entry(seal, entry)

    async def _store(self, batches: list[Batch]) -> None:
        """Write batches in one transaction; if that is refused, each in its own."""
        try:
            await self._write([entry for batch in batches for entry in batch.entries], batches)
        except TurnsLost as lost:
            for batch in batches:
                _settle(batch, lost if _concerns(lost, batch) else None)
        except Unavailable as error:
            log.error("the turn log could not be written before the end: %s", error)
            for batch in batches:
                _settle(batch, error)
        except Exception:
            # An entry that cannot be stored must not lose those of other turns.
            log.exception("the turn log refused %d batches; trying each on its own", len(batches))
            for batch in batches:
                await self._store_alone(batch)
        else:
            for batch in batches:
                _settle(batch, None)

    async def _store_alone(self, batch: Batch) -> None:
        try:
            await self._write(batch.entries, [batch])
        except Exception as error:
            log.exception("the turn log refused %d entries", len(batch.entries))
            _settle(batch, error)
        else:
            _settle(batch, None)

    async def _write(self, entries: Sequence[LogEntry], batches: Sequence[Batch]) -> None:
        """Write in one transaction, retrying as long as needed. Raises Unavailable only while closing.

        A disk may stay full for days: then those who wait get the error, and the entries wait without them.
        """
        begun = asyncio.get_running_loop().time()
        pauses = itertools.chain(RETRIES_S, itertools.repeat(RETRIES_S[-1]))
        while entries:
            try:
                await self._log.write(entries)
            except Unavailable as error:
                pause = next(pauses) if self._give_up_at is None else LAST_RETRIES_S
                now = asyncio.get_running_loop().time()
                closing = self._give_up_at is not None and now + pause > self._give_up_at
                if closing or error.leaf_code == "shutting_down":
                    raise
                if error.leaf_code == "disk_full" and now > begun + FULL_S:
                    for batch in (*batches, *self._queue):
                        _settle(batch, error)
                log.warning("the turn log cannot be written, trying again in %.2f s: %s", pause, error)
                await self._wait(pause)
            else:
                return

    async def _wait(self, pause: float) -> None:
        """Wait before the next attempt; a wait that began before the close ends with it."""
        if self._closing.is_set():
            await asyncio.sleep(pause)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._closing.wait()


def _concerns(lost: TurnsLost, batch: Batch) -> bool:
    return any(getattr(entry, "turn_id", None) in lost.turn_ids for entry in batch.entries)


def _settle(batch: Batch, failure: Exception | None) -> None:
    if batch.stored is None or batch.stored.done():
        return
    if failure is None:
        batch.stored.set_result(None)
    else:
        batch.stored.set_exception(failure)
