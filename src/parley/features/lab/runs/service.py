"""Use cases of runs: quote, start, extend, pause, resume, cancel, read."""

from collections.abc import Sequence
from typing import cast

import msgspec

from parley.engine.jobs import Jobs
from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.checking import read_checks
from parley.features.lab.experiments.controls import Controls, micros_of, refuse_running
from parley.features.lab.prompts.service import checks_of as prompt_checks
from parley.features.lab.runs.job import KIND
from parley.features.lab.runs.live import LiveRuns
from parley.features.lab.runs.loading import load_experiment, plan_of
from parley.features.lab.runs.plan import RunPlan
from parley.features.lab.runs.quoting import quote_run
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.schemas import ExtendRun, PlanRun, RunQuote, RunView, StartRun
from parley.features.lab.runs.views import view_of
from parley.features.lab.tables import RunRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.readable_rows import each_readable

MOST_LISTED = 50


class RunsService:
    """Plans runs, and starts and stops their jobs."""

    def __init__(self, database: Database, clock: Clock, calls: LabCalls, jobs: Jobs, live: LiveRuns) -> None:
        self._database = database
        self._calls = calls
        self._live = live
        self._controls = Controls(database, clock, jobs, live, RunsRepository, KIND, "run")
        self.recover = self._controls.recover
        self.delete = self._controls.delete
        self.erase = self._controls.erase

    async def quote(self, caller: Caller, prompt_id: str, request: PlanRun) -> RunQuote:
        """Return the quote of a plan. Raises NotFound, Invalid."""
        checks = None if request.checks is None else await read_checks(request.checks)

        def read(transaction: Transaction) -> RunQuote:
            repository = RunsRepository(transaction)
            prompt = repository.prompts.get(caller.person_id, prompt_id)
            plan = _plan(repository, caller, request)
            experiment = load_experiment(repository, prompt.id, plan)
            experiment.check()
            all_checks = prompt_checks(prompt) if checks is None else checks
            return quote_run(repository, self._calls, caller.person_id, experiment, all_checks)

        return await self._database.read(read)

    async def start(self, caller: Caller, prompt_id: str, request: StartRun) -> RunView:
        """Store a run and start its job. Raises NotFound, Invalid."""
        checks = None if request.checks is None else await read_checks(request.checks)

        def store(transaction: Transaction) -> RunRow:
            repository = RunsRepository(transaction)
            prompt = repository.prompts.get(caller.person_id, prompt_id)
            plan = _plan(repository, caller, request)
            load_experiment(repository, prompt.id, plan).check()
            for model_id in plan.models:
                self._calls.model(model_id, "models")
            run = RunRow(
                prompt_id=prompt.id,
                number=repository.next_number(prompt.id),
                plan=msgspec.to_builtins(plan),
                **self._controls.columns(
                    caller, prompt_checks(prompt) if checks is None else checks, request.cap_usd
                ),
            )
            repository.add(run)
            return run

        return await self._begin(caller, await self._database.write(store))

    async def extend(self, caller: Caller, run_id: str, request: ExtendRun) -> RunView:
        """Change a run's plan, and ask what is missing then: also what failed before. Raises NotFound, Invalid."""
        checks = None if request.checks is None else await read_checks(request.checks)

        def store(transaction: Transaction) -> RunRow:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            refuse_running(run)
            plan = _extended(repository, caller, plan_of(run), request)
            load_experiment(repository, run.prompt_id, plan).check()
            for model_id in plan.models:
                self._calls.model(model_id, "models")
            run.plan = msgspec.to_builtins(plan)
            if checks is not None:
                run.checks = msgspec.to_builtins(checks)
            if "cap_usd" in request.model_fields_set:
                run.cap_micros = micros_of(request.cap_usd)
            return self._controls.restart(transaction, run, "plan", "checks", "cap_micros")

        return await self._begin(caller, await self._database.write(store))

    async def resume(self, caller: Caller, run_id: str) -> RunView:
        """Ask what a run lacks: also what failed before. Raises NotFound, Conflict if it runs."""

        def store(transaction: Transaction) -> RunRow:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            return self._controls.restart(transaction, run)

        return await self._begin(caller, await self._database.write(store))

    async def pause(self, caller: Caller, run_id: str) -> RunView:
        """Begin no more calls; those in flight end and are stored. Raises NotFound."""
        await self._controls.pause(caller, run_id)
        return await self.read(caller, run_id)

    async def cancel(self, caller: Caller, run_id: str) -> RunView:
        """Stop at once; calls in flight are interrupted. Raises NotFound."""
        await self._controls.cancel(caller, run_id)
        return await self.read(caller, run_id)

    async def list(self, caller: Caller, prompt_id: str | None) -> Sequence[RunView]:
        """Return the newest runs of a prompt, or of all."""

        def read(transaction: Transaction) -> list[RunView]:
            repository = RunsRepository(transaction)
            rows = repository.of_prompt(caller.person_id, prompt_id, MOST_LISTED)
            return list(each_readable(rows, lambda row: self.view(repository, row)))

        return await self._database.read(read)

    async def read(self, caller: Caller, run_id: str) -> RunView:
        """Return a run with its progress. Raises NotFound."""
        await self._controls.end_crashed(caller, run_id)
        return await self._database.read(
            lambda transaction: self.view(
                repository := RunsRepository(transaction), repository.get(caller.person_id, run_id)
            )
        )

    def view(self, repository: RunsRepository, row: RunRow, states: Sequence[str] | None = None) -> RunView:
        """Return a run as the API shows it. `states` are those of its recorded trials, if they are known."""
        return view_of(repository, row, self._live.all.get(row.id), states)

    async def _begin(self, caller: Caller, run: RunRow) -> RunView:
        await self._controls.begin(run)
        return await self.read(caller, run.id)


def _plan(repository: RunsRepository, caller: Caller, request: PlanRun) -> RunPlan:
    try:
        dataset = repository.datasets.get(caller.person_id, request.dataset)
    except NotFound as error:
        raise Invalid("dataset", error.title, "Nothing was asked. Choose another one.") from None
    return RunPlan(
        versions=tuple(dict.fromkeys(request.versions)),
        models=tuple(dict.fromkeys(request.models)),
        dataset_id=dataset.id,
        dataset_name=dataset.name,
        dataset_number=dataset.number,
        splits=tuple(request.splits),
        repeats=request.repeats,
        first_rows=request.first_rows,
        failed=request.failed,
        parallel=request.parallel,
    )


def _extended(repository: RunsRepository, caller: Caller, plan: RunPlan, request: ExtendRun) -> RunPlan:
    named = request.model_fields_set - {"newest_rows", "checks", "cap_usd"}
    document = request.model_dump(include=named)
    fields = {name: value for name, value in document.items() if value is not None or name == "first_rows"}
    changes: dict[str, object] = {
        name: tuple(cast("list[object]", value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }
    if request.newest_rows:
        dataset = repository.datasets.get(caller.person_id, plan.dataset_id)
        changes |= {"dataset_number": dataset.number, "dataset_name": dataset.name}
    return msgspec.structs.replace(plan, **changes)
