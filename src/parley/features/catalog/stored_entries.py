"""Catalog entries from the providers and models in the database."""

import logging
from collections.abc import Callable, Collection, Mapping
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec

from parley.features.catalog.key_variables import is_own_key
from parley.features.catalog.reader import Entries, model_of, provider_of
from parley.features.catalog.repository import StoredEntriesRepository
from parley.features.catalog.schemas import ModelEntry, ProviderEntry
from parley.features.catalog.secrets import KeyLost, Secrets
from parley.features.catalog.service import PoolChoice
from parley.features.catalog.tables import ModelRow, ProviderRow
from parley.kernel.models import Fact, FactSource, Model, Provider, Route
from parley.storage.database import Transaction

T = TypeVar("T")
P = ParamSpec("P")
RowT = TypeVar("RowT", ProviderRow, ModelRow)

log = logging.getLogger(__name__)


class StoredEntries(NamedTuple):
    """The entries of the database. `problems` says, by provider id, why a key can't be used.

    `choices` are those about the battle pool, by model id.
    """

    entries: Entries
    problems: Mapping[str, str]
    choices: Mapping[str, PoolChoice] = {}


NOTHING_STORED = StoredEntries(Entries(), {})


class StoredEntriesReader:
    """Makes catalog entries from rows."""

    def __init__(
        self,
        secrets: Secrets,
        variables: Mapping[str, str],
        connectors: Collection[str],
        *,
        restricted: bool = False,
    ) -> None:
        """`variables` is the process's environment, which may hold providers' keys. `connectors` are known names.

        A `restricted` database was found in the working directory: it can use no variables but keys of its providers.
        """
        self._restricted = restricted
        self._secrets = secrets
        self._variables = variables
        self._connectors = connectors

    def read(self, transaction: Transaction, configured: Entries) -> StoredEntries:
        """Return every usable entry; broken ones are logged and skipped. `configured` is the model list."""
        repository = StoredEntriesRepository(transaction)
        problems: dict[str, str] = {}
        rows = {row.id: row for row in repository.providers()}
        taken = {provider.id for provider in configured.providers}
        candidates = [
            _readable(self._provider, row, problems) for row in rows.values() if row.id not in taken
        ]
        valid = tuple(provider for provider in candidates if provider is not None)
        providers = {each.id: each for each in (*configured.providers, *valid)}
        off = {row.id for row in rows.values() if not row.enabled and row.id not in taken}
        off |= {provider.id for provider in valid if provider.connector not in self._connectors}
        models = [_readable(_model, row, providers, off) for row in repository.models()]
        choices = {row.model_id: PoolChoice(row.chosen, row.weight) for row in repository.choices()}
        entries = Entries(valid, tuple(model for model in models if model is not None))
        return StoredEntries(entries, problems, choices)

    def key_of(self, row: ProviderRow) -> str | None:
        """Return a provider's key; None if it has none. Raises KeyLost."""
        if row.key_variable is not None:
            if self._restricted and not is_own_key(row.key_variable, {"id": row.id, **row.entry}):
                raise KeyLost(
                    f"{row.key_variable} is no variable of “{row.id}”, and this database was found in a folder.",
                    "Name the folder with --data-dir or PARLEY_DATA_DIR to allow it.",
                )
            return self._variables.get(row.key_variable, "").strip() or None
        if row.sealed_key is None:
            return None
        return self._secrets.open(row.sealed_key, row.id, row.entry.get("base_url"))

    def _provider(self, row: ProviderRow, problems: dict[str, str]) -> Provider | None:
        """Return the provider of a row, without its key if that can't be used. Raises ValueError, TypeError."""
        provider = provider_of(ProviderEntry.model_validate({"id": row.id, **row.entry}))
        key = None
        try:
            key = self.key_of(row)
        except KeyLost as error:
            problems[row.id] = error.title
            log.warning("%s %s", error.title, error.detail or "")
        if row.key_variable is not None and not key and row.id not in problems:
            problems[row.id] = f"The environment variable {row.key_variable} is not set."
        if provider.connector not in self._connectors:
            problems[row.id] = f"The connector “{provider.connector}” is not installed."
        return msgspec.structs.replace(provider, api_key=key, name=row.name)


def _readable(
    read: Callable[Concatenate[RowT, P], T], row: RowT, *more: P.args, **named: P.kwargs
) -> T | None:
    """Return what is read from a row; None for a row that is broken, so that the others stay readable."""
    try:
        return read(row, *more, **named)
    except (ValueError, TypeError) as error:
        log.warning("skipping “%s” of the database, which has a mistake: %s", row.id, error)
        return None


def _model(row: ModelRow, providers: Mapping[str, Provider], off: set[str]) -> Model:
    """Return the model of a row, disabled if none of its providers is enabled. Raises ValueError, TypeError."""
    entry = ModelEntry.model_validate({"id": row.id, **row.entry})
    routes = tuple(Route(route.provider, route.model) for route in entry.routes or ())
    usable = tuple(route for route in routes if route.provider in providers and route.provider not in off)
    local = bool(usable) and all(providers[route.provider].local for route in usable)
    model = model_of(
        entry, usable or routes, local=local, sources=msgspec.convert(row.sources, dict[Fact, FactSource])
    )
    return model if usable else msgspec.structs.replace(model, enabled=False)
