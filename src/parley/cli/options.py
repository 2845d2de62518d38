"""Options that several commands take, and the settings loaded from them."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from parley.cli.terminal import say_notice

ConfigOption = Annotated[Path | None, typer.Option("--config", help="The settings file.", show_default=False)]
DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The folder where Parley keeps its data.", show_default=False),
]
ModelsOption = Annotated[Path | None, typer.Option("--models", help="The model list.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Remove it even if saved presets need it.")]

Command = Callable[..., None]


class ListsByDefault(TyperGroup):
    """A group of commands that stands for its command `list` if none is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what follows the group's name."""
        named = bool(args) and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["list", *args])


def with_settings(*, models: bool = True) -> Callable[[Command], Command]:
    """Load the settings for a command: add --config, --data-dir and --models, pass Settings first."""
    options: dict[str, Any] = {"config": ConfigOption, "data_dir": DataDirOption}
    if models:
        options["models"] = ModelsOption

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_options(**arguments: Any) -> None:
            from parley.settings_loading import load_settings

            settings = load_settings({name: arguments.pop(name) for name in options}, notify=say_notice)
            command(settings, **arguments)

        parameters = list(inspect.signature(command).parameters.values())[1:]
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for name, kind in options.items()
        ]
        # Typer reads both.
        cast("Any", with_options).__signature__ = inspect.Signature(parameters)
        with_options.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_options

    return decorate


def forced(force: bool) -> str:
    """Return the query of a removal."""
    return "?force=true" if force else ""
