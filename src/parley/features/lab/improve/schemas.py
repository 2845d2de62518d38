"""Requests and views of searches for a better prompt."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.prompts.body import PromptMessage
from parley.features.lab.prompts.schemas import Checks, ModelId, VersionNote
from parley.features.lab.runs.schemas import CapUsd, RunState
from parley.kernel.errors import Problem
from parley.kernel.request import Number, Request

Phase: TypeAlias = Literal["searching", "measuring"]
CandidateState: TypeAlias = Literal["first", "candidate", "best"]

Answers = Annotated[int, Field(ge=1, le=100_000)]


class ImprovePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a search.

    `model` answers and `reflector` writes new texts. `answers` is the budget on the rows for training and validation;
    the search stops before, after `patience` attempts without success, or at a mean score of `target`.
    """

    version: int
    model: str
    reflector: str
    dataset_id: str
    dataset_name: str
    dataset_number: int
    answers: int
    patience: int = 10
    target: float = 1.0
    parallel: int = 8


class PlanImprovement(Request):
    """A search as it would run. Without `answers`, twice the least; without checks, those of the prompt."""

    version: Number
    model: ModelId
    reflector: ModelId
    dataset: Annotated[str, Field(min_length=1, max_length=32)]
    answers: Answers | None = None
    patience: Annotated[int, Field(ge=1, le=1000)] = 10
    target: Annotated[float, Field(gt=0, le=1)] = 1.0
    parallel: Annotated[int, Field(ge=1, le=200)] = 8
    checks: Checks | None = None


class StartImprovement(PlanImprovement):
    """A search with its cap in dollars; none is no cap."""

    cap_usd: CapUsd | None = None


class ImproveFromBattles(Request):
    """A search on the battles that `model` lost by the caller's votes. Without a cap, that of the quote."""

    version: Number
    model: ModelId
    reflector: ModelId
    cap_usd: CapUsd | None = None


class ResumeImprovement(Request):
    """Another cap for the rest of a search; null is no cap."""

    cap_usd: CapUsd | None = None


class SaveCandidate(Request):
    """The candidate that becomes the prompt's next version: the best one if it is not named."""

    candidate: Number | None = None
    note: VersionNote = ""


class ImprovementQuote(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a search asks for; costs are a range. `least_answers`: with fewer it would be refused.

    `calls` are answers on open rows and on rows held out, reflections, and what judges are asked.
    """

    training: int
    validation: int
    holdout: int
    answers: int
    least_answers: int
    holdout_answers: int
    reflections: int
    judge_calls: int
    calls: int
    cost_usd_least: float
    cost_usd_most: float
    seconds: float
    unpriced: tuple[str, ...]


class ImprovementProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a search: answers so far of its budget, attempts, and rows measured of those held out.

    `rate` is in calls a minute; `seconds_left` assumes that the whole budget is used.
    """

    phase: Phase
    answers: int
    most_answers: int
    reflections: int
    candidates: int
    best_score: float | None
    measured: int
    to_measure: int
    failed: int
    running: int
    held_usd: float
    rate: float | None
    seconds_left: float | None


class ImprovementResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result in a sentence: the best candidate less the first one, on rows that the search could not see.

    `difference`, `low` and `high` are of scores from 0 to 1; null if nothing was measured.
    """

    best: int
    sentence: str
    rows: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None


class ImprovementView(msgspec.Struct, frozen=True, kw_only=True):
    """A search. Times are ISO 8601, UTC."""

    id: str
    prompt_id: str
    prompt: str
    number: int
    status: RunState
    plan: ImprovePlan
    checks: tuple[CheckSpec, ...]
    cap_usd: float | None
    spent_usd: float
    progress: ImprovementProgress
    result: ImprovementResult | None
    problem: Problem | None
    created_at: str
    started_at: str
    ended_at: str | None


class ImprovementList(msgspec.Struct, frozen=True):
    """Searches, the newest first."""

    improvements: list[ImprovementView]


class CandidateView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of a search with its mean score on the validation rows; 0 is the one that it began with.

    `cost_usd`: of the answers with it that this search has paid for. `version`: the prompt's version with this text.
    """

    number: int
    parents: tuple[int, ...]
    state: CandidateState
    messages: tuple[PromptMessage, ...]
    score: float
    answers: int
    cost_usd: float
    version: int | None


class ImprovementDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A search with its candidates, in the order in which they were found."""

    improvement: ImprovementView
    candidates: tuple[CandidateView, ...]
