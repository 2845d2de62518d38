"""Batch jobs: functions whose steps are stored, so that they go on where a dead process stopped.

A job's steps are memoised by key, in the tables of Parley's own database. A process renews the leases of its jobs; one
that does not is taken for dead, and any other process goes on with them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, TypeVar, overload

import msgspec

from parley.engine.loop import Loop
from parley.kernel.errors import ParleyError, Problem, Unavailable
from parley.kernel.ids import ordered_id, random_id
from parley.kernel.jobs import Heartbeat, JobLease, JobStore, JobView, StepEnd

T = TypeVar("T")

LEASE_S = 15.0
"""After how long without a heartbeat a process is taken for dead."""

HEARTBEATS = 5
"""The heartbeats of a lease in this time."""

AGAIN_S = 1.0
"""Seconds before a result is stored again that the database could not take."""

log = logging.getLogger(__name__)


class Job:
    """A running job, as its function sees it."""

    def __init__(self, lease: JobLease, steps: "Steps") -> None:
        self.id = lease.id
        self.data = lease.data
        self._steps = steps

    async def expect(self, total: int) -> None:
        """Store how many steps the job has."""
        await self._steps.store(lambda store, lease: store.set_total(lease, total))


class Steps:
    """Runs the steps of one job, each under a key that no other has: the second argument of its function.

    The result must be JSON, or a struct whose class is passed as `kind`. A step may be interrupted and run again before
    its result is stored; never after. Its error is stored too, and raised; a retried job runs the step again.
    """

    def __init__(self, store: JobStore, lease: JobLease, lost: Callable[[], object]) -> None:
        self._store = store
        self._lease = lease
        self._results = lease.results
        self._lost = lost

    @overload
    async def __call__(self, key: str, work: Callable[[], Awaitable[object]]) -> object: ...

    @overload
    async def __call__(self, key: str, work: Callable[[], Awaitable[T]], kind: type[T]) -> T: ...

    async def __call__(
        self, key: str, work: Callable[[], Awaitable[object]], kind: type[object] = object
    ) -> object:
        """Return the result of a step, which runs unless its result is stored. Raises the step's error."""
        result = self._results.get(key)
        if result is None:
            try:
                result = msgspec.json.encode(await work())
            except Exception as error:
                await self._end(StepEnd(key=key, problem=_problem(error)))
                raise
            await self._end(StepEnd(key=key, result=result))
            self._results[key] = result
        return msgspec.json.decode(result, type=kind)

    async def _end(self, step: StepEnd) -> None:
        await self.store(lambda store, lease: store.end_step(lease, step))

    async def store(self, write: Callable[[JobStore, JobLease], Awaitable[bool]]) -> None:
        """Store something, as soon as the database can take it; stop the job if it is no longer this process's."""
        while True:
            writing = asyncio.ensure_future(write(self._store, self._lease))
            try:
                # What was paid for is stored although Parley is stopping, or the database is away.
                stored = await asyncio.shield(writing)
                break
            except Unavailable:
                await asyncio.sleep(AGAIN_S)
            finally:
                await asyncio.wait([writing])
        if not stored:
            self._lost()
            raise asyncio.CancelledError


Run: TypeAlias = Callable[[Job, Steps], Awaitable[object]]
"""The function of a kind of job. It may be called again, in another process, and finds its steps' results."""


class Jobs:
    """Queues jobs, and runs some of them at a time in this process."""

    def __init__(self, store: JobStore, *, limit: int = 4, lease_s: float = LEASE_S) -> None:
        self._store = store
        self._limit = limit
        self._lease_s = lease_s
        self._worker = random_id()
        self._runs: dict[str, Run] = {}
        self._started = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._loop = Loop("parley-jobs", self._renew, every_s=lease_s / HEARTBEATS, soon_s=0.0)

    def define(self, kind: str, run: Run) -> None:
        """Let this process run a kind of job, before it starts."""
        self._runs[kind] = run

    async def start(self) -> None:
        """Begin to run queued jobs, and those that a dead process has left, unless that has begun."""
        if self._runs and not self._started:
            self._started = True
            await self._store.open()
            self._loop.start()

    async def enqueue(self, kind: str, data: Mapping[str, object], job_id: str | None = None) -> str:
        """Queue a job and return its id. With an id that is known already, nothing is queued. Raises Unavailable."""
        job_id = job_id or ordered_id()
        await self._store.add(job_id, kind, data)
        self._loop.wake()
        return job_id

    async def read(self, job_id: str) -> JobView:
        """Return a job's state and progress. Raises NotFound."""
        return await self._store.read(job_id)

    async def cancel(self, job_id: str) -> None:
        """Cancel a job, unless it has ended; one that runs in another process stops at its next heartbeat."""
        await self._store.cancel(job_id)
        if (task := self._tasks.get(job_id)) is not None:
            task.cancel()

    async def retry(self, job_id: str) -> None:
        """Queue a failed or cancelled job again; its completed steps do not run again."""
        await self._store.retry(job_id)
        self._loop.wake()

    async def delete(self, job_id: str) -> None:
        """Cancel a job, and delete it with the results of its steps."""
        await self.cancel(job_id)
        await self._store.delete(job_id)

    async def close(self) -> None:
        """Interrupt the jobs of this process; another one, or the next start, goes on with them."""
        if not self._runs:
            return
        self._runs = {}
        await self._loop.close()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        try:
            await self._store.release(self._worker)
        except Unavailable as error:
            log.warning("jobs could not be released, so they go on in %.0f s: %s", self._lease_s, error)

    async def _renew(self, _due: bool) -> None:
        heartbeat = Heartbeat(
            worker=self._worker,
            running=list(self._tasks),
            kinds=list(self._runs),
            free=max(0, self._limit - len(self._tasks)),
            lease_s=self._lease_s,
        )
        lost, leases = await self._store.renew(heartbeat)
        for job_id in lost & self._tasks.keys():
            self._tasks[job_id].cancel()
        for lease in leases:
            task = asyncio.create_task(self._run(lease), name=f"parley-job-{lease.id}")
            self._tasks[lease.id] = task
            task.add_done_callback(lambda _, job_id=lease.id: self._ended(job_id))

    async def _run(self, lease: JobLease) -> None:
        steps = Steps(self._store, lease, self._tasks[lease.id].cancel)
        problem = None
        try:
            await self._runs[lease.kind](Job(lease, steps), steps)
        except Exception as error:
            problem = _problem(error)
            log.info("the job %s failed: %s", lease.id, error, exc_info=not isinstance(error, ParleyError))
        await steps.store(lambda store, lease: store.end(lease, problem))

    def _ended(self, job_id: str) -> None:
        del self._tasks[job_id]
        self._loop.wake()


def _problem(error: Exception) -> Problem:
    if isinstance(error, ParleyError):
        return error.problem
    return Problem(
        code="internal_error",
        title="Parley ran into an internal error.",
        detail=f"The server's log has the details ({type(error).__name__}).",
    )
