"""`parley audit verify`: whether the votes are those that were cast."""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption
from parley.cli.terminal import console, say, say_json

if TYPE_CHECKING:
    from parley.settings import Settings
    from parley.storage.audit_check import AuditReport
    from parley.workspace.standings.verification import StandingsReport

audit = typer.Typer(no_args_is_help=True, help="Check that the votes are those that were cast.")

HeadOption = Annotated[
    str | None,
    typer.Option("--head", help="A head hash noted earlier; it must still be in the chain.", metavar="HASH"),
]


@audit.callback()
def root() -> None:
    """Take the options that stand before a command of this group."""


@audit.command()
def verify(
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    head: HeadOption = None,
    as_json: JsonOption = False,
) -> None:
    """Walk the audit log beside the votes, and hold the standings against them.

    The exit code is 1 where something does not hold. It only reads, and may run while a server uses the same database.
    """
    import msgspec

    from parley.settings import load_settings

    noted = checked_hash(head) if head is not None else None
    settings = load_settings({"config": config, "data_dir": data_dir})
    with _progress() as progress:
        report, kept = asyncio.run(_verify(settings, noted, progress))
    if as_json:
        say_json({**msgspec.to_builtins(report), "standings": msgspec.to_builtins(kept)})
    else:
        say("\n".join(filter(None, (report_text(report), kept and standings_text(kept)))))
    if not report.ok or (kept is not None and not kept.ok):
        raise typer.Exit(1)


async def _verify(
    settings: "Settings", noted: str | None, progress: Callable[[int, int], None]
) -> "tuple[AuditReport, StandingsReport | None]":
    """Verify the votes and, where they are in order, what is kept of them."""
    from parley.storage import schema
    from parley.storage.audit_check import check_audit
    from parley.storage.first_start import open_existing
    from parley.workspace.standings.verification import verify_standings

    async with open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        report = await check_audit(database, noted, progress)
        if not report.ok:
            return report, None
        return report, await verify_standings(database, lambda done: progress(done, report.votes))


def standings_text(kept: "StandingsReport") -> str:
    """Return what a person is told about counts, Elo and tables."""
    if kept.wrong is not None:
        return f"✗ {kept.wrong}\n  “parley standings rebuild” makes it anew from the votes."
    lines = ["✓ Counts, Elo and tables are those of the votes."]
    if kept.waiting:
        lines.append(f"  {_count(kept.waiting, 'vote waits', 'votes wait')} to be counted.")
    if kept.unseen:
        lines.append(f"  Behind the votes just now, and not looked at: {', '.join(kept.unseen)}.")
    return "\n".join(lines)


def checked_hash(text: str) -> str:
    """Return a hash in lower case. Raises BadParameter where it is none."""
    lower = text.strip().lower()
    if len(lower) != 64 or not set(lower) <= set("0123456789abcdef"):
        raise typer.BadParameter("must be the 64 hex digits that “parley audit verify” printed")
    return lower


def report_text(report: "AuditReport") -> str:
    """Return what a person is told."""
    if report.broken is not None:
        before = _count(report.entries, "entry before it is", "entries before it are")
        good = f"The {before} in order." if report.entries else ""
        return "\n".join(filter(None, (f"✗ {report.broken.text}", good)))
    lines = [f"✓ {_count(report.votes, 'vote', 'votes')} and the audit log agree."]
    if report.exclusions:
        lines.append(
            f"  {_count(report.exclusions, 'vote was', 'votes were')} excluded later, with a reason."
        )
    if report.noted_at is not None:
        lines.append(f"  The noted hash is that of entry {report.noted_at:,}.")
    lines.append(f"  Head: {report.head} (entry {report.entries:,})")
    lines.append("  Note it down elsewhere: only then can it be seen later if the last votes were cut off.")
    return "\n".join(lines)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


@contextmanager
def _progress() -> Generator[Callable[[int, int], None]]:
    """Yield what shows how far it has come, on a terminal's error output only."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.progress import Progress

    with Progress(console=console(err=True), transient=True) as bar:
        task = bar.add_task("Verifying")
        yield lambda done, total: bar.update(task, completed=done, total=total)
