"""The report of a run, on the terminal and as a document."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from prove.campaign import Campaign, Tally

INTRODUCTION = """# Reliability

<!-- Written by “make prove”. -->

Proved by `make prove` with seed {seed}. Every campaign tries to refute one guarantee, on real servers, real databases
and real sockets over loopback. Its control is the same campaign on a planted fault: a campaign that does not catch it
proves nothing, and fails. `make test` runs samples of those that guard blindness, votes, egress and money; every night
runs a sample of each. A campaign can be proved again alone; the last column says when each was, and on which state of
the code (a digest of `src`, `web/src`, `prove` and `tests/fakes`).

"""


HEAD = ("| campaign | guarantee | trials | verdict | figures | planted fault | proved |", "|---" * 7 + "|")


class Result(msgspec.Struct, kw_only=True):
    """The result of a campaign."""

    name: str
    guarantee: str
    tally: Tally
    control: Tally | None = None
    summary: str = ""
    skipped: str = ""
    spent_s: float = 0.0

    @property
    def holds(self) -> bool:
        """Return whether nothing refuted the guarantee and the planted fault was caught."""
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


def markdown(results: Sequence[Result], proved: str = "now") -> str:
    """Return the table."""
    return "\n".join([*HEAD, *(_row(result, proved) for result in results)])


def write(
    path: Path, results: Sequence[Result], seed: int, *, state: str, campaigns: Sequence[Campaign]
) -> None:
    """Write the document: these results, and earlier rows of campaigns that have not changed.

    The others are named as not proved yet.
    """
    rows: dict[str, str] = {}
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines()
        had = {line.split(" | ")[0].removeprefix("| "): line for line in lines if line.startswith("| ")}
        rows = {it.name: had[it.name] for it in campaigns if it.name in had and _is_of(it, had[it.name])}
    proved = f"{datetime.now(UTC).date()}, {state}"  # noqa: TID251
    rows |= {result.name: _row(result, proved) for result in results}
    table = [*HEAD, *(rows[it.name] for it in campaigns if it.name in rows)]
    missing = [it.name for it in campaigns if it.name not in rows]
    still = (
        [f"Not proved in full since they were written or changed: {', '.join(missing)}.", ""]
        if missing
        else []
    )
    text = [INTRODUCTION.format(seed=seed).rstrip(), "", *still, *table, ""]
    path.write_text("\n".join(text), encoding="utf-8")


def _is_of(campaign: Campaign, row: str) -> bool:
    """Return whether a row of the document belongs to the campaign as it is now."""
    _, guarantee, trials, *_ = row.split(" | ")
    return (guarantee, trials) == (campaign.guarantee, f"{campaign.trials:,}")


def _row(result: Result, proved: str) -> str:
    found = result.control.failures if result.control else []
    caught = f"caught: {_one_line(found[0])}" if found else "–"
    cells = (result.guarantee, f"{result.tally.trials:,}", result.verdict(), result.summary, caught, proved)
    return f"| {result.name} | {' | '.join(cells)} |"


def _one_line(text: str) -> str:
    words = " ".join(text.split()).replace("|", "/")
    return words if len(words) <= 160 else f"{words[:160]}…"
