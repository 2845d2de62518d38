"""`parley audit verify`: whether the votes are those that were cast."""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption

if TYPE_CHECKING:
    from parley.storage.audit_check import AuditReport

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
    """Walk the audit log beside the votes; the exit code is 1 where something does not hold.

    It only reads, and may run while a server uses the same database.
    """
    from parley.settings import load_settings
    from parley.storage.audit_check import verify_audit

    noted = checked_hash(head) if head is not None else None
    settings = load_settings({"config": config, "data_dir": data_dir})
    with _progress() as progress:
        report = asyncio.run(verify_audit(settings.database_url, noted, progress))
    if as_json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        typer.echo(report_text(report))
    if not report.ok:
        raise typer.Exit(1)


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
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Verifying")
        yield lambda done, total: bar.update(task, completed=done, total=total)
