"""The report: the table on the terminal, and the document."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.bar import Row

MARKS = {"stretch": "stretch", "ok": "ok", "missed": "**missed**", "skipped": "skipped", "–": ""}
INTRODUCTION = """# Performance

<!-- Written by “make bench”. -->

Measured on {date} by `make bench`, on {machine}.

Runs are interleaved: the bare pass-through (aiohttp → Starlette's StreamingResponse), Parley, the pass-through,
and so on, all on one upstream that streams 200 tokens per reply at 50 tokens/s, over loopback without TLS. CPU is
the server process's user and system time from the start to the end of the load, divided by the tokens that arrived.
Every token is counted; a run with a missing token fails. Parley begins, stores and ends a session for every reply;
the pass-through stores nothing. The added time to the first token is what a client waits, less the median of waiting
for the upstream itself. Such machines drift by a factor of two, so ratios say more than absolute figures.

"""


def markdown(rows: Sequence[Row]) -> str:
    """Return the table."""
    lines = ["| what | measured | must | stretch | verdict |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.figure} | {row.must} | {row.stretch} | {MARKS[row.verdict]} |" for row in rows
    ]
    return "\n".join(lines)


def document(rows: Sequence[Row]) -> str:
    """Return the whole document."""
    opening = INTRODUCTION.format(date=datetime.now(UTC).date(), machine=machine())  # noqa: TID251
    return f"{opening}{markdown(rows)}\n\n{summary(rows)}\n"


def summary(rows: Sequence[Row]) -> str:
    """Return how many rows meet their bar, and name the others."""
    missed = [row.what for row in rows if row.verdict == "missed"]
    held = sum(row.verdict in ("ok", "stretch") for row in rows)
    if not missed:
        return f"{held} rows hold."
    return f"{held} rows hold, {len(missed)} are missed: {'; '.join(missed)}."


def machine() -> str:
    """Return facts about the machine in general words."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {pages / 2**30:.0f} GB of memory, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write the document."""
    path.write_text(document(rows), encoding="utf-8")
