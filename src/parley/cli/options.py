"""Options that several commands take, written once."""

from pathlib import Path
from typing import Annotated

import typer

ConfigOption = Annotated[Path | None, typer.Option("--config", help="The settings file.", show_default=False)]
DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Folder of everything that Parley keeps.", show_default=False),
]
ModelsOption = Annotated[Path | None, typer.Option("--models", help="The model list.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
