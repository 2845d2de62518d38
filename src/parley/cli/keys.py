"""`parley keys`: the API keys that other programs use, and the secret that encrypts providers' keys."""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from parley.cli.options import JsonOption, ListsByDefault, with_settings
from parley.cli.terminal import print_table, say, say_json
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

keys = typer.Typer(
    cls=ListsByDefault,
    help="Make and revoke API keys for other programs; encrypt providers' keys with a new secret.",
)
PATH = "/api/me/keys"


@keys.command(name="list")
@with_settings(models=False)
def list_(settings: "Settings", as_json: JsonOption = False) -> None:
    """List the owner's API keys."""
    from parley.cli.client import ask_server

    listed = ask_server(settings, lambda client: client.get(PATH))
    if as_json:
        say_json(listed)
        return
    if not listed["required"]:
        say("On this computer any key works, and none too. Keys are needed where Parley is shared.")
    if listed["keys"]:
        rows = [
            (
                key["name"],
                f"{key['prefix']}…",
                ", ".join(key["models"] or ["all"]),
                _when(key["last_used_at"], "never"),
                _when(key["expires_at"], "never"),
                key["id"],
            )
            for key in listed["keys"]
        ]
        print_table(("Name", "Key", "Models", "Last used (UTC)", "Expires", "Id"), rows, width=140)
    elif listed["required"]:
        say("There are no API keys. Make one with: parley keys create --name NAME")


@keys.command()
@with_settings(models=False)
def create(
    settings: "Settings",
    name: Annotated[str, typer.Option("--name", prompt="Name", help="For which program it is.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="A model that it may use; repeat for several. Without, all."),
    ] = None,
    may: Annotated[
        list[str] | None,
        typer.Option(
            "--may", help="chat, embeddings, images or read; repeat for several. Without, all but read."
        ),
    ] = None,
    days: Annotated[int | None, typer.Option(help="Days until it expires. Without, it does not.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make an API key of the owner's, and print it once."""
    from parley.cli.client import ask_server

    body = {"name": name, "models": model or None, "days": days, "scopes": may or None}
    made = ask_server(settings, lambda client: client.send("POST", PATH, body))
    if as_json:
        say_json(made)
        return
    say(made["secret"])
    say("Keep it safe: it is not shown again.", err=True)


@keys.command()
@with_settings(models=False)
def revoke(
    settings: "Settings", key: Annotated[str, typer.Argument(help="A name or an id from the list.")]
) -> None:
    """Revoke an API key; programs that use it are refused at once."""
    from parley.cli.client import ask_server

    async def work(client: "ApiClient") -> dict[str, Any]:
        matches = [it for it in (await client.get(PATH))["keys"] if key in (it["id"], it["name"])]
        if len(matches) != 1:
            many = "Several API keys have this name." if matches else "There is no such API key."
            raise typer.BadParameter(f"{many} Use an id from: parley keys list")
        await client.send("DELETE", f"{PATH}/{quote(matches[0]['id'], safe='')}")
        return matches[0]

    revoked = ask_server(settings, work)
    say(f"{in_one_line(revoked['name'])} is revoked.")


def _when(time: str | None, without: str) -> str:
    return time[:16].replace("T", " ") if time else without


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
