"""The checks of `parley doctor`, each with its result and what to do about it."""

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
from parley.kernel.errors import ParleyError, Unreachable
from parley.plugins.registry import Registry
from parley.settings import Settings, variable_names
from parley.text.plain_words import did_you_mean
from parley.workspace.catalog.service import CatalogService

State: TypeAlias = Literal["ok", "notice", "broken"]

PROVIDER_LIMIT_S = 3.0


class Check(msgspec.Struct, frozen=True):
    """The result of one check. `advice` says what to do if it is not ok."""

    name: str
    state: State
    text: str
    advice: str | None = None


def check_versions() -> Check:
    """Report the versions of Parley, Python and the system."""
    system = f"{platform.system()} {platform.machine()}"
    return Check("Version", "ok", f"Parley {__version__}, Python {platform.python_version()}, {system}")


def check_settings(settings: Settings, variables: Mapping[str, str]) -> Check:
    """Report the settings file in use, and PARLEY_ variables that are not settings."""
    text = f"from {settings.config}" if settings.config else "no settings file: defaults, environment, flags"
    known = variable_names()
    unknown = [name for name in variables if name.startswith("PARLEY_") and name not in known]
    if unknown:
        words = ", ".join(name + did_you_mean(name, known) for name in sorted(unknown))
        return Check("Settings", "notice", text, f"These variables are not settings: {words}.")
    return Check("Settings", "ok", text)


def check_data_folder(folder: Path) -> Check:
    """Check that the data folder is writable, without creating it."""
    if folder.is_dir():
        try:
            with tempfile.TemporaryFile(dir=folder):
                return Check("Data folder", "ok", str(folder))
        except OSError as error:
            advice = "Make it writable for the user who runs Parley, or choose another folder: --data-dir."
            return Check("Data folder", "broken", f"can't write to {folder}: {error.strerror}", advice)
    parent = next(parent for parent in folder.parents if parent.exists())
    if parent.is_dir() and os.access(parent, os.W_OK):
        return Check("Data folder", "ok", f"{folder} (created at the first start)")
    advice = "Choose another folder: --data-dir."
    return Check("Data folder", "broken", f"can't create {folder} in {parent}", advice)


async def check_database(settings: Settings) -> Check:
    """Check that the database answers and has the tables of this version."""
    from parley import wiring

    name = _database_name(settings.database_url)
    try:
        current, newest = await wiring.database_revisions(settings)
    except ParleyError as error:
        return Check("Database", "broken", f"{name}: {error.title}", error.detail)
    if current is None:
        return Check("Database", "ok", f"{name}, empty (tables are created at the first start)")
    if current != newest:
        advice = f"The next start migrates it to {newest}."
        return Check("Database", "notice", f"{name}, at revision {current}", advice)
    return Check("Database", "ok", f"{name}, reachable, at revision {current}")


def _database_name(url: str) -> str:
    """Return a database's kind, name and host, without user and password."""
    parts = urlsplit(url)
    if parts.scheme.startswith("sqlite"):
        return "SQLite"
    return f"PostgreSQL “{parts.path.removeprefix('/')}” at {parts.hostname or 'this computer'}"


def check_page(package: Path) -> Check:
    """Check that the page is built."""
    if (package / "web_dist" / "index.html").is_file():
        return Check("Page", "ok", "built")
    return Check("Page", "broken", "not built", "Run “make setup”, or install Parley from a wheel.")


def check_plugins(registry: Registry) -> Check:
    """Report modes and connectors, and plugins that were skipped."""
    text = f"modes {', '.join(registry.modes)}; connectors {', '.join(registry.connectors)}"
    if registry.problems:
        words = "; ".join(f"{problem.plugin} ({problem.reason})" for problem in registry.problems)
        return Check("Plugins", "broken", text, f"Skipped: {words}.")
    return Check("Plugins", "ok", text)


def check_models(settings: Settings, catalog: CatalogService) -> Check:
    """Check that the catalog has models, and enough of them for a battle."""
    count, pool = len(catalog.models()), len(catalog.battle_pool())
    source = f"from {settings.models}" if settings.models else f"there is no {settings.models_file}"
    text = f"{count} models, {pool} for battles ({source})"
    if catalog.demo_only:
        advice = "See parley models --example for a list."
        return Check("Models", "notice", f"only the demo models: {source}", advice)
    if pool < 2:
        advice = "Enable at least two models with the capability “text” to have battles."
        return Check("Models", "notice", text, advice)
    return Check("Models", "ok", text)


async def check_providers(catalog: CatalogService, connectors: Mapping[str, Connector]) -> Sequence[Check]:
    """Check every provider, all at once."""
    return await asyncio.gather(*(check_provider(catalog, name, it) for name, it in connectors.items()))


async def check_provider(catalog: CatalogService, provider_id: str, connector: Connector) -> Check:
    """Check that a provider answers in time and lists the models that are routed to it."""
    name = f"Provider {provider_id}"
    if not isinstance(connector, ListsModels):
        return Check(name, "ok", "not checked: its connector can't list models")
    try:
        async with asyncio.timeout(PROVIDER_LIMIT_S):
            served = set(await connector.list_models())
    except TimeoutError:
        advice = "Start it, or correct its base_url in the model list."
        return Check(name, "broken", f"no answer within {PROVIDER_LIMIT_S:.0f} seconds", advice)
    except ParleyError as error:
        if isinstance(error, Unreachable):
            error.name(catalog.provider(provider_id).place)
        return Check(name, "broken", error.title, error.detail)
    wanted = {
        route.model for model in catalog.models() for route in model.routes if route.provider == provider_id
    }
    missing = sorted(wanted - served)
    if missing and served:
        words = ", ".join(model + did_you_mean(model, served) for model in missing)
        return Check(name, "notice", f"reachable, {len(served)} models", f"It does not list {words}.")
    return Check(name, "ok", f"reachable, {len(served)} models")
