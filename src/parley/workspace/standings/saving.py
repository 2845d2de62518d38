"""Saving: lines that are shown already become rows, a little at a time."""

import asyncio
import time
from collections.abc import Iterable

from parley.storage.database import Database, Transaction
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.memory import Line
from parley.workspace.standings.replaying import Moved
from parley.workspace.standings.repository import REPLAY, StandingsRepository
from parley.workspace.standings.storing import Part, Storing, TableKey, Tables

AT_ONCE = 1_000
"""Tables of so many lines together are stored with the counts that they are made from."""

EVERY_S = 2.0
"""How often lines of larger tables are stored, and a tenth of the time at most."""

POINTS_EVERY_S = 60.0
"""How often points are made of lines of larger tables."""


class Saving:
    """Knows what of the boards is not stored yet. Where something is not, the worker's row says `running`."""

    def __init__(self, database: Database, boards: Boards) -> None:
        self.points: dict[TableKey, dict[str, Line]] = {}
        """The last points of the history."""
        self._database = database
        self._boards = boards
        self._behind = False
        self._keys: set[TableKey] = set()
        self._without_points: set[TableKey] = set()
        self._again = 0.0
        self._points_again = 0.0

    def fits_in(self, made: Tables) -> bool:
        """Tell whether these tables may be stored with their counts."""
        return not self._behind and sum(len(one.table.lines) for one in made.values()) <= AT_ONCE

    def put_off(self, keys: Iterable[TableKey]) -> None:
        """Note that counts were stored without these tables; they are shown, and are stored soon."""
        self._behind = True
        self._keys.update(keys)

    def took(self, storing: Storing) -> None:
        """Note what was stored."""
        self.points.update({key: dict(last) for key, last in storing.last.items()})
        self._boards.memory.stored.update(storing.stored)
        self._keys.difference_update(storing.stored)
        if storing.with_points:
            self._without_points.difference_update(storing.stored)
        else:
            self._without_points.update(storing.stored)

    def forget(self) -> None:
        """Begin again: what is stored was read, and what is shown is made anew where it is not that."""
        self.points.clear()
        self._behind = False
        self._keys.clear()
        self._without_points.clear()

    async def run(self, due: bool) -> float | None:
        """Store what is behind, if it is time; returns in how many seconds it will be. Raises DatabaseBusy."""
        now = time.monotonic()
        with_points = due or now >= self._points_again
        if not self._behind and not (self._without_points and with_points):
            return self._points_again - now if self._without_points else None
        if self._boards.memory.stale:
            return EVERY_S
        if now < self._again and not due:
            return self._again - now
        try:
            await self._save(with_points)
        except Moved:
            return 0.0
        ended = time.monotonic()
        self._again = ended + max(EVERY_S, 9 * (ended - now))
        if with_points:
            self._points_again = ended + POINTS_EVERY_S
        return self._points_again - ended if self._without_points else None

    async def _save(self, with_points: bool) -> None:
        from parley.workspace.standings.fits import Made

        boards, memory = self._boards, self._boards.memory
        keys = self._keys | self._without_points if with_points else set(self._keys)
        made = {key: Made(memory.tables[key]) for key in keys if key in memory.tables}
        now = boards.now()
        storing = await asyncio.to_thread(Storing, memory, self.points, made, {}, now, points=with_points)
        *firsts, last = storing.parts()
        for part in firsts:
            await self._store(part)
        await self._store(last, idle=True)
        self._behind = False
        self.took(storing)

    async def _store(self, part: Part, *, idle: bool = False) -> None:
        """Store some rows; with the last ones the lines are what the counts say. Raises Moved."""
        memory = self._boards.memory

        def store(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            if repository.lock() != memory.version:
                raise Moved
            part.store(repository)
            if idle:
                repository.set_status(status="idle")
                if memory.replay_due:
                    repository.set_status(REPLAY, status="due")

        await self._database.write(store)
