"""The rows of imports: votes in LMArena's full columns, into an empty and a filled database, counted, and on disk."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection  # noqa: TID251 - asks the server that is measured
from pathlib import Path
from typing import Any

import msgspec

from bench import servers
from bench.bar import Row, failed, judged
from bench.full_columns import write_full
from bench.processes import Process
from bench.vote_files import run

IMPORT_S, COUNTED_S, BYTES, RATE = 30.0, 10.0, 400.0, 0.9
"""The bar for a million votes: seconds in, seconds until counted, bytes of each; and the rate of the last against the
first."""

COUNTED_WITHIN_S = 600.0


def import_rows(folder: Path, *, votes: int, stored: int) -> Iterator[Row]:
    """Measure an import into an empty database, one of as many votes once `stored` are there, and what follows."""
    share = votes / 1e6
    folder.mkdir(parents=True, exist_ok=True)
    empty, cpu = _import(folder, votes, first=0)
    yield judged(
        f"import of {votes:,} votes in LMArena's full columns",
        f"{empty:.1f} s ({votes / empty:,.0f}/s; {cpu / votes * 1e6:.0f} µs of processor each)",
        (empty,),
        must=(IMPORT_S * share,),
        unit="s",
    )
    for first in range(votes, stored, votes):
        _import(folder, votes, first=first)
    last, cpu = _import(folder, votes, first=max(votes, stored))
    yield judged(
        f"the rate with {max(votes, stored):,} votes stored, against an empty database",
        f"{empty / last:.2f} ({votes / last:,.0f}/s; {cpu / votes * 1e6:.0f} µs of processor each)",
        (empty / last,),
        must=(RATE,),
        least=True,
    )
    number, bytes_each = _size(folder / "data" / "parley.db")
    yield judged(
        "disk per imported vote", f"{bytes_each:.0f} bytes", (bytes_each,), must=(BYTES,), unit="bytes"
    )
    with servers.parley(folder) as parley:
        took = _counted(parley, number)
    what = f"{number:,} imported votes counted after the start"
    if took is None:
        yield failed(what, "they were not counted in time")
        return
    yield judged(what, f"{took:.1f} s", (took,), must=(COUNTED_S * number / 1e6,), unit="s")


def _import(folder: Path, votes: int, *, first: int) -> tuple[float, float]:
    """Import the votes from number `first` on; return seconds, and seconds of processor."""
    path = folder / "votes.jsonl"
    write_full(path, votes, first=first)
    wall, processor, _ = run(folder, "import", path.name, "--yes")
    path.unlink()
    return wall, processor


def _size(path: Path) -> tuple[int, float]:
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
        (votes,) = database.execute("select count(*) from votes").fetchone()
    return votes, path.stat().st_size / votes


def _counted(parley: Process, votes: int) -> float | None:
    """Return the seconds until the leaderboard has all votes."""
    begun = time.monotonic()
    while time.monotonic() < begun + COUNTED_WITHIN_S:
        with closing(HTTPConnection("127.0.0.1", parley.port, timeout=60)) as connection:
            connection.request("GET", "/api/leaderboard?limit=1")
            board: Any = msgspec.json.decode(connection.getresponse().read())
        if board["votes"] == votes and not board["worker"]["pending"]:
            return time.monotonic() - begun
        time.sleep(0.1)
    return None
