"""The checks of `parley doctor`, each with its result and what to do about it."""

import asyncio
import os
import platform
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from parley import __version__
from parley.features.catalog.service import CatalogService
from parley.kernel.errors import ParleyError
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.settings_loading import variable_names
from parley.text.plain_words import did_you_mean

State: TypeAlias = Literal["ok", "notice", "broken"]


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
        return Check("Data folder", "ok", f"{folder} (created on the first start)")
    advice = "Choose another folder: --data-dir."
    return Check("Data folder", "broken", f"can't create {folder} in {parent}", advice)


async def check_database(settings: Settings) -> Check:
    """Check that the database answers and has the tables of this version."""
    from parley.storage.first_start import revisions

    name = _database_name(settings.database_url)
    try:
        current, newest = await revisions(settings.database_url, settings.data_dir)
    except ParleyError as error:
        return Check("Database", "broken", f"{name}: {error.title}", error.detail)
    if current is None:
        return Check("Database", "ok", f"{name}, empty (the first start creates the tables)")
    if current != newest:
        advice = f"The next start migrates it to {newest}."
        return Check("Database", "notice", f"{name}, at revision {current}", advice)
    return Check("Database", "ok", f"{name}, reachable, at revision {current}")


async def check_files(settings: Settings) -> list[Check]:
    """Check that files can be stored where the settings say; empty for the data folder."""
    from parley.storage.bucket_blobs import BucketBlobs, open_blobs

    blobs = open_blobs(settings.data_dir, settings.files_url)
    if not isinstance(blobs, BucketBlobs):
        return []
    try:
        await asyncio.to_thread(blobs.check)
    except ParleyError as error:
        return [Check("Files", "broken", error.title, error.detail)]
    return [Check("Files", "ok", f"{settings.files_url}, can be written")]


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
        advice = "Add your own. parley models --example prints an example list."
        return Check("Models", "notice", f"only the demo models: {source}", advice)
    if pool < 2:
        advice = "Battles need at least two enabled models with the capability “text”."
        return Check("Models", "notice", text, advice)
    return Check("Models", "ok", text)


def check_model_list(error: str | None) -> list[Check]:
    """Report entries of the model list that are left out; empty if there is none."""
    if error is None:
        return []
    first, *more = error.splitlines()
    return [Check("Model list", "broken", first, "; ".join(more) or "The other models are used.")]


def check_small_models(settings: Settings, catalog: CatalogService) -> list[Check]:
    """Check that the models exist that title sessions and tell kinds of questions; empty if none is set."""
    known = [model.id for model in catalog.models()]
    lines: list[Check] = []
    for name, variable, model_id, instead in (
        ("Title model", "PARLEY_TITLE_MODEL", settings.title_model, "a rule titles new sessions"),
        ("Auto's model", "PARLEY_AUTO_MODEL", settings.auto_model, "rules tell the kinds of questions"),
    ):
        if model_id in known:
            lines.append(Check(name, "ok", model_id))
        elif model_id is not None:
            text = f"there is no model “{model_id}”{did_you_mean(model_id, known)}, so {instead}"
            lines.append(Check(name, "notice", text, f"Add it to the model list, or change {variable}."))
    return lines
