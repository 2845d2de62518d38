"""`parley backup`: the whole installation as one file, while it serves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import with_settings
from parley.cli.terminal import say
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.settings import Settings


@with_settings(models=False)
def backup(
    settings: "Settings",
    file: Annotated[Path, typer.Argument(help="The file to write, for example parley-2026-01-31.zip.")],
) -> None:
    """Back up everything in one file, also while Parley runs. The file holds secrets: only you can read it."""
    from parley.cli.file_progress import file_progress
    from parley.cli.installations import back_up

    with file_progress("Backing up") as report:
        done = back_up(settings, file, report)
    size = file.stat().st_size
    say(
        f"Backed up the database and {len(done.files) - 1:,} files to {in_one_line(str(file))} ({size / 1e6:,.1f} MB). "
        "It contains secret.key: keep it where only you can read it."
    )
