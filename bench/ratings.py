"""The rows of the ratings: tables from counts and from votes, and how others do the same."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from bench.bar import Row, failed, judged, median, quantile, skipped
from bench.processes import ROOT

RIVALS = ("arena-rank==0.1.1", "evalica==0.4.2")
ROUNDS = 2
ALL_VOTES, FEWER_VOTES = 10_000_000, 1_000_000


class BadJob(Exception):
    """A measurement that failed."""


def ratings_rows(folder: Path, *, quick: bool) -> Iterator[Row]:
    """Measure on ten million votes, or one million for a quick run, without a bar for what depends on the number."""
    folder.mkdir(parents=True, exist_ok=True)
    votes = FEWER_VOTES if quick else ALL_VOTES
    for rows in (_from_counts, _from_votes, _against_others):
        try:
            yield from rows(folder, votes)
        except BadJob as bad:
            yield failed(f"ratings ({rows.__name__[1:].replace('_', ' ')})", str(bad))


def _from_counts(folder: Path, votes: int) -> Iterator[Row]:
    found = _job("table", votes, folder)
    cold, warm = (1e3 * median(found[name]) for name in ("cold", "warm"))
    what = "table of 300 models with intervals and ranks from counts, CPU: cold / warm"
    yield judged(what, f"{cold:.1f} / {warm:.1f} ms", (cold, warm), must=(12, 7), unit="ms")
    took = 1e3 * median(_job("categories", votes, folder)["took"])
    yield judged("26 categories with intervals", f"{took:.0f} ms", (took,), must=(300,), unit="ms")
    found = _job("online", votes, folder)
    step, table = 1e6 * quantile(found["step"], 0.99), 1e3 * quantile(found["table"], 0.99)
    yield judged("one vote into Elo and counts, p99", f"{step:.1f} µs", (step,), must=(5,), unit="µs")
    yield judged("one vote to the full table, CPU, p99", f"{table:.1f} ms", (table,), must=(20,), unit="ms")
    held = _job("memory", votes, folder)["mb"]
    what = "memory: counts of 300 models, all and 26 categories, and a table's work"
    yield judged(what, f"{held:.0f} MB", (held,), must=(64,), unit="MB")
    off = _job("exact", votes, folder)["points"]
    yield judged("distance to the exact maximum", f"{off:.1e} points", (off,), must=(1e-6,), unit="points")


def _from_votes(folder: Path, votes: int) -> Iterator[Row]:
    _job("write", votes, folder)
    numbers = 1e3 * median(_job("integers", votes, folder)["took"])
    strings = 1e3 * median(_job("arrow", votes, folder)["took"])
    styled = _job("style", votes, folder)
    what = f"{votes:,} votes → table: from integers / from Arrow dictionary strings"
    row = judged(what, f"{numbers:.0f} / {strings:.0f} ms", (numbers, strings), must=(100, 1000), unit="ms")
    yield row if votes == ALL_VOTES else _without_bar(row)
    values = (styled["took"], styled["mb"] / 1e3)
    figure = f"{values[0]:.1f} s / {values[1]:.2f} GB"
    row = judged(f"style control, {votes:,} votes, 4 features: time / memory", figure, values, must=(3, 0.7))
    row.must = "≤ 3 s / 0.7 GB"
    yield row if votes == ALL_VOTES else _without_bar(row)


def _against_others(folder: Path, votes: int) -> Iterator[Row]:
    python = environment()
    for name, job, must in (
        ("arena-rank", "arrow", 1 / 10),
        ("evalica", "arrow", 1 / 10),
        ("arena-rank-counts", "table", 1 / 50),
    ):
        what = (
            f"{votes:,} votes → table, against {name}"
            if job == "arrow"
            else "table from counts, against arena-rank"
        )
        if python is None:
            print(f"SKIPPED: {', '.join(RIVALS)} could not be installed.")
            yield skipped(what, f"{', '.join(RIVALS)} could not be installed")
            continue
        pairs: list[tuple[float, float]] = []
        for _ in range(ROUNDS if votes == ALL_VOTES else 1):
            ours = _job(job, votes, folder)
            mine = median(ours["took"] if job == "arrow" else ours["cold"])
            pairs.append((mine, _rival(python, name, folder / f"votes-{votes}.parquet")))
        share = median([mine / theirs for mine, theirs in pairs])
        mine, theirs = (median(side) for side in zip(*pairs, strict=True))
        note = " (without intervals)" if name == "evalica" else ""
        row = judged(
            what, f"1/{1 / share:.0f} ({1e3 * mine:.0f} ms : {theirs:.2f} s{note})", (share,), must=(must,)
        )
        row.must = f"≤ 1/{1 / must:.0f}"
        yield row if votes == ALL_VOTES else _without_bar(row)


def environment() -> Path | None:
    """Return the Python of an environment with the others in it, made where there is none; None where that fails."""
    folder = platformdirs.user_cache_path("parley-bench", appauthor=False) / "-".join(RIVALS).replace(
        "==", "-"
    )
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return python
    print(f"Installing {', '.join(RIVALS)} into an environment of their own …", flush=True)
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / "bin" / "pip"), "install", "--quiet", *RIVALS, "pyarrow"],
    ):
        if subprocess.run(command, check=False).returncode:
            return None
    (folder / "ready").touch()
    return python


def _job(name: str, votes: int, folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.rating_job", name, str(votes), str(folder)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise BadJob(
            f"{name}: {ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else ran.returncode}"
        )
    return msgspec.json.decode(ran.stdout)


def _rival(python: Path, name: str, votes: Path) -> float:
    command = [str(python), str(ROOT / "bench" / "rating_rival.py"), name, str(votes)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise BadJob(
            f"{name}: {ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else ran.returncode}"
        )
    return min(float(word) for word in ran.stdout.split()[-2:])


def _without_bar(row: Row) -> Row:
    row.verdict = "–"
    return row
