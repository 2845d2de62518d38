"""Catalog entries from the providers and models in the database."""

import logging
from collections.abc import Collection, Mapping
from typing import NamedTuple

import msgspec
from pydantic import ValidationError

from parley.features.catalog.reader import Entries, model_of, provider_of
from parley.features.catalog.repository import KeptRepository
from parley.features.catalog.schemas import ModelEntry, ProviderEntry
from parley.features.catalog.secrets import KeyLost, Secrets
from parley.kernel.models import Model, Provider, Route
from parley.storage.database import Transaction
from parley.storage.tables.catalog import KeptModel, KeptProvider

log = logging.getLogger(__name__)


class Kept(NamedTuple):
    """The entries of the database. `problems` says, by provider id, why a key can't be used."""

    entries: Entries
    problems: Mapping[str, str]


NOTHING_KEPT = Kept(Entries(), {})


class KeptReader:
    """Makes catalog entries from rows."""

    def __init__(self, secrets: Secrets, variables: Mapping[str, str], connectors: Collection[str]) -> None:
        """`variables` is the process's environment, which may hold providers' keys. `connectors` are known names."""
        self._secrets = secrets
        self._variables = variables
        self._connectors = connectors

    def read(self, transaction: Transaction, configured: Entries) -> Kept:
        """Return every usable entry; broken ones are logged and skipped. `configured` is the model list."""
        repository = KeptRepository(transaction)
        problems: dict[str, str] = {}
        rows = {row.id: row for row in repository.providers()}
        taken = {provider.id for provider in configured.providers}
        made = [self._provider(row, problems) for row in rows.values() if row.id not in taken]
        kept = tuple(provider for provider in made if provider is not None)
        providers = {each.id: each for each in (*configured.providers, *kept)}
        off = {row.id for row in rows.values() if not row.enabled and row.id not in taken}
        off |= {provider.id for provider in kept if provider.connector not in self._connectors}
        models = [_model(row, providers, off) for row in repository.models()]
        return Kept(Entries(kept, tuple(model for model in models if model is not None)), problems)

    def key_of(self, row: KeptProvider) -> str | None:
        """Return a provider's key; None if it has none. Raises KeyLost."""
        if row.key_variable is not None:
            return self._variables.get(row.key_variable, "").strip() or None
        if row.sealed_key is None:
            return None
        return self._secrets.open(row.sealed_key, row.id, row.entry.get("base_url"))

    def _provider(self, row: KeptProvider, problems: dict[str, str]) -> Provider | None:
        """Return the provider of a row, without its key if that can't be used; None for a row that is broken."""
        try:
            provider = provider_of(ProviderEntry.model_validate({"id": row.id, **row.entry}))
        except ValidationError as error:
            log.warning("skipping the provider “%s” of the database: %s", row.id, error)
            return None
        key = None
        try:
            key = self.key_of(row)
        except KeyLost as error:
            problems[row.id] = error.title
            log.warning("%s %s", error.title, error.detail or "")
        if row.key_variable is not None and not key:
            problems[row.id] = f"The environment variable {row.key_variable} is not set."
        if provider.connector not in self._connectors:
            problems[row.id] = f"The connector “{provider.connector}” is not installed."
        return msgspec.structs.replace(provider, api_key=key, name=row.name)


def _model(row: KeptModel, providers: Mapping[str, Provider], off: set[str]) -> Model | None:
    """Return the model of a row, disabled if none of its providers is enabled."""
    try:
        entry = ModelEntry.model_validate({"id": row.id, **row.entry})
    except ValidationError as error:
        log.warning("skipping the model “%s” of the database: %s", row.id, error)
        return None
    routes = tuple(Route(route.provider, route.model) for route in entry.routes or ())
    usable = tuple(route for route in routes if route.provider in providers and route.provider not in off)
    local = bool(usable) and all(providers[route.provider].local for route in usable)
    model = model_of(entry, usable or routes, local=local)
    return model if usable else msgspec.structs.replace(model, enabled=False)
