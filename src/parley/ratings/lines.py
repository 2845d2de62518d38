"""Lines of a table and effects of style: plain values that load without NumPy."""

from typing import Generic, Literal, TypeVar

import msgspec

ModelT = TypeVar("ModelT")


class TableLine(msgspec.Struct, Generic[ModelT], frozen=True, kw_only=True):
    """What a table says of a model. Ratings and bounds are points."""

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
    """Whether the votes leave its strength open (no win, no loss, or never compared with most): a prior holds it."""
    group: int
    """Only models of the same group are comparable; 0 is the group with the most votes."""
    widened: float = 1.0
    """How many times wider the interval is because the votes of one person are alike; 1 where that is not known."""
    top_voter: float | None = None
    """The largest share of one voter in what is known of the model, from 0 to 1; None where that is not known."""


class Line(TableLine[str], frozen=True, kw_only=True):
    """A line that names its model by its id."""


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
    """What the left side is worth, and by how much each rating moves where the side is held constant.

    There are shifts where the interval of the worth leaves out zero. `worth` is None where models sat on the same sides
    in nearly all votes, so that nothing tells a side from them.
    """

    worth: StyleEffect | None
    shifts: tuple[RatingShift, ...]


class WeightedRatings(msgspec.Struct, frozen=True):
    """What weighting the votes by their draw moves."""

    votes: int
    """Votes whose probability of being drawn is known."""
    effective_votes: float
    """As many votes of equal weight would be as precise: (Σ w)² / Σ w² (Kish 1965)."""
    shifts: tuple[RatingShift, ...]


class PriorForecast(msgspec.Struct, frozen=True, kw_only=True):
    """How well one's own votes are forecast from those before them, with a public prior and without it.

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
