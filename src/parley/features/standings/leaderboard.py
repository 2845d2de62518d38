"""Leaderboard queries: pages of tables, categories, history, and the worker's status."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from parley.features.standings.decisions import Decisions
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.pagination import paginate
from parley.features.standings.prior_schemas import BoardPrior
from parley.features.standings.public_priors import board_prior
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.schemas import (
    CategoryCard,
    DecisionView,
    History,
    HistoryPoint,
    Leaderboard,
    LeaderboardLine,
    Method,
    ModelHistory,
    TableQuery,
    Uncounted,
    WorkerView,
)
from parley.features.standings.snapshot import Snapshot, Table
from parley.features.standings.views import Cards, iso, line_view
from parley.features.standings.vote_repository import VoteRepository
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.ratings.lines import last_places
from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL, Categories, Category
from parley.text.plain_words import did_you_mean

PENDING_COUNTED = 10_000
"""Up to so many pending votes are counted one by one; beyond, their number is estimated."""

CACHED_TABLES = 16


class _CachedLines(NamedTuple):
    """The lines last returned for a table, and what they were made of."""

    table: Table
    cards: list[ModelCard]
    lines: list[LeaderboardLine]


class LeaderboardQueries:
    """Answers from memory; only the worker's status and the history are read from the database."""

    def __init__(
        self,
        *,
        database: Database,
        tables: LiveTables,
        decisions: Decisions,
        categories: Categories,
        cards: Cards,
        on_version: Callable[[int], None],
    ) -> None:
        """`on_version` gets each version read from the database."""
        self._database = database
        self._tables = tables
        self._decisions = decisions
        self._categories = categories
        self._cards = cards
        self._on_version = on_version
        self._cached: dict[tuple[int, int, int], _CachedLines] = {}

    async def page(self, query: TableQuery) -> Leaderboard:
        """Return a page of a table. Raises Invalid, which names the parameter."""
        category, method = query.category, query.method
        await self._tables.load()
        self.check(category, method, include_uncounted=query.include_uncounted)
        self._tables.preload()
        table = await self._tables.table(category, method, include_uncounted=query.include_uncounted)
        decision = await self._decisions.top(
            (category, method, query.include_uncounted), top_of(table, query)
        )
        prior = self._prior(table, category, method)
        return self.board(query, self._tables.snapshot, table, decision, await self.worker(), prior)

    def board(
        self,
        query: TableQuery,
        snapshot: Snapshot,
        table: Table,
        decision: DecisionView | None,
        worker: WorkerView,
        prior: BoardPrior | None = None,
    ) -> Leaderboard:
        """Return a page of a table of a snapshot. Raises Invalid for a cursor of another order."""
        category = query.category
        lines = self._lines(snapshot, table, category, query.min_votes)
        page = paginate(lines, query)
        return Leaderboard(
            category=category,
            method=query.method,
            include_uncounted=query.include_uncounted,
            categories=self.categories(snapshot),
            lines=page.lines,
            next_cursor=page.next_cursor,
            votes=table.votes,
            models=len(lines),
            left_out=len(table.lines) - len(lines),
            min_votes=query.min_votes,
            groups=table.groups,
            rating_min=min((_bound(it.ci_lower, it) for it in lines), default=None),
            rating_max=max((_bound(it.ci_upper, it) for it in lines), default=None),
            uncounted=[
                Uncounted(reason, votes) for reason, votes in sorted(snapshot.uncounted_in(category).items())
            ],
            decision=decision,
            style=list(table.style),
            position=snapshot.positions.get(category),
            weighted=snapshot.weighted.get(category),
            prior=prior,
            version=snapshot.version,
            as_of=iso(table.as_of),
            worker=worker,
        )

    async def history(
        self, category: str, method: Method, models: Sequence[str], *, limit: int, days: int | None
    ) -> History:
        """Return ratings over time of some models, or of the best ones. Raises Invalid, NotFound."""
        await self._tables.load()
        self.check(category, method)
        table = await self._tables.table(category, method)
        for model in models:
            self._cards.known(model)
        chosen = (
            list(dict.fromkeys(models)) or [line.model for line in table.lines if line.votes >= 5][:limit]
        )
        since = self._tables.now() - timedelta(days=days) if days is not None else None
        rows = await self._database.read(
            lambda transaction: StandingsRepository(transaction).points(category, method, chosen, since)
        )
        points: dict[str, list[HistoryPoint]] = {model: [] for model in chosen}
        for row in rows:
            points[row.model_id].append(
                HistoryPoint(
                    at=row.at.isoformat(),
                    rating=round(row.rating, 4),
                    ci_lower=row.ci_lower,
                    ci_upper=row.ci_upper,
                    rank_ub=row.rank_ub,
                    votes=row.votes,
                )
            )
        listed = [ModelHistory(self._cards(model), model_points) for model, model_points in points.items()]
        return History(category=category, method=method, models=listed)

    def categories(self, of: Snapshot | None = None) -> list[CategoryCard]:
        """Return the categories in order: languages only with counted votes, all others always.

        A category that left the settings stays as long as it has votes.
        """
        snapshot = of or self._tables.snapshot
        used = {category for category, _ in snapshot.tables if snapshot.votes(category)}
        shown = [it for it in self._categories.all if it.kind != "language" or it.id in used]
        gone = sorted(used - {it.id for it in shown})
        shown += [Category(category, category, "operator", "") for category in gone]
        return [
            CategoryCard(
                id=it.id,
                title=it.title,
                kind=it.kind,
                description=it.description,
                votes=snapshot.votes(it.id),
            )
            for it in shown
        ]

    async def worker(self) -> WorkerView:
        """Return the worker's status."""

        def read(transaction: Transaction) -> tuple[WorkerView, int]:
            row = StandingsRepository(transaction).status()
            last_seq = row.last_vote_seq if row else 0
            pending = VoteRepository(transaction).number_pending(PENDING_COUNTED, last_seq)
            view = WorkerView(
                status=self._status(row.status) if row else "never",  # type: ignore[arg-type]
                last_run_at=iso(row.last_run_at) if row else None,
                duration_ms=row.duration_ms if row else None,
                votes_processed=row.votes_processed if row else 0,
                pending=pending,
                error=row.error if row else None,
            )
            return view, row.version if row else 0

        view, version = await self._database.read(read)
        self._on_version(version)
        return view

    def _prior(self, table: Table, category: str, method: Method) -> BoardPrior | None:
        """Return what a table starts from: the main one alone, with uncounted votes too."""
        prior = self._tables.snapshot.prior
        if prior is None or category != OVERALL or method != "bradley-terry":
            return None
        models = [line.model for line in table.lines]
        return board_prior(prior, models, table.votes, self._tables.snapshot.forecast_of(prior))

    def _status(self, stored: str) -> str:
        return "running" if stored == "idle" and self._tables.snapshot.unsettled else stored

    def check(self, category: str, method: Method, *, include_uncounted: bool = False) -> None:
        """Raise Invalid for a category or a combination that does not exist."""
        known = {it.id for it in self._categories.all} | {it for it, _ in self._tables.snapshot.tables}
        if category not in known:
            near = did_you_mean(category, known)
            raise Invalid("category", f"category: there is no category “{category}”{near}.")
        if include_uncounted and method != "bradley-terry":
            raise Invalid(
                "include_uncounted",
                f"include_uncounted: must be false with the method {method}.",
                "Only bradley-terry is made both with and without the votes that are not counted.",
            )

    def _lines(
        self, snapshot: Snapshot, table: Table, category: str, min_votes: int
    ) -> list[LeaderboardLine]:
        """Return the lines with enough votes, cached until the table or a card changes.

        A card changes without the standings when, for example, a contestant is renamed.
        """
        key = (id(table), snapshot.version, min_votes)
        chosen = [line for line in table.lines if line.votes >= min_votes]
        cards = [self._cards(line.model) for line in chosen]
        known = self._cached.get(key)
        if known is None or known.table is not table or known.cards != cards:
            lines = [
                line_view(line, last, category, snapshot, card)
                for line, last, card in zip(chosen, last_places(chosen), cards, strict=True)
            ]
            while len(self._cached) >= CACHED_TABLES:
                del self._cached[next(iter(self._cached))]
            self._cached[key] = known = _CachedLines(table, cards, lines)
        return known.lines


def top_of(table: Table, query: TableQuery) -> Sequence[str]:
    """Return the two models at the top of a table, provisional ones and those with too few votes aside."""
    firm = (line for line in table.lines if line.votes >= query.min_votes and not line.provisional)
    return [line.model for line in firm][:2]


def _bound(bound: float | None, line: LeaderboardLine) -> float:
    return line.rating if bound is None else bound
