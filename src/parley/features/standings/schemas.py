"""Answers of the standings' API: tables, lines, pairs, history, and changes."""

from typing import Literal, TypeAlias

import msgspec

from parley.features.standings.prior_schemas import BoardPrior
from parley.kernel.views import ModelCard
from parley.ratings.lines import SideEffect, StyleEffect, TableLine, WeightedRatings

Method: TypeAlias = Literal["bradley-terry", "style-control", "elo"]
SortKey: TypeAlias = Literal[
    "rank", "name", "rating", "votes", "win_rate", "organization", "license", "price", "latency"
]
Order: TypeAlias = Literal["asc", "desc"]

LEAST_VOTES = 5
"""Models with fewer votes are left out of the table unless a reader asks for them."""


class TableQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A requested page of a table; by default the best come first, unknown values last."""

    category: str = "overall"
    method: Method = "bradley-terry"
    sort_by: SortKey = "rank"
    order: Order | None = None
    search: str = ""
    license: str | None = None
    organization: str | None = None
    provider: str | None = None
    local: bool | None = None
    min_votes: int = LEAST_VOTES
    include_uncounted: bool = False
    limit: int = 100
    cursor: str | None = None


class CategoryCard(msgspec.Struct, frozen=True, kw_only=True):
    """A category and how many votes count in it. `kind` says where it comes from."""

    id: str
    title: str
    kind: Literal["overall", "topic", "language", "operator"]
    description: str
    votes: int


class LeaderboardLine(TableLine[ModelCard], frozen=True, kw_only=True):
    """A model's line in the table. Ratings are in points, `ttft_p50_ms` in milliseconds, times in ISO 8601.

    `price` is in US dollars per million tokens, three parts input to one part output, null if unknown. Intervals are
    null if the method has none (Elo).
    """

    group: int = msgspec.field(name="comparison_group")
    rank_lb: int
    """The lowest place that its interval allows: it ranks from `rank_ub` to here."""
    price: float | None
    ttft_p50_ms: int | None
    first_vote_at: str | None
    last_vote_at: str | None


class Uncounted(msgspec.Struct, frozen=True):
    """Votes that are saved but not counted, by reason."""

    reason: str
    votes: int


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of two models: `model` is ahead. `better` is the probability that it is better.

    `lead_low` and `lead_high` are the 95% interval of the lead in points, valid at every look; null if no votes connect
    the two. `decided`: that interval is above zero. `votes_needed`: votes between the two
    that would decide it with a chance of 80% if the lead is real. `flip_votes`: the smallest number of votes whose
    removal would change the order. Null where there is no answer.
    """

    model: str
    other: str
    lead: float
    lead_low: float | None
    lead_high: float | None
    better: float
    decided: bool
    comparable: bool
    votes_needed: int | None
    flip_votes: int | None


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the table of one category and method, with what is shown above and below it.

    `votes` counts all votes of the table, `models` all its lines before filters and pages. `version` changes with every
    change of the standings. `as_of` is when the table was made: now, except for style control, which is updated hourly
    if there are many votes. `rating_min` and `rating_max` are the bounds of the intervals of all lines.
    """

    category: str
    method: Method
    include_uncounted: bool
    categories: list[CategoryCard]
    lines: list[LeaderboardLine]
    next_cursor: str | None
    votes: int
    models: int
    left_out: int
    """Models with too few votes to be shown."""
    min_votes: int
    groups: int
    """More than one: there are models that were never compared with each other."""
    rating_min: float | None
    rating_max: float | None
    uncounted: list[Uncounted]
    decision: DecisionView | None
    """Of the two models at the top, provisional ones aside; null where there are fewer or no intervals."""
    style: list[StyleEffect]
    """Effects of style and of the left side; only with style control, whose ratings hold them constant."""
    position: SideEffect | None
    """The left side's effect in points, whoever sits there, valid at every look; null until it is computed."""
    weighted: WeightedRatings | None
    """Changes of ratings if every pair counts as if drawn equally often; null where draws were equal."""
    prior: BoardPrior | None
    """The published results that this table starts from; null without, and for all tables but the main one."""
    version: int
    as_of: str | None
    worker: "WorkerView"


class WorkerView(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the worker. `pending` votes are not in the table yet.

    `running` also after an import, until its voters are examined: tables may still move without new votes.
    """

    status: Literal["idle", "running", "failed", "never"]
    last_run_at: str | None
    duration_ms: int | None
    votes_processed: int
    pending: int
    error: str | None


class HistoryPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A model's rating at a time."""

    at: str
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: int
    votes: int


class ModelHistory(msgspec.Struct, frozen=True):
    """A model's ratings over time, oldest first."""

    model: ModelCard
    points: list[HistoryPoint]


class History(msgspec.Struct, frozen=True, kw_only=True):
    """Ratings over time of the requested models, or of the best ones."""

    category: str
    method: Method
    models: list[ModelHistory]


class PairCell(msgspec.Struct, frozen=True, kw_only=True):
    """The results of two models against each other, from the first one's side. `expected`: what the ratings predict."""

    model: str
    other: str
    votes: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    win_rate: float | None
    expected: float | None


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Win rates between models, `models` best first. Pairs that never met are left out of `cells`.

    Each pair appears twice, once from each side.
    """

    category: str
    include_uncounted: bool
    models: list[ModelCard]
    cells: list[PairCell]


class RecentBattle(msgspec.Struct, frozen=True, kw_only=True):
    """A vote that a model took part in, from its side. The session is set if it is the viewer's own."""

    vote_id: str
    match_id: str
    session_id: str | None
    other: ModelCard
    outcome: Literal["won", "lost", "tie", "both_bad"]
    counted: bool
    not_counted_reason: str | None
    created_at: str


class CategoryStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A model's result in one category."""

    category: CategoryCard
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: int
    rank_lb: int
    votes: int
    win_rate: float
    provisional: bool


class ModelUse(msgspec.Struct, frozen=True, kw_only=True):
    """The usage of a model's replies that were voted on. Times are in milliseconds, costs in micro-dollars."""

    replies: int
    ttft_p50_ms: int | None
    ttft_p90_ms: int | None
    tokens_per_second: float | None
    output_tokens: int
    cost_micros: int | None
    cost_per_reply_micros: int | None


class EnsembleWorth(msgspec.Struct, frozen=True, kw_only=True):
    """An ensemble's worth for its price: it beside the best of the models that it seats.

    `best` has the highest rating in `overall`, and is null while none of them has votes. `decision` compares the two
    and is null while one has no votes. `cost_factor`: its cost per voted reply over that of `best`, null if either is
    unknown.
    """

    best: ModelCard | None
    decision: DecisionView | None
    cost_factor: float | None


class ModelStatsView(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the votes say about one model."""

    model: ModelCard
    overall: LeaderboardLine | None
    elo: float | None
    categories: list[CategoryStanding]
    opponents: list[PairCell]
    recent: list[RecentBattle]
    use: ModelUse
    models: list[ModelCard]
    """Cards of the opponents."""
    worth: EnsembleWorth | None
    """Null for a single model, and for an ensemble whose preset has changed or is gone."""


class HeadToHead(msgspec.Struct, frozen=True, kw_only=True):
    """Two models against each other: overall, by category, by side, and the latest votes."""

    left: LeaderboardLine | None
    right: LeaderboardLine | None
    left_model: ModelCard
    right_model: ModelCard
    overall: PairCell
    categories: list[PairCell]
    """In the order of `category_ids`."""
    category_ids: list[CategoryCard]
    as_left: PairCell
    """Only the votes in which the first model sat on the left."""
    decision: DecisionView | None
    recent: list[RecentBattle]


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a rebuild: how many votes it read, and how many stored counts it corrected.

    `restored`: votes whose stored details differed from the audit log and were restored from it.
    """

    votes: int
    categories: int
    corrected: int
    duration_ms: int
    restored: int = 0


class PreferenceLine(msgspec.Struct, frozen=True, kw_only=True):
    """A model in the table of preferences: how often it could be chosen, and how often it was."""

    model: ModelCard
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: int
    rank: int
    chosen: int
    shown: int
    provisional: bool
    group: int


class Preferences(msgspec.Struct, frozen=True, kw_only=True):
    """The table of unrated votes, fitted by first choices (Plackett-Luce), best model first.

    `votes` are included. `ties` prefer nobody and are left out, as are `left_out` votes between seats of the same
    model.
    """

    votes: int
    ties: int
    left_out: int
    groups: int
    lines: list[PreferenceLine]


class StandingsChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="standings.changed"):
    """The standings changed: clients that show them should read them again.

    The first event of a stream has the current state, with no categories. `votes` counts those in `overall`.
    """

    version: int
    categories: list[str]
    votes: int
    as_of: str | None
