"""`parley models`: lists the catalog, or prints an example of a model list."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import print_table, say, say_json

if TYPE_CHECKING:
    from parley.kernel.models import Prices
    from parley.settings import Settings

HEADINGS = ("Id", "Name", "Organization", "Licence", "Provider", "Can", ">$/M in / out", "Battles")


def _print_example(value: bool) -> None:
    if value:
        say(example_text(), nl=False)
        raise typer.Exit


@with_settings()
def models(
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
    from parley import wiring

    catalog = wiring.build_catalog(settings)
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
        say(f"These are the built-in demo models. Add your own in {settings.models_file}")
        say("(see parley models --example).")


def example_text() -> str:
    """Return the example of a model list."""
    package = Path(__file__).parent.parent
    installed = package / "models.example.yaml"
    path = installed if installed.is_file() else package.parent.parent / "config" / "models.example.yaml"
    return path.read_text(encoding="utf-8")


def price_text(prices: "Prices | None") -> str:
    """Return "0.10 / 0.30" in US dollars per million tokens, or a dash."""
    return f"{prices.input:.2f} / {prices.output:.2f}" if prices else "–"
