"""Progress of a command with a file, on stderr."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from parley.cli.terminal import console, say

Report = Callable[[str, float], None]
"""Takes what is done, in words, and as a share of the whole."""

REPORT_EVERY_S = 5.0


@contextmanager
def file_progress(name: str) -> Generator[Report]:
    """Show progress on stderr: a bar on a terminal, otherwise a line every few seconds."""
    if not sys.stderr.isatty():
        yield _print_lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task(name, total=1.0)
        yield lambda words, share: bar.update(task, completed=share, description=f"{name}: {words}")


def _print_lines() -> Report:
    begun = last = time.monotonic()

    def report(words: str, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < REPORT_EVERY_S:
            return
        last = now
        left = (now - begun) * (1 - share) / share if share > 0 else 0
        say(f"{share:.0%}: {words}, {now - begun:.0f} s, about {left:.0f} s left", err=True)

    return report
