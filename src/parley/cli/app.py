"""The command line: one command or group of commands per file, joined here."""

from typing import Annotated

import typer

from parley import __version__
from parley.cli.audit import audit
from parley.cli.consortium import consortium
from parley.cli.doctor import doctor
from parley.cli.models import models
from parley.cli.rate import rate
from parley.cli.serve import serve
from parley.cli.standings import standings
from parley.cli.terminal import say
from parley.cli.votes import votes

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="A self-hosted workspace where many language models meet.",
)
app.command()(serve)
app.command()(models)
app.command()(rate)
app.command()(doctor)
app.add_typer(audit, name="audit")
app.add_typer(consortium, name="consortium")
app.add_typer(votes, name="votes")
app.add_typer(standings, name="standings")


def _show_version(value: bool) -> None:
    if value:
        say(f"parley {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""
    del version
