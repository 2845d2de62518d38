"""Tests of batch jobs: on the real tables, with a process that is really killed."""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from parley.engine import jobs as engine_jobs
from parley.engine.clock import WallClock
from parley.engine.jobs import Job, Jobs, Run, Steps
from parley.kernel.errors import NotFound, Rejected, Unavailable
from parley.kernel.jobs import Heartbeat, JobLease, JobView, StepEnd
from parley.storage.database import Database
from parley.storage.job_store import MAX_CRASHES, SqlJobStore
from tests.fakes.databases import ON_EVERY_KIND, Kind, a_migrated_database
from tests.fakes.job_worker import counting

pytestmark = ON_EVERY_KIND


@pytest.fixture
async def database(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[Database]:
    async with a_migrated_database(stored_in, tmp_path) as database:
        yield database


def stored(database: Database) -> SqlJobStore:
    return SqlJobStore(database, WallClock())


@asynccontextmanager
async def running(
    database: Database, *, limit: int = 4, lease_s: float = 1.0, **kinds: Run
) -> AsyncGenerator[Jobs]:
    jobs = Jobs(stored(database), limit=limit, lease_s=lease_s)
    for kind, run in kinds.items():
        jobs.define(kind, run)
    await jobs.start()
    try:
        yield jobs
    finally:
        await jobs.close()


async def until(jobs: Jobs, job_id: str, reached: Callable[[JobView], bool]) -> JobView:
    async with asyncio.timeout(60):
        while not reached(view := await jobs.read(job_id)):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        return view


async def ended(jobs: Jobs, job_id: str) -> JobView:
    return await until(jobs, job_id, lambda view: view.state not in ("queued", "running"))


class Score(msgspec.Struct, frozen=True):
    points: int


async def five() -> Score:
    return Score(5)


async def broken() -> int:
    raise Rejected("The model's server refused the request.", "Check the key.")


async def test_a_step_has_the_same_result_when_it_runs_and_when_it_is_remembered(database: Database) -> None:
    results: list[object] = []
    retried = False

    async def run(job: Job, step: Steps) -> None:
        results.append(await step("score", five, Score))
        results.append(await step("score", broken, Score))
        if not retried:
            await step("later", broken)

    async with running(database, score=run) as jobs:
        job_id = await jobs.enqueue("score", {})
        view = await ended(jobs, job_id)
        assert (view.state, view.done, view.failed, view.total) == ("failed", 1, 1, None)
        assert view.problem == Rejected("The model's server refused the request.", "Check the key.").problem
        retried = True
        await jobs.retry(job_id)
        assert (await ended(jobs, job_id)).state == "completed"
    assert results == [Score(5)] * 4


async def test_a_failing_step_may_be_survived_and_runs_again_in_a_retried_job(database: Database) -> None:
    calls: Counter[str] = Counter()

    async def answer(name: str) -> str:
        calls[name] += 1
        if name == "bad" and calls[name] == 1:
            raise Rejected("The model's server refused the request.")
        return name

    async def run(job: Job, step: Steps) -> None:
        await job.expect(3)
        names = ("good", "bad", "better")
        await asyncio.gather(
            *(step(name, lambda name=name: answer(name)) for name in names), return_exceptions=True
        )
        if calls["bad"] == 1:
            raise RuntimeError("secret")

    async with running(database, answers=run) as jobs:
        job_id = await jobs.enqueue("answers", {})
        view = await ended(jobs, job_id)
        assert (view.state, view.done, view.failed, view.total) == ("failed", 2, 1, 3)
        assert view.problem is not None
        assert view.problem.code == "internal_error"
        assert "secret" not in str(view.problem)
        await jobs.retry(job_id)
        view = await ended(jobs, job_id)
        assert (view.state, view.done, view.failed, view.problem) == ("completed", 3, 0, None)
    assert calls == {"good": 1, "bad": 2, "better": 1}


async def test_no_more_jobs_than_the_limit_run_at_once(database: Database) -> None:
    begun: list[str] = []
    go_on = asyncio.Event()

    async def run(job: Job, step: Steps) -> None:
        begun.append(job.id)
        await go_on.wait()

    async with running(database, limit=2, lease_s=0.5, wait=run) as jobs:
        ids = [await jobs.enqueue("wait", {}) for _ in range(5)]
        for job_id in ids[:2]:
            await until(jobs, job_id, lambda view: view.state == "running")
        await asyncio.sleep(0.5)  # five heartbeats
        assert begun == ids[:2]
        go_on.set()
        for job_id in ids:
            assert (await ended(jobs, job_id)).state == "completed"
    assert sorted(begun) == sorted(ids)


async def test_a_cancelled_job_stops_with_its_results_stored(database: Database) -> None:
    stopped = asyncio.Event()

    async def forever() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            stopped.set()

    async def run(job: Job, step: Steps) -> None:
        await step("first", five)
        await step("second", forever)

    async with running(database, wait=run) as jobs, running(database) as elsewhere:
        here = await jobs.enqueue("wait", {})
        await until(jobs, here, lambda view: view.done == 1)
        await jobs.cancel(here)
        await asyncio.wait_for(stopped.wait(), 30)
        view = await jobs.read(here)
        assert (view.state, view.done, view.problem) == ("cancelled", 1, None)
        stopped.clear()
        there = await jobs.enqueue("wait", {})
        await until(jobs, there, lambda view: view.done == 1)
        await elsewhere.cancel(there)
        await asyncio.wait_for(stopped.wait(), 30)
        await jobs.delete(there)
        with pytest.raises(NotFound):
            await jobs.read(there)


async def test_a_job_of_a_known_id_is_queued_once(database: Database) -> None:
    calls: list[str] = []

    async def run(job: Job, step: Steps) -> None:
        calls.append(job.id)

    async with running(database, once=run) as jobs:
        assert [await jobs.enqueue("once", {}, "a" * 32) for _ in range(2)] == ["a" * 32] * 2
        await ended(jobs, "a" * 32)
        await jobs.enqueue("once", {}, "a" * 32)
        await ended(jobs, await jobs.enqueue("once", {}, "b" * 32))
    assert calls == ["a" * 32, "b" * 32]


async def test_a_restart_goes_on_with_interrupted_jobs_at_once(database: Database, tmp_path: Path) -> None:
    halt = asyncio.Event()

    async def halting(job: Job, step: Steps) -> None:
        await step("step 0", lambda: asyncio.sleep(0, 0))
        halt.set()
        await asyncio.sleep(3600)

    async with running(database, lease_s=3600, count=halting) as jobs:
        job_id = await jobs.enqueue("count", {"steps": 2})
        await asyncio.wait_for(halt.wait(), 30)
    async with running(database, count=counting(tmp_path / "lines")) as jobs:
        view = await ended(jobs, job_id)
    assert (view.state, view.done, view.total) == ("completed", 2, 2)
    assert [line.split()[0] for line in (tmp_path / "lines").read_text().splitlines()] == ["1"]


async def test_a_result_that_is_being_stored_survives_a_stop(database: Database) -> None:
    writing = asyncio.Event()

    class Slow(SqlJobStore):
        async def end_step(self, lease: JobLease, step: StepEnd) -> bool:
            writing.set()
            await asyncio.sleep(0.1)
            return await super().end_step(lease, step)

    async def run(job: Job, step: Steps) -> None:
        await step("paid", five)
        await asyncio.sleep(3600)

    jobs = Jobs(Slow(database, WallClock()))
    jobs.define("pay", run)
    await jobs.start()
    job_id = await jobs.enqueue("pay", {})
    await asyncio.wait_for(writing.wait(), 30)
    await jobs.close()
    view = await jobs.read(job_id)
    assert (view.state, view.done) == ("queued", 1)


@pytest.mark.slow
async def test_a_killed_process_repeats_no_step(database: Database, stored_in: Kind, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    url = database.url.render_as_string(hide_password=False)
    # SQLite has one process at a time, so a start need not wait for a lease to end.
    lease_s = "3600" if stored_in == "sqlite" else "2"
    waiting = Jobs(stored(database))
    job_id = await waiting.enqueue("count", {"steps": 20, "stop_at": 12})
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.job_worker", url, str(lines), lease_s
    )
    here = running(database, lease_s=2, count=counting(lines))
    if stored_in == "sqlite":
        await until(waiting, job_id, lambda view: view.done == 12)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        async with here as jobs:
            view = await ended(jobs, job_id)
    else:
        # The other process starts first and takes the job; this one waits for its death.
        await until(waiting, job_id, lambda view: view.done == 12)
        async with here as jobs:
            await asyncio.sleep(3)
            assert (await jobs.read(job_id)).done == 12
            process.send_signal(signal.SIGKILL)
            await process.wait()
            view = await ended(jobs, job_id)
    assert (view.state, view.done, view.total) == ("completed", 20, 20)
    runs = Counter(line.split()[0] for line in lines.read_text().splitlines())
    # Only the step that was interrupted ran again.
    assert runs == {str(number): 2 if number == 12 else 1 for number in range(20)}


async def test_a_process_that_lost_its_job_stores_nothing_more(database: Database) -> None:
    store = stored(database)
    begun, go_on = asyncio.Event(), asyncio.Event()
    reached: list[str] = []

    async def slow() -> int:
        begun.set()
        await go_on.wait()
        return 1

    async def run(job: Job, step: Steps) -> None:
        await asyncio.gather(step("slow", slow), return_exceptions=True)
        reached.append("after")

    async with running(database, lease_s=3600, slow=run) as jobs:
        job_id = await jobs.enqueue("slow", {})
        await asyncio.wait_for(begun.wait(), 30)
        await store.cancel(job_id)
        await store.retry(job_id)
        (lease,) = await leases(store, "other", lease_s=3600)
        go_on.set()
        async with asyncio.timeout(30):
            while jobs._tasks:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (await jobs.read(job_id)).done == 0
        assert await store.end_step(lease, StepEnd(key="slow", result=b"2"))
    assert reached == []


async def leases(store: SqlJobStore, worker: str, lease_s: float = -1.0) -> list[JobLease]:
    heartbeat = Heartbeat(worker=worker, running=[], kinds=["slow", "fatal"], free=4, lease_s=lease_s)
    return (await store.renew(heartbeat))[1]


async def test_a_job_that_kills_every_process_fails_in_the_end(database: Database) -> None:
    store = stored(database)
    await store.add("job", "fatal", {})
    (lease,) = await leases(store, "worker 0")
    # A completed step is progress: earlier deaths do not count.
    assert await store.end_step(lease, StepEnd(key="a step", result=b"1"))
    attempts = [len(await leases(store, f"worker {number}")) for number in range(1, MAX_CRASHES + 1)]
    assert attempts == [*[1] * (MAX_CRASHES - 1), 0]
    view = await store.read("job")
    assert (view.state, view.done) == ("failed", 1)
    assert view.problem is not None
    assert view.problem.code == "job_crashed"


async def test_a_result_is_stored_once_the_database_is_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_jobs, "AGAIN_S", 0.01)
    calls: list[str] = []
    outage = 3

    class Interrupted(SqlJobStore):
        async def end_step(self, lease: JobLease, step: StepEnd) -> bool:
            nonlocal outage
            if outage := outage - 1:
                raise Unavailable("The database can't be used right now.", code="database_busy")
            return await super().end_step(lease, step)

    async def run(job: Job, step: Steps) -> None:
        calls.append("run")
        await step("paid", five)

    jobs = Jobs(Interrupted(database, WallClock()))
    jobs.define("pay", run)
    await jobs.start()
    view = await ended(jobs, await jobs.enqueue("pay", {}))
    await jobs.close()
    assert (view.state, view.done, calls) == ("completed", 1, ["run"])
