"""The job of a search: finds candidates, stores them as they come, and measures the best one on unseen rows."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from parley.engine.jobs import Job, Steps
from parley.engine.recorder import Recorder
from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.experiments.carrying_out import ExperimentJob
from parley.features.lab.improve.asking import Asking
from parley.features.lab.improve.improving import Improvement, improve
from parley.features.lab.improve.live import LiveSearch
from parley.features.lab.improve.loading import Search, improve_plan_of, load_search
from parley.features.lab.improve.repository import ImprovementsRepository, candidate_row
from parley.features.lab.improve.rows import HoldOut
from parley.features.lab.improve.schemas import ImprovementResult
from parley.features.lab.improve.searching import Candidate, Progress
from parley.features.lab.improve.texts import body_with, texts_of
from parley.features.lab.runs.allowance import Allowance
from parley.features.lab.runs.live import LiveRuns, watched
from parley.features.lab.runs.trials import Trials
from parley.features.lab.tables import ImprovementRow
from parley.kernel.errors import ParleyError
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

KIND = "lab_improve"

CAPPED = "mode_cap_reached"


class Work(NamedTuple):
    """A search with what it has paid for: a number of complete answers."""

    row: ImprovementRow
    search: Search
    checks: Sequence[CheckSpec]
    answered: int


class ImproveJob(ExperimentJob[ImprovementRow]):
    """Carries out searches. One that resumes goes through the same steps: what is recorded is not asked again."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        recorder: Recorder,
        calls: LabCalls,
        trials: Trials,
        live: LiveRuns,
    ) -> None:
        super().__init__(database, clock, live, ImprovementsRepository)
        self._recorder = recorder
        self._calls = calls
        self._trials = trials

    async def run(self, job: Job, step: Steps) -> None:
        """Search until there is a result, or the search is paused, cancelled, or at its cap."""
        improvement_id = str(job.data["improvement"])
        work = await self._database.read(lambda transaction: _load(transaction, improvement_id, job.id))
        if work is None:
            return
        allowance = Allowance(work.row.cap_micros, work.row.spent_micros)
        live = LiveSearch(work.search.plan.answers, 2 * len(work.search.rows.holdout), allowance)
        self._live.add(improvement_id, live)
        try:
            await job.expect(live.cells)
            result = await self._carry_out(work, live, step)
            if result is not None:
                await self._store_candidates(work, live.progress)
                await self._end_with(work, result)
        except ParleyError as error:
            await self.end(work.row, "failed", error.problem)
            raise
        finally:
            self._live.remove(improvement_id)

    async def _carry_out(self, work: Work, live: LiveSearch, step: Steps) -> Improvement | None:
        """Return the result; None if somebody has paused or cancelled the search."""
        tools = (self._database, self._recorder, self._calls, self._trials)
        asking = Asking(work.row, work.search, work.checks, live, work.answered, step, *tools)
        changed = asyncio.Event()

        def report(progress: Progress) -> None:
            live.progress = progress
            changed.set()

        rows = work.search.rows
        searching = asyncio.create_task(
            improve(
                texts_of(work.search.body),
                rows.training,
                rows.validation,
                HoldOut(rows.holdout),
                asking.evaluate,
                asking.reflect,
                work.search.budget,
                report,
            )
        )
        others = [
            asyncio.create_task(self._keep_storing(work, live, changed)),
            asyncio.create_task(_pause(live, asking, searching)),
        ]
        try:
            async with watched(live, lambda: self.is_running(work.row)):
                await asyncio.wait([searching])
        finally:
            await _cancelled(searching, *others)
        return None if searching.cancelled() else searching.result()

    async def _keep_storing(self, work: Work, live: LiveSearch, changed: asyncio.Event) -> None:
        """Store the candidates as they come."""
        while True:
            await changed.wait()
            changed.clear()
            with suppress(ParleyError):
                await self._store_candidates(work, live.progress)

    async def _store_candidates(self, work: Work, progress: Progress) -> None:
        rows = [candidate_row(work.row.id, each, _sha256(work.search, each)) for each in progress.candidates]
        await self._database.write(
            lambda transaction: ImprovementsRepository(transaction).store_progress(
                work.row, progress.answers, progress.reflections, rows
            )
        )

    async def _end_with(self, work: Work, result: Improvement) -> None:
        """Store the result. One that stopped at the cap or in an outage can be resumed."""
        problem, row = result.problem, work.row
        capped = problem is not None and problem.code == CAPPED
        status = "capped" if capped else "failed" if problem is not None else "completed"
        view = ImprovementResult(
            best=result.best,
            sentence=result.sentence,
            rows=result.rows,
            difference=result.difference,
            low=result.low,
            high=result.high,
            p=result.p,
        )

        def store(transaction: Transaction) -> None:
            repository = ImprovementsRepository(transaction)
            repository.drop_candidates(row.id, len(result.candidates))
            repository.store_result(row, msgspec.to_builtins(view))

        await self.end(row, status, problem, store)


async def _pause(live: LiveSearch, asking: Asking, searching: "asyncio.Task[Improvement]") -> None:
    """Stop a search that is paused, once what is in flight has ended."""
    await live.pausing.wait()
    await asking.idle()
    searching.cancel()


async def _cancelled(*tasks: "asyncio.Task[Improvement] | asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


def _sha256(search: Search, candidate: Candidate) -> str:
    return body_with(search.body, candidate.texts).sha256


def _load(transaction: Transaction, improvement_id: str, job_id: str) -> Work | None:
    """Return a search; None if this is no longer its job."""
    repository = ImprovementsRepository(transaction)
    row = repository.of_job(improvement_id)
    if row is None or row.status != "running" or row.job_id != job_id:
        return None
    search = load_search(repository, row.prompt_id, improve_plan_of(row.plan))
    return Work(row, search, msgspec.convert(row.checks, list[CheckSpec]), repository.answered(row))
