"""The job of a run: asks for the trials that are missing, and checks answers that are not checked yet."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parley.engine.jobs import Job, Steps
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.checks_of_answer import check_sha256
from parley.features.lab.experiments.carrying_out import ExperimentJob
from parley.features.lab.runs.allowance import Allowance
from parley.features.lab.runs.live import LiveRun, LiveRuns, watched
from parley.features.lab.runs.loading import checks_of, load_experiment, plan_of
from parley.features.lab.runs.plan import Cell, Experiment
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.trials import Trials, step_sometimes
from parley.features.lab.tables import RunRow, TrialRow
from parley.kernel.errors import OverBudget, ParleyError
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

KIND = "lab_run"


class Work(NamedTuple):
    """The rest of a run: its open cells, with the trial that is recorded, if one is."""

    run: RunRow
    experiment: Experiment
    checks: Sequence[CheckSpec]
    cells: Sequence[tuple[Cell, TrialRow | None]]
    completed: int


class RunJob(ExperimentJob[RunRow]):
    """Carries out runs."""

    def __init__(self, database: Database, clock: Clock, trials: Trials, live: LiveRuns) -> None:
        super().__init__(database, clock, live, RunsRepository)
        self._trials = trials

    async def run(self, job: Job, step: Steps) -> None:
        """Do what is left of a run, until it is complete, paused, cancelled, or at its cap."""
        run_id = str(job.data["run"])
        work = await self._database.read(lambda transaction: _load(transaction, run_id, job.id))
        if work is None:
            return
        allowance = Allowance(work.run.cap_micros, work.run.spent_micros)
        live = LiveRun(work.experiment.size, work.completed, allowance)
        self._live.add(run_id, live)
        try:
            status = await self._carry_out(work, live, job, step)
        except ParleyError as error:
            await self.end(work.run, "failed", error.problem)
            raise
        finally:
            self._live.remove(run_id)
        if status is not None:
            await self.end(work.run, status, None)

    async def _carry_out(self, work: Work, live: LiveRun, job: Job, step: Steps) -> str | None:
        """Return the status at the end; None if somebody has paused or cancelled the run."""
        await job.expect(len(work.cells))
        cells, capped = iter(work.cells), asyncio.Event()
        try:
            async with watched(live, lambda: self.is_running(work.run)), asyncio.TaskGroup() as group:
                for _ in range(min(work.experiment.plan.parallel, len(work.cells))):
                    group.create_task(self._work(work, cells, live, capped, step))
        except* ParleyError as errors:
            raise errors.exceptions[0] from None
        if live.pausing.is_set():
            return None
        return "capped" if capped.is_set() else "completed"

    async def _work(
        self,
        work: Work,
        cells: Iterator[tuple[Cell, TrialRow | None]],
        live: LiveRun,
        capped: asyncio.Event,
        step: Steps,
    ) -> None:
        """Take cells until there are none, or no more may begin."""
        for cell, recorded in cells:
            if live.pausing.is_set() or capped.is_set():
                return
            trial = recorded
            try:
                if trial is None or trial.status != "completed":
                    trial, text = await self._trials.ask(work.run, cell, recorded, live)
                else:
                    text = await self._trials.text_of(trial)
                await self._trials.check(work.run, cell, trial, text, work.checks, live)
            except OverBudget as error:
                if error.leaf_code != "mode_cap_reached":
                    raise
                capped.set()
                return
            await step_sometimes(step, live, cell)


def _load(transaction: Transaction, run_id: str, job_id: str) -> Work | None:
    """Return what is left of a run; None if this is no longer its job."""
    repository = RunsRepository(transaction)
    run = repository.of_job(run_id)
    if run is None or run.status != "running" or run.job_id != job_id:
        return None
    experiment = load_experiment(repository, run.prompt_id, plan_of(run))
    checks = checks_of(run)
    cells = list(experiment.cells(run.owner_id))
    trials = repository.trials(run.owner_id, [cell.key for cell in cells])
    completed = {key for key, trial in trials.items() if trial.status == "completed"}
    scores = repository.scores(sorted(completed)) if checks else {}
    digests = {check_sha256(check) for check in checks}
    left = [
        (cell, trials.get(cell.key))
        for cell in cells
        if cell.key not in completed or not digests <= scores.get(cell.key, {}).keys()
    ]
    return Work(run, experiment, checks, left, len(completed))
