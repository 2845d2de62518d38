"""`parley export`: everybody's sessions and votes as one file, for other programs."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.file_progress import Report, file_progress
from parley.cli.options import with_settings
from parley.cli.terminal import say
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.features.exports.layout import ExportFormat, ExportPlan
    from parley.settings import Settings

FORMATS: "dict[str, ExportFormat]" = {
    ".db": "sqlite",
    ".sqlite": "sqlite",
    ".jsonl": "jsonl",
    ".zip": "parquet",
}


@with_settings(models=False)
def export(
    settings: "Settings",
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file to write: .db (SQLite), .jsonl or .zip (Parquet)."),
    ],
    anonymised: Annotated[
        bool,
        typer.Option(
            "--anonymised", help="Pseudonyms for people, days for times, texts without addresses and names."
        ),
    ] = False,
    votes_only: Annotated[bool, typer.Option("--votes-only", help="Votes only, without any text.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Export everybody's sessions and votes: SQLite, JSON Lines or Parquet, plain or anonymised."""
    from parley.features.exports.layout import ExportPlan
    from parley.kernel.errors import Invalid

    kind = FORMATS.get(file.suffix.lower())
    if kind is None:
        endings = ", ".join(FORMATS)
        raise Invalid("file", f"{file}: the format can't be told from the name.", f"Use one of {endings}.")
    if file.exists() and not overwrite:
        raise Invalid("file", f"{file} already exists.", "Choose another name, or add --overwrite.")
    plan = ExportPlan(kind=kind, anonymised=anonymised, votes_only=votes_only)
    with file_progress(in_one_line(file.name)) as report:
        asyncio.run(_write(settings, file, plan, report))
    say(f"Wrote {in_one_line(str(file))} ({file.stat().st_size / 1e6:,.1f} MB).")
    if anonymised:
        say("Read what is guaranteed and what is not in the file, before you publish it.")
    else:
        say("It contains what people wrote: only you can read it.")


async def _write(settings: "Settings", file: Path, plan: "ExportPlan", report: Report) -> None:
    from parley.cli.databases import open_everything
    from parley.features.accounts.service import AccountsService
    from parley.kernel.errors import Invalid
    from parley.storage.private import owner_only

    part = file.with_name(f"{file.name}.part")
    caller = AccountsService.owner("command")
    async with open_everything(settings) as exports:

        def count(done: int, total: int) -> None:
            report(f"{done:,} of {total:,} read", done / max(total, 1))

        try:
            with owner_only(), part.open("wb") as out:
                async with aclosing(exports.write(caller, plan, count)) as parts:
                    async for data in parts:
                        out.write(data)
            part.replace(file)
        except OSError as error:
            raise Invalid("file", f"Can't write {file}: {error.strerror or error}.") from None
        finally:
            part.unlink(missing_ok=True)
