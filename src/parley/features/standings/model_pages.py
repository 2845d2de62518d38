"""Model queries: a model's own page, two models head to head, and the matrix of win rates."""

import asyncio
from collections.abc import Callable, Sequence

from parley.features.standings.decisions import Decisions
from parley.features.standings.leaderboard import LeaderboardQueries
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.schemas import (
    LEAST_VOTES,
    CategoryCard,
    EnsembleWorth,
    HeadToHead,
    LeaderboardLine,
    Matrix,
    ModelStatsView,
    PairCell,
    RecentBattle,
)
from parley.features.standings.snapshot import Snapshot
from parley.features.standings.views import (
    Cards,
    cell_view,
    cells_of,
    line_view,
    recent_view,
    standing_view,
    use_view,
)
from parley.features.standings.vote_repository import VoteRepository
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.ratings.lines import Line, last_places
from parley.storage.database import Database
from parley.text.categories.categorise import OVERALL

RECENT = 20


class ModelQueries:
    """Answers from memory; only a model's latest votes are read from the database."""

    def __init__(
        self,
        *,
        database: Database,
        tables: LiveTables,
        decisions: Decisions,
        leaderboard: LeaderboardQueries,
        cards: Cards,
        members: Callable[[str], Sequence[str]],
    ) -> None:
        """`members` returns the ids of the models that an ensemble seats, none for any other model."""
        self._database = database
        self._tables = tables
        self._decisions = decisions
        self._leaderboard = leaderboard
        self._cards = cards
        self._members = members

    async def stats(self, caller: Caller, model_id: str) -> ModelStatsView:
        """Return everything the votes say about a model. Raises NotFound."""
        card = self._known(model_id)
        await self._tables.load()
        snapshot = self._tables.snapshot
        lines = {
            it.id: (it, line)
            for it in self._leaderboard.categories()
            if (line := snapshot.table(it.id, "bradley-terry").line(model_id))
        }
        opponents: list[PairCell] = []
        if OVERALL in lines:
            met = await self._tables.cells(OVERALL)
            against = [other for one, other in met if one == model_id]
            shares = await self._expected(OVERALL, [model_id, *against], of=model_id)
            opponents = [
                cell_view(model_id, other, met[model_id, other], shares.get((model_id, other)))
                for other in against
            ]
        elo = snapshot.table(OVERALL, "elo").line(model_id)
        return ModelStatsView(
            model=card,
            overall=self._line(lines[OVERALL][1], snapshot) if OVERALL in lines else None,
            elo=round(elo.rating, 4) if elo else None,
            categories=[
                standing_view(category, line, _last_place(line, category.id, snapshot))
                for category, line in lines.values()
            ],
            opponents=sorted(opponents, key=lambda cell: (-cell.votes, cell.other)),
            recent=await self._recent(caller.person_id, model_id, None),
            use=use_view(model_id, snapshot),
            models=[self._cards(cell.other) for cell in opponents],
            worth=await self._worth(model_id),
        )

    async def head_to_head(self, caller: Caller, one: str, other: str) -> HeadToHead:
        """Return how two models did against each other. Raises NotFound, Invalid."""
        left_model, right_model = self._known(one), self._known(other)
        if one == other:
            raise Invalid("b", "b: must not be the same model as a.")
        await self._tables.load()
        snapshot = self._tables.snapshot
        table = snapshot.table(OVERALL, "bradley-terry")
        left, right = table.line(one), table.line(other)
        overall, as_left = cell_view(one, other, None, None), cell_view(one, other, None, None)
        cells: list[tuple[CategoryCard, PairCell]] = []
        if left and right:
            counts = await self._tables.pair_counts()
            expected = (await self._expected(OVERALL, [one, other], of=one)).get((one, other))
            as_left = cell_view(one, other, counts.sided(OVERALL, one, other), expected)
            for category in self._leaderboard.categories():
                met = counts.between(category.id, one, other)
                if category.id == OVERALL:
                    overall = cell_view(one, other, met, expected)
                elif met.votes:
                    cells.append((category, cell_view(one, other, met, None)))
        return HeadToHead(
            left=self._line(left, snapshot) if left else None,
            right=self._line(right, snapshot) if right else None,
            left_model=left_model,
            right_model=right_model,
            overall=overall,
            categories=[cell for _, cell in cells],
            category_ids=[category for category, _ in cells],
            as_left=as_left,
            decision=await self._decisions.pair(one, other),
            recent=await self._recent(caller.person_id, one, other),
        )

    async def matrix(self, category: str, *, limit: int, min_votes: int, include_uncounted: bool) -> Matrix:
        """Return win rates between the best models. Raises Invalid."""
        await self._tables.load()
        self._leaderboard.check(category, "bradley-terry")
        table = await self._tables.table(category, "bradley-terry", include_uncounted=include_uncounted)
        models = [line.model for line in table.lines if line.votes >= min_votes][:limit]
        cells: list[PairCell] = []
        if models:
            met = await self._tables.cells(category, include_uncounted=include_uncounted)
            shares = await self._expected(category, models, include_uncounted=include_uncounted)
            # Three hundred models have ninety thousand cells: streaming replies must not wait for them.
            cells = await asyncio.to_thread(cells_of, models, met, shares)
        cards = [self._cards(model) for model in models]
        return Matrix(category=category, include_uncounted=include_uncounted, models=cards, cells=cells)

    async def _expected(
        self, category: str, models: Sequence[str], *, of: str | None = None, include_uncounted: bool = False
    ) -> dict[tuple[str, str], float]:
        fitted = await self._tables.fitted((category, "bradley-terry", include_uncounted))
        if fitted is None or fitted.fit is None:
            return {}
        from parley.features.standings.refit import expected_shares

        return await asyncio.to_thread(expected_shares, fitted.fit, models, of=of)

    async def _worth(self, model_id: str) -> EnsembleWorth | None:
        members = self._members(model_id)
        if not members:
            return None
        snapshot = self._tables.snapshot
        table = snapshot.table(OVERALL, "bradley-terry")
        rated = [line for member in members if (line := table.line(member))]
        if not rated:
            return EnsembleWorth(best=None, decision=None, cost_factor=None)
        best = max(rated, key=lambda line: (not line.provisional, line.rating)).model
        mine, alone = (use_view(it, snapshot).cost_per_reply_micros for it in (model_id, best))
        return EnsembleWorth(
            best=self._cards(best),
            decision=await self._decisions.pair(model_id, best),
            cost_factor=round(mine / alone, 2) if mine is not None and alone else None,
        )

    async def _recent(self, viewer: str, model: str, other: str | None) -> list[RecentBattle]:
        rows = await self._database.read(
            lambda transaction: VoteRepository(transaction).recent(model, other, RECENT)
        )
        recent = (recent_view(row, model, viewer, self._cards) for row in rows)
        return [view for view in recent if view is not None]

    def _line(self, line: Line, snapshot: Snapshot) -> LeaderboardLine:
        last = _last_place(line, OVERALL, snapshot)
        return line_view(line, last, OVERALL, snapshot, self._cards(line.model))

    def _known(self, model_id: str) -> ModelCard:
        """Return the card of a model that was ever in the catalog or has votes. Raises NotFound."""
        if self._tables.snapshot.table(OVERALL, "bradley-terry").line(model_id):
            return self._cards(model_id)
        return self._cards.known(model_id)


def _last_place(line: Line, category: str, snapshot: Snapshot) -> int:
    """Return the lowest place that a line's interval allows among the models that the table shows."""
    table = snapshot.table(category, "bradley-terry")
    shown = [it for it in table.lines if it.votes >= LEAST_VOTES or it.model == line.model]
    return dict(zip((it.model for it in shown), last_places(shown), strict=True))[line.model]
