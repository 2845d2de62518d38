"""Votes as rows of files, sent to a running Parley and read from it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import text

from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from tests.fakes.running import RunningParley, a_running_parley

NDJSON = {"Content-Type": "application/x-ndjson"}


def line(number: int, **more: Any) -> dict[str, Any]:
    """A row as LMArena's files have it."""
    return {
        "question_id": f"q{number}",
        "model_a": "ada",
        "model_b": "old-model",
        "winner": ("model_a", "model_b", "tie", "tie (bothbad)")[number % 4],
        "judge": f"arena_user_{number % 3}",
        "tstamp": 1_700_000_000.25 + number,
        **more,
    }


def lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return msgspec.json.Encoder().encode_lines(rows)


async def bring(
    parley: RunningParley, data: bytes, status: int = 200, kind: str = "application/x-ndjson", **asked: Any
) -> Any:
    answer = await parley.client.post(
        "/api/imports", content=data, params=asked, headers={"Content-Type": kind}
    )
    assert answer.status_code == status, answer.text
    return answer.json()


async def export(parley: RunningParley, kind: str = "jsonl", **asked: Any) -> bytes:
    answer = await parley.client.get("/api/votes/export", params={"format": kind, **asked})
    assert answer.status_code == 200, answer.text
    return answer.content


async def rows_of(parley: RunningParley, query: str) -> list[tuple[Any, ...]]:
    read = await parley.application[Database].read(lambda session: session.execute(text(query)).all())
    return [tuple(row) for row in read]


async def check(parley: RunningParley, votes: int) -> None:
    report = await check_audit(parley.application[Database])
    ((stored,),) = await rows_of(parley, "SELECT count(*) FROM votes")
    assert (report.ok, stored) == (True, votes), report.broken


@asynccontextmanager
async def another_parley(folder: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(folder / "another") as other:
        yield other
