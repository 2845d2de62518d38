"""Views of lines and pairs: what is stored of models, with their cards."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from parley.kernel.errors import NotFound
from parley.kernel.models import Prices
from parley.kernel.views import ModelCard
from parley.storage.tables.judgements import Vote
from parley.workspace.standings.countable import BOTH_BAD, TIE, WIN, countable
from parley.workspace.standings.delta import percentile
from parley.workspace.standings.memory import USE, Line, Memory
from parley.workspace.standings.schemas import (
    CategoryCard,
    CategoryStanding,
    DecisionView,
    LeaderboardLine,
    ModelUse,
    PairCell,
    RecentBattle,
)

if TYPE_CHECKING:
    from parley.ratings.decision import Decision
    from parley.workspace.standings.pair_book import Cell

Pair: TypeAlias = tuple[str, str]


class Cards:
    """Cards of all models that votes speak of; one that was never in the catalog gets a bare one."""

    def __init__(self, card: Callable[[str], ModelCard]) -> None:
        self._card = card

    def __call__(self, model_id: str) -> ModelCard:
        """Return a model's card."""
        try:
            return self._card(model_id)
        except NotFound:
            return _bare(model_id)

    def known(self, model_id: str) -> ModelCard:
        """Return a model's card. Raises NotFound."""
        try:
            return self._card(model_id)
        except NotFound:
            raise NotFound(
                f"There has never been a model “{model_id}” here.", code="model_not_found"
            ) from None


def line_view(line: Line, category: str, memory: Memory, card: ModelCard) -> LeaderboardLine:
    """Return a line as it is shown."""
    times = memory.times.get(category, {}).get(line.model)
    return LeaderboardLine(
        model=card,
        rating=round(line.rating, 4),
        ci_lower=line.ci_lower,
        ci_upper=line.ci_upper,
        rank_ub=line.rank_ub,
        rank=line.rank,
        votes=line.votes,
        wins=line.wins,
        losses=line.losses,
        ties=line.ties,
        both_bad=line.both_bad,
        win_rate=line.win_rate,
        provisional=line.provisional,
        comparison_group=line.group,
        price=blended(card.prices),
        ttft_p50_ms=percentile(memory.latency.get(line.model, {}), 0.5),
        first_vote_at=times[0].isoformat() if times else None,
        last_vote_at=times[1].isoformat() if times else None,
    )


def blended(prices: Prices | None) -> float | None:
    """Return US dollars per million tokens, three parts input to one part output."""
    return round((3 * prices.input + prices.output) / 4, 6) if prices else None


def cell_view(model: str, other: str, cell: "Cell | None", expected: float | None) -> PairCell:
    """Return how two models did, from the first one's side."""
    wins, losses, ties, bad = (cell.wins, cell.losses, cell.ties, cell.both_bad) if cell else (0, 0, 0, 0)
    votes = wins + losses + ties + bad
    return PairCell(
        model=model,
        other=other,
        votes=votes,
        wins=wins,
        losses=losses,
        ties=ties,
        both_bad=bad,
        win_rate=(wins + 0.5 * (ties + bad)) / votes if votes else None,
        expected=expected,
    )


def cells_of(
    models: Sequence[str], met: "Mapping[Pair, Cell]", chances: Mapping[Pair, float]
) -> list[PairCell]:
    """Return how each of some models did against each other one that it met."""
    return [
        cell_view(one, other, cell, chances.get((one, other)))
        for one in models
        for other in models
        if (cell := met.get((one, other))) is not None
    ]


def standing_view(category: CategoryCard, line: Line) -> CategoryStanding:
    """Return how a model stands in a category."""
    return CategoryStanding(
        category=category,
        rating=round(line.rating, 4),
        ci_lower=line.ci_lower,
        ci_upper=line.ci_upper,
        rank_ub=line.rank_ub,
        votes=line.votes,
        win_rate=line.win_rate,
        provisional=line.provisional,
    )


def decision_view(decision: "Decision | None", flip_votes: int | None) -> DecisionView | None:
    """Return how two models stand."""
    if decision is None:
        return None
    return DecisionView(
        model=decision.model,
        other=decision.other,
        lead=round(decision.lead, 4),
        better=round(decision.better, 6),
        decided=decision.decided,
        comparable=decision.comparable,
        votes_needed=decision.votes_needed,
        flip_votes=flip_votes,
    )


def recent_view(vote: Vote, model: str, viewer: str, cards: Cards) -> RecentBattle | None:
    """Return a vote from a model's side; None where it is none between two models."""
    judged = countable(vote)
    if judged is None:
        return None
    on_left = judged.left == model
    told = {WIN: "won" if on_left else "lost", TIE: "tie", BOTH_BAD: "both_bad"}
    return RecentBattle(
        vote_id=vote.id,
        match_id=vote.match_id,
        session_id=vote.session_id if vote.owner_id == viewer else None,
        other=cards(judged.right if on_left else judged.left),
        outcome=told.get(judged.outcome, "lost" if on_left else "won"),  # type: ignore[arg-type]
        counted=judged.reason is None,
        not_counted_reason=judged.reason,
        created_at=vote.created_at.isoformat(),
    )


def use_view(model: str, memory: Memory) -> ModelUse:
    """Return what a model's replies took."""
    told: Mapping[str, int] = dict(zip(USE, memory.use.get(model, (0,) * len(USE)), strict=True))
    buckets = memory.latency.get(model, {})
    priced = told["priced"]
    speaking = told["speaking_ms"]
    return ModelUse(
        replies=told["replies"],
        ttft_p50_ms=percentile(buckets, 0.5),
        ttft_p90_ms=percentile(buckets, 0.9),
        tokens_per_second=round(told["spoken_tokens"] / speaking * 1000, 1) if speaking else None,
        output_tokens=told["output_tokens"],
        cost_micros=told["cost_micros"] if priced else None,
        cost_per_reply_micros=round(told["cost_micros"] / priced) if priced else None,
    )


def iso(moment: datetime | None) -> str | None:
    """Return a time as ISO 8601."""
    return moment.isoformat() if moment else None


def _bare(model_id: str) -> ModelCard:
    return ModelCard(
        id=model_id,
        name=model_id,
        organization="",
        family="",
        license="",
        kind="single",
        capabilities=(),
        tags=(),
        context_window=None,
        prices=None,
        description=None,
        provider=None,
        local=False,
        demo=False,
        enabled=False,
    )
