"""`parley votes`: imports and exports files of votes, and casts one."""

import asyncio
import gc
import sys
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from parley.cli.battle import Choice
from parley.cli.file_progress import Report, file_progress
from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.features.imports.loading import ImportOptions
    from parley.features.imports.schemas import ImportDone, ImportFailed, ImportList, ImportReport, ImportView
    from parley.features.vote_files.exports import ExportCount, ExportOptions
    from parley.settings import Settings

votes = typer.Typer(
    no_args_is_help=True,
    help="Import and export votes (LMArena's columns in JSON Lines, CSV or Parquet), or cast one.",
)

SWITCH_S = 0.0005
"""Seconds that a thread keeps Python's lock while the other waits: the one that stores waits after every statement."""

COLLECT_AFTER = 200_000
"""Objects before Python looks for garbage: rows refer to nothing in circles."""


@votes.command(name="import")
@with_settings()
def import_(
    settings: "Settings",
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="JSON Lines, CSV or Parquet with model_a, model_b and winner."),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Import without asking.")] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show what is in the file without importing it.")
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
    """Show what is in a file of votes, and import it. If a row is invalid, nothing is imported."""
    from parley.features.imports.loading import ImportOptions
    from parley.features.imports.schemas import ImportDone

    options = ImportOptions(skip_bad=skip_bad, preview=True, bad_file=keep_bad)
    if preview or not (yes or as_json):
        seen = _run(settings, file, options, as_json=as_json)
        if preview or not isinstance(seen, ImportDone) or not may_import(seen.report, skip_bad=skip_bad):
            raise typer.Exit(0 if preview and isinstance(seen, ImportDone) else 1)
        if not typer.confirm(f"Import {seen.report.imported:,} votes?"):
            say("Nothing was imported.")
            raise typer.Exit(1)
    end = _run(settings, file, msgspec.structs.replace(options, preview=False), as_json=as_json)
    if not isinstance(end, ImportDone):
        raise typer.Exit(1)


@votes.command()
@with_settings()
def imports(settings: "Settings", as_json: JsonOption = False) -> None:
    """List the files whose votes were imported. You can run it beside a server."""
    listed = asyncio.run(_listed(settings))
    if as_json:
        say_json(listed)
        return
    if not listed.items:
        say("No files of votes were imported.")
    for it in listed.items:
        say(f"{it.id}  {it.created_at:%Y-%m-%d}  {it.votes:,} votes  {it.name}")


@votes.command(name="remove-import")
@with_settings()
def remove_import(
    settings: "Settings",
    import_id: Annotated[
        str, typer.Argument(metavar="IMPORT", help="The import's id. parley votes imports lists them.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove without asking.")] = False,
) -> None:
    """Remove the votes of a file that was imported. They no longer count."""
    if not yes and not typer.confirm(f"Remove the import {in_one_line(import_id)} with all its votes?"):
        say("Nothing was removed.")
        raise typer.Exit(1)
    removed = asyncio.run(_remove(settings, import_id))
    say(f"✓ Removed {removed.votes:,} votes of {removed.name}.")


@votes.command()
@with_settings()
def export(
    settings: "Settings",
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write: .jsonl, .csv or .parquet.")
    ],
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
    """Export every vote that was cast here, oldest first. You can run it beside a server."""
    from parley.features.vote_files.exports import ExportOptions
    from parley.features.vote_files.formats import format_of
    from parley.kernel.errors import Invalid

    if file.exists() and not overwrite:
        raise Invalid("file", f"{file} already exists.", "Choose another name, or add --overwrite.")
    options = ExportOptions(
        kind=format_ or format_of(str(file)), texts=texts, include_uncounted=not counted_only
    )
    try:
        with file_progress(file.name) as report:
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
    battle: Annotated[
        str, typer.Argument(metavar="BATTLE", help="The battle's id. parley battle prints it.")
    ],
    vote: Annotated[Choice, typer.Argument(metavar="left|tie|both_bad|right", help="left is A, right is B.")],
    reason: Annotated[
        str | None, typer.Option(help="Your reason, stored with the vote.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Vote on a battle and reveal its models."""
    from parley.cli.battle import cast, vote_text
    from parley.cli.client import ask_server

    result = ask_server(settings, lambda client: cast(client, battle, vote, reason))
    say_json(result) if as_json else say(vote_text(result))


def _run(
    settings: "Settings", file: Path, options: "ImportOptions", *, as_json: bool
) -> "ImportDone | ImportFailed":
    from parley.features.imports.schemas import ImportFailed

    try:
        with file_progress(file.name) as report:
            end = asyncio.run(_import(settings, file, options, report))
    except KeyboardInterrupt:
        say("Stopped. Nothing was imported.", err=True)
        raise typer.Exit(130) from None
    if as_json:
        say_json(end)
    else:
        say(end_text(end), err=isinstance(end, ImportFailed))
    return end


async def _import(
    settings: "Settings", file: Path, options: "ImportOptions", report: Report
) -> "ImportDone | ImportFailed":
    from parley.cli.databases import open_imports
    from parley.features.accounts.service import AccountsService
    from parley.features.imports.schemas import ImportProgress
    from parley.features.vote_files.formats import format_of

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
            rows = f"{event.read:,} read"
            report(f"{rows}, {event.bad:,} bad" if event.bad else rows, event.done)
    raise RuntimeError("the import ended without a result")


async def _listed(settings: "Settings") -> "ImportList":
    from parley.features.imports.service import read_imports
    from parley.storage import first_start, schema

    async with first_start.open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        return await read_imports(database)


async def _remove(settings: "Settings", import_id: str) -> "ImportView":
    from parley.cli.databases import open_imports, open_standings
    from parley.features.accounts.service import AccountsService

    owner = AccountsService.owner("command")
    async with open_imports(settings) as imports:
        removed = await imports.remove(owner, import_id)
    async with open_standings(settings, write=True) as standings:
        await standings.rebuild(owner)
    return removed


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
    from parley.features.imports.schemas import ImportDone

    if isinstance(end, ImportDone):
        return _report_text(end.report)
    lines = [f"✗ {end.error.title}"]
    if end.report is None:
        return "\n".join(filter(None, (*lines, end.error.detail)))
    lines += _bad_lines(end.report)
    lines.append("Fix these rows, or add --skip-bad to import the others.")
    return "\n".join(lines)


def may_import(report: "ImportReport", *, skip_bad: bool) -> bool:
    """Return whether an import would store anything after this preview."""
    return report.earlier is None and report.imported > 0 and (skip_bad or not report.bad)


def _report_text(report: "ImportReport") -> str:
    lines = (
        _preview_lines(report)
        if report.preview
        else [f"✓ Imported {report.imported:,} of {report.read:,} rows."]
    )
    if report.not_counted:
        lines.append(f"  {report.not_counted:,} of them are saved but not counted.")
    if report.duplicates:
        lines.append(f"  Skipped {report.duplicates:,} duplicates.")
    if report.bad:
        lines += [f"  {report.bad:,} rows are not votes:", *_bad_lines(report)]
    new = [model.model_id for model in report.models if model.new]
    if new:
        more = f" and {len(new) - 10} more" if len(new) > 10 else ""
        lines.append(f"  New models, added as retired: {', '.join(new[:10])}{more}.")
    renamed = [it for it in report.models if not it.new and it.name != it.model_id]
    lines += [f"  “{it.name}” is the model {it.model_id}." for it in renamed[:10]]
    if report.import_id:
        lines.append(f"  To remove them again: parley votes remove-import {report.import_id}")
        lines.append("  Parley counts them when it starts again.")
    if report.preview and report.earlier:
        when = f"{report.earlier.created_at:%Y-%m-%d}"
        lines.append(
            f"✗ This file was imported on {when} as “{report.earlier.name}”. Nothing would be added."
        )
    elif report.preview and report.bad:
        lines.append("  Fix these rows, or add --skip-bad to import the others.")
    return "\n".join(lines)


def _preview_lines(report: "ImportReport") -> list[str]:
    lines = [f"{report.imported:,} votes in {report.read:,} rows, between {len(report.models):,} models."]
    lines.append(f"  Columns: {', '.join(report.columns)}.")
    if report.ignored:
        lines.append(f"  Ignored columns: {', '.join(report.ignored[:20])}.")
    if report.categories:
        lines.append(f"  Categories: {', '.join(report.categories[:20])}.")
    lines += [f"  {row.model_a} : {row.model_b}  {row.winner}" for row in report.first_rows]
    return lines


def _bad_lines(report: "ImportReport") -> list[str]:
    lines = [f"  line {row.line}: {row.field + ' ' if row.field else ''}{row.why}" for row in report.bad_rows]
    more = report.bad - len(report.bad_rows)
    return [*lines, f"  … and {more:,} more (--keep-bad FILE writes all of them)"] if more > 0 else lines
