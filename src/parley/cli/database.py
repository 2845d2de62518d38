"""`parley database`: from a laptop's SQLite to a company's PostgreSQL."""

from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import with_settings
from parley.cli.terminal import say
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.settings import Settings

database = typer.Typer(help="Copy a SQLite database to PostgreSQL.")


@database.callback()
def _group() -> None:
    """Without this, a single command would take the group's place."""


@database.command()
@with_settings(models=False)
def copy(
    settings: "Settings",
    to: Annotated[str, typer.Option("--to", help="The address of an empty PostgreSQL database.")],
) -> None:
    """Copy everything to an empty PostgreSQL database. The SQLite file does not change.

    Nothing else may use either of them meanwhile. It is one transaction: if it fails, the new database stays empty.
    """
    import asyncio

    from parley.cli.databases import copy_to
    from parley.cli.file_progress import file_progress

    with file_progress("Copying") as report:
        copied = asyncio.run(copy_to(settings, to, report))
    say(
        f"Copied {copied.rows:,} rows in {copied.tables} tables and {copied.files:,} files; the audit log is "
        f"{'valid' if copied.audit_holds else 'NOT valid: run parley audit'}. From now on start Parley with "
        f"PARLEY_DATABASE_URL={in_one_line(copied.address)}"
    )
