"""`parley models`: the catalog as Parley understood it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption, ModelsOption
from parley.cli.terminal import cell, console, say, say_json

if TYPE_CHECKING:
    from parley.kernel.models import Prices
    from parley.kernel.views import ModelCard


def models(
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    as_json: JsonOption = False,
    example: Annotated[bool, typer.Option("--example", help="Print an example of a model list.")] = False,
) -> None:
    """List the models of the catalog."""
    if example:
        say(example_text(), nl=False)
        return

    from parley import wiring
    from parley.settings import load_settings

    settings = load_settings({"config": config, "data_dir": data_dir, "models": models})
    catalog = wiring.build_catalog(settings)
    if as_json:
        document = {"models": catalog.cards(), "path": str(settings.models_file)}
        say_json(document)
        return
    pool = {model.id for model in catalog.battle_pool()}
    _print_table(catalog.cards(), pool)
    if catalog.demo_only:
        say(f"These are the built-in demo models. Describe your own in {settings.models_file}")
        say("(parley models --example shows how).")


def example_text() -> str:
    """Return the documented example of a model list."""
    package = Path(__file__).parent.parent
    installed = package / "models.example.yaml"
    path = installed if installed.is_file() else package.parent.parent / "config" / "models.example.yaml"
    return path.read_text(encoding="utf-8")


def price_text(prices: "Prices | None") -> str:
    """Return "0.10 / 0.30" in US dollars per million tokens, or a dash."""
    return f"{prices.input:.2f} / {prices.output:.2f}" if prices else "–"


def _print_table(cards: "Sequence[ModelCard]", pool: set[str]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Id", no_wrap=True, overflow="fold")
    for heading in ("Name", "Organization", "Licence", "Provider", "Can"):
        table.add_column(heading, overflow="fold")
    table.add_column("$/M in / out", justify="right")
    table.add_column("Battles")
    for card in cards:
        table.add_row(
            cell(card.id),
            cell(card.name),
            cell(card.organization),
            cell(card.license),
            cell(f"{card.provider or '–'}{' (local)' if card.local else ''}"),
            cell(", ".join(card.capabilities)),
            price_text(card.prices),
            "yes" if card.id in pool else "off" if not card.enabled else "no",
        )
    console(width=160).print(table)
