"""A process that runs jobs until it is killed: `python -m tests.fakes.job_worker URL FILE LEASE_S`.

A job of the kind `count` has as many steps as its data says; each writes its name and its process to the file.
"""

import asyncio
import os
import sys
from pathlib import Path

from parley.engine.clock import WallClock
from parley.engine.jobs import Job, Jobs, Run, Steps
from parley.storage.database import Database
from parley.storage.job_store import SqlJobStore


def counting(file: Path) -> Run:
    """Return the function of the jobs: step `stop_at` does not end in a process of its own."""

    async def count(job: Job, step: Steps) -> None:
        steps = job.data["steps"]
        assert isinstance(steps, int)
        await job.expect(steps)
        for number in range(steps):

            async def write(number: int = number) -> int:
                with file.open("a") as lines:
                    lines.write(f"{number} {os.getpid()}\n")
                if number == job.data.get("stop_at") and __name__ == "__main__":
                    await asyncio.sleep(3600)
                return number

            assert await step(f"step {number}", write, int) == number

    return count


async def main(url: str, file: Path, lease_s: float) -> None:
    """Run jobs."""
    jobs = Jobs(SqlJobStore(Database(url), WallClock()), lease_s=lease_s)
    jobs.define("count", counting(file))
    await jobs.start()
    await asyncio.sleep(3600)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])))
