"""`parley doctor`: checks the configuration and what can be reached, and says what to do."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import cell, console, say_json

if TYPE_CHECKING:
    from parley.cli.checks import Check
    from parley.settings import Settings

MARKS = {"ok": ("✓", "green"), "notice": ("!", "yellow"), "broken": ("✗", "red")}


@with_settings()
def doctor(settings: "Settings", as_json: JsonOption = False) -> None:
    """Check the installation. Exits with 1 if something is broken."""
    checks = asyncio.run(examine(settings))
    broken = sum(check.state == "broken" for check in checks)
    if as_json:
        say_json({"ok": not broken, "checks": checks})
    else:
        _print(checks, broken)
    if broken:
        raise typer.Exit(1)


async def examine(settings: "Settings") -> "list[Check]":
    """Run every check; a model list that can't be read is one of the results."""
    import parley
    from parley.cli import checks
    from parley.features.catalog.connections import open_connectors
    from parley.features.catalog.discovery.checks import check_providers
    from parley.features.catalog.opening import build_registry, build_sources, read_catalog
    from parley.kernel.errors import ParleyError
    from parley.settings_loading import environment

    lines = [
        checks.check_versions(),
        checks.check_settings(settings, environment()),
        checks.check_data_folder(settings.data_dir),
        await checks.check_database(settings),
        *await checks.check_files(settings),
        checks.check_page(Path(parley.__file__).parent),
    ]
    try:
        lines.append(checks.check_plugins(registry := build_registry()))
        catalog = await read_catalog(settings, registry)
        lines.append(checks.check_models(settings, catalog))
        lines += checks.check_model_list(build_sources(settings, registry).file.error)
        lines += checks.check_small_models(settings, catalog)
        async with open_connectors(settings, catalog, registry) as connectors:
            lines += [
                checks.Check(f"Provider {each.provider}", each.state, each.text, each.advice)
                for each in await check_providers(catalog, catalog.providers(), connectors.of)
            ]
    except ParleyError as error:
        advice = error.detail.replace("\n", "; ") if error.detail else None
        lines.append(checks.Check("Models", "broken", error.title, advice))
    return lines


def _print(checks: "list[Check]", broken: int) -> None:
    from rich.text import Text

    out = console(soft_wrap=True)
    width = max(len(check.name) for check in checks)
    for check in checks:
        out.print(Text.assemble(MARKS[check.state], cell(f" {check.name:<{width}}  {check.text}")))
        if check.advice:
            out.print(Text.assemble((f"  {'':<{width}}  ", ""), cell(check.advice), style="dim"))
    out.print(f"\n{broken} broken." if broken else "\nNothing is broken.")
