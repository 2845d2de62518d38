"""What `parley doctor` looks at: each check is a value that says how things stand and what to do."""

import asyncio
import os
import platform
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from parley import __version__
from parley.kernel.connector import Connector, ListsModels
from parley.kernel.errors import ParleyError
from parley.plugins.registry import Registry
from parley.settings import Settings, variable_names
from parley.text.plain_words import did_you_mean
from parley.workspace.catalog.service import CatalogService

State: TypeAlias = Literal["ok", "notice", "broken"]

PROVIDER_LIMIT_S = 3.0


class Check(msgspec.Struct, frozen=True):
    """How one thing stands. `advice` says what to do where it is not well."""

    name: str
    state: State
    text: str
    advice: str | None = None


def check_versions() -> Check:
    """Tell what is running."""
    text = (
        f"Parley {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    )
    return Check("Version", "ok", text)


def check_settings(settings: Settings, variables: Mapping[str, str]) -> Check:
    """Tell which file the settings come from, and name variables that look like settings and are none."""
    text = f"from {settings.config}" if settings.config else "no settings file: defaults, environment, flags"
    known = variable_names()
    strangers = [name for name in variables if name.startswith("PARLEY_") and name not in known]
    if strangers:
        words = ", ".join(name + did_you_mean(name, known) for name in sorted(strangers))
        return Check("Settings", "notice", text, f"These variables are no settings: {words}.")
    return Check("Settings", "ok", text)


def check_data_folder(folder: Path) -> Check:
    """Tell whether the data folder can be written, without making it."""
    if folder.is_dir():
        try:
            with tempfile.TemporaryFile(dir=folder):
                return Check("Data folder", "ok", str(folder))
        except OSError as error:
            advice = "Give the folder to the user who runs Parley, or choose another one: --data-dir."
            return Check("Data folder", "broken", f"{folder} cannot be written: {error.strerror}", advice)
    parent = next(parent for parent in folder.parents if parent.exists())
    if parent.is_dir() and os.access(parent, os.W_OK):
        return Check("Data folder", "ok", f"{folder} (made at the first start)")
    return Check(
        "Data folder", "broken", f"{folder} cannot be made in {parent}", "Choose another one: --data-dir."
    )


async def check_database(settings: Settings) -> Check:
    """Tell which database it is, whether it can be reached, and whether its tables are those of this version."""
    from parley import wiring

    name = _database_name(settings.database_url)
    try:
        current, newest = await wiring.database_revisions(settings)
    except ParleyError as error:
        return Check("Database", "broken", f"{name}: {error.title}", error.detail)
    if current is None:
        return Check("Database", "ok", f"{name}, empty (its tables are made at the first start)")
    if current != newest:
        advice = f"The next start brings it to {newest}."
        return Check("Database", "notice", f"{name}, at revision {current}", advice)
    return Check("Database", "ok", f"{name}, reachable, at revision {current}")


def _database_name(url: str) -> str:
    """Return what a database is and where, without its user and password."""
    parts = urlsplit(url)
    if parts.scheme.startswith("sqlite"):
        return "SQLite"
    return f"PostgreSQL “{parts.path.removeprefix('/')}” at {parts.hostname or 'this computer'}"


def check_page(package: Path) -> Check:
    """Tell whether the page was built."""
    if (package / "web_dist" / "index.html").is_file():
        return Check("Page", "ok", "built")
    return Check("Page", "broken", "not built", "Run “make setup”, or install Parley from a wheel.")


def check_plugins(registry: Registry) -> Check:
    """Tell what plugins offer, and which ones were skipped."""
    text = f"modes {', '.join(registry.modes)}; connectors {', '.join(registry.connectors)}"
    if registry.problems:
        words = "; ".join(f"{problem.plugin} ({problem.reason})" for problem in registry.problems)
        return Check("Plugins", "broken", text, f"Skipped: {words}.")
    return Check("Plugins", "ok", text)


def check_models(settings: Settings, catalog: CatalogService) -> Check:
    """Tell what the catalog holds, and whether a battle can be drawn from it."""
    count, pool = len(catalog.models()), len(catalog.battle_pool())
    source = f"from {settings.models}" if settings.models else f"{settings.models_file} is not there"
    text = f"{count} models, {pool} for battles ({source})"
    if catalog.demo_only:
        return Check(
            "Models", "notice", f"only the demo models: {source}", "parley models --example shows a list."
        )
    if pool < 2:
        return Check(
            "Models", "notice", text, "A battle needs two enabled models with the capability “text”."
        )
    return Check("Models", "ok", text)


async def check_providers(catalog: CatalogService, connectors: Mapping[str, Connector]) -> Sequence[Check]:
    """Ask every provider for its models, all at once."""
    return await asyncio.gather(*(check_provider(catalog, name, it) for name, it in connectors.items()))


async def check_provider(catalog: CatalogService, provider_id: str, connector: Connector) -> Check:
    """Tell whether a provider answers in time, and serves the models that are expected of it."""
    name = f"Provider {provider_id}"
    if not isinstance(connector, ListsModels):
        return Check(name, "ok", "not asked: its connector cannot list models")
    try:
        async with asyncio.timeout(PROVIDER_LIMIT_S):
            served = set(await connector.list_models())
    except TimeoutError:
        advice = "Is it running, and is base_url right?"
        return Check(name, "broken", f"no answer within {PROVIDER_LIMIT_S:.0f} seconds", advice)
    except ParleyError as error:
        return Check(name, "broken", error.title, error.detail)
    wanted = {
        route.model for model in catalog.models() for route in model.routes if route.provider == provider_id
    }
    missing = sorted(wanted - served)
    if missing and served:
        words = ", ".join(model + did_you_mean(model, served) for model in missing)
        return Check(name, "notice", f"reachable, {len(served)} models", f"It does not list {words}.")
    return Check(name, "ok", f"reachable, {len(served)} models")
