"""Views: lines, pairs and votes as the API shows them, with model cards."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from parley.features.catalog.service import retired_card
from parley.features.standings.counts_delta import USE, percentile
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.schemas import (
    CategoryCard,
    CategoryStanding,
    LeaderboardLine,
    ModelUse,
    PairCell,
    RecentBattle,
)
from parley.features.standings.snapshot import Snapshot
from parley.kernel.errors import NotFound
from parley.kernel.views import ModelCard
from parley.ratings.lines import Line
from parley.ratings.outcomes import Outcome
from parley.storage.tables.votes import VoteRow

if TYPE_CHECKING:
    from parley.features.standings.pair_counts import Cell

Pair: TypeAlias = tuple[str, str]


class Cards:
    """Cards of all models that have votes; one that was never in the catalog gets a bare card."""

    def __init__(self, card: Callable[[str], ModelCard]) -> None:
        self._card = card

    def __call__(self, model_id: str) -> ModelCard:
        """Return a model's card."""
        try:
            return self._card(model_id)
        except NotFound:
            return retired_card(model_id)

    def known(self, model_id: str) -> ModelCard:
        """Return a model's card. Raises NotFound."""
        try:
            return self._card(model_id)
        except NotFound:
            raise NotFound(f"There is no model “{model_id}”.", code="model_not_found") from None


def line_view(
    line: Line, last_place: int, category: str, snapshot: Snapshot, card: ModelCard
) -> LeaderboardLine:
    """Return a line of a table, with the lowest place that its interval allows."""
    times = snapshot.times.get(category, {}).get(line.model)
    prices = card.prices
    shown: dict[str, Any] = msgspec.structs.asdict(line) | {"model": card, "rating": round(line.rating, 4)}
    return LeaderboardLine(
        **shown,
        rank_lb=last_place,
        price=round((3 * prices.input + prices.output) / 4, 6) if prices else None,
        ttft_p50_ms=percentile(snapshot.latency.get(line.model, {}), 0.5),
        first_vote_at=times[0].isoformat() if times else None,
        last_vote_at=times[1].isoformat() if times else None,
    )


def cell_view(model: str, other: str, cell: "Cell | None", expected: float | None) -> PairCell:
    """Return the outcomes between two models, from the first one's view."""
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
    """Return a cell for each ordered pair among some models that met."""
    return [
        cell_view(one, other, cell, chances.get((one, other)))
        for one in models
        for other in models
        if (cell := met.get((one, other))) is not None
    ]


def standing_view(category: CategoryCard, line: Line, last_place: int) -> CategoryStanding:
    """Return a model's place in a category."""
    return CategoryStanding(
        category=category,
        rating=round(line.rating, 4),
        ci_lower=line.ci_lower,
        ci_upper=line.ci_upper,
        rank_ub=line.rank_ub,
        rank_lb=last_place,
        votes=line.votes,
        win_rate=line.win_rate,
        provisional=line.provisional,
    )


def recent_view(vote: VoteRow, model: str, viewer: str, cards: Cards) -> RecentBattle | None:
    """Return a vote from a model's view; None if it is not between two models."""
    rated = rated_vote(vote)
    if rated is None:
        return None
    on_left = rated.left == model
    won, lost = (Outcome.WIN, Outcome.LOSS) if on_left else (Outcome.LOSS, Outcome.WIN)
    outcomes: Mapping[Outcome, Any] = {
        won: "won",
        lost: "lost",
        Outcome.TIE: "tie",
        Outcome.BOTH_BAD: "both_bad",
    }
    return RecentBattle(
        vote_id=vote.id,
        match_id=vote.match_id or vote.id,
        session_id=vote.session_id if vote.owner_id == viewer else None,
        other=cards(rated.right if on_left else rated.left),
        outcome=outcomes[rated.outcome],
        counted=rated.reason is None,
        not_counted_reason=rated.reason,
        created_at=vote.created_at.isoformat(),
    )


def use_view(model: str, snapshot: Snapshot) -> ModelUse:
    """Return the use of a model's voted replies."""
    totals: Mapping[str, int] = dict(zip(USE, snapshot.use.get(model, (0,) * len(USE)), strict=True))
    buckets = snapshot.latency.get(model, {})
    priced = totals["priced"]
    speaking = totals["speaking_ms"]
    return ModelUse(
        replies=totals["replies"],
        ttft_p50_ms=percentile(buckets, 0.5),
        ttft_p90_ms=percentile(buckets, 0.9),
        tokens_per_second=round(totals["spoken_tokens"] / speaking * 1000, 1) if speaking else None,
        output_tokens=totals["output_tokens"],
        cost_micros=totals["cost_micros"] if priced else None,
        cost_per_reply_micros=round(totals["cost_micros"] / priced) if priced else None,
    )


def iso(moment: datetime | None) -> str | None:
    """Return a time as ISO 8601."""
    return moment.isoformat() if moment else None
