"""`parley restore`: puts a backup into a new data folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import with_settings
from parley.cli.terminal import say
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.settings import Settings


@with_settings(models=False)
def restore(
    settings: "Settings",
    file: Annotated[Path, typer.Argument(help="A file that parley backup wrote.")],
) -> None:
    """Restore a backup to an empty data folder: --data-dir PATH. A damaged file is refused."""
    import asyncio

    from parley.cli.file_progress import file_progress
    from parley.cli.installations import put_back

    with file_progress("Restoring") as report:
        done, audit_holds = asyncio.run(put_back(settings, file, report))
    folder = in_one_line(str(settings.data_dir))
    say(
        f"Restored the backup of {done.made_at} to {folder}: the database and {len(done.files) - 1:,} files. The audit "
        f"log is {'valid' if audit_holds else 'NOT valid: run parley audit verify'}. Start Parley with "
        f"--data-dir {folder}"
    )
    if not audit_holds:
        raise typer.Exit(1)
