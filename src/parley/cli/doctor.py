"""`parley doctor`: what is configured, what can be reached, what is missing and what to do about it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption, ModelsOption
from parley.cli.terminal import cell, console, say_json

if TYPE_CHECKING:
    from parley.cli.checks import Check
    from parley.settings import Settings

MARKS = {"ok": ("✓", "green"), "notice": ("!", "yellow"), "broken": ("✗", "red")}


def doctor(
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    models: ModelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for what is broken or missing; the exit code is 1 where something is."""
    from parley.settings import load_settings

    settings = load_settings({"config": config, "data_dir": data_dir, "models": models})
    checks = asyncio.run(examine(settings))
    if as_json:
        document = {"ok": not _broken(checks), "checks": checks}
        say_json(document)
    else:
        _print(checks)
    if _broken(checks):
        raise typer.Exit(1)


async def examine(settings: "Settings") -> "list[Check]":
    """Return every check; a model list that cannot be read is one of them."""
    import parley
    from parley import wiring
    from parley.cli import checks as look
    from parley.kernel.errors import ParleyError
    from parley.settings import environment

    found = [
        look.check_versions(),
        look.check_settings(settings, environment()),
        look.check_data_folder(settings.data_dir),
        await look.check_database(settings),
        look.check_page(Path(parley.__file__).parent),
    ]
    try:
        found.append(look.check_plugins(wiring.build_registry()))
        catalog = wiring.build_catalog(settings)
        found.append(look.check_models(settings, catalog))
        async with wiring.open_connectors(settings) as connectors:
            found.extend(await look.check_providers(catalog, connectors))
    except ParleyError as error:
        advice = error.detail.replace("\n", "; ") if error.detail else None
        found.append(look.Check("Models", "broken", error.title, advice))
    return found


def _broken(checks: "list[Check]") -> bool:
    return any(check.state == "broken" for check in checks)


def _print(checks: "list[Check]") -> None:
    from rich.text import Text

    out = console(soft_wrap=True)
    width = max(len(check.name) for check in checks)
    for check in checks:
        out.print(Text.assemble(MARKS[check.state], cell(f" {check.name:<{width}}  {check.text}")))
        if check.advice:
            out.print(Text.assemble((f"  {'':<{width}}  ", ""), cell(check.advice), style="dim"))
    broken = sum(check.state == "broken" for check in checks)
    out.print(f"\n{broken} broken." if broken else "\nAll is well.")
