"""Use cases of providers in the database: list, add, change, remove."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime

from pydantic import ValidationError

from parley.engine.health import ProviderHealth
from parley.features.catalog.discovery.asking import BY_ADDRESS
from parley.features.catalog.discovery.known import KnownProvider, known_provider
from parley.features.catalog.ids import free_id, slug
from parley.features.catalog.kept_models import KeptModels
from parley.features.catalog.repository import KeptRepository
from parley.features.catalog.requests import (
    ChangeProvider,
    NewProvider,
    ProviderFields,
    ProviderView,
    Retired,
    Rotated,
)
from parley.features.catalog.schemas import ProviderEntry
from parley.features.catalog.secrets import KeyLost, Secrets
from parley.features.catalog.sources import CatalogSources, in_file
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound, Rejected
from parley.kernel.models import Provider
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.tables.catalog import KeptProvider
from parley.text.plain_words import in_plain_words
from parley.wire.egress import check_url, origin_of

log = logging.getLogger(__name__)

ENTRY_FIELDS = ("base_url", "region", "weight", "priority", "max_concurrency", "max_per_minute")


class ProvidersService:
    """Adds, changes and removes providers. Each change is in effect once its request is answered."""

    def __init__(
        self,
        *,
        database: Database,
        sources: CatalogSources,
        models: KeptModels,
        secrets: Secrets,
        connectors: Collection[str],
        health: Callable[[Sequence[str]], list[ProviderHealth]],
        clock: Clock,
    ) -> None:
        self._database = database
        self._sources = sources
        self._models = models
        self._secrets = secrets
        self._connectors = connectors
        self._health = health
        self._clock = clock

    async def list(self) -> Sequence[ProviderView]:
        """Return the providers of the model list, of the database and of the demo."""
        rows = await self._database.read(
            lambda transaction: {row.id: row for row in KeptRepository(transaction).providers()}
        )
        return [self._view(provider, rows) for provider in self._sources.catalog.providers()]

    async def add(self, caller: Caller, asked: NewProvider) -> ProviderView:
        """Add a provider, with models if any are named. Raises Invalid, Conflict if the id is taken."""
        connector, base_url, name = self._where(asked)
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> str:
            repository = KeptRepository(transaction)
            taken = self._is_taken(repository)
            called = asked.known if asked.known and asked.known != "custom" else name
            provider_id = asked.id or free_id(slug(called), taken)
            if asked.id and taken(asked.id):
                raise Conflict(
                    f"The id “{asked.id}” is taken. Ids are never used again.",
                    "Choose another id, or leave it out.",
                    code="provider_exists",
                )
            entry: dict[str, object] = {"connector": connector, **_entry_of(asked), "base_url": base_url}
            row = KeptProvider(
                id=provider_id,
                name=name,
                entry=_checked(provider_id, entry),
                enabled=True,
                sealed_key=self._sealed(asked, provider_id, base_url),
                key_variable=asked.key_variable,
                created_at=now,
                updated_at=now,
                retired_at=None,
            )
            repository.add(row)
            for number, model in enumerate(asked.models):
                self._models.insert(repository, provider_id, model, now, f"models.{number}.")
            return provider_id

        async with self._sources.writing:
            provider_id = await self._database.write(store)
        log.info("%s adds the provider %s", caller, provider_id)
        await self._sources.reload()
        return await self._one(provider_id)

    def _where(self, asked: NewProvider) -> tuple[str, str | None, str]:
        """Return the connector, address and name of a new provider. Raises Invalid."""
        known = _known(asked.known)
        connector = asked.connector or (known.connector if known else "openai")
        if connector not in self._connectors:
            raise Invalid("connector", f"There is no connector “{connector}”.")
        base_url = asked.base_url or (known.base_url if known else None)
        if base_url is None and connector in BY_ADDRESS:
            raise Invalid("base_url", "A provider needs an address, as in http://127.0.0.1:8000/v1.")
        return connector, base_url, asked.name or (known.name if known else _host(base_url) or connector)

    async def change(self, caller: Caller, provider_id: str, asked: ChangeProvider) -> ProviderView:
        """Change the given fields. A key stays with its origin. Raises NotFound, Invalid, Conflict."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> bool:
            row = self._row(KeptRepository(transaction), provider_id)
            address: str | None = row.entry.get("base_url")
            row.name = asked.name or row.name
            row.enabled = row.enabled if asked.enabled is None else asked.enabled
            row.entry = _checked(provider_id, {**row.entry, **_entry_of(asked), **_emptied(asked)})
            row.updated_at = now
            return self._change_key(row, asked, address)

        async with self._sources.writing:
            dropped = await self._database.write(store)
        log.info("%s changes the provider %s", caller, provider_id)
        await self._sources.reload()
        return await self._one(provider_id, key_dropped=dropped)

    async def retire(self, caller: Caller, provider_id: str, *, force: bool = False) -> Retired:
        """Remove a provider, and the models that no other provider offers.

        Raises NotFound, and Conflict, naming the caller's presets that need one of these models, unless `force`.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> list[str]:
            repository = KeptRepository(transaction)
            row = self._row(repository, provider_id)
            row.retired_at, row.sealed_key, row.key_variable = now, None, None
            retired = self._models.leave(repository, provider_id, now)
            self._models.check_unused(transaction, caller, retired, force=force)
            return retired

        async with self._sources.writing:
            retired = await self._database.write(store)
        log.info("%s removes the provider %s", caller, provider_id)
        await self._sources.reload()
        return Retired(retired)

    async def rotate(self, caller: Caller) -> Rotated:
        """Encrypt all saved keys with a new secret. Raises KeyLost, DatabaseBusy; all keys stay readable even then."""

        def store(transaction: Transaction) -> Rotated:
            done = Rotated([], [])
            for row in KeptRepository(transaction).providers():
                if row.sealed_key is None:
                    continue
                address: str | None = row.entry.get("base_url")
                try:
                    key = self._secrets.open(row.sealed_key, row.id, address)
                except KeyLost:
                    done.lost.append(row.id)
                    continue
                row.sealed_key = self._secrets.seal(key, row.id, address)
                done.providers.append(row.id)
            return done

        async with self._sources.writing:  # no key may be sealed with the old secret while it is replaced
            await asyncio.to_thread(self._secrets.begin_rotation)
            done = await self._database.write(store)
            await asyncio.to_thread(self._secrets.end_rotation)
        log.info("%s has %d keys encrypted again", caller, len(done.providers))
        return done

    def _change_key(self, row: KeptProvider, asked: ChangeProvider, address: str | None) -> bool:
        """Change a provider's key; return whether one was deleted because it was for another origin."""
        now_at: str | None = row.entry.get("base_url")
        if asked.api_key is not None:
            row.sealed_key, row.key_variable = self._sealed(asked, row.id, now_at), None
        elif asked.key_variable is not None:
            row.sealed_key, row.key_variable = None, asked.key_variable
        else:
            if "api_key" in asked.model_fields_set:
                row.sealed_key = None
            if "key_variable" in asked.model_fields_set:
                row.key_variable = None
            if _origin(address) != _origin(now_at):
                dropped = row.sealed_key is not None or row.key_variable is not None
                row.sealed_key = row.key_variable = None
                return dropped
        return False

    def _is_taken(self, repository: KeptRepository) -> Callable[[str], bool]:
        listed = {provider.id for provider in self._sources.catalog.providers()}
        return lambda provider_id: provider_id in listed or repository.provider(provider_id) is not None

    def _row(self, repository: KeptRepository, provider_id: str) -> KeptProvider:
        if provider_id in {provider.id for provider in self._sources.file.entries.providers}:
            raise in_file("provider", self._sources)
        row = repository.provider(provider_id)
        if row is None or row.retired_at is not None:
            raise NotFound(f"There is no provider “{provider_id}”.", code="provider_not_found")
        return row

    def _sealed(self, asked: ProviderFields, provider_id: str, base_url: str | None) -> bytes | None:
        key = asked.api_key.get_secret_value() if asked.api_key else ""
        return self._secrets.seal(key, provider_id, base_url) if key else None

    async def _one(self, provider_id: str, *, key_dropped: bool = False) -> ProviderView:
        row = await self._database.read(lambda transaction: KeptRepository(transaction).provider(provider_id))
        provider = self._sources.catalog.provider(provider_id)
        return self._view(provider, {} if row is None else {row.id: row}, key_dropped=key_dropped)

    def _view(
        self, provider: Provider, rows: Mapping[str, KeptProvider], *, key_dropped: bool = False
    ) -> ProviderView:
        in_model_list = provider.id in {each.id for each in self._sources.file.entries.providers}
        row = None if in_model_list else rows.get(provider.id)
        models = self._sources.catalog.models()
        return ProviderView(
            id=provider.id,
            name=provider.name or provider.id,
            connector=provider.connector,
            base_url=provider.base_url,
            source="file" if in_model_list else "database" if row else "demo",
            has_key=bool(provider.api_key),
            key_variable=row.key_variable if row else None,
            local=provider.local,
            enabled=row.enabled if row else True,
            region=provider.region,
            weight=provider.weight,
            priority=provider.priority,
            max_concurrency=provider.max_concurrency,
            max_per_minute=provider.max_per_minute,
            models=sum(any(route.provider == provider.id for route in model.routes) for model in models),
            health=self._health([provider.id])[0],
            problem=self._sources.kept.problems.get(provider.id),
            key_dropped=key_dropped,
        )


def _known(known_id: str | None) -> KnownProvider | None:
    if known_id is None:
        return None
    known = known_provider(known_id)
    if known is None:
        raise Invalid("known", f"There is no known provider “{known_id}”.")
    return known


def _entry_of(asked: ProviderFields) -> dict[str, object]:
    given = {name: getattr(asked, name) for name in ENTRY_FIELDS}
    return {name: value for name, value in given.items() if value is not None}


def _emptied(asked: ProviderFields) -> dict[str, object]:
    """Return the fields to clear."""
    given = asked.model_fields_set
    return {
        name: None
        for name in ("region", "max_concurrency", "max_per_minute")
        if name in given and not getattr(asked, name)
    }


def _checked(provider_id: str, entry: dict[str, object]) -> dict[str, object]:
    """Return a provider's entry as it is stored, checked by the rules of the model list. Raises Invalid."""
    try:
        checked = ProviderEntry.model_validate({"id": provider_id, **entry})
        if checked.base_url is not None:
            check_url(checked.base_url)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in detail["loc"]) or "provider"
        raise Invalid(field, f"{field}: {in_plain_words(detail, ProviderEntry.model_fields)}.") from None
    except Rejected as error:
        raise Invalid("base_url", error.title, error.detail) from None
    return checked.model_dump(exclude={"id", "api_key"}, exclude_none=True)


def _origin(base_url: str | None) -> str | None:
    return origin_of(base_url) if base_url else None


def _host(base_url: str | None) -> str | None:
    return origin_of(base_url).partition("://")[2] if base_url else None
