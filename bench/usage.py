"""The row of usage: how soon figures of a year are answered, by the hour, day, model and person."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection  # noqa: TID251 - asks the server that is measured
from pathlib import Path

from bench import servers
from bench.bar import Row, judged, quantile
from bench.processes import Process
from parley.features.usage.histogram import BUCKETS
from parley.features.usage.measure import DAY_S
from parley.features.usage.tables import TIMES, UsageRow

PEOPLE, MODELS, CALLS = 200, 12, 9
DAYS, ROWS = 365, 15
"""Days of the year, and rows of an hour that each person has on each: of nine calls, ten million in all."""

TIMES_ASKED = 12
QUERIES = {
    "cost of 30 days by day and model": ("cost", "day,model", 30),
    "cost of 90 days by person": ("cost", "person", 90),
    "cost of a year by model": ("cost", "model", DAYS),
    "cost of a year by person": ("cost", "person", DAYS),
    "tokens of a year by week and provider": ("tokens", "week,provider", DAYS),
    "first token of 30 days by model": ("first_token", "model", 30),
    "first token of 90 days by person": ("first_token", "person", 90),
    "first token of a year by person": ("first_token", "person", DAYS),
}
KEYS = ("grain", "start", "seq")
NAMES = ("model", "provider", "mode", "purpose", "owner_id", "space_id", "key_id", "status", "payer")
GRAINS = {"day": ("owner_id", "space_id", "key_id"), "who": ("model", "provider", "mode", "purpose", "payer")}
"""What each coarser grain leaves out."""


def usage_rows(folder: Path, *, quick: bool = False) -> Iterator[Row]:
    """Fill a year of usage, and ask for it by HTTP."""
    data, people = folder / "usage" / "data", PEOPLE // 10 if quick else PEOPLE
    with servers.parley(folder / "usage"):
        pass
    end = int(time.time()) // DAY_S * DAY_S
    replies = fill(data / "parley.db", end, people)
    with servers.parley(folder / "usage") as parley:
        asked = {name: _asked(parley, end, *query) for name, query in QUERIES.items()}
    slowest = max(asked, key=lambda name: asked[name][0])
    took, used = asked[slowest]
    figure = f"{took:.0f} ms (p95; {used:.0f} ms of the processor; {slowest})"
    what = f"usage over {replies / 1e6:.1f} million replies, slowest of {len(QUERIES)} questions"
    yield judged(what, figure, [took], must=(200,), unit="ms")


def fill(file: Path, end: int, people: int = PEOPLE) -> int:
    """Fill a year of usage up to a day into the database of a Parley that does not run; return the replies."""
    with closing(sqlite3.connect(file)) as database, database:
        for name, last in (("person", people), ("day", DAYS), ("row", ROWS)):
            numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last - 1})"
            database.execute(f"CREATE TEMP TABLE {name} AS {numbers} SELECT i FROM n")
        columns = [column.name for column in UsageRow.table.columns]
        values = _values(end - DAYS * DAY_S)
        database.execute(
            f"INSERT INTO usage_hours ({', '.join(columns)}) SELECT {', '.join(values[name] for name in columns)} "
            "FROM (SELECT day.i AS d, person.i AS p, row.i AS r, abs(random()) AS x FROM day, person, row)"
        )
        for grain, dropped in GRAINS.items():
            database.execute(_folded(columns, grain, dropped))
        database.execute("ANALYZE")
        return database.execute("SELECT sum(calls) FROM usage_hours WHERE grain = 'hour'").fetchone()[0]


def _values(begin: int) -> dict[str, str]:
    """Return the expression of each column: `d`, `p` and `r` are day, person and row, `x` is random."""
    values = {
        "grain": "'hour'",
        "start": f"{begin} + d * {DAY_S} + (8 + r % 10) * 3600",
        "seq": "p * 100 + r",
        "model": f"'model-' || (x % {MODELS})",
        "provider": "'provider-' || (x % 4)",
        "mode": "CASE x % 3 WHEN 0 THEN 'chat' WHEN 1 THEN 'compare' ELSE '' END",
        "purpose": "CASE x % 3 WHEN 2 THEN 'api' ELSE 'reply' END",
        "owner_id": "printf('%032x', p)",
        "space_id": "printf('%032x', p)",
        "key_id": "''",
        "status": "CASE WHEN x % 50 = 0 THEN 'failed' ELSE 'completed' END",
        "payer": "'installation'",
        "calls": f"{CALLS}",
        "from_cache": "0",
        "input_tokens": "4000 + x % 1000",
        "cached_tokens": "1000",
        "output_tokens": "2000 + x % 700",
        "reasoning_tokens": "100",
        "cost_micros": "9000 + x % 3000",
        "unpriced": "0",
    }
    for prefix in TIMES.values():
        for number in range(BUCKETS):
            values[f"{prefix}_{number}"] = f"CASE WHEN 8 + x % 12 = {number} THEN {CALLS} ELSE 0 END"
    return values


def _folded(columns: list[str], grain: str, dropped: tuple[str, ...]) -> str:
    """Return the statement that sums the hours of each day, without what a coarser grain leaves out."""
    day = f"start / {DAY_S} * {DAY_S}"
    kept = [name for name in NAMES if name not in dropped]
    values = {"grain": f"'{grain}'", "start": day, "seq": f"row_number() OVER (PARTITION BY {day})"}
    values |= {name: name if name in kept else "''" for name in NAMES}
    sums = {name: f"sum({name})" for name in columns if name not in (*KEYS, *NAMES)}
    chosen = ", ".join({**values, **sums}[name] for name in columns)
    groups = ", ".join((day, *kept))
    return (
        f"INSERT INTO usage_hours ({', '.join(columns)}) "
        f"SELECT {chosen} FROM usage_hours WHERE grain = 'hour' GROUP BY {groups}"
    )


def _asked(parley: Process, end: int, measure: str, by: str, days: int) -> tuple[float, float]:
    """Return the milliseconds in which 95% of the answers have come, and those of the processor for each."""
    first, last = (time.strftime("%Y-%m-%d", time.gmtime(each)) for each in (end - days * DAY_S, end))
    path = f"/api/usage?measure={measure}&by={by}&from={first}&to={last}&of=installation"
    connection = HTTPConnection("127.0.0.1", parley.port, timeout=120)
    taken: list[float] = []
    before = 0.0
    for number in range(TIMES_ASKED + 1):
        if number == 1:  # the first one warms the cache of pages
            taken, before = [], parley.cpu_s()
        begun = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {body[:300]!r}")
        taken.append((time.perf_counter() - begun) * 1000)
    connection.close()
    return quantile(taken, 0.95), (parley.cpu_s() - before) * 1000 / TIMES_ASKED
