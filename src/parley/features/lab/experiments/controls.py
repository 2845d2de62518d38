"""The controls of experiments: start their jobs, pause, cancel, restart, and tell which job has crashed."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Generic

import msgspec

from parley.engine.jobs import Jobs
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.experiments.repository import ExperimentsRepository, ExperimentT
from parley.features.lab.runs.live import LiveRuns
from parley.features.lab.runs.schemas import MICROS
from parley.features.lab.tables import RunRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.ids import ordered_id, random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class Controls(Generic[ExperimentT]):
    """Controls one kind of experiment; `kind` is that of its jobs, whose data name it under `name`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        jobs: Jobs,
        live: LiveRuns,
        repository: Callable[[Transaction], ExperimentsRepository[ExperimentT]],
        kind: str,
        name: str,
    ) -> None:
        self._database = database
        self._clock = clock
        self._jobs = jobs
        self._live = live
        self._repository = repository
        self._kind = kind
        self._name = name

    async def begin(self, row: ExperimentT) -> None:
        """Start the job of an experiment that is stored as running."""
        await self._jobs.enqueue(self._kind, {self._name: row.id}, row.job_id)
        await self._jobs.start()  # a command's own server has not: it resumes nothing by itself

    def restart(self, transaction: Transaction, row: ExperimentT, *changed: str) -> ExperimentT:
        """Store it as running with a new job, together with other changed columns. Raises Conflict if it runs."""
        refuse_running(row)
        row.status, row.job_id, row.problem = "running", new_job_id(), None
        row.started_at, row.ended_at = self.now(), None
        columns = (*changed, "status", "job_id", "problem", "started_at", "ended_at")
        self._repository(transaction).update(row, *columns)
        return row

    async def pause(self, caller: Caller, experiment_id: str) -> None:
        """Begin no more calls; those in flight end and are stored. Raises NotFound."""
        row = await self._set_status(caller, experiment_id, "paused")
        self._live.pause(row.id)

    async def cancel(self, caller: Caller, experiment_id: str) -> None:
        """Stop at once; calls in flight are interrupted. Raises NotFound."""
        row = await self._set_status(caller, experiment_id, "cancelled")
        self._live.pause(row.id)
        await self._jobs.cancel(row.job_id)

    async def delete(self, caller: Caller, experiment_id: str) -> None:
        """Cancel and delete it; its recorded answers stay for others. Raises NotFound."""
        await self.cancel(caller, experiment_id)

        def store(transaction: Transaction) -> None:
            repository = self._repository(transaction)
            repository.remove(repository.get(caller.person_id, experiment_id))

        await self._database.write(store)

    async def erase(self, caller: Caller) -> int:
        """Cancel and delete all of the caller's; return how many."""
        rows = await self._database.read(lambda transaction: self._repository(transaction).running())
        for row in rows:
            if row.owner_id == caller.person_id:
                await self.cancel(caller, row.id)
        return await self._database.write(
            lambda transaction: self._repository(transaction).remove_all(caller.person_id)
        )

    def columns(self, caller: Caller, checks: Sequence[CheckSpec], cap_usd: float | None) -> dict[str, Any]:
        """Return the columns that new ones of every kind have."""
        now = self.now()
        return {
            "id": random_id(),
            "owner_id": caller.person_id,
            "space_id": caller.space_id,
            "checks": msgspec.to_builtins(checks),
            "cap_micros": micros_of(cap_usd),
            "spent_micros": 0,
            "status": "running",
            "job_id": new_job_id(),
            "author_id": caller.author_id,
            "problem": None,
            "created_at": now,
            "started_at": now,
            "ended_at": None,
        }

    async def recover(self) -> None:
        """Queue the job of every running one that has none: Parley was killed between the two."""
        rows = await self._database.read(lambda transaction: self._repository(transaction).running())
        for row in rows:
            await self._jobs.enqueue(self._kind, {self._name: row.id}, row.job_id)

    async def end_crashed(self, caller: Caller, experiment_id: str) -> None:
        """Store a running one whose job has failed as failed. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: self._repository(transaction).get(caller.person_id, experiment_id)
        )
        if row.status != "running" or row.id in self._live.all:
            return
        try:
            job = await self._jobs.read(row.job_id)
        except NotFound:
            return
        if job.state == "failed":
            now, document = self.now(), msgspec.to_builtins(job.problem)
            await self._database.write(
                lambda transaction: self._repository(transaction).end(
                    row.id, row.job_id, "failed", now, document
                )
            )

    def now(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(self._clock.now(), UTC)

    async def _set_status(self, caller: Caller, experiment_id: str, status: str) -> ExperimentT:
        now = self.now()

        def store(transaction: Transaction) -> ExperimentT:
            repository = self._repository(transaction)
            row = repository.get(caller.person_id, experiment_id)
            if row.status == "running" or (row.status == "paused" and status == "cancelled"):
                row.status, row.ended_at = status, now
                repository.update(row, "status", "ended_at")
            return row

        return await self._database.write(store)


def micros_of(usd: float | None) -> int | None:
    """Return dollars as micro-dollars; None is no cap."""
    return None if usd is None else round(usd * MICROS)


def new_job_id() -> str:
    """Return the id of an experiment's next job."""
    return ordered_id()


def refuse_running(row: ExperimentT) -> None:
    """Raise Conflict for an experiment that runs."""
    if row.status == "running":
        raise Conflict(
            f"{'Run' if isinstance(row, RunRow) else 'Improvement'} {row.number} is running.",
            "Nothing was changed. Pause it first, or wait until it ends.",
            code="run_running",
        )
