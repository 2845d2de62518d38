"""The standings as they are kept in memory: tables, and the small numbers beside them."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from parley.workspace.standings.schemas import Method, StyleEffect

USE = ("replies", "output_tokens", "spoken_tokens", "speaking_ms", "cost_micros", "priced")
"""What is added up of a model's voted replies."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A model's line of a table, as the worker stores it. Elo is not rounded here."""

    model: str
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: int
    rank: int
    votes: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    win_rate: float
    provisional: bool
    group: int


class Table(msgspec.Struct, frozen=True, eq=False):
    """All lines of a category and method, the best first."""

    lines: tuple[Line, ...] = ()
    as_of: datetime | None = None
    style: tuple[StyleEffect, ...] = ()

    @property
    def votes(self) -> int:
        """All votes; each is in two lines."""
        return sum(line.votes for line in self.lines) // 2

    @property
    def groups(self) -> int:
        """How many groups of models were never compared with each other."""
        return max((line.group for line in self.lines), default=-1) + 1

    def line(self, model: str) -> Line | None:
        """Return a model's line."""
        return next((line for line in self.lines if line.model == model), None)


EMPTY = Table()

Times = dict[str, tuple[datetime, datetime]]
"""When a model's first and last counted votes were, by model."""


class Stored(msgspec.Struct, frozen=True):
    """A line as the database has it, with the times of its model's first and last counted votes."""

    line: Line
    first: datetime
    last: datetime


class Memory(msgspec.Struct, kw_only=True):
    """What the votes that are counted at `version` come to, but for the counts of pairs."""

    version: int = 0
    stale: bool = False
    """Whether the counts have moved on without the tables."""
    replay_due: bool = False
    late_votes: int = 0
    """Claims, since this was read, with votes that came before others that were counted already."""
    """Whether what depends on the order or the looks of votes must be made anew: Elo, times, style."""
    as_of: datetime | None = None
    """When the tables were made."""
    last_seq: int = 0
    tables: dict[tuple[str, Method], Table] = {}
    """As they are shown; what is stored may be seconds behind."""
    stored: dict[tuple[str, Method], Mapping[str, Stored]] = {}
    times: dict[str, Times] = {}
    elos: dict[str, dict[str, float]] = {}
    """Elo by category and model, of all votes that are counted: ahead of the tables where those are stale."""
    latency: dict[str, dict[int, int]] = {}
    uncounted: dict[str, dict[str, int]] = {}
    use: dict[str, tuple[int, ...]] = {}

    def table(self, category: str, method: Method) -> Table:
        """Return a table; an empty one where there are no votes."""
        return self.tables.get((category, method), EMPTY)

    @property
    def styled(self) -> tuple[str, ...]:
        """The categories that have a table with style held constant."""
        return tuple(category for category, method in self.tables if method == "style-control")

    def votes(self, category: str) -> int:
        """Return how many votes count in a category."""
        return self.table(category, "bradley-terry").votes

    def uncounted_in(self, category: str) -> Mapping[str, int]:
        """Return how many votes of a category are not counted, by reason."""
        return {reason: votes for reason, votes in self.uncounted.get(category, {}).items() if votes > 0}
