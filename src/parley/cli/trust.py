"""`parley trust`: marks the files in a folder as the person's own, so that Parley uses them there."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import JsonOption
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.trust import Trust


def trust(
    path: Annotated[
        list[Path] | None,
        typer.Argument(help="Files, or folders with them; by default this folder.", show_default=False),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Trust them no longer.")] = False,
    list_all: Annotated[bool, typer.Option("--list", help="List the trusted files.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Use parley.yaml and config/models.yaml of this folder, until they change.

    Only trust files whose content you know: they decide which addresses your keys are sent to.
    """
    from parley.trust import Trust

    trusted = Trust()
    if not list_all:
        for file in _files(path or [Path()], remove=remove):
            _forget(trusted, file) if remove else _add(trusted, file)
    if as_json:
        say_json({"trusted": trusted.paths()})
    elif list_all:
        say("\n".join(trusted.paths()) or "No file is trusted.")


def offer_trust(config: Path | None, models: Path | None) -> None:
    """Ask a person at a terminal whether the files in this folder that are not trusted are theirs.

    A file is not looked for if a flag, `config` or `models`, or its variable names another.
    """
    import sys

    from parley.settings_loading import MODEL_LIST, SETTINGS_FILE, environment
    from parley.text.controls import in_one_line
    from parley.trust import Trust, Untrusted

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    trusted, variables = Trust(), environment()
    sought = {SETTINGS_FILE: config or variables.get("PARLEY_CONFIG")}
    sought[MODEL_LIST] = models or variables.get("PARLEY_MODELS")
    for file in (file for file, named in sought.items() if not named and file.is_file()):
        try:
            trusted.read(file)
        except Untrusted as notice:
            say(f"{notice.title} It decides which addresses your keys are sent to.")
            if typer.confirm(f"Is {in_one_line(str(file))} yours, to be used from now on?", default=False):
                _add(trusted, file)
        except OSError:
            continue  # loading the settings reports it


def _files(paths: list[Path], *, remove: bool) -> list[Path]:
    """Return the files that are named, and those in the folders that are named. Raises NotFound."""
    from parley.kernel.errors import NotFound
    from parley.settings_loading import MODEL_LIST, SETTINGS_FILE

    files: list[Path] = []
    for path in paths:
        inside = [path / SETTINGS_FILE, path / MODEL_LIST]
        wanted = [file for file in inside if remove or file.is_file()] if path.is_dir() else [path]
        if not wanted or not (remove or wanted[0].is_file()):
            raise NotFound(
                f"There is no file to trust at {path.absolute()}.",
                f"Parley looks for {SETTINGS_FILE} and {MODEL_LIST} in the folder where it starts.",
            )
        files += wanted
    return files


def _add(trusted: "Trust", file: Path) -> None:
    """Trust a file after checking that Parley can use it. Raises ParleyError."""
    from parley.cli.trusted_files import addresses_of
    from parley.kernel.errors import Unavailable

    try:
        content = file.read_bytes()
        addresses = addresses_of(file, content)
        trusted.add(file, content)
    except OSError as error:
        raise Unavailable(
            f"Can't trust {file.absolute()}: {error.strerror}.", code="untrusted_file"
        ) from None
    say(f"Trusted until it changes: {file.absolute()}")
    for address in addresses:
        say(f"  sends questions to {address}")


def _forget(trusted: "Trust", file: Path) -> None:
    if trusted.remove(file):
        say(f"No longer trusted: {file.absolute()}")
