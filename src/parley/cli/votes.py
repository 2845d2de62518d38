"""`parley votes`: imports and exports files of votes, and casts one."""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Generator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from parley.cli.battle import Choice
from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import console, say, say_json

if TYPE_CHECKING:
    from parley.features.vote_files.exports import ExportCount, ExportOptions
    from parley.features.vote_files.imports import ImportOptions
    from parley.features.vote_files.schemas import ImportDone, ImportFailed, ImportReport
    from parley.settings import Settings

votes = typer.Typer(
    no_args_is_help=True,
    help="Import and export votes (LMArena's columns in JSON Lines, CSV or Parquet), or cast one.",
)

Report = Callable[[str, float], None]
"""Takes what is done, in words, and as a share of the whole."""

REPORT_EVERY_S = 5.0

SWITCH_S = 0.0005
"""How long a thread keeps Python's lock while the other waits: the one that stores waits after every statement."""

COLLECT_AFTER = 200_000
"""Objects before Python looks for garbage: rows refer to nothing in circles."""


@votes.command(name="import")
@with_settings()
def import_(
    settings: "Settings",
    file: Annotated[
        Path, typer.Argument(help="JSON Lines, CSV or Parquet with model_a, model_b and winner.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be imported without importing it.")
    ] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Import valid rows and skip the rest.")
    ] = False,
    keep_bad: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write invalid rows to FILE.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import a file of votes, or nothing if a row is invalid. Skips votes that are already stored."""
    from parley.features.vote_files.imports import BATCH_VOTES_ALONE, ImportOptions
    from parley.features.vote_files.schemas import ImportFailed

    options = ImportOptions(
        skip_bad=skip_bad, dry_run=dry_run, bad_file=keep_bad, batch_votes=BATCH_VOTES_ALONE
    )
    phase = ["reading"]
    try:
        with _progress(file.name) as report:
            end = asyncio.run(_import(settings, file, options, report, phase))
    except KeyboardInterrupt:
        say(_stopped(phase[0]), err=True)
        raise typer.Exit(130) from None
    if as_json:
        say_json(end)
    else:
        say(end_text(end), err=isinstance(end, ImportFailed))
    if isinstance(end, ImportFailed):
        raise typer.Exit(1)


@votes.command()
@with_settings()
def export(
    settings: "Settings",
    file: Annotated[Path, typer.Argument(help="The file to write: .jsonl, .csv or .parquet.")],
    format_: Annotated[
        Literal["jsonl", "csv", "parquet"] | None,
        typer.Option(
            "--format", help="The file format, if the file extension doesn't show it.", show_default=False
        ),
    ] = None,
    texts: Annotated[bool, typer.Option("--texts", help="Add prompts, replies and voters' reasons.")] = False,
    counted_only: Annotated[bool, typer.Option("--counted-only", help="Exclude uncounted votes.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Export every vote, oldest first. You can run it beside a server."""
    from parley.features.vote_files.exports import ExportOptions
    from parley.features.vote_files.formats import format_of
    from parley.kernel.errors import Invalid

    if file.exists() and not overwrite:
        raise Invalid("file", f"{file} already exists.", "Choose another name, or add --overwrite.")
    options = ExportOptions(
        kind=format_ or format_of(str(file)), texts=texts, include_uncounted=not counted_only
    )
    try:
        with _progress(file.name) as report:
            done = asyncio.run(_export(settings, file, options, report))
    except KeyboardInterrupt:
        say("Stopped. Nothing was written.", err=True)
        raise typer.Exit(130) from None
    say(f"Wrote {done.votes:,} votes to {file}.")
    if done.left_out:
        say(f"Left out {done.left_out:,} votes that are not between two models.")


@votes.command(name="cast")
@with_settings()
def cast_(
    settings: "Settings",
    battle: Annotated[str, typer.Argument(help="The battle's id. parley battle prints it.")],
    vote: Annotated[Choice, typer.Argument(help="left is A, right is B.")],
    reason: Annotated[
        str | None, typer.Option(help="Your reason, stored with the vote.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Vote on a battle and reveal its models."""
    from parley.cli.battle import cast, vote_text
    from parley.cli.client import ask_server

    found = ask_server(settings, lambda client: cast(client, battle, vote, reason))
    say_json(found) if as_json else say(vote_text(found))


async def _import(
    settings: "Settings", file: Path, options: "ImportOptions", report: Report, phase: list[str]
) -> "ImportDone | ImportFailed":
    from parley.cli.databases import open_imports
    from parley.features.accounts.service import AccountsService
    from parley.features.vote_files.formats import format_of
    from parley.features.vote_files.schemas import ImportProgress

    gc.set_threshold(COLLECT_AFTER, 20, 50)
    sys.setswitchinterval(SWITCH_S)
    kind = format_of(str(file))
    owner = AccountsService.owner("command")
    async with (
        open_imports(settings, file) as imports,
        aclosing(imports.run(owner, file, kind, file.name, options)) as events,
    ):
        async for event in events:
            if not isinstance(event, ImportProgress):
                return event
            phase[0] = event.phase
            rows = f"{event.read:,} read" if event.phase == "reading" else f"{event.imported:,} stored"
            report(f"{rows}, {event.bad:,} bad" if event.bad else rows, event.done)
    raise RuntimeError("the import ended without a result")


async def _export(
    settings: "Settings", file: Path, options: "ExportOptions", report: Report
) -> "ExportCount":
    from parley.cli.databases import open_exports
    from parley.features.accounts.service import AccountsService
    from parley.features.vote_files.exports import ExportCount
    from parley.kernel.errors import Invalid

    written = 0
    part = file.with_name(f"{file.name}.part")
    async with open_exports(settings) as exports:
        total, left_out = await exports.count(options)

        def count(rows: int) -> None:
            nonlocal written
            written = rows
            report(f"{rows:,} of {total:,} written", rows / max(total, 1))

        try:
            with part.open("wb") as out:
                async with aclosing(exports.write(AccountsService.owner("command"), options, count)) as parts:
                    async for data in parts:
                        out.write(data)
            part.replace(file)
        except OSError as error:
            raise Invalid("file", f"Can't write {file}: {error.strerror or error}.") from None
        finally:
            part.unlink(missing_ok=True)
    return ExportCount(written, left_out)


def end_text(end: "ImportDone | ImportFailed") -> str:
    """Describe the end of an import."""
    from parley.features.vote_files.schemas import ImportDone

    if isinstance(end, ImportDone):
        return _report_text(end.report)
    lines = [f"✗ {end.error.title}"]
    if end.report is None:
        return "\n".join(filter(None, (*lines, end.error.detail)))
    lines += _bad_lines(end.report)
    lines.append("Fix these rows, or add --skip-bad to import the others.")
    return "\n".join(lines)


def _report_text(report: "ImportReport") -> str:
    verb = "Would import" if report.dry_run else "Imported"
    lines = [f"✓ {verb} {report.imported:,} of {report.read:,} rows."]
    if report.not_counted:
        lines.append(f"  {report.not_counted:,} of them are saved but not counted.")
    if report.duplicates:
        lines.append(f"  Skipped {report.duplicates:,} duplicates.")
    if report.bad:
        lines += [f"  Skipped {report.bad:,} rows that are not votes:", *_bad_lines(report)]
    new = [model.model_id for model in report.models if model.new]
    if new:
        more = f" and {len(new) - 10} more" if len(new) > 10 else ""
        lines.append(f"  New models, added as retired: {', '.join(new[:10])}{more}.")
    renamed = [it for it in report.models if not it.new and it.name != it.model_id]
    lines += [f"  “{it.name}” is the model {it.model_id}." for it in renamed[:10]]
    if report.imported and not report.dry_run:
        lines.append("  Parley counts them when it starts again.")
    return "\n".join(lines)


def _bad_lines(report: "ImportReport") -> list[str]:
    lines = [f"  line {row.line}: {row.field + ' ' if row.field else ''}{row.why}" for row in report.bad_rows]
    more = report.bad - len(report.bad_rows)
    return [*lines, f"  … and {more:,} more (--keep-bad FILE writes all of them)"] if more > 0 else lines


def _stopped(phase: str) -> str:
    if phase == "reading":
        return "Stopped. Nothing was imported."
    return (
        "Stopped while storing the votes. None of them is visible yet. "
        "Start Parley or run this command again to finish the import."
    )


@contextmanager
def _progress(name: str) -> Generator[Report]:
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
