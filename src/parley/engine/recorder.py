"""The recorder: writes what happens to the turn log, in order, many entries to a transaction."""

import asyncio
import logging
from collections.abc import Callable, Iterable

from parley.kernel.errors import Unavailable
from parley.kernel.ports import LogEntry, TurnLog

CHECKPOINT_S = 1.0
RETRIES_S = (0.05, 0.2, 0.5, 1.0, 2.0)
"""How long to wait between tries while the database is locked or full."""

log = logging.getLogger(__name__)


class Recorder:
    """Group-commits entries. `note` is stored within a second, `commit` before it returns."""

    def __init__(self, turn_log: TurnLog, checkpoints: Callable[[], Iterable[LogEntry]]) -> None:
        self._log = turn_log
        self._checkpoints = checkpoints
        self._queue: list[LogEntry] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._urgent = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    def start(self) -> None:
        """Begin to write; needs a running loop."""
        self._task = asyncio.create_task(self._run(), name="parley-recorder")

    def note(self, *entries: LogEntry) -> None:
        """Queue entries; they are stored, in order, within a second."""
        self._queue.extend(entries)

    async def commit(self, *entries: LogEntry) -> None:
        """Queue entries and return once they and all before them are stored. Raises Unavailable."""
        self._queue.extend(entries)
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append(stored)
        self._urgent.set()
        await stored

    async def close(self) -> None:
        """Store what is queued, then stop."""
        self._closing = True
        self._urgent.set()
        if self._task:
            await self._task

    async def _run(self) -> None:
        while not self._closing or self._queue or self._waiting:
            try:
                await asyncio.wait_for(self._urgent.wait(), CHECKPOINT_S)
            except TimeoutError:
                self._queue.extend(self._checkpoints())
            self._urgent.clear()
            batch, self._queue = self._queue, []
            waiting, self._waiting = self._waiting, []
            await self._store(batch, waiting)

    async def _store(self, batch: list[LogEntry], waiting: list[asyncio.Future[None]]) -> None:
        failure: Exception | None = None
        if batch:
            failure = await self._write(batch)
        for stored in waiting:
            if stored.done():
                continue
            if failure is None:
                stored.set_result(None)
            else:
                stored.set_exception(failure)

    async def _write(self, batch: list[LogEntry]) -> Exception | None:
        for pause in (*RETRIES_S, None):
            try:
                await self._log.write(batch)
            except Unavailable as error:
                if pause is None:
                    log.error("the turn log could not be written, %d entries lost: %s", len(batch), error)
                    return error
                await asyncio.sleep(pause)
            except Exception as error:
                log.exception("the turn log refused %d entries", len(batch))
                return error
            else:
                return None
        raise AssertionError("unreachable")
