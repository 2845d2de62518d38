"""Boards: the standings in memory, which everybody reads and the worker moves on."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.text.categories.ids import OVERALL
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.memory import Memory, Table
from parley.workspace.standings.repository import StandingsRepository
from parley.workspace.standings.schemas import Method

if TYPE_CHECKING:
    from parley.ratings.bradley_terry import Fit
    from parley.ratings.decision import Decision
    from parley.workspace.standings.fits import Made
    from parley.workspace.standings.pair_book import Cell, Change, PairBook

Key: TypeAlias = tuple[str, Method, bool]
"""A category, a method, and whether uncounted votes are in."""

QUICK_MODELS = 40
"""So many models can be fitted dozens of times while somebody waits."""

REST = 10.0
"""A question that takes long is asked again after so many times its duration."""


class Boards:
    """Tables by category and method, and the fits behind them. Belongs to the event loop; fits run in threads.

    It holds what the database says at `memory.version`, of lines what follows from that; `open` reads it, the counts
    of pairs when they are needed.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.memory = Memory()
        self.opened = False
        self._database = database
        self._clock = clock
        self._book: PairBook | None = None
        self._made: dict[Key, Made] = {}
        self._current: set[Key] = set()
        self._warming: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._fitting = asyncio.Lock()
        self._flips: dict[Key, tuple[Made, str, int | None]] = {}
        self._flipping: dict[Key, asyncio.Task[None]] = {}
        self._flip_again: dict[Key, float] = {}

    async def open(self, *, again: bool = False, book: bool = False) -> None:
        """Read what the database says, once, or again. Raises DatabaseBusy."""
        async with self._opening:
            if self.opened and not again and (self._book is not None or not book):
                return
            if book:
                await asyncio.to_thread(_load_numpy)

            def read(transaction: Transaction) -> "tuple[Memory, PairBook | None]":
                repository = StandingsRepository(transaction)
                return repository.memory(), _book(repository) if book else None

            memory, found = await self._database.read(read)
            if self.opened and memory.stale:
                self._keep_ahead(memory)
            self._keep_style(memory)
            self.memory, self._book, self.opened = memory, found, True
            self._current.clear()

    def warm(self) -> None:
        """Begin to load NumPy and SciPy beside: whoever looks at a table will want to see it move at once."""
        if self._warming is None:
            self._warming = asyncio.create_task(asyncio.to_thread(_load_numpy), name="parley-warm")

    async def book(self) -> "PairBook":
        """Return the counts of pairs."""
        await self.open(book=True)
        if self._book is None:
            raise RuntimeError("the counts were read and are not there")
        return self._book

    async def table(self, category: str, method: Method, *, include_uncounted: bool = False) -> Table:
        """Return a table; an empty one where there are no votes."""
        await self.open()
        if not include_uncounted or not self.memory.uncounted_in(category):
            return self.memory.table(category, method)
        made = await self.made(category, method, include_uncounted=True)
        return made.table if made else self.memory.table(category, method)

    async def made(self, category: str, method: Method, *, include_uncounted: bool = False) -> "Made | None":
        """Return a table with its fit, from memory or made now; None where there is none."""
        key = (category, method, include_uncounted)
        if key in self._current:
            return self._made[key]
        if method != "bradley-terry":
            return self._made.get(key) if method == "style-control" else None
        book = await self.book()
        async with self._fitting:
            if key in self._current:
                return self._made[key]
            from parley.workspace.standings.fits import rate_pairs

            memory = self.memory
            version = memory.version
            last = self._made.get(key)

            def rate() -> "Made":
                pairs = book.pairs(category, include_uncounted=include_uncounted)
                return rate_pairs(pairs, last.fit if last else None, self.now())

            made = await asyncio.to_thread(rate)
            if self.memory is memory and memory.version == version:
                self._keep(key, made)
            return made

    async def cells(
        self, category: str, *, include_uncounted: bool = False
    ) -> "Mapping[tuple[str, str], Cell]":
        """Return how each ordered pair of models that met did; of hundreds of models a thread gathers it."""
        book = await self.book()
        return await asyncio.to_thread(book.cells, category, include_uncounted=include_uncounted)

    async def turn_votes(self, decision: "Decision") -> int | None:
        """Return the fewest votes whose removal would turn a pair of the overall table round.

        With many models it takes too long while somebody waits: then it is not known.
        """
        from parley.workspace.standings.fits import votes_to_turn

        made = await self.made(OVERALL, "bradley-terry")
        if made is None or made.fit is None or len(made.table.lines) > QUICK_MODELS:
            return None
        known = made.fit.pairs.models
        if decision.model not in known or decision.other not in known:
            return None
        return await asyncio.to_thread(votes_to_turn, made.fit, decision)

    async def flip_votes(self, key: Key, top: str) -> int | None:
        """Return the fewest votes whose removal would put another model above the top, as far as it is known yet.

        With many models the answer takes a while: it is looked for beside, and the last one is told meanwhile.
        """
        from parley.workspace.standings.fits import votes_to_flip

        made = await self.made(key[0], key[1], include_uncounted=key[2])
        if made is None or made.fit is None:
            return None
        known = self._flips.get(key)
        if known is not None and known[0] is made and known[1] == top:
            return known[2]
        if len(made.table.lines) <= QUICK_MODELS:
            answer = await asyncio.to_thread(votes_to_flip, made.fit, top)
            self._flips[key] = (made, top, answer)
            return answer
        if key not in self._flipping and self._now_s() >= self._flip_again.get(key, 0.0):
            self._flipping[key] = asyncio.create_task(self._flip(key, made, top), name="parley-flip")
        return known[2] if known is not None and known[1] == top else None

    def close(self) -> None:
        """Stop looking for answers."""
        for task in self._flipping.values():
            task.cancel()

    def take(
        self,
        version: int,
        change: "Change | None",
        made: "Mapping[tuple[str, Method], Made]",
    ) -> None:
        """Move on to what was just stored: more counts, and tables made from them."""
        self.memory.version = version
        changed: frozenset[str] = frozenset()
        if change is not None:
            if self._book is not None:
                self._book.add(change)
            _add_small(self.memory, change.delta)
            changed = frozenset(change.delta.categories)
        self._current = {key for key in self._current if key[0] not in changed or key[1] == "style-control"}
        for (category, method), one in made.items():
            self.memory.tables[category, method] = one.table
            self._keep((category, method, False), one)

    def last_fit(self, category: str) -> "Fit | None":
        """Return the last fit of a category, to begin the next one with."""
        made = self._made.get((category, "bradley-terry", False))
        return made.fit if made else None

    def now(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(self._clock.now(), UTC)

    def _keep(self, key: Key, made: "Made") -> None:
        self._made[key] = made
        self._current.add(key)

    def _keep_ahead(self, memory: Memory) -> None:
        """Go on showing what was not stored yet when somebody else changed the counts, until it is made anew."""
        memory.tables = {**memory.tables, **self.memory.tables}
        memory.elos = {**memory.elos, **self.memory.elos}
        memory.times = {**memory.times, **self.memory.times}

    def _keep_style(self, memory: Memory) -> None:
        """Keep what the database does not: what style is worth, and when a table was made."""
        for key, table in memory.tables.items():
            old = self.memory.tables.get(key)
            as_of = old.as_of if old else memory.as_of
            memory.tables[key] = Table(table.lines, as_of, old.style if old else ())

    async def _flip(self, key: Key, made: "Made", top: str) -> None:
        from parley.workspace.standings.fits import votes_to_flip

        began = self._now_s()
        try:
            if made.fit is not None:
                answer = await asyncio.to_thread(votes_to_flip, made.fit, top)
                self._flips[key] = (made, top, answer)
        finally:
            self._flip_again[key] = self._now_s() + REST * (self._now_s() - began)
            del self._flipping[key]

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()


def _load_numpy() -> None:
    for module in ("fits", "pair_book", "voters"):
        import_module(f"parley.workspace.standings.{module}")


def _book(repository: StandingsRepository) -> "PairBook":
    from parley.workspace.standings.pair_book import PairBook

    return PairBook(repository.pairs())


def _add_small(memory: Memory, delta: Delta) -> None:
    for (category, reason), votes in delta.uncounted.items():
        known = memory.uncounted.setdefault(category, {})
        known[reason] = known.get(reason, 0) + votes
    for (model, bucket), replies in delta.latency.items():
        buckets = memory.latency.setdefault(model, {})
        buckets[bucket] = buckets.get(bucket, 0) + replies
    for model, told in delta.use.items():
        before = memory.use.get(model, (0,) * len(told))
        memory.use[model] = tuple(a + b for a, b in zip(before, told, strict=True))
