"""Tests of the process that asks tables: hostile queries are refused in bounded time, and honest ones agree."""

import csv
import io
import os
import time
from decimal import Decimal
from pathlib import Path

import duckdb
import msgspec
import pytest

from parley.engine.reader_process import run_reader
from parley.features.tables.messages import LIMITS, Outcome, Refusal, Rows, TableFile, TableTask

PATIENT = msgspec.structs.replace(LIMITS, seconds=60)
"""Of a whole process on a busy machine: the worker's own limit of a query is the one that is tried."""
WORKER = "parley.features.tables.worker"
SALES = "region,revenue,day\nNorth,3.5,2026-01-01\nSouth,1,2026-02-01\nNorth,2,2026-03-01\n"

REFUSED = (
    "COPY sales TO '/tmp/out.csv'",
    "ATTACH '/tmp/other.db'",
    "LOAD httpfs",
    "INSTALL httpfs",
    "SET threads = 8",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA enable_profiling",
    "EXPORT DATABASE '/tmp/all'",
    "IMPORT DATABASE '/tmp/all'",
    "CREATE TABLE other AS SELECT 1",
    "DROP TABLE sales",
    "INSERT INTO sales SELECT * FROM sales",
    "CALL pragma_version()",
    "SELECT 1; DROP TABLE sales",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM 'https://example.org/x.parquet'",
    "SELECT * FROM sniff_csv('/etc/passwd')",
)


async def outcome_of(folder: Path, sql: str | None, name: str = "sales.csv", content: str = SALES) -> Outcome:
    path = folder / "stored"
    path.write_text(content, encoding="utf-8")
    file = TableFile(name=name, path=str(path), media_type="text/plain")
    finished = await run_reader(WORKER, TableTask(files=(file,), folder=str(folder), sql=sql), PATIENT)
    assert finished.failure is None, finished
    return msgspec.msgpack.decode(finished.output, type=Outcome)


@pytest.mark.parametrize("sql", REFUSED)
async def test_what_is_no_harmless_select_is_refused(tmp_path: Path, sql: str) -> None:
    refusal = await outcome_of(tmp_path, sql)
    assert isinstance(refusal, Refusal), sql
    assert refusal.title
    assert refusal.detail
    assert os.listdir(tmp_path) == ["stored"]  # noqa: PTH208 - a path would block


async def test_the_same_process_answers_an_honest_query(tmp_path: Path) -> None:
    outcome = await outcome_of(tmp_path, "SELECT region, sum(revenue) FROM sales GROUP BY 1 ORDER BY 1")
    assert isinstance(outcome, Rows)
    assert outcome.result.rows == (("North", 5.5), ("South", 1.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT count(*) FROM range(100000000000)", "query_too_slow"),
        (
            "WITH RECURSIVE r AS (SELECT 1 i UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r",
            "query_too_slow",
        ),
        ("SELECT repeat('x', 2000000000)", "query_too_large"),
        ("SELECT list(i) FROM range(1000000000) t(i)", "query_too_large"),
        ("SELECT repeat('x', 20000) FROM range(1000000)", "query_too_large"),
    ],
)
async def test_endless_and_huge_queries_end_in_bounded_time(tmp_path: Path, sql: str, code: str) -> None:
    began = time.monotonic()
    refusal = await outcome_of(tmp_path, sql)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert time.monotonic() - began < PATIENT.seconds


async def test_ten_thousand_rows_are_the_most(tmp_path: Path) -> None:
    outcome = await outcome_of(tmp_path, "SELECT * FROM range(10000000000)")
    assert isinstance(outcome, Rows)
    assert (len(outcome.result.rows), outcome.result.cut) == (10_000, True)


TABLES = {
    "sales.csv": SALES,
    "people.tsv": "name\tage\nAda\t36\nBob\t\nCleo\t29\n",
    "log.jsonl": '{"level":"info","ms":3}\n{"level":"error","ms":40}\n{"level":"info","ms":5}\n',
    "2026 prices.csv": "item;price\ntea;2,5\ncake;4\n",
    "wide.csv": "a,b,c\n1,2,3\n4,5,6\n",
}
QUERIES = {
    "sales.csv": "SELECT region, count(*), max(day) FROM sales GROUP BY region ORDER BY region",
    "people.tsv": "SELECT count(*), avg(age), count(age) FROM people",
    "log.jsonl": "SELECT level, sum(ms) FROM log GROUP BY level ORDER BY level",
    "2026 prices.csv": "SELECT count(*) FROM t_2026_prices",
    "wide.csv": "SELECT sum(a + b * c) FROM wide",
}


@pytest.mark.parametrize("name", TABLES)
async def test_answers_equal_those_of_the_database_itself(tmp_path: Path, name: str) -> None:
    outcome = await outcome_of(tmp_path, QUERIES[name], name, TABLES[name])
    assert isinstance(outcome, Rows), outcome
    connection = duckdb.connect(":memory:")
    read = "read_json" if name.endswith("jsonl") else "read_csv"
    table = QUERIES[name].split("FROM ")[1].split()[0]
    connection.execute(f"CREATE TABLE {table} AS SELECT * FROM {read}(?)", [str(tmp_path / "stored")])
    expected = connection.execute(QUERIES[name]).fetchall()
    assert [tuple(map(plain, row)) for row in expected] == [
        tuple(map(plain, row)) for row in outcome.result.rows
    ]


def plain(value: object) -> str:
    """A value as text: a number, of whatever type, as the page shows it."""
    return str(float(value)) if isinstance(value, int | float | Decimal) else str(value)


async def test_a_table_whose_cells_give_orders_is_data(tmp_path: Path) -> None:
    written = io.StringIO()
    csv.writer(written).writerows([["note", "n"], ["'; DROP TABLE notes; --", 1], ["=cmd|' /C calc'!A0", 2]])
    outcome = await outcome_of(tmp_path, "SELECT note FROM notes ORDER BY n", "notes.csv", written.getvalue())
    assert isinstance(outcome, Rows)
    assert [row[0] for row in outcome.result.rows] == ["'; DROP TABLE notes; --", "=cmd|' /C calc'!A0"]
