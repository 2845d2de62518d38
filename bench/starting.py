"""The rows of starting: how soon `parley serve` answers, what it holds idle, what the page loads."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench import servers
from bench.bar import Row, judged, median, skipped
from bench.processes import ROOT

IMPORT = "import time; begun = time.perf_counter(); import {}; print(time.perf_counter() - begun)"
PAGE = "first load of the page, compressed JavaScript"
SETTLE_S = 2.0


def start_rows(folder: Path, *, starts: int) -> Iterator[Row]:
    """Start Parley with its demo models: once with an empty data folder, then again and again."""
    with servers.parley(folder) as first:
        fresh = first.started_s
    again: list[float] = []
    memory: list[float] = []
    for _ in range(starts):
        with servers.parley(folder) as parley:
            again.append(parley.started_s)
            time.sleep(SETTLE_S)
            memory.append(parley.rss_mb())
    figure = f"{median(again):.2f} s (the first time, with its tables to make: {fresh:.2f} s)"
    yield judged("parley serve answers after", figure, (median(again),), must=(2,), stretch=(1,), unit="s")
    took = [_import_s("parley") for _ in range(starts)]
    application = [_import_s("parley.application") for _ in range(starts)]
    figure = f"{median(took):.3f} s (`parley.application`, all of it: {median(application):.2f} s)"
    yield judged("import parley", figure, (median(took),), must=(0.3,), stretch=(0.2,), unit="s")
    held = median(memory)
    yield judged("idle memory", f"{held:.0f} MB", (held,), must=(120,), stretch=(90,), unit="MB")


def page_rows() -> Iterator[Row]:
    """Ask the page's own script; it needs the built page."""
    node = ROOT / ".venv" / "bin" / "node"
    script = ROOT / "web" / "scripts" / "bundle-size.mjs"
    ran = subprocess.run([str(node), str(script)], capture_output=True, text=True, check=False)
    found = re.search(r"first page: ([\d.]+) kB", ran.stdout)
    if not found:
        yield skipped(PAGE, "the page is not built: run make web")
        return
    size = float(found[1])
    yield judged(PAGE, f"{size:.0f} kB", (size,), must=(200,), stretch=(150,), unit="kB")


def _import_s(name: str) -> float:
    ran = subprocess.run([sys.executable, "-c", IMPORT.format(name)], capture_output=True, check=True)
    return float(ran.stdout)
