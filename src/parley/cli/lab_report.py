"""A run of the Prompt Lab as `parley lab` prints it, and whether it passed."""

import sys
from collections.abc import Iterator
from typing import Any

from parley.cli.terminal import say, say_json

MOST_FAILED = 20


def quote_line(quote: dict[str, Any]) -> str:
    """Return a quote in a line: calls, money and time."""
    recorded = f", {quote['recorded']} recorded" if quote["recorded"] else ""
    money = f"${quote['cost_usd_least']:.4f} to ${quote['cost_usd_most']:.4f}"
    unpriced = f", without {', '.join(quote['unpriced'])} (no prices)" if quote["unpriced"] else ""
    return f"{quote['calls']} calls{recorded}. Quote {money}{unpriced}, about {max(1, round(quote['seconds']))} s."


def passed(report: dict[str, Any], min_score: float | None, *, every_check: bool) -> bool:
    """Return whether a run is complete, no mean is below `min_score` (0 to 100), and its checks passed.

    Without `min_score`, `every_check` asks that no check failed and none is open.
    """
    columns = report["columns"]
    if report["run"]["status"] != "completed" or any(it["failed"] for it in columns):
        return False
    if min_score is not None:
        return all((it["mean"] or 0) * 100 >= min_score for it in columns)
    return not every_check or not any(
        it["decides"] and (it["failed"] or it["open"]) for it in report["check_counts"]
    )


def show_report(report: dict[str, Any], *, as_json: bool) -> None:
    """Print a run: its columns, its checks, the answers that failed one, and the comparison in a sentence."""
    if as_json:
        say_json(report)
        return
    say(f"{report['run']['prompt']}, run {report['run']['number']}: {report['run']['status']}")
    for column in report["columns"]:
        say(f"  {_column_line(column)}")
    for check in report["check_counts"]:
        total = check["passed"] + check["failed"] + check["open"]
        undecided = f", {check['open']} could not be decided" if check["open"] else ""
        say(f"  {check['label']}: {check['passed']} of {total} passed{undecided}")
        if check["judge"]:
            say(f"    {check['judge']}")
    failed = list(_failed_lines(report))
    for line in failed[:MOST_FAILED]:
        say(f"  {line}")
    if len(failed) > MOST_FAILED:
        say(f"  {len(failed) - MOST_FAILED} more answers failed a check: --json has all")
    say(report["sentence"])
    if (problem := report["run"]["problem"]) is not None:
        say(f"{problem['title']} {problem.get('detail') or ''}".strip(), err=True)
    if report["run"]["status"] == "capped" and sys.stderr.isatty():
        say("The run stopped at its cap. Run it again with a higher one to go on.", err=True)


def _column_line(column: dict[str, Any]) -> str:
    mean, low, high = column["mean"], column["low"], column["high"]
    score = "no score" if mean is None else f"{mean * 100:5.1f}"
    interval = f" (95% {low * 100:.1f} to {high * 100:.1f})" if low is not None else ""
    cost = "" if column["cost_usd"] is None else f", ${column['cost_usd']:.4f}"
    failed = f", {column['failed']} failed" if column["failed"] else ""
    rows = f"{column['rows']} row{'' if column['rows'] == 1 else 's'}"
    return f"v{column['version']} {column['model']}: {score}{interval}, {rows}{cost}{failed}"


def _failed_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each answer that failed a check in the first repeat."""
    labels = report["check_labels"]
    for row in report["rows"]:
        for column, (_, _, verdicts) in zip(report["columns"], row["cells"], strict=True):
            names = [label for label, verdict in zip(labels, verdicts, strict=True) if verdict is False]
            if names:
                place = f"Row {row['place']}, v{column['version']} {column['model']}"
                yield f"{place} failed: {', '.join(names)}. {row['title']}".strip()
