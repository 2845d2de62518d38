"""Lines of a table and effects of style: plain values that load without NumPy."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

import msgspec

ModelT = TypeVar("ModelT")


class TableLine(msgspec.Struct, Generic[ModelT], frozen=True, kw_only=True):
    """A model's line in a table. Ratings and bounds are points."""

    model: ModelT
    rating: float
    ci_lower: float | None
    """Lower bound of the 95% interval; None where the method has none (Elo)."""
    ci_upper: float | None
    rank_ub: int
    """1 + the number of models whose lower bound is above this one's upper bound; provisional models come after all."""
    rank: int
    """1 + the number that are better with 95% certainty, by the difference itself; provisional models come last."""
    votes: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    win_rate: float
    """Share of the model's votes that it won, ties and both bad being half; 0.5 without votes."""
    provisional: bool
    """True if the votes leave its strength open (no win, no loss, or never compared with most): a prior holds it."""
    group: int
    """Only models of the same group are comparable; 0 is the group with the most votes."""
    widened: float = 1.0
    """The factor by which the interval is wider because one person's votes are alike; 1 where that is not known."""
    top_voter: float | None = None
    """The largest share of one voter in what is known of the model, from 0 to 1; None where that is not known."""


class Line(TableLine[str], frozen=True, kw_only=True):
    """A line that names its model by its id."""


def last_places(lines: Sequence[TableLine[ModelT]]) -> list[int]:
    """Return the lowest place that each line's interval allows among `lines`: the other end of `rank_ub`.

    As many lines as are surely below one are below it: those whose upper bound is under its lower bound. Provisional
    lines have their places behind all others. Without intervals it is `rank_ub` itself.
    """
    firm = [line for line in lines if not line.provisional]
    uppers = {
        provisional: sorted(line.ci_upper for line in group if line.ci_upper is not None)
        for provisional, group in ((False, firm), (True, [line for line in lines if line.provisional]))
    }
    places: list[int] = []
    for line in lines:
        below = uppers[line.provisional]
        last = (len(lines) if line.provisional else len(firm)) - bisect_left(below, line.ci_lower or 0.0)
        places.append(line.rank_ub if line.ci_lower is None else max(line.rank_ub, last))
    return places


def rank_text(first: int, last: int) -> str:
    """Return "3", or "1–3" where intervals overlap."""
    return str(first) if first == last else f"{first}–{last}"


class StyleEffect(msgspec.Struct, frozen=True):
    """The effect of a style feature, in points per standard deviation, with its 95% interval."""

    feature: str
    points: float
    ci_lower: float
    ci_upper: float


class RatingShift(msgspec.Struct, frozen=True):
    """By how many points another fit of the same votes moves a model's rating, with the 95% interval."""

    model: str
    points: float
    ci_lower: float
    ci_upper: float


class SideEffect(msgspec.Struct, frozen=True):
    """The left side's effect in points, and the change of each rating where the side is held constant.

    There are shifts where the interval of the worth leaves out zero. `worth` is None where models sat on the same sides
    in nearly all votes, so that nothing tells a side from them.
    """

    worth: StyleEffect | None
    shifts: tuple[RatingShift, ...]


class WeightedRatings(msgspec.Struct, frozen=True):
    """Changes of ratings if the votes are weighted by their draw."""

    votes: int
    """Votes whose probability of being drawn is known."""
    effective_votes: float
    """As many votes of equal weight would be as precise: (Σ w)² / Σ w² (Kish 1965)."""
    shifts: tuple[RatingShift, ...]


class PriorForecast(msgspec.Struct, frozen=True, kw_only=True):
    """The quality of forecasts of one's own votes from those before them, with a public prior and without it.

    Losses are nats per vote. `gain` is what the prior takes off the loss, with a 95% interval that is valid at every
    look; above zero it helps.
    """

    votes: int
    """Votes that were forecast."""
    loss_without: float
    loss_with: float
    gain: float
    ci_lower: float
    ci_upper: float
    verdict: Literal["helps", "harms", "unclear"]
