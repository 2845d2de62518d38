"""Routes of runs."""

from typing import Annotated

from fastapi import Query, Response

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.runs.grading import Grading
from parley.features.lab.runs.results import RunResults
from parley.features.lab.runs.schemas import (
    AnswerPlace,
    CellDetail,
    ExtendRun,
    GradeTrial,
    PlanRun,
    ProposedChecks,
    RunList,
    RunQuote,
    RunReport,
    RunView,
    StartRun,
)
from parley.features.lab.runs.service import RunsService
from parley.features.library.schemas import AssetCard
from parley.kernel.caller import Scope
from parley.kernel.request import Number

prompt_routes = Routes("/api/prompts", tag="lab", needs=Scope.TALK)
routes = Routes("/api/lab/runs", tag="lab", needs=Scope.TALK)

PLAN = {"versions": [1], "models": ["my-model"], "dataset": "0123456789abcdef0123456789abcdef"}
PLANNED = ("model_not_found", "row_unfit")


@prompt_routes.post("/{prompt_id}/quote", reads=True, errors=PLANNED, example=PLAN)
async def quote_run(prompt_id: str, body: PlanRun, app: App, caller: CallerDep) -> RunQuote:
    """Quote a run: calls that are not recorded yet, money with a range, and time. Asks nothing."""
    return await app[RunsService].quote(caller, prompt_id, body)


@prompt_routes.post("/{prompt_id}/runs", errors=PLANNED, example={**PLAN, "cap_usd": 2.0})
async def start_run(prompt_id: str, body: StartRun, app: App, caller: CallerDep) -> RunView:
    """Start a run. It asks only for answers that are not recorded yet."""
    return await app[RunsService].start(caller, prompt_id, body)


@routes.get()
async def list_runs(
    app: App,
    caller: CallerDep,
    *,
    prompt: Annotated[str | None, Query(max_length=32, description="Only runs of this prompt.")] = None,
) -> RunList:
    """List the newest runs."""
    return RunList(list(await app[RunsService].list(caller, prompt)))


@routes.get("/{run_id}")
async def read_run(run_id: str, app: App, caller: CallerDep) -> RunView:
    """Read a run with its progress."""
    return await app[RunsService].read(caller, run_id)


@routes.patch("/{run_id}", errors=("run_running", *PLANNED), example={"models": ["my-model", "another"]})
async def extend_run(run_id: str, body: ExtendRun, app: App, caller: CallerDep) -> RunView:
    """Change a run's plan and ask what is missing: a model, rows, a repeat, or what failed before."""
    return await app[RunsService].extend(caller, run_id, body)


@routes.delete("/{run_id}")
async def delete_run(run_id: str, app: App, caller: CallerDep) -> None:
    """Delete a run. Its recorded answers stay for other runs."""
    await app[RunsService].delete(caller, run_id)


@routes.post("/{run_id}/pause")
async def pause_run(run_id: str, app: App, caller: CallerDep) -> RunView:
    """Pause a run: calls in flight end and are saved, no more begin."""
    return await app[RunsService].pause(caller, run_id)


@routes.post("/{run_id}/resume", errors=("run_running",))
async def resume_run(run_id: str, app: App, caller: CallerDep) -> RunView:
    """Resume a run: ask what is missing, and what failed before."""
    return await app[RunsService].resume(caller, run_id)


@routes.post("/{run_id}/cancel")
async def cancel_run(run_id: str, app: App, caller: CallerDep) -> RunView:
    """Cancel a run: calls in flight are interrupted. Recorded answers are kept."""
    return await app[RunsService].cancel(caller, run_id)


@routes.get("/{run_id}/report")
async def read_report(run_id: str, app: App, caller: CallerDep) -> RunReport:
    """Read the grid of a run, with the figures of its columns and their comparison."""
    return await app[RunResults].report(caller, run_id)


@routes.get("/{run_id}/cell")
async def read_cell(
    run_id: str,
    app: App,
    caller: CallerDep,
    *,
    row: Annotated[Number, Query(description="The place of the row.")],
    version: Annotated[Number, Query(description="The version's number.")],
    model: Annotated[str, Query(max_length=64, description="The model's id.")],
) -> CellDetail:
    """Read a cell of the grid: the messages that were sent, and every answer with its verdicts."""
    return await app[RunResults].cell(caller, run_id, row, version, model)


@routes.post(
    "/{run_id}/grade",
    example={"row": 1, "version": 1, "model": "my-model", "passed": True},
)
async def grade_answer(run_id: str, body: GradeTrial, app: App, caller: CallerDep) -> CellDetail:
    """Grade an answer as good or bad, or for a check by hand; null takes the verdict back."""
    return await app[Grading].grade(caller, run_id, body)


@routes.post("/{run_id}/keep", example={"row": 1, "version": 1, "model": "my-model"})
async def keep_answer(run_id: str, body: AnswerPlace, app: App, caller: CallerDep) -> AssetCard:
    """Keep an answer in the library."""
    return await app[Grading].keep(caller, run_id, body)


@routes.get("/{run_id}/proposals")
async def propose_checks(run_id: str, app: App, caller: CallerDep) -> ProposedChecks:
    """Propose checks from graded answers, with the bad answers that each catches and its false alarms."""
    return await app[Grading].proposals(caller, run_id)


@routes.get("/{run_id}/csv", downloads=("text/csv",))
async def export_run(run_id: str, app: App, caller: CallerDep) -> Response:
    """Return every answer of a run as CSV."""
    content = await app[RunResults].csv(caller, run_id)
    headers = {"Content-Disposition": f'attachment; filename="run-{run_id[:8]}.csv"'}
    return Response(content, headers=headers, media_type="text/csv; charset=utf-8")
