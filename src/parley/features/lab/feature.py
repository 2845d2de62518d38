"""The Prompt Lab as a feature: prompts, data sets, runs, searches."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.jobs import Jobs
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal, Retained
from parley.features.lab.calling import LabCalls
from parley.features.lab.checks import plugged
from parley.features.lab.datasets.lost import LostBattles
from parley.features.lab.datasets.routes import routes as dataset_routes
from parley.features.lab.datasets.schemas import DatasetDetail
from parley.features.lab.datasets.service import DatasetsService
from parley.features.lab.improve.from_battles import FromBattles
from parley.features.lab.improve.job import KIND as SEARCH_KIND
from parley.features.lab.improve.job import ImproveJob
from parley.features.lab.improve.routes import prompt_routes as improve_prompt_routes
from parley.features.lab.improve.routes import routes as improve_routes
from parley.features.lab.improve.schemas import ImprovementDetail
from parley.features.lab.improve.service import ImprovementsService
from parley.features.lab.judges.routes import routes as judge_routes
from parley.features.lab.judges.schemas import JudgePassport
from parley.features.lab.judges.service import Judges
from parley.features.lab.promptfoo.routes import prompt_routes as promptfoo_prompt_routes
from parley.features.lab.promptfoo.routes import routes as promptfoo_routes
from parley.features.lab.promptfoo.service import Promptfoo
from parley.features.lab.prompts.as_model import PromptModels
from parley.features.lab.prompts.contestants import PromptContestants
from parley.features.lab.prompts.routes import routes as prompt_routes
from parley.features.lab.prompts.schemas import PromptDetail
from parley.features.lab.prompts.service import PromptsService
from parley.features.lab.prompts.trying import Trying
from parley.features.lab.retention.repository import LabRetention
from parley.features.lab.runs.grading import Grading
from parley.features.lab.runs.in_library import TrialsInLibrary
from parley.features.lab.runs.job import KIND, RunJob
from parley.features.lab.runs.live import LiveRuns
from parley.features.lab.runs.results import RunResults
from parley.features.lab.runs.routes import prompt_routes as run_prompt_routes
from parley.features.lab.runs.routes import routes as run_routes
from parley.features.lab.runs.schemas import RunReport
from parley.features.lab.runs.service import RunsService
from parley.features.lab.runs.trials import Trials
from parley.features.lab.tables import (
    CandidateRow,
    DatasetRow,
    ImprovementRow,
    JudgeRow,
    LabRow,
    OutputRow,
    PromptLabelRow,
    PromptRow,
    PromptVersionRow,
    ReflectionRow,
    RunRow,
    ScoreRow,
    TrialRow,
)
from parley.features.library.service import LibraryService
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    plugged.install(parts[Registry].checks)
    database, clock = parts[Database], parts[WallClock]
    calls = LabCalls(parts[CatalogService], parts[Gateway], parts[Runner].queue)
    live = LiveRuns()
    runs = RunsService(database, clock, calls, parts[Jobs], live)
    library = parts[LibraryService]
    library.read_trials(TrialsInLibrary())
    trials = Trials(database, clock, parts[Recorder], calls, library)
    parts[Jobs].define(KIND, RunJob(database, clock, trials, live).run)
    prompts, datasets = PromptsService(database, clock), DatasetsService(database, clock)
    results = RunResults(database, runs)
    improvements = ImprovementsService(database, clock, calls, parts[Jobs], live, prompts)
    search = ImproveJob(database, clock, parts[Recorder], calls, trials, live)
    parts[Jobs].define(SEARCH_KIND, search.run)
    promptfoo = Promptfoo(database, clock, calls)
    contestants = PromptContestants(prompts, parts[PresetsService])
    from_battles = FromBattles(LostBattles(database, clock), improvements, prompts)
    callers = (
        contestants,
        from_battles,
        calls,
        Trying(calls),
        runs,
        results,
        Grading(database, library),
        improvements,
        promptfoo,
        Judges(database, clock),
    )
    return prompts, PromptModels(prompts), datasets, *callers


def _counted(kind: type[Any]) -> Callable[[Parts, Caller], Awaitable[int]]:
    async def count(parts: Parts, caller: Caller) -> int:
        listed = parts[kind].list
        of_prompts = kind in (RunsService, ImprovementsService)
        return len(await (listed(caller, None) if of_prompts else listed(caller)))

    return count


async def _prompts(parts: Parts, caller: Caller) -> AsyncIterator[PromptDetail]:
    for prompt in await parts[PromptsService].list(caller):
        yield await parts[PromptsService].read(caller, prompt.id)


async def _datasets(parts: Parts, caller: Caller) -> AsyncIterator[DatasetDetail]:
    for dataset in await parts[DatasetsService].list(caller):
        yield await parts[DatasetsService].read(caller, dataset.id)


async def _runs(parts: Parts, caller: Caller) -> AsyncIterator[RunReport]:
    for run in await parts[RunsService].list(caller, None):
        yield await parts[RunResults].report(caller, run.id)


async def _judges(parts: Parts, caller: Caller) -> AsyncIterator[JudgePassport]:
    for judge in await parts[Judges].list(caller):
        yield judge


async def _improvements(parts: Parts, caller: Caller) -> AsyncIterator[ImprovementDetail]:
    for each in await parts[ImprovementsService].list(caller, None):
        yield await parts[ImprovementsService].read(caller, each.id)


async def _recover(parts: Parts) -> None:
    await parts[RunsService].recover()
    await parts[ImprovementsService].recover()


FEATURE = Feature(
    name="lab",
    needs=("catalog", "library", "presets"),
    tables=(
        PromptRow,
        PromptVersionRow,
        PromptLabelRow,
        DatasetRow,
        LabRow,
        RunRow,
        ImprovementRow,
        CandidateRow,
        ReflectionRow,
        TrialRow,
        OutputRow,
        ScoreRow,
        JudgeRow,
    ),
    build=_build,
    routes=(
        *(prompt_routes, run_prompt_routes, dataset_routes, run_routes),
        *(improve_prompt_routes, improve_routes),
        *(promptfoo_routes, promptfoo_prompt_routes, judge_routes),
    ),
    start=_recover,
    retained=(
        Retained(
            name="lab-runs",
            nouns="runs of the Prompt Lab",
            about="Runs and searches since they ended, and answers since they came. Prompts and data sets stay. A "
            "younger run that had reused an old answer asks for it again when it is continued.",
            count=lambda parts, before: parts[Database].read(lambda db: LabRetention(db).count(before)),
            forget=lambda parts, before: parts[Database].write(lambda db: LabRetention(db).forget(before)),
        ),
    ),
    personal=(
        Personal(
            noun="improvement",
            count=_counted(ImprovementsService),
            export=_improvements,
            erase=lambda parts, caller: parts[ImprovementsService].erase(caller),
        ),
        Personal(
            noun="lab_run",
            count=_counted(RunsService),
            export=_runs,
            erase=lambda parts, caller: parts[RunsService].erase(caller),
        ),
        Personal(
            noun="judge",
            count=lambda parts, caller: parts[Judges].count(caller),
            export=_judges,
            erase=lambda parts, caller: parts[Judges].erase(caller),
        ),
        Personal(
            noun="dataset",
            count=_counted(DatasetsService),
            export=_datasets,
            erase=lambda parts, caller: parts[DatasetsService].erase(caller),
        ),
        Personal(
            noun="prompt",
            count=_counted(PromptsService),
            export=_prompts,
            erase=lambda parts, caller: parts[PromptsService].erase(caller),
        ),
    ),
)
