"""Measures Parley against its bar: `make bench` (ten minutes), or `make bench QUICK=1` (a minute and a half).

A missed bar is reported with its figure and does not fail the command.

    python -m bench.run [--quick] [--litellm]
        [--only streaming,battles,rounds,storage,standings,imports,start,routing,panels,ratings,library,usage,litellm]
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench import (
    imports,
    keeping,
    library,
    long_session,
    panels,
    proxy,
    ratings,
    report,
    rounds,
    routing,
    servers,
    standings,
    starting,
    streaming,
    usage,
)
from bench.bar import Row
from bench.processes import ROOT

DOCUMENT = ROOT / "docs" / "reference" / "performance.md"
PARTS = (
    *("streaming", "battles", "rounds", "storage", "standings", "imports"),
    *("start", "routing", "panels", "ratings", "library", "usage", "litellm"),
)
TOO_LONG = "not in the quick run"


def main() -> None:
    """Measure, print the table and write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, no thousand streams, no document")
    parser.add_argument(
        "--litellm", action="store_true", help="install LiteLLM's proxy into a separate environment"
    )
    parser.add_argument(
        "--only", default=",".join(PARTS), help="parts to measure, comma-separated; no document"
    )
    arguments = parser.parse_args()
    if not sys.platform.startswith("linux"):
        raise SystemExit("The bench reads /proc, so it runs on Linux only.")
    parts = frozenset(arguments.only.split(","))
    begun = time.monotonic()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        for row in measure(Path(folder), parts, quick=arguments.quick, litellm=arguments.litellm):
            rows.append(row)
            print(f"{time.monotonic() - begun:4.0f} s  {row.verdict:8}  {row.what}: {row.figure}", flush=True)
    print(f"\n{report.markdown(rows)}\n\n{report.summary(rows)}")
    print(f"Load of the machine now, by others too: {os.getloadavg()[0]:.1f}.")
    if not arguments.quick and parts == frozenset(PARTS):
        report.write(DOCUMENT, rows)


def measure(folder: Path, parts: frozenset[str], *, quick: bool, litellm: bool) -> Iterator[Row]:
    """Yield the rows as they are measured."""
    repeats = 1 if quick else 3
    with servers.upstream(folder) as upstream:
        if "streaming" in parts or "battles" in parts:
            with (
                servers.passthrough(folder, upstream.port) as bare,
                servers.parley(folder / "streams", upstream.port) as parley,
            ):
                if "streaming" in parts:
                    yield from streaming.hundred_streams(parley, bare, upstream, rounds=repeats)
                    yield from (
                        streaming.skipped_many(TOO_LONG)
                        if quick
                        else streaming.thousand_streams(parley, bare)
                    )
                if "battles" in parts:
                    yield from streaming.many_battles(parley, (50,) if quick else (500, 200, 50))
        if "rounds" in parts:
            yield from rounds.round_rows(
                folder / "rounds", upstream.port, rounds=3 if quick else rounds.ROUNDS
            )
        if "storage" in parts:
            yield from keeping.storage_rows(
                folder / "storage", upstream.port, votes=1500, asks=3 if quick else 25
            )
        if "standings" in parts:
            votes = 100_000 if quick else 1_000_000
            yield from standings.standings_rows(folder / "standings", votes=votes, asks=10 if quick else 50)
        if "imports" in parts:
            votes, stored = (50_000, 150_000) if quick else (1_000_000, 9_000_000)
            yield from imports.import_rows(folder / "imports", votes=votes, stored=stored)
        if "start" in parts:
            yield from starting.start_rows(folder / "start", starts=1 if quick else 5)
            yield from starting.page_rows()
        if "routing" in parts:
            yield from routing.routing_rows()
        if "panels" in parts:
            yield from panels.panel_rows(folder / "panels", upstream.port, runs=repeats)
            yield from long_session.long_session_rows(folder, runs=repeats)
        if "ratings" in parts:
            yield from ratings.ratings_rows(folder / "ratings", quick=quick)
        if "library" in parts:
            yield from library.library_rows(folder, quick=quick)
        if "usage" in parts:
            yield from usage.usage_rows(folder, quick=quick)
        if "litellm" in parts:
            yield from proxy.litellm_rows(folder, upstream, wanted=litellm)


if __name__ == "__main__":
    main()
