"""Tables of jobs and their steps."""

from typing import Annotated, Any

from sqlalchemy import Float, Index, Integer, LargeBinary, String

from parley.storage.tables.rows import Id, Json, Key, Name, OptionalJson, Row, Time, column, stored_in


@stored_in("jobs", Index("ix_jobs_state", "state"))
class JobRow(Row):
    """Work of a kind that goes on across restarts. `lease_until`: seconds since the epoch, by the database's clock."""

    id: Key
    kind: Name
    data: Annotated[Any, Json, column(nullable=False)]
    created_at: Time
    state: Annotated[str, String(16)] = "queued"
    total: Annotated[int | None, Integer] = None
    problem: Annotated[dict[str, Any] | None, OptionalJson] = None
    worker: Id | None = None
    lease_until: Annotated[float, Float] = 0.0
    attempt: Annotated[int, Integer] = 0
    crashes: Annotated[int, Integer] = 0


@stored_in("job_steps")
class JobStepRow(Row):
    """An ended step of a job, by its key: a result as JSON, or a problem."""

    job_id: Annotated[Id, column(references="jobs.id", ondelete="CASCADE", primary_key=True)]
    key: Annotated[str, String(255), column(primary_key=True)]
    result: Annotated[bytes | None, LargeBinary] = None
    problem: Annotated[dict[str, Any] | None, OptionalJson] = None
