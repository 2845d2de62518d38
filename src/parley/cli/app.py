"""The command line, with one command or group of commands per file."""

from collections.abc import Sequence
from typing import Annotated

import typer

from parley import __version__
from parley.cli.ask import ask
from parley.cli.audit import audit
from parley.cli.battle import battle
from parley.cli.compare import compare
from parley.cli.consortium import consortium
from parley.cli.deliberation import deliberation
from parley.cli.doctor import doctor
from parley.cli.judge import judge
from parley.cli.keys import keys
from parley.cli.models import models
from parley.cli.providers import providers
from parley.cli.rate import rate
from parley.cli.serve import serve
from parley.cli.sessions import sessions
from parley.cli.standings import standings
from parley.cli.team import team
from parley.cli.terminal import say
from parley.cli.votes import votes

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="A self-hosted workspace for comparing language models.",
)
for command in (serve, ask, compare, battle, rate, doctor):
    app.command()(command)
GROUPS = {
    "providers": providers,
    "models": models,
    "keys": keys,
    "audit": audit,
    "consortium": consortium,
    "team": team,
    "deliberation": deliberation,
    "judge": judge,
    "sessions": sessions,
    "votes": votes,
    "standings": standings,
}
for name, group in GROUPS.items():
    app.add_typer(group, name=name)


def add_commands_of_features(arguments: Sequence[str]) -> None:
    """Add the commands of features, unless the arguments begin with one that is here: features take time to load."""
    own = {"--version"} | {
        info.name or getattr(info.callback, "__name__", "") for info in app.registered_commands
    }
    if own.union(GROUPS).intersection(arguments[:1]):
        return
    from parley.application import built_in_features
    from parley.features.catalog.opening import build_registry

    for feature in (*built_in_features(), *build_registry().features):
        for name, group in feature.commands.items():
            app.add_typer(group, name=name)


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
    """Take the options that come before a command."""
    del version
