"""`parley notes`: lists and writes notes."""

from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.client import ask_server
from parley.cli.options import with_settings
from parley.cli.terminal import say

if TYPE_CHECKING:
    from parley.settings import Settings

commands = typer.Typer(no_args_is_help=True, help="List and write notes.")


@commands.command(name="list")
@with_settings()
def list_(settings: "Settings") -> None:
    """List your notes, the newest first."""
    for note in ask_server(settings, lambda server: server.get("/api/notes"))["notes"]:
        say(note["text"])


@commands.command()
@with_settings()
def add(settings: "Settings", text: Annotated[str, typer.Argument(help="The note.")]) -> None:
    """Write a note."""
    ask_server(settings, lambda server: server.send("POST", "/api/notes", {"text": text}))
    say("Note saved.")
