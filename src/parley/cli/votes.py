"""`parley votes`: votes as files, out of the database and into it."""

import asyncio
import sys
import time
from collections.abc import Callable, Generator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from parley.cli.callers import the_caller
from parley.cli.options import ConfigOption, DataDirOption, JsonOption, ModelsOption
from parley.cli.terminal import console, say, say_json

if TYPE_CHECKING:
    from parley.settings import Settings
    from parley.workspace.vote_files.exports import ExportCount, ExportOptions
    from parley.workspace.vote_files.imports import ImportOptions
    from parley.workspace.vote_files.schemas import ImportDone, ImportFailed, ImportReport

votes = typer.Typer(
    no_args_is_help=True, help="Votes as files: LMArena's columns in JSON Lines, CSV, Parquet."
)

Tell = Callable[[str, float], None]
"""Told in words how far it is, and the share of the work that is done."""

EVERY_S = 5.0


@votes.callback()
def root() -> None:
    """Take the options that stand before a command of this group."""


@votes.command(name="import")
def import_(
    file: Annotated[
        Path, typer.Argument(help="JSON Lines, CSV or Parquet with model_a, model_b and winner.")
    ],
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be imported.")] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Import the good rows although others are no votes.")
    ] = False,
    keep_bad: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write rows that are no votes there.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import votes: all of a file, or nothing. A vote that is there already is skipped."""
    from parley.settings import load_settings
    from parley.workspace.vote_files.imports import BATCH_VOTES_ALONE, ImportOptions
    from parley.workspace.vote_files.schemas import ImportFailed

    settings = load_settings({"config": config, "data_dir": data_dir, "models": models})
    options = ImportOptions(
        skip_bad=skip_bad, dry_run=dry_run, bad_file=keep_bad, batch_votes=BATCH_VOTES_ALONE
    )
    phase = ["reading"]
    try:
        with _progress(file.name) as tell:
            end = asyncio.run(_import(settings, file, options, tell, phase))
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
def export(
    file: Annotated[Path, typer.Argument(help="Where to; the ending says how: .jsonl, .csv or .parquet.")],
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    format_: Annotated[
        Literal["jsonl", "csv", "parquet"] | None,
        typer.Option("--format", help="How, where the ending does not say so.", show_default=False),
    ] = None,
    texts: Annotated[
        bool, typer.Option("--texts", help="With prompts, replies and what the voters wrote.")
    ] = False,
    counted_only: Annotated[
        bool, typer.Option("--counted-only", help="Without votes that are kept but not counted.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Export every vote, oldest first; a server may run meanwhile."""
    from parley.kernel.errors import Invalid
    from parley.settings import load_settings
    from parley.workspace.vote_files.exports import ExportOptions
    from parley.workspace.vote_files.formats import format_of

    if file.exists() and not overwrite:
        raise Invalid("file", f"{file} is there already.", "Choose another name, or add --overwrite.")
    options = ExportOptions(
        kind=format_ or format_of(str(file)), texts=texts, include_uncounted=not counted_only
    )
    settings = load_settings({"config": config, "data_dir": data_dir, "models": models})
    try:
        with _progress(file.name) as tell:
            done = asyncio.run(_export(settings, file, options, tell))
    except KeyboardInterrupt:
        say("Stopped. Nothing was written.", err=True)
        raise typer.Exit(130) from None
    say(f"{done.votes:,} votes are in {file}.")
    if done.left_out:
        say(f"{done.left_out:,} were left out: they have no two sides, and the file's columns have.")


async def _import(
    settings: "Settings", file: Path, options: "ImportOptions", tell: Tell, phase: list[str]
) -> "ImportDone | ImportFailed":
    from parley.cli.vote_house import open_imports
    from parley.workspace.vote_files.formats import format_of
    from parley.workspace.vote_files.schemas import ImportProgress

    kind = format_of(str(file))
    async with (
        open_imports(settings, file) as imports,
        aclosing(imports.run(the_caller(), file, kind, file.name, options)) as events,
    ):
        async for event in events:
            if not isinstance(event, ImportProgress):
                return event
            phase[0] = event.phase
            rows = f"{event.read:,} read" if event.phase == "reading" else f"{event.imported:,} stored"
            bad = f", {event.bad:,} bad" if event.bad else ""
            tell(f"{rows}{bad}", event.done)
    raise RuntimeError("an import that has no end")


async def _export(settings: "Settings", file: Path, options: "ExportOptions", tell: Tell) -> "ExportCount":
    from parley.cli.vote_house import open_exports
    from parley.kernel.errors import Invalid
    from parley.workspace.vote_files.exports import ExportCount

    written = 0
    part = file.with_name(f"{file.name}.part")
    async with open_exports(settings) as exports:
        total, left_out = await exports.count(options)

        def told(rows: int) -> None:
            nonlocal written
            written = rows
            tell(f"{rows:,} of {total:,} written", rows / max(total, 1))

        try:
            with part.open("wb") as out:
                async with aclosing(exports.write(the_caller(), options, told)) as parts:
                    async for data in parts:
                        out.write(data)
            part.replace(file)
        except OSError as error:
            raise Invalid("file", f"{file} cannot be written: {error.strerror or error}.") from None
        finally:
            part.unlink(missing_ok=True)
    return ExportCount(written, left_out)


def end_text(end: "ImportDone | ImportFailed") -> str:
    """Return what a person is told at the end."""
    from parley.workspace.vote_files.schemas import ImportDone

    if isinstance(end, ImportDone):
        return _report_text(end.report)
    lines = [f"✗ {end.error.title}"]
    if end.report is None:
        return "\n".join(filter(None, (*lines, end.error.detail)))
    lines += _bad_lines(end.report)
    lines.append("Correct these rows, or import the others with --skip-bad.")
    return "\n".join(lines)


def _report_text(report: "ImportReport") -> str:
    verb = "would be imported" if report.dry_run else "imported"
    lines = [f"✓ {report.imported:,} of {report.read:,} rows {verb}."]
    if report.not_counted:
        lines.append(f"  {report.not_counted:,} of them are kept but not counted.")
    if report.duplicates:
        lines.append(f"  {report.duplicates:,} were there already, or stood in the file twice.")
    if report.bad:
        lines += [f"  {report.bad:,} are no votes and were left out:", *_bad_lines(report)]
    new = [model.model_id for model in report.models if model.new]
    if new:
        more = f" and {len(new) - 10} more" if len(new) > 10 else ""
        lines.append(f"  Models that nobody knew, kept as retired ones: {', '.join(new[:10])}{more}.")
    renamed = [it for it in report.models if not it.new and it.name != it.model_id]
    lines += [f"  “{it.name}” is the model {it.model_id}." for it in renamed[:10]]
    if report.imported and not report.dry_run:
        lines.append("  The table counts them when Parley starts.")
    return "\n".join(lines)


def _bad_lines(report: "ImportReport") -> list[str]:
    lines = [f"  line {row.line}: {row.field + ' ' if row.field else ''}{row.why}" for row in report.bad_rows]
    more = report.bad - len(report.bad_rows)
    return [*lines, f"  … and {more:,} more (--keep-bad FILE writes all of them)"] if more > 0 else lines


def _stopped(phase: str) -> str:
    if phase == "reading":
        return "Stopped. Nothing was imported."
    return (
        "Stopped while the votes were being stored. None of them is shown yet; "
        "the next start of Parley, or of this command, finishes the import."
    )


@contextmanager
def _progress(name: str) -> Generator[Tell]:
    """Yield what shows how far it is: a bar on a terminal, else a line now and then; on the error output."""
    if not sys.stderr.isatty():
        yield _told_in_lines()
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


def _told_in_lines() -> Tell:
    begun = last = time.monotonic()

    def tell(words: str, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < EVERY_S:
            return
        last = now
        left = (now - begun) * (1 - share) / share if share > 0 else 0
        say(f"{share:.0%}: {words}, {now - begun:.0f} s, about {left:.0f} s left", err=True)

    return tell
