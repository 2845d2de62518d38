"""The report of a run, on the terminal and as a document."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from prove.campaign import Tally

INTRODUCTION = """# Reliability

<!-- Written by “make prove”. -->

Proved on {date} by `make prove` with seed {seed}. Every campaign tries to refute one claim, on real servers, real
databases and real sockets over loopback. Its control is the same campaign on a planted fault: a campaign that does
not catch it proves nothing, and fails. `make test` runs a sample of each.

"""


class Result(msgspec.Struct, kw_only=True):
    """What came of a campaign."""

    name: str
    claim: str
    tally: Tally
    control: Tally | None = None
    summary: str = ""
    skipped: str = ""
    spent_s: float = 0.0

    @property
    def holds(self) -> bool:
        """True where nothing refuted the claim, and the planted fault was caught."""
        return not self.tally.failures and self.control is not None and bool(self.control.failures)

    def verdict(self) -> str:
        """Return the verdict in words."""
        if self.skipped:
            return f"skipped: {self.skipped}"
        if self.tally.failures:
            return (
                f"**refuted** {len(self.tally.failures)} times, such as: {_one_line(self.tally.failures[0])}"
            )
        if self.control is None or not self.control.failures:
            return "**the planted fault was not caught**"
        return "holds"

    def line(self) -> str:
        """Return one line for the terminal."""
        return f"{self.name}: {self.tally.trials} trials in {self.spent_s:.0f} s, {self.verdict()}. {self.summary}"


def markdown(results: Sequence[Result]) -> str:
    """Return the table."""
    lines = ["| campaign | claim | trials | verdict | figures | planted fault |", "|---|---|---|---|---|---|"]
    for result in results:
        found = result.control.failures if result.control else []
        caught = f"caught: {_one_line(found[0])}" if found else "–"
        lines.append(
            f"| {result.name} | {result.claim} | {result.tally.trials:,} | {result.verdict()} "
            f"| {result.summary} | {caught} |"
        )
    return "\n".join(lines)


def write(path: Path, results: Sequence[Result], seed: int) -> None:
    """Write the document."""
    opening = INTRODUCTION.format(date=datetime.now(UTC).date(), seed=seed)  # noqa: TID251
    path.write_text(f"{opening}{markdown(results)}\n", encoding="utf-8")


def _one_line(text: str) -> str:
    words = " ".join(text.split()).replace("|", "/")
    return words if len(words) <= 160 else f"{words[:160]}…"
