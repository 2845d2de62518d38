"""Views of searches, with their progress and their candidates."""

from collections.abc import Sequence

import msgspec

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.improve.live import LiveSearch
from parley.features.lab.improve.loading import improve_plan_of
from parley.features.lab.improve.repository import ImprovementsRepository
from parley.features.lab.improve.schemas import (
    CandidateState,
    CandidateView,
    ImprovementDetail,
    ImprovementProgress,
    ImprovementResult,
    ImprovementView,
)
from parley.features.lab.improve.texts import body_with
from parley.features.lab.prompts.service import body_of
from parley.features.lab.runs.schemas import MICROS, RunState
from parley.features.lab.tables import CandidateRow, ImprovementRow
from parley.kernel.errors import Problem


def improvement_view(
    repository: ImprovementsRepository,
    row: ImprovementRow,
    live: LiveSearch | None,
    best: tuple[int, float] | None,
) -> ImprovementView:
    """Return a search as the API shows it; `best` is how many candidates it has, and the best score."""
    spent = live.allowance.spent if live else row.spent_micros
    return ImprovementView(
        id=row.id,
        prompt_id=row.prompt_id,
        prompt=repository.prompt_name(row.prompt_id),
        number=row.number,
        status=msgspec.convert(row.status, RunState),
        plan=improve_plan_of(row.plan),
        checks=msgspec.convert(row.checks, tuple[CheckSpec, ...]),
        cap_usd=None if row.cap_micros is None else row.cap_micros / MICROS,
        spent_usd=spent / MICROS,
        progress=_live_progress(live) if live else _stored_progress(repository, row, best),
        result=None if row.result is None else msgspec.convert(row.result, ImprovementResult),
        problem=None if row.problem is None else msgspec.convert(row.problem, Problem),
        created_at=row.created_at.isoformat(),
        started_at=row.started_at.isoformat(),
        ended_at=None if row.ended_at is None else row.ended_at.isoformat(),
    )


def improvement_detail(
    repository: ImprovementsRepository, row: ImprovementRow, live: LiveSearch | None
) -> ImprovementDetail:
    """Return a search with its candidates."""
    rows = repository.candidates(row.id)
    best = (len(rows), max(each.score for each in rows)) if rows else None
    view = improvement_view(repository, row, live, best)
    return ImprovementDetail(improvement=view, candidates=tuple(_candidates(repository, row, rows)))


def _candidates(
    repository: ImprovementsRepository, row: ImprovementRow, rows: Sequence[CandidateRow]
) -> list[CandidateView]:
    first = body_of(repository.prompts.version(row.prompt_id, improve_plan_of(row.plan).version))
    costs, versions = repository.costs(row), repository.versions_by_hash(row.prompt_id)
    # As the search itself decides: the earlier of equals.
    best = max(rows, key=lambda it: (it.score, -it.number), default=None)

    def state(each: CandidateRow) -> CandidateState:
        return "first" if each.number == 0 else "best" if each is best else "candidate"

    return [
        CandidateView(
            number=each.number,
            parents=tuple(each.parents),
            state=state(each),
            messages=body_with(first, each.texts).messages,
            score=each.score,
            answers=each.answers,
            cost_usd=costs.get(each.sha256, 0) / MICROS,
            version=improve_plan_of(row.plan).version if each.number == 0 else versions.get(each.sha256),
        )
        for each in rows
    ]


def _live_progress(live: LiveSearch) -> ImprovementProgress:
    progress = live.progress
    scores = [candidate.score for candidate in progress.candidates]
    return ImprovementProgress(
        phase="measuring" if live.measured else "searching",
        answers=min(live.budget, live.completed + live.failed - live.measured),
        most_answers=live.budget,
        reflections=progress.reflections,
        candidates=len(scores),
        best_score=max(scores, default=None),
        measured=live.measured,
        to_measure=live.cells - live.budget,
        failed=live.failed,
        running=live.running,
        held_usd=live.allowance.held / MICROS,
        rate=live.rate(),
        seconds_left=live.seconds_left(),
    )


def _stored_progress(
    repository: ImprovementsRepository, row: ImprovementRow, best: tuple[int, float] | None
) -> ImprovementProgress:
    """Return the counts of a search that this process does not carry out."""
    plan = improve_plan_of(row.plan)
    held_out = len(repository.datasets.rows(plan.dataset_id, plan.dataset_number, splits=("holdout",)))
    measured = 2 * int((row.result or {}).get("rows", 0))
    return ImprovementProgress(
        phase="measuring" if measured else "searching",
        answers=row.answers,
        most_answers=plan.answers,
        reflections=row.reflections,
        candidates=best[0] if best else 0,
        best_score=best[1] if best else None,
        measured=measured,
        to_measure=2 * held_out,
        failed=0,
        running=0,
        held_usd=0.0,
        rate=None,
        seconds_left=None,
    )
