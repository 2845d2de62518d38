"""Preferences: the table of unrated votes, as first choices among two or more models."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from parley.features.standings.schemas import PreferenceLine, Preferences
from parley.features.standings.views import Cards
from parley.features.standings.vote_repository import Choices, VoteRepository
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    from parley.ratings.choices import Choice
    from parley.ratings.standings import Standings


class _Table(NamedTuple):
    """The fitted table; `shown` counts how often a model was among those to choose from."""

    standings: "Standings"
    chosen: Counter[str]
    shown: Counter[str]
    ties: int
    left_out: int


class PreferenceTable:
    """Fits the table in a thread and caches it until the next preference."""

    def __init__(self, database: Database, cards: Cards) -> None:
        self._database = database
        self._cards = cards
        self._cached: tuple[tuple[int, int], _Table] | None = None
        self._fitting = asyncio.Lock()

    async def read(self) -> Preferences:
        """Return the table; an empty one where there are no preferences. Raises DatabaseBusy."""
        async with self._fitting:
            table = await self._table()
        if table is None:
            return Preferences(votes=0, ties=0, left_out=0, groups=0, lines=[])
        return Preferences(
            votes=table.standings.votes,
            ties=table.ties,
            left_out=table.left_out,
            groups=table.standings.groups,
            lines=[
                PreferenceLine(
                    model=self._cards(line.model),
                    rating=round(line.rating, 4),
                    ci_lower=line.ci_lower,
                    ci_upper=line.ci_upper,
                    rank_ub=line.rank_ub,
                    rank=line.rank,
                    chosen=table.chosen[line.model],
                    shown=table.shown[line.model],
                    provisional=line.provisional,
                    group=line.group,
                )
                for line in table.standings.standings
            ],
        )

    async def _table(self) -> _Table | None:
        extent = await self._database.read(lambda transaction: VoteRepository(transaction).preferred())
        if extent[0] == 0:
            return None
        if self._cached is None or self._cached[0] != extent:

            def read(transaction: Transaction) -> tuple[tuple[int, int], Sequence[Choices]]:
                repository = VoteRepository(transaction)
                return repository.preferred(), repository.preferences()

            known, votes = await self._database.patient().read(read)
            self._cached = (known, await asyncio.to_thread(_fit, votes))
        return self._cached[1]


def _fit(votes: Sequence[Choices]) -> _Table:
    from parley.ratings.choices import rate_choices

    sound: Counter[Choice] = Counter()
    for vote in votes:
        if (choice := _choice(vote)) is not None:
            sound[choice] += vote.votes
    chosen: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for choice, times in sound.items():
        chosen[choice.chosen] += times
        shown.update(dict.fromkeys((choice.chosen, *choice.over), times))
    ties = sum(vote.votes for vote in votes if vote.choice not in vote.seats)
    return _Table(
        standings=rate_choices(sound),
        chosen=chosen,
        shown=shown,
        ties=ties,
        left_out=sum(vote.votes for vote in votes) - ties - sound.total(),
    )


def _choice(vote: Choices) -> "Choice | None":
    """Return which model was preferred to which; None for a tie or a single model."""
    from parley.ratings.choices import Choice

    chosen = vote.seats.get(vote.choice)
    over = tuple(sorted({model for model in vote.seats.values() if model != chosen}))
    return Choice(chosen, over) if chosen is not None and over else None
