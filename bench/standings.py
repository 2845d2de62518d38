"""The row of the leaderboard: how long its table takes with a million votes."""

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection  # noqa: TID251 - asks the server that is measured
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bench import servers
from bench.bar import Row, failed, judged, median, quantile
from bench.loads import BadRun, run_errands
from bench.processes import Process
from bench.requester import Errand
from parley.application import built_in_tables
from parley.storage import schema
from parley.storage.database import Database

MODELS = 300
CHOICES = ("left", "right", "tie", "both_bad")
TOPICS = ("coding", "maths", "hard-prompts", "language-en", "language-de", "creative-writing")
ASKED = {
    "whole": "?limit=1000",
    "filtered": "?category=coding&sort_by=votes&search=model-1",
    "style control": "?style_control=true",
}
WHAT = "leaderboard with 1,000,000 votes, 300 models, server time"
AT_REST_WITHIN_S = 600.0


def standings_rows(folder: Path, *, votes: int, asks: int) -> Iterator[Row]:
    """Measure on a database that was filled before the server started, once its worker has looked at it."""
    fill(folder / "data", votes)
    with servers.parley(folder) as parley:
        if not at_rest(parley):
            yield failed(WHAT, "the worker did not come to rest")
            return
        try:
            times = {
                name: [
                    1000 * it for it in run_errands(parley, [Errand(f"/api/leaderboard{asked}")] * asks).times
                ]
                for name, asked in ASKED.items()
            }
        except BadRun as bad:
            yield failed(WHAT, str(bad))
            return
        each = ", ".join(f"{name} {median(it):.0f}" for name, it in times.items())
        slowest = max(median(it) for it in times.values())
        p99 = max(quantile(it, 0.99) for it in times.values())
        what = WHAT if votes == 1_000_000 else WHAT.replace("1,000,000", f"{votes:,}")
        yield judged(what, f"{slowest:.0f} ms ({each}; p99 {p99:.0f})", (slowest,), must=(50,), unit="ms")


def at_rest(parley: Process) -> bool:
    """Wait until the worker has made its tables and has noted that its first run is over."""
    first: Any = None
    deadline = time.monotonic() + AT_REST_WITHIN_S
    while time.monotonic() < deadline:
        with closing(HTTPConnection("127.0.0.1", parley.port, timeout=60)) as connection:
            connection.request("GET", "/api/leaderboard?limit=1")
            worker = msgspec.json.decode(connection.getresponse().read())["worker"]
        if worker["duration_ms"] is not None:
            first = first or worker["last_run_at"]
            if worker["last_run_at"] != first and worker["status"] == "idle":
                return True
        time.sleep(0.5)
    return False


def fill(folder: Path, votes: int) -> None:
    """Put votes and their counts into a new database."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "parley.db"
    asyncio.run(_migrate(path))
    rng = np.random.default_rng(7)
    left = rng.integers(0, MODELS, votes)
    right = (left + rng.integers(1, MODELS, votes)) % MODELS
    chance = 1 / (1 + np.exp((right - left) * 0.006))
    drawn = rng.random(votes)
    outcome = np.where(drawn > 0.75, np.where(drawn > 0.9, 3, 2), (drawn > 0.75 * chance).astype(int))
    topic = rng.integers(0, len(TOPICS), votes)
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma synchronous=off")
        columns = tuple(column for _, column, *_ in database.execute("pragma table_info(votes)"))
        marks = ",".join("?" * len(columns))
        rows = zip(*(it.tolist() for it in (left, right, outcome, topic)), strict=True)
        database.executemany(
            f"insert into votes ({','.join(columns)}) values ({marks})",
            (_vote(columns, seq, *row) for seq, row in enumerate(rows, 1)),
        )
        counts: Counter[tuple[str, int, int, int]] = Counter()
        for category, chosen in (
            ("overall", slice(None)),
            *((it, topic == k) for k, it in enumerate(TOPICS)),
        ):
            cells = zip(*(it[chosen].tolist() for it in (left, right, outcome)), strict=True)
            counts.update((category, *cell) for cell in cells)
        pairs: dict[tuple[str, int, int], list[int]] = {}
        for (category, one, other, said), number in counts.items():
            pairs.setdefault((category, one, other), [0] * 4)[said] = number
        database.executemany(
            "insert into pair_counts values (?, ?, ?, 1, ?, ?, ?, ?)",
            ((category, _name(a), _name(b), *numbers) for (category, a, b), numbers in pairs.items()),
        )
        status = ("running", None, None, votes, votes, None)
        database.execute("insert into worker_status values ('standings', 1, ?, ?, ?, ?, ?, ?)", status)
        database.execute("insert into worker_status values ('replay', 0, 'due', null, null, 0, 0, null)")
        database.commit()


async def _migrate(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    await schema.migrate(database, built_in_tables())
    await database.close()


def _name(model: int) -> str:
    return f"model-{model:03d}"


def _vote(columns: tuple[str, ...], seq: int, left: int, right: int, outcome: int, topic: int) -> list[Any]:
    """Return a vote's values in the order of the columns."""
    tokens = 20 + seq % 700
    side = f'"tokens":{tokens},"headers":{seq % 3},"lists":{seq % 5},"bold":{seq % 7}'
    other = f'"tokens":{900 - tokens},"headers":{seq % 4},"lists":{seq % 6},"bold":{seq % 2}'
    given = {
        "seq": seq,
        "id": seq.to_bytes(16, "big"),
        "kind": "blind",
        "turn_id": None,
        "rated": True,
        "match_id": f"m{seq:031x}",
        "voter_id": (seq % 20_000).to_bytes(16, "big"),
        "choice": CHOICES[outcome],
        "left_model_id": _name(left),
        "right_model_id": _name(right),
        "seats": "{}",
        "counted": 1,
        "processing_status": 8,
        "result": "{}",
        "created_at": f"2026-03-{1 + seq % 28:02d} 12:00:00.000000",
        "categories": f'["{TOPICS[topic]}"]',
        "categories_by": "rules",
        "style": f'{{"left":{{{side}}},"right":{{{other}}}}}',
        "origin": "import",
    }
    return [given.get(column) for column in columns]
