"""The jobs of runs and searches, as far as they are alike: whose they are, and how they end."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Generic

import msgspec

from parley.features.lab.experiments.repository import ExperimentsRepository, ExperimentT
from parley.features.lab.runs.live import LiveRuns
from parley.kernel.errors import Problem
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class ExperimentJob(Generic[ExperimentT]):
    """Carries out one kind of experiment."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        live: LiveRuns,
        repository: Callable[[Transaction], ExperimentsRepository[ExperimentT]],
    ) -> None:
        self._database = database
        self._clock = clock
        self._live = live
        self._repository = repository

    async def is_running(self, row: ExperimentT) -> bool:
        """Return whether it runs, and by this job: another process may have paused or restarted it."""
        state = await self._database.read(lambda transaction: self._repository(transaction).status(row.id))
        return state == ("running", row.job_id)

    async def end(
        self,
        row: ExperimentT,
        status: str,
        problem: Problem | None,
        also: Callable[[Transaction], None] = lambda _: None,
    ) -> None:
        """Store the end of a running one together with its result, unless this is no longer its job."""
        document = None if problem is None else msgspec.to_builtins(problem)
        at = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> None:
            repository = self._repository(transaction)
            if repository.status(row.id) == ("running", row.job_id):
                also(transaction)
                repository.end(row.id, row.job_id, status, at, document)

        await self._database.write(store)
