"""What is asked of the standings: tables, history, pairs, a model's own numbers."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from parley.engine.feed import Feed
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL, Categories, Category
from parley.text.plain_words import did_you_mean
from parley.workspace.standings.boards import Boards, Key
from parley.workspace.standings.lines import (
    Cards,
    cell_view,
    cells_of,
    decision_view,
    iso,
    line_view,
    recent_view,
    standing_view,
    use_view,
)
from parley.workspace.standings.memory import Line, Table
from parley.workspace.standings.news import News
from parley.workspace.standings.pages import cut
from parley.workspace.standings.repository import StandingsRepository
from parley.workspace.standings.schemas import (
    CategoryCard,
    DecisionView,
    HeadToHead,
    History,
    HistoryPoint,
    Leaderboard,
    LeaderboardLine,
    Matrix,
    Method,
    ModelHistory,
    ModelStatsView,
    PairCell,
    RecentBattle,
    TableQuery,
    Uncounted,
    WorkerView,
)

if TYPE_CHECKING:
    from parley.ratings.decision import Decision

RECENT = 20
PENDING_COUNTED = 10_000
"""More votes that wait than this are told by how many came after the last one counted."""


KEPT_TABLES = 16
"""Tables whose views are kept for the next one who asks."""


class _Shown(NamedTuple):
    """Lines as they were shown last, and what they were made of."""

    table: Table
    cards: list[ModelCard]
    lines: list[LeaderboardLine]


class StandingsService:
    """Answers from memory: nothing here looks at votes, but for a model's latest ones."""

    def __init__(
        self,
        *,
        database: Database,
        boards: Boards,
        news: News,
        categories: Categories,
        card: Callable[[str], ModelCard],
        told_of: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`told_of` hears which version the database has, so that the worker can catch up with another one."""
        self._database = database
        self._boards = boards
        self._news = news
        self._categories = categories
        self._cards = Cards(card)
        self._told_of = told_of
        self._shown: dict[tuple[int, int, int], _Shown] = {}

    async def leaderboard(self, asked: TableQuery) -> Leaderboard:
        """Return a page of a table. Raises Invalid, which names the parameter."""
        await self._boards.open()
        self._check(asked.category, asked.method, include_uncounted=asked.include_uncounted)
        self._boards.warm()
        category, method = asked.category, asked.method
        table = await self._boards.table(category, method, include_uncounted=asked.include_uncounted)
        memory = self._boards.memory
        lines = self._views(table, category, asked.min_votes)
        part = cut(lines, asked)
        top = [line.model.id for line in lines[:2]]
        bounds = [(_lower(line), _upper(line)) for line in lines]
        return Leaderboard(
            category=category,
            method=method,
            include_uncounted=asked.include_uncounted,
            categories=self.categories(),
            lines=part.lines,
            next_cursor=part.next_cursor,
            votes=table.votes,
            models=len(lines),
            left_out=len(table.lines) - len(lines),
            min_votes=asked.min_votes,
            groups=table.groups,
            rating_min=min((low for low, _ in bounds), default=None),
            rating_max=max((high for _, high in bounds), default=None),
            uncounted=[
                Uncounted(reason, votes) for reason, votes in sorted(memory.uncounted_in(category).items())
            ],
            decision=await self._top_decision((category, method, asked.include_uncounted), top),
            style=list(table.style),
            version=memory.version,
            as_of=iso(table.as_of),
            worker=await self.worker(),
        )

    async def history(
        self, category: str, method: Method, models: Sequence[str], *, limit: int, days: int | None
    ) -> History:
        """Return ratings over time of some models, or of the best ones. Raises Invalid, NotFound."""
        await self._boards.open()
        self._check(category, method)
        table = await self._boards.table(category, method)
        for model in models:
            self._cards.known(model)
        chosen = (
            list(dict.fromkeys(models)) or [line.model for line in table.lines if line.votes >= 5][:limit]
        )
        since = self._boards.now() - timedelta(days=days) if days is not None else None
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
        listed = [ModelHistory(self._cards(model), found) for model, found in points.items()]
        return History(category=category, method=method, models=listed)

    async def matrix(self, category: str, *, limit: int, min_votes: int, include_uncounted: bool) -> Matrix:
        """Return win rates between the best models. Raises Invalid."""
        await self._boards.open()
        self._check(category, "bradley-terry")
        table = await self._boards.table(category, "bradley-terry", include_uncounted=include_uncounted)
        models = [line.model for line in table.lines if line.votes >= min_votes][:limit]
        cells: list[PairCell] = []
        if models:
            met = await self._boards.cells(category, include_uncounted=include_uncounted)
            chances = await self._chances(category, models, include_uncounted=include_uncounted)
            # With three hundred models there are ninety thousand: replies that stream meanwhile cannot wait.
            cells = await asyncio.to_thread(cells_of, models, met, chances)
        cards = [self._cards(model) for model in models]
        return Matrix(category=category, include_uncounted=include_uncounted, models=cards, cells=cells)

    async def model(self, caller: Caller, model_id: str) -> ModelStatsView:
        """Return all that the votes say about a model. Raises NotFound."""
        card = self._known(model_id)
        await self._boards.open()
        memory = self._boards.memory
        lines = {
            it.id: (it, line)
            for it in self.categories()
            if (line := memory.table(it.id, "bradley-terry").line(model_id))
        }
        opponents: list[PairCell] = []
        if OVERALL in lines:
            met = await self._boards.cells(OVERALL)
            against = [other for one, other in met if one == model_id]
            chances = await self._chances(OVERALL, [model_id, *against], of=model_id)
            opponents = [
                cell_view(model_id, other, met[model_id, other], chances.get((model_id, other)))
                for other in against
            ]
        elo = memory.table(OVERALL, "elo").line(model_id)
        return ModelStatsView(
            model=card,
            overall=self._line(OVERALL, lines[OVERALL][1]) if OVERALL in lines else None,
            elo=round(elo.rating, 4) if elo else None,
            categories=[standing_view(category, line) for category, line in lines.values()],
            opponents=sorted(opponents, key=lambda cell: (-cell.votes, cell.other)),
            recent=await self._recent(caller.person_id, model_id, None),
            use=use_view(model_id, memory),
            models=[self._cards(cell.other) for cell in opponents],
        )

    async def head_to_head(self, caller: Caller, one: str, other: str) -> HeadToHead:
        """Return how two models did against each other. Raises NotFound, and Invalid for a model against itself."""
        left_model, right_model = self._known(one), self._known(other)
        if one == other:
            raise Invalid("b", "b: must be another model than a.")
        await self._boards.open()
        memory = self._boards.memory
        table = memory.table(OVERALL, "bradley-terry")
        left, right = table.line(one), table.line(other)
        overall, as_left = cell_view(one, other, None, None), cell_view(one, other, None, None)
        cells: list[tuple[CategoryCard, PairCell]] = []
        if left and right:
            book = await self._boards.book()
            chances = await self._chances(OVERALL, [one, other], of=one)
            expected = chances.get((one, other))
            as_left = cell_view(one, other, book.sided(OVERALL, one, other), expected)
            for category in self.categories():
                met = book.between(category.id, one, other)
                if category.id == OVERALL:
                    overall = cell_view(one, other, met, expected)
                elif met.votes:
                    cells.append((category, cell_view(one, other, met, None)))
        return HeadToHead(
            left=self._line(OVERALL, left) if left else None,
            right=self._line(OVERALL, right) if right else None,
            left_model=left_model,
            right_model=right_model,
            overall=overall,
            categories=[cell for _, cell in cells],
            category_ids=[category for category, _ in cells],
            as_left=as_left,
            decision=await self._pair_decision(one, other),
            recent=await self._recent(caller.person_id, one, other),
        )

    async def follow(self) -> Feed:
        """Return a feed of the standings' changes; it opens with what they are now."""
        await self._boards.open()
        self._boards.warm()
        return self._news.follow()

    def categories(self) -> list[CategoryCard]:
        """Return the categories in their order: of the languages those that votes count in, all others always.

        A voter may put a vote into any of them. One that the settings no longer have stays as long as it has votes.
        """
        memory = self._boards.memory
        used = {category for category, _ in memory.tables if memory.votes(category)}
        shown = [it for it in self._categories.all if it.kind != "language" or it.id in used]
        gone = sorted(used - {it.id for it in shown})
        shown += [Category(category, category, "operator", "") for category in gone]
        return [
            CategoryCard(
                id=it.id,
                title=it.title,
                kind=it.kind,
                description=it.description,
                votes=memory.votes(it.id),
            )
            for it in shown
        ]

    async def worker(self) -> WorkerView:
        """Return how the worker fares."""

        def read(transaction: Transaction) -> tuple[WorkerView, int]:
            repository = StandingsRepository(transaction)
            row = repository.status()
            pending = repository.pending(PENDING_COUNTED)
            if row is None:
                return _never(pending), 0
            view = WorkerView(
                status=row.status,  # type: ignore[arg-type]
                last_run_at=iso(row.last_run_at),
                duration_ms=row.duration_ms,
                votes_processed=row.votes_processed,
                pending=pending,
                error=row.error,
            )
            return view, row.version

        view, version = await self._database.read(read)
        self._told_of(version)
        return view

    def _check(self, category: str, method: Method, *, include_uncounted: bool = False) -> None:
        known = {it.id for it in self._categories.all} | {it for it, _ in self._boards.memory.tables}
        if category not in known:
            near = did_you_mean(category, known)
            raise Invalid("category", f"category: there is no category “{category}”{near}.")
        if include_uncounted and method != "bradley-terry":
            raise Invalid(
                "include_uncounted",
                f"include_uncounted: must be false with the method {method}.",
                "Only bradley-terry is made both with and without the votes that are not counted.",
            )

    async def _top_decision(self, key: Key, models: Sequence[str]) -> DecisionView | None:
        """Say how the two models at the top of a table stand."""
        decision = await self._decision(key, *models) if len(models) == 2 else None
        flip_votes = None
        # Votes are taken out of a fit without style: with it, that would answer another question.
        if decision is not None and decision.comparable and key[1] == "bradley-terry":
            flip_votes = await self._boards.flip_votes(key, decision.model)
        return decision_view(decision, flip_votes)

    async def _pair_decision(self, one: str, other: str) -> DecisionView | None:
        """Say how any two models stand by all votes that count."""
        decision = await self._decision((OVERALL, "bradley-terry", False), one, other)
        turn_votes = await self._boards.turn_votes(decision) if decision else None
        return decision_view(decision, turn_votes)

    async def _decision(self, key: Key, one: str, other: str) -> "Decision | None":
        made = await self._boards.made(key[0], key[1], include_uncounted=key[2])
        if made is None or made.fit is None:
            return None
        from parley.workspace.standings.fits import settle

        return settle(made.fit, one, other)

    async def _chances(
        self, category: str, models: Sequence[str], *, of: str | None = None, include_uncounted: bool = False
    ) -> dict[tuple[str, str], float]:
        made = await self._boards.made(category, "bradley-terry", include_uncounted=include_uncounted)
        if made is None or made.fit is None:
            return {}
        from parley.workspace.standings.fits import chances_of

        return await asyncio.to_thread(chances_of, made.fit, models, of=of)

    async def _recent(self, viewer: str, model: str, other: str | None) -> list[RecentBattle]:
        rows = await self._database.read(
            lambda transaction: StandingsRepository(transaction).recent(model, other, RECENT)
        )
        found = (recent_view(row, model, viewer, self._cards) for row in rows)
        return [view for view in found if view is not None]

    def _views(self, table: Table, category: str, min_votes: int) -> list[LeaderboardLine]:
        """Return the lines with enough votes as they are shown; they are made again where anything of them changed.

        A card changes without the standings, as when a contestant gets another name.
        """
        memory = self._boards.memory
        key = (id(table), memory.version, min_votes)
        chosen = [line for line in table.lines if line.votes >= min_votes]
        cards = [self._cards(line.model) for line in chosen]
        known = self._shown.get(key)
        if known is None or known.table is not table or known.cards != cards:
            lines = [
                line_view(line, category, memory, card) for line, card in zip(chosen, cards, strict=True)
            ]
            while len(self._shown) >= KEPT_TABLES:
                del self._shown[next(iter(self._shown))]
            self._shown[key] = known = _Shown(table, cards, lines)
        return known.lines

    def _line(self, category: str, line: Line) -> LeaderboardLine:
        return line_view(line, category, self._boards.memory, self._cards(line.model))

    def _known(self, model_id: str) -> ModelCard:
        """Return the card of a model that was in the catalog once, or that votes speak of. Raises NotFound."""
        if self._boards.memory.table(OVERALL, "bradley-terry").line(model_id):
            return self._cards(model_id)
        return self._cards.known(model_id)


def _lower(line: LeaderboardLine) -> float:
    return line.rating if line.ci_lower is None else line.ci_lower


def _upper(line: LeaderboardLine) -> float:
    return line.rating if line.ci_upper is None else line.ci_upper


def _never(pending: int) -> WorkerView:
    return WorkerView(
        status="never", last_run_at=None, duration_ms=None, votes_processed=0, pending=pending, error=None
    )
