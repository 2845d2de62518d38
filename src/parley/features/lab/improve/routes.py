"""Routes of searches for a better prompt."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.improve.from_battles import FromBattles
from parley.features.lab.improve.schemas import (
    ImproveFromBattles,
    ImprovementDetail,
    ImprovementList,
    ImprovementQuote,
    ImprovementView,
    PlanImprovement,
    ResumeImprovement,
    SaveCandidate,
    StartImprovement,
)
from parley.features.lab.improve.service import ImprovementsService
from parley.features.lab.prompts.schemas import PromptDetail
from parley.kernel.caller import Scope

prompt_routes = Routes("/api/prompts", tag="lab", needs=Scope.TALK)
routes = Routes("/api/lab/improvements", tag="lab", needs=Scope.TALK)

PLAN = {
    "version": 1,
    "model": "my-model",
    "reflector": "my-model",
    "dataset": "0123456789abcdef0123456789abcdef",
}
PLANNED = ("model_not_found", "row_unfit", "rows_leaked", "budget_too_small")


@prompt_routes.post("/{prompt_id}/improvements/quote", reads=True, errors=PLANNED, example=PLAN)
async def quote_improvement(
    prompt_id: str, body: PlanImprovement, app: App, caller: CallerDep
) -> ImprovementQuote:
    """Quote a search for a better prompt: the most calls, money with a range, and time. Asks nothing."""
    return await app[ImprovementsService].quote(caller, prompt_id, body)


@prompt_routes.post("/{prompt_id}/improvements", errors=PLANNED, example={**PLAN, "cap_usd": 2.0})
async def start_improvement(
    prompt_id: str, body: StartImprovement, app: App, caller: CallerDep
) -> ImprovementView:
    """Start a search. It sees rows for training and validation, and is measured once on those held out."""
    return await app[ImprovementsService].start(caller, prompt_id, body)


@prompt_routes.post(
    "/{prompt_id}/improvements/battles",
    errors=(*PLANNED, "too_many_rows"),
    example={"version": 1, "model": "my-model", "reflector": "my-model"},
)
async def improve_from_battles(
    prompt_id: str, body: ImproveFromBattles, app: App, caller: CallerDep
) -> ImprovementView:
    """Start a search on the battles that a model lost by your votes, judged by the winning answers and your reasons."""
    return await app[FromBattles].start(caller, prompt_id, body)


@routes.get()
async def list_improvements(
    app: App,
    caller: CallerDep,
    *,
    prompt: Annotated[str | None, Query(max_length=32, description="Only searches of this prompt.")] = None,
) -> ImprovementList:
    """List the newest searches."""
    return ImprovementList(list(await app[ImprovementsService].list(caller, prompt)))


@routes.get("/{improvement_id}")
async def read_improvement(improvement_id: str, app: App, caller: CallerDep) -> ImprovementDetail:
    """Read a search with its progress, its candidates and its result."""
    return await app[ImprovementsService].read(caller, improvement_id)


@routes.delete("/{improvement_id}")
async def delete_improvement(improvement_id: str, app: App, caller: CallerDep) -> None:
    """Delete a search. Saved versions and recorded answers stay."""
    await app[ImprovementsService].delete(caller, improvement_id)


@routes.post("/{improvement_id}/pause")
async def pause_improvement(improvement_id: str, app: App, caller: CallerDep) -> ImprovementView:
    """Pause a search: calls in flight end and are saved, no more begin."""
    return await app[ImprovementsService].pause(caller, improvement_id)


@routes.post("/{improvement_id}/resume", errors=("run_running",), example={"cap_usd": 5.0})
async def resume_improvement(
    improvement_id: str, body: ResumeImprovement, app: App, caller: CallerDep
) -> ImprovementView:
    """Resume a search, with another cap if there is one in the request. Recorded answers are not asked again."""
    return await app[ImprovementsService].resume(caller, improvement_id, body)


@routes.post("/{improvement_id}/cancel")
async def cancel_improvement(improvement_id: str, app: App, caller: CallerDep) -> ImprovementView:
    """Cancel a search: calls in flight are interrupted. Recorded answers and candidates are kept."""
    return await app[ImprovementsService].cancel(caller, improvement_id)


@routes.post("/{improvement_id}/save", example={"note": "Shorter"})
async def save_candidate(
    improvement_id: str, body: SaveCandidate, app: App, caller: CallerDep
) -> PromptDetail:
    """Save a candidate as the prompt's next version: the best one if the request names none."""
    return await app[ImprovementsService].save(caller, improvement_id, body)
