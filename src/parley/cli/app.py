"""The command line, with one command or group of commands per file; each loads when it is named."""

from collections.abc import Iterator, MutableMapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from parley import __version__
from parley.cli.terminal import say

if TYPE_CHECKING:
    from typer._click import Command, Context

SUMMARIES = {
    "serve": "Start Parley.",
    "ask": "Ask one model. Ctrl-C stops the answer and saves the text so far.",
    "compare": "Compare models. Ctrl-C stops them and saves finished answers. Exits with 1 if some failed.",
    "battle": "Ask two hidden models, then vote to reveal them. Ctrl-C stops them.",
    "rate": "Rate models from a file of votes.",
    "doctor": "Check the installation. Exits with 1 if something is broken.",
    "providers": "List, add, test and remove providers. Without a command: list.",
    "models": "List, add and remove models, set the default one. Without a command: list.",
    "keys": "Make and revoke API keys for other programs; encrypt providers' keys with a new secret.",
    "limits": "Show and set limits in money, tokens, requests and images. Without a command: list.",
    "call": "Make one call to a model and print its answer as numbered lines: what a Kubernetes Job of Parley runs.",
    "mcp": "Let editors and agents ask Parley's models, over the Model Context Protocol on standard input and output.",
    "audit": "Check that no vote was changed after it was cast.",
    "consortium": "Run and save consortia: several models and an arbiter.",
    "team": "Run and save teams: experts with roles who discuss a question.",
    "lab": "Run and improve prompts on data and models.",
    "deliberation": "Measure whether a combination beats its best member.",
    "judge": "Check a model that judges answers against people's votes.",
    "sessions": "List, show, search, export and import sessions. Without a command: list.",
    "votes": "Import and export votes (LMArena's columns in JSON Lines, CSV or Parquet), or cast one.",
    "standings": "Show and rebuild the ratings table. Without a command: list.",
    "export": "Export everybody's sessions and votes: SQLite, JSON Lines or Parquet, plain or anonymised.",
    "backup": "Back up everything in one file, also while Parley runs. The file holds secrets: only you can read it.",
    "restore": "Restore a backup to an empty data folder: --data-dir PATH. A damaged file is refused.",
    "database": "Copy a SQLite database to PostgreSQL.",
    "trust": "Use parley.yaml and config/models.yaml of this folder, until they change.",
    "users": "List the people of a shared Parley, let them in and keep them out.",
    "share": "Turn a personal installation into a shared one. You become its administrator and keep everything.",
}
"""A line of help per command. `parley.cli.NAME` has the command NAME, or a group of that name, with the same help."""


class _Commands(MutableMapping[str, "Command"]):
    """Commands by name; one that nobody named is not loaded."""

    def __init__(self, loaded: MutableMapping[str, "Command"]) -> None:
        self._loaded = loaded
        self._names = {**dict.fromkeys(SUMMARIES), **dict.fromkeys(loaded)}

    def __getitem__(self, name: str) -> "Command":
        if name not in self._names:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: "Command") -> None:
        self._names[name] = None
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._names[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _load(name: str) -> "Command":
    command = getattr(import_module(f"parley.cli.{name}"), name)
    outer = typer.Typer(add_completion=False)
    if isinstance(command, typer.Typer):
        outer.add_typer(command, name=name)
    else:
        outer.command(name)(command)
    return typer.main.get_group(outer).commands[name]


class LazyGroup(TyperGroup):
    """The commands of Parley and of plugins. Its help does not load them."""

    _helping = False

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands(self.commands)

    def format_help(self, ctx: "Context", formatter: Any) -> None:
        """Print the help, with the line of each command."""
        self._helping = True
        super().format_help(ctx, formatter)

    def list_commands(self, ctx: "Context") -> list[str]:
        """Return the commands' names."""
        del ctx
        return list(self.commands)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Return a command; for the help what stands for it."""
        if self._helping and cmd_name in SUMMARIES:
            return TyperCommand(cmd_name, help=SUMMARIES[cmd_name])
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="A self-hosted workspace for comparing language models.",
)


def add_commands_of_features(arguments: Sequence[str]) -> None:
    """Add the commands of installed plugins, unless a built-in one is named: plugins take time to load."""
    if (arguments[:1] and arguments[0] in {"--version", *SUMMARIES}) or not entry_points(group="parley"):
        return
    from parley.features.catalog.opening import build_registry

    for feature in build_registry().features:
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
