"""`parley keys rotate`: encrypts all saved keys with a new secret."""

from typing import TYPE_CHECKING

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json

if TYPE_CHECKING:
    from parley.settings import Settings

keys = typer.Typer(no_args_is_help=True, help="Manage the secret that encrypts providers' keys.")


@keys.callback()
def root() -> None:
    """Take the commands of the group, of which there is one."""


@keys.command()
@with_settings()
def rotate(settings: "Settings", as_json: JsonOption = False) -> None:
    """Encrypt all saved keys with a new secret. Exits with 1 if a key can't be read.

    If it is interrupted, all keys stay readable. Run it again.
    """
    from parley.cli.client import ask_server

    done = ask_server(settings, lambda client: client.send("POST", "/api/keys/rotate"))
    if as_json:
        say_json(done)
    else:
        number = len(done["providers"])
        say(f"{number} {'key is' if number == 1 else 'keys are'} encrypted with the new secret.")
        for provider_id in done["lost"]:
            say(f"{provider_id}: the saved key can't be read. Enter it again.")
    if done["lost"]:
        raise typer.Exit(1)
