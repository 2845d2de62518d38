"""`parley models`: lists the catalog, adds and removes models, prints an example of a model list."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from parley.cli.offered import test_connection, with_facts
from parley.cli.options import ForceOption, JsonOption, ListsByDefault, forced, with_settings
from parley.cli.terminal import print_table, say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.kernel.models import Prices
    from parley.settings import Settings

HEADINGS = ("Id", "Name", "Organization", "Licence", "Provider", "Can", ">$/M in / out", "Battles")


def _print_example(value: bool) -> None:
    if value:
        say(example_text(), nl=False)
        raise typer.Exit


models = typer.Typer(
    cls=ListsByDefault,
    help="List, add and remove models, set the default one. Without a command: list.",
    no_args_is_help=False,
)


@models.command(name="list")
@with_settings()
def list_(
    settings: "Settings",
    as_json: JsonOption = False,
    example: Annotated[
        bool,
        typer.Option(
            "--example", callback=_print_example, is_eager=True, help="Print an example of a model list."
        ),
    ] = False,
) -> None:
    """List the models of the catalog."""
    del example
    from parley.features.catalog.opening import read_catalog

    catalog = asyncio.run(read_catalog(settings))
    if as_json:
        say_json({"models": catalog.cards(), "path": str(settings.models_file)})
        return
    pool = {model.id for model in catalog.battle_pool()}
    rows = (
        (
            card.id,
            card.name,
            card.organization,
            card.license,
            f"{card.provider or '–'}{' (local)' if card.local else ''}",
            ", ".join(card.capabilities),
            price_text(card.prices),
            "yes" if card.id in pool else "off" if not card.enabled else "no",
        )
        for card in catalog.cards()
    )
    print_table(HEADINGS, rows, width=160)
    if catalog.demo_only:
        say("These are the built-in demo models. Add your own: parley providers add --help")
        say(f"or list them in {settings.models_file} (see parley models --example).")


@models.command()
@with_settings()
def add(
    settings: "Settings",
    provider: Annotated[
        str, typer.Argument(metavar="PROVIDER", help="The provider's id (parley providers list).")
    ],
    model: Annotated[list[str], typer.Argument(metavar="MODEL", help="The models' names at the provider.")],
    name: Annotated[str | None, typer.Option(help="The name to show.", show_default=False)] = None,
    model_id: Annotated[
        str | None, typer.Option("--id", help="The id (default: made from the name).", show_default=False)
    ] = None,
    battle: Annotated[bool, typer.Option("--battle", help="Use in battles.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Add models of a provider. You can use them at once."""
    from parley.cli.client import ask_server

    if len(model) > 1 and (name or model_id):
        raise typer.BadParameter("--name and --id work with one model only")
    fields = {"name": name, "id": model_id, "battle": battle or None}
    more = {field: value for field, value in fields.items() if value is not None} | {"provider": provider}

    async def work(client: "ApiClient") -> Any:
        offer = await test_connection(client, {"provider_id": provider})
        return await client.send("POST", "/api/models", {"models": with_facts(offer, model, more)})

    added = ask_server(settings, work)["models"]
    if as_json:
        say_json({"models": added})
        return
    for card in added:
        say(f"{card['id']}: added.")


@models.command()
@with_settings()
def remove(
    settings: "Settings",
    model: Annotated[list[str], typer.Argument(metavar="MODEL", help="The ids of the models.")],
    force: ForceOption = False,
) -> None:
    """Remove models. Their votes and sessions stay. Their ids are never reused."""
    from parley.cli.client import ApiClient, ask_server

    async def work(client: ApiClient) -> None:
        for model_id in model:
            await client.send("DELETE", f"/api/models/{quote(model_id, safe='')}{forced(force)}")
            say(f"{model_id}: removed.")

    ask_server(settings, work)


@models.command()
@with_settings()
def default(
    settings: "Settings",
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="The model's id or name.", show_default=False)
    ] = None,
) -> None:
    """Show or set the model that “parley ask” asks when none is named."""
    from parley.cli.default_model import keep_default, read_default

    if model is None:
        current = read_default(settings)
        say(current or "There is no default model. Set one: parley models default MODEL")
        return
    from parley.cli.client import ask_server
    from parley.cli.model_names import model_ids

    (model_id,) = ask_server(settings, lambda client: model_ids(client, [model]))
    keep_default(settings, model_id)
    say(f"{model_id} answers “parley ask” from now on.")


def example_text() -> str:
    """Return the example of a model list."""
    package = Path(__file__).parent.parent
    installed = package / "models.example.yaml"
    path = installed if installed.is_file() else package.parent.parent / "config" / "models.example.yaml"
    return path.read_text(encoding="utf-8")


def price_text(prices: "Prices | None") -> str:
    """Return "0.10 / 0.30" in US dollars per million tokens, or a dash."""
    return f"{prices.input:.2f} / {prices.output:.2f}" if prices else "–"
