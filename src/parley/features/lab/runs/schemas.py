"""Requests and views of runs."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.datasets.schemas import Split
from parley.features.lab.prompts.schemas import Checks, ModelId
from parley.features.lab.runs.plan import RunPlan
from parley.kernel.errors import Problem
from parley.kernel.request import MOST, Number, Request

RunState: TypeAlias = Literal["running", "paused", "completed", "capped", "cancelled", "failed"]
CellState: TypeAlias = Literal["completed", "failed", "missing"]

MICROS = 1_000_000

Versions = Annotated[list[Number], Field(min_length=1, max_length=50)]
Models = Annotated[list[ModelId], Field(min_length=1, max_length=50)]
CapUsd = Annotated[float, Field(gt=0, le=1_000_000)]
Repeats = Annotated[int, Field(ge=1, le=100)]


class PlanRun(Request):
    """Versions × models × rows × repeats, as it would run. Without checks, those of the prompt."""

    versions: Versions
    models: Models
    dataset: Annotated[str, Field(min_length=1, max_length=32)]
    splits: Annotated[list[Split], Field(default_factory=list, max_length=3)]
    repeats: Repeats = 1
    first_rows: Number | None = None
    failed: Literal["fail", "exclude"] = "fail"
    parallel: Annotated[int, Field(ge=1, le=200)] = 8
    checks: Checks | None = None


class StartRun(PlanRun):
    """A run with its cap in dollars; none is no cap."""

    cap_usd: CapUsd | None = None


class ExtendRun(Request):
    """Changes of a run's plan; what is missing then is asked. Without any, failed trials are asked again.

    `newest_rows`: use the present version of the data set.
    """

    versions: Versions | None = None
    models: Models | None = None
    splits: Annotated[list[Split], Field(max_length=3)] | None = None
    repeats: Repeats | None = None
    first_rows: Number | None = None
    failed: Literal["fail", "exclude"] | None = None
    parallel: Annotated[int, Field(ge=1, le=200)] | None = None
    newest_rows: bool = False
    checks: Checks | None = None
    cap_usd: CapUsd | None = None


class AnswerPlace(Request):
    """The place of an answer in a run."""

    row: Number
    version: Number
    model: ModelId
    repeat: Repeats = 1


class GradeTrial(AnswerPlace):
    """A person's verdict on an answer: for a check by hand, or as a whole; null takes it back."""

    check: Annotated[int, Field(ge=0, le=MOST)] | None = None
    passed: bool | None


class QuotedModel(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one model; costs are null without prices. `measured`: from so many recorded answers."""

    model: str
    calls: int
    recorded: int
    cost_usd_least: float | None
    cost_usd_most: float | None
    seconds_per_call: float
    measured: int


class RunQuote(msgspec.Struct, frozen=True, kw_only=True):
    """The calls, money and time of a run. `bound_usd` can't be exceeded; `unpriced` models are in no cost."""

    rows: int
    cells: int
    recorded: int
    calls: int
    judge_calls: int
    cost_usd_least: float
    cost_usd_most: float
    bound_usd: float
    seconds: float
    unpriced: tuple[str, ...]
    models: tuple[QuotedModel, ...]


class RunProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run's cells. `recorded` were there before this start; `rate` is in calls a minute."""

    cells: int
    completed: int
    failed: int
    recorded: int
    running: int
    held_usd: float
    rate: float | None
    seconds_left: float | None


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run. Times are ISO 8601, UTC."""

    id: str
    prompt_id: str
    prompt: str
    number: int
    status: RunState
    plan: RunPlan
    checks: tuple[CheckSpec, ...]
    cap_usd: float | None
    spent_usd: float
    progress: RunProgress
    problem: Problem | None
    created_at: str
    started_at: str
    ended_at: str | None


class RunList(msgspec.Struct, frozen=True):
    """Runs, the newest first."""

    runs: list[RunView]


class ColumnView(msgspec.Struct, frozen=True, kw_only=True):
    """A version with a model. `mean` is a score from 0 to 1, with its 95% interval clustered by row.

    `rows` are those with a score, `failed` the trials without an answer, and `answers` the complete ones. `sd_rows` and
    `sd_repeats` are the spreads over rows and over repeats of a row.
    """

    version: int
    model: str
    rows: int
    answers: int
    failed: int
    mean: float | None
    low: float | None
    high: float | None
    sd_rows: float | None
    sd_repeats: float | None
    cost_usd: float | None
    cost_usd_per_1000: float | None
    latency_ms: int | None


class CellView(msgspec.Struct, frozen=True, array_like=True):
    """A cell of the grid: its state, its score, and each check's verdict in the first repeat."""

    state: CellState
    score: float | None
    passed: tuple[bool | None, ...]


class GridRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the grid: its place, its first value, and a cell for each column."""

    place: int
    title: str
    cells: tuple[CellView, ...]


class ComparisonView(msgspec.Struct, frozen=True, kw_only=True):
    """Column `b` less column `a`, paired by row; `model` is null for all models together.

    `better` and `worse` are rows. `p` is of an exact test. `rows_needed` settle it, if it stays as it looks.
    """

    a_version: int
    a_model: str | None
    b_version: int
    b_model: str | None
    rows: int
    difference: float | None
    low: float | None
    high: float | None
    better: int
    worse: int
    p: float | None
    rows_needed: int | None


class CheckCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The answers that passed and failed a check; `open` are those that nobody could decide.

    `decides` is false for a check without weight. `judge` says how far its judge can be trusted; null without one.
    """

    label: str
    passed: int
    failed: int
    open: int
    decides: bool
    judge: str | None


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """The grid of a run: columns with their figures, rows with cells, and comparisons with a sentence."""

    run: RunView
    check_labels: tuple[str, ...]
    check_counts: tuple[CheckCounts, ...]
    columns: tuple[ColumnView, ...]
    rows: tuple[GridRow, ...]
    comparisons: tuple[ComparisonView, ...]
    sentence: str


class TrialCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check's verdict on a trial; `by` is who decided it."""

    label: str
    by_hand: bool
    passed: bool | None
    score: float | None
    reason: str
    by: str


class TrialView(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, or the problem that there is none. `good` is a person's grade; null if nobody has graded it."""

    key: str
    repeat: int
    state: CellState
    text: str
    finish_reason: str | None
    latency_ms: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    attempt: int
    error: Problem | None
    score: float | None
    good: bool | None
    checks: tuple[TrialCheck, ...]
    created_at: str | None


class SentMessage(msgspec.Struct, frozen=True):
    """A message as the model got it."""

    role: str
    text: str


class CellDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of the grid: the row, the messages as they were sent, and every repeat."""

    place: int
    version: int
    model: str
    fields: dict[str, Any]
    expected: str | None
    prompt: tuple[SentMessage, ...]
    trials: tuple[TrialView, ...]


class ProposedCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check that follows from grades: the bad answers that it fails, and the good ones, its false alarms."""

    check: CheckSpec
    label: str
    caught: int
    alarms: int


class ProposedChecks(msgspec.Struct, frozen=True, kw_only=True):
    """The graded answers of a run, and the checks that tell bad ones from good ones, the best first."""

    good: int
    bad: int
    checks: tuple[ProposedCheck, ...]
