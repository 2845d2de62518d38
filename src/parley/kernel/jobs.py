"""Batch jobs as values, and the port of the place where they are stored."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from parley.kernel.errors import Problem

JobState: TypeAlias = Literal["queued", "running", "completed", "failed", "cancelled"]


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job's state and progress, in steps. `total` is None until the job knows it."""

    id: str
    kind: str
    state: JobState
    done: int
    failed: int
    total: int | None
    problem: Problem | None


class JobLease(msgspec.Struct, frozen=True, kw_only=True):
    """A job that this process may run, until the lease ends. A later lease has a higher `attempt`.

    `results` are the completed steps by their keys, as JSON.
    """

    id: str
    kind: str
    data: dict[str, object]
    attempt: int
    results: dict[str, bytes]


class StepEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a step: its result as JSON, or the problem that made it fail."""

    key: str
    result: bytes | None = None
    problem: Problem | None = None


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """A process's sign of life: the jobs that it runs, and how many more of which kinds it would run."""

    worker: str
    running: Sequence[str]
    kinds: Sequence[str]
    free: int
    lease_s: float


class JobStore(Protocol):
    """The store of jobs and their steps. Each method is one transaction and raises Unavailable.

    A method with a lease returns False, and changes nothing, if another process has the job now or it was cancelled.
    """

    async def open(self) -> None:
        """End the leases of processes that are known to be dead."""
        ...

    async def add(self, job_id: str, kind: str, data: Mapping[str, object]) -> None:
        """Queue a job, unless there is one with this id."""
        ...

    async def read(self, job_id: str) -> JobView:
        """Return a job. Raises NotFound."""
        ...

    async def renew(self, heartbeat: Heartbeat) -> tuple[set[str], list[JobLease]]:
        """Renew the leases of running jobs; return those that were lost, and new leases."""
        ...

    async def end_step(self, lease: JobLease, step: StepEnd) -> bool:
        """Store the end of a step."""
        ...

    async def set_total(self, lease: JobLease, total: int) -> bool:
        """Store the number of steps."""
        ...

    async def end(self, lease: JobLease, problem: Problem | None) -> bool:
        """Store that a job has completed, or failed."""
        ...

    async def cancel(self, job_id: str) -> None:
        """Cancel a job, unless it has ended."""
        ...

    async def retry(self, job_id: str) -> None:
        """Queue a failed or cancelled job again; its completed steps stay."""
        ...

    async def delete(self, job_id: str) -> None:
        """Delete a job and its steps."""
        ...

    async def release(self, worker: str) -> None:
        """Queue the jobs of a process that stops."""
        ...
