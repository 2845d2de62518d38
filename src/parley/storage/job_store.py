"""Jobs and their steps in the database, with leases by which processes share them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import (
    Row,
    Update,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from parley.kernel.errors import NotFound, Problem
from parley.kernel.jobs import Heartbeat, JobLease, JobView, StepEnd
from parley.kernel.ports import Clock
from parley.storage.database import Database
from parley.storage.tables.jobs import JobRow, JobStepRow
from parley.storage.transaction import Transaction

MAX_CRASHES = 3
"""A job fails if the process that ran it died so many times before any step completed."""

JOBS, STEPS = JobRow.table, JobStepRow.table
_RUNNING = JOBS.c.state == "running"


class SqlJobStore:
    """Implements the kernel's port `JobStore`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open(self) -> None:
        """End all leases on SQLite, where no other process can be alive."""
        if self._database.is_sqlite:
            await self._change(update(JOBS).where(_RUNNING).values(lease_until=0.0))

    async def add(self, job_id: str, kind: str, data: Mapping[str, object]) -> None:
        """Queue a job, unless there is one with this id."""
        created_at = datetime.fromtimestamp(self._clock.now(), UTC)

        def change(transaction: Transaction) -> None:
            if transaction.scalar(select(JOBS.c.id).where(JOBS.c.id == job_id)) is None:
                transaction.execute(
                    insert(JOBS).values(id=job_id, kind=kind, data=dict(data), created_at=created_at)
                )

        await self._database.write(change)

    async def read(self, job_id: str) -> JobView:
        """Return a job. Raises NotFound."""
        counts = select(func.count(STEPS.c.result), func.count()).where(STEPS.c.job_id == job_id)

        def look(transaction: Transaction) -> JobView:
            row = transaction.execute(select(JOBS).where(JOBS.c.id == job_id)).one_or_none()
            if row is None:
                raise NotFound("There is no such job.")
            done, ended = transaction.execute(counts).one()
            problem = row.problem and msgspec.convert(row.problem, Problem)
            return JobView(
                id=row.id,
                kind=row.kind,
                state=row.state,
                done=done,
                failed=ended - done,
                total=row.total,
                problem=problem,
            )

        return await self._database.read(look)

    async def renew(self, heartbeat: Heartbeat) -> tuple[set[str], list[JobLease]]:
        """Renew the leases of running jobs; return those that were lost, and new leases."""

        def change(transaction: Transaction) -> tuple[set[str], list[JobLease]]:
            until = self._now(transaction) + heartbeat.lease_s
            own = update(JOBS).where(
                JOBS.c.id.in_(heartbeat.running), JOBS.c.worker == heartbeat.worker, _RUNNING
            )
            renewal = own.values(lease_until=until).returning(JOBS.c.id)
            renewed = set(transaction.scalars(renewal)) if heartbeat.running else set[str]()
            rows = _open_jobs(transaction, heartbeat, until - heartbeat.lease_s)
            leases = [_lease(transaction, row, heartbeat.worker, until) for row in rows]
            return set(heartbeat.running) - renewed, [lease for lease in leases if lease is not None]

        return await self._database.write(change)

    async def end_step(self, lease: JobLease, step: StepEnd) -> bool:
        """Store the end of a step."""
        values = {"result": step.result, "problem": _document(step.problem)}
        same = (STEPS.c.job_id == lease.id, STEPS.c.key == step.key)

        def change(transaction: Transaction) -> bool:
            if not _changed(transaction, _own(lease).values(crashes=0)):
                return False
            if not _changed(transaction, update(STEPS).where(*same).values(values)):
                transaction.execute(insert(STEPS).values(job_id=lease.id, key=step.key, **values))
            return True

        return await self._database.write(change)

    async def set_total(self, lease: JobLease, total: int) -> bool:
        """Store the number of steps."""
        return await self._change(_own(lease).values(total=total))

    async def end(self, lease: JobLease, problem: Problem | None) -> bool:
        """Store that a job has completed, or failed."""
        state = "failed" if problem else "completed"
        return await self._change(_own(lease).values(state=state, problem=_document(problem), worker=None))

    async def cancel(self, job_id: str) -> None:
        """Cancel a job, unless it has ended."""
        running = update(JOBS).where(JOBS.c.id == job_id, JOBS.c.state.in_(("queued", "running")))
        await self._change(running.values(state="cancelled", worker=None))

    async def retry(self, job_id: str) -> None:
        """Queue a failed or cancelled job again; its completed steps stay."""
        ended = update(JOBS).where(JOBS.c.id == job_id, JOBS.c.state.in_(("failed", "cancelled")))
        await self._change(ended.values(state="queued", problem=None, crashes=0))

    async def delete(self, job_id: str) -> None:
        """Delete a job and its steps."""
        await self._database.write(lambda t: t.execute(delete(JOBS).where(JOBS.c.id == job_id)))

    async def release(self, worker: str) -> None:
        """Queue the jobs of a process that stops."""
        own = update(JOBS).where(JOBS.c.worker == worker, _RUNNING)
        await self._change(own.values(state="queued", worker=None))

    async def _change(self, statement: Update) -> bool:
        return await self._database.write(lambda transaction: _changed(transaction, statement))

    def _now(self, transaction: Transaction) -> float:
        """Return the time that all processes agree on: the server's, where there is one."""
        if transaction.dialect == "sqlite":
            return self._clock.now()
        return float(transaction.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0)


def _open_jobs(transaction: Transaction, heartbeat: Heartbeat, now: float) -> Sequence[Row[Any]]:
    """Return jobs that nobody runs, the oldest first; no other process can lease them meanwhile."""
    if not heartbeat.free:
        return []
    idle = or_(JOBS.c.state == "queued", and_(_RUNNING, JOBS.c.lease_until < now))
    query = select(JOBS).where(idle, JOBS.c.kind.in_(heartbeat.kinds), JOBS.c.id.not_in(heartbeat.running))
    oldest = query.order_by(JOBS.c.created_at, JOBS.c.id).limit(heartbeat.free)
    return transaction.execute(oldest.with_for_update(skip_locked=True)).all()


def _lease(transaction: Transaction, row: Row[Any], worker: str, until: float) -> JobLease | None:
    """Take a job, unless it has crashed too often: then it fails."""
    job = update(JOBS).where(JOBS.c.id == row.id)
    crashes: int = row.crashes + (row.state == "running")
    if crashes >= MAX_CRASHES:
        problem = Problem(
            code="job_crashed",
            title=f"Parley stopped {crashes} times while it ran this job, so it no longer retries.",
            detail="Completed steps are saved. Look for the cause in the server's log, then retry.",
        )
        transaction.execute(job.values(state="failed", problem=_document(problem), worker=None))
        return None
    values = {"attempt": row.attempt + 1, "crashes": crashes, "worker": worker, "lease_until": until}
    transaction.execute(job.values(state="running", **values))
    completed = select(STEPS.c.key, STEPS.c.result).where(
        STEPS.c.job_id == row.id, STEPS.c.result.is_not(None)
    )
    results = {key: bytes(result) for key, result in transaction.execute(completed)}
    return JobLease(id=row.id, kind=row.kind, data=row.data, attempt=row.attempt + 1, results=results)


def _own(lease: JobLease) -> Update:
    return update(JOBS).where(JOBS.c.id == lease.id, JOBS.c.attempt == lease.attempt, _RUNNING)


def _changed(transaction: Transaction, statement: Update) -> bool:
    return transaction.execute(statement).rowcount > 0


def _document(problem: Problem | None) -> object:
    return None if problem is None else msgspec.to_builtins(problem)
