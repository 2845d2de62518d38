"""Use cases of providers in the database: list, add, change, remove."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime

from pydantic import ValidationError

from parley.engine.health import ProviderHealth
from parley.features.catalog.addresses import BY_ADDRESS, base_url_of, same_server
from parley.features.catalog.discovery.known import KnownProvider, known_provider
from parley.features.catalog.ids import free_id, slug
from parley.features.catalog.repository import StoredEntriesRepository
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
from parley.features.catalog.stored_models import StoredModels
from parley.features.catalog.tables import ProviderRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound, Rejected
from parley.kernel.models import Provider
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.text.plain_words import in_plain_words
from parley.wire.egress import check_url, origin_of

log = logging.getLogger(__name__)

ENTRY_FIELDS = (
    *("base_url", "region", "weight", "priority"),
    *("max_concurrency", "max_per_minute", "shared_key", "run"),
)


class ProvidersService:
    """Adds, changes and removes providers. Each change is in effect once its request is answered."""

    def __init__(
        self,
        *,
        database: Database,
        sources: CatalogSources,
        models: StoredModels,
        secrets: Secrets,
        connectors: Collection[str],
        health: Callable[[Sequence[str]], list[ProviderHealth]],
        clock: Clock,
    ) -> None:
        self._database = database
        self._sources = sources
        self._models = models
        self._also_sealed: list[Callable[[Transaction], Sequence[str]]] = []
        self._secrets = secrets
        self._connectors = connectors
        self._health = health
        self._clock = clock

    async def list(self) -> Sequence[ProviderView]:
        """Return the providers of the model list, of the database and of the demo."""
        rows = await self._database.read(
            lambda transaction: {row.id: row for row in StoredEntriesRepository(transaction).providers()}
        )
        return [self._view(provider, rows) for provider in self._sources.catalog.providers()]

    async def add(self, caller: Caller, request: NewProvider) -> ProviderView:
        """Add a provider, with models if any are named. Raises Invalid, Conflict if the id is taken."""
        connector, base_url, name = self._where(request)
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> str:
            repository = StoredEntriesRepository(transaction)
            taken = self._is_taken(repository)
            called = request.known if request.known and request.known != "custom" else name
            provider_id = request.id or free_id(slug(called), taken)
            if request.id and taken(request.id):
                raise Conflict(
                    f"The id “{request.id}” is taken. Ids are never used again.",
                    "Choose another id, or leave it out.",
                    code="provider_exists",
                )
            entry: dict[str, object] = {"connector": connector, **_entry_of(request), "base_url": base_url}
            row = ProviderRow(
                id=provider_id,
                name=name,
                entry=_checked(provider_id, entry),
                enabled=True,
                sealed_key=self._sealed(request, provider_id, base_url),
                key_variable=request.key_variable,
                created_at=now,
                updated_at=now,
                retired_at=None,
            )
            repository.add(row)
            for number, model in enumerate(request.models):
                self._models.insert(repository, provider_id, model, now, f"models.{number}.")
            return provider_id

        async with self._sources.writing:
            provider_id = await self._database.write(store)
        log.info("%s adds the provider %s", caller, provider_id)
        await self._sources.announce()
        return await self._one(provider_id)

    def _where(self, request: NewProvider) -> tuple[str, str | None, str]:
        """Return the connector, address and name of a new provider. Raises Invalid."""
        known = _known(request.known)
        connector = request.connector or (known.connector if known else "openai")
        if connector not in self._connectors:
            raise Invalid("connector", f"There is no connector “{connector}”.")
        base_url = request.base_url or (known.base_url if known else None)
        base_url = base_url_of(connector, base_url) if base_url else None
        if base_url is None and connector in BY_ADDRESS:
            raise Invalid("base_url", "A provider needs an address, as in http://127.0.0.1:8000/v1.")
        return connector, base_url, request.name or (known.name if known else _host(base_url) or connector)

    async def change(self, caller: Caller, provider_id: str, request: ChangeProvider) -> ProviderView:
        """Change the given fields. A key stays with its origin. Raises NotFound, Invalid, Conflict."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> bool:
            repository = StoredEntriesRepository(transaction)
            row = self._row(repository, provider_id)
            address: str | None = row.entry.get("base_url")
            row.name = request.name or row.name
            row.enabled = row.enabled if request.enabled is None else request.enabled
            row.entry = _checked(provider_id, {**row.entry, **_entry_of(request), **_emptied(request)})
            row.updated_at = now
            dropped = self._change_key(row, request, address)
            repository.update(row)
            return dropped

        async with self._sources.writing:
            dropped = await self._database.write(store)
        log.info("%s changes the provider %s", caller, provider_id)
        await self._sources.announce()
        return await self._one(provider_id, key_dropped=dropped)

    async def retire(self, caller: Caller, provider_id: str, *, force: bool = False) -> Retired:
        """Remove a provider, and the models that no other provider offers.

        Raises NotFound, and Conflict, naming the caller's presets that need one of these models, unless `force`.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> list[str]:
            repository = StoredEntriesRepository(transaction)
            row = self._row(repository, provider_id)
            row.retired_at, row.sealed_key, row.key_variable = now, None, None
            repository.update(row)
            retired = self._models.leave(repository, provider_id, now)
            self._models.check_unused(transaction, caller, retired, force=force)
            return retired

        async with self._sources.writing:
            retired = await self._database.write(store)
        log.info("%s removes the provider %s", caller, provider_id)
        await self._sources.announce()
        return Retired(retired)

    @property
    def sealing(self) -> asyncio.Lock:
        """The lock to hold from sealing a secret until it is stored, so that no rotation comes in between."""
        return self._sources.writing

    def also_seal(self, seal_again: Callable[[Transaction], Sequence[str]]) -> None:
        """Let a rotation seal other secrets too; the function returns the names of those that can't be read."""
        self._also_sealed.append(seal_again)

    async def rotate(self, caller: Caller) -> Rotated:
        """Encrypt all saved keys with a new secret. Raises KeyLost, DatabaseBusy; all keys stay readable even then."""
        done = await self._rotate()
        log.info("%s has %d keys encrypted again", caller, len(done.providers))
        return done

    async def _rotate(self) -> Rotated:
        """Encrypt all saved keys with the next secret, and delete the previous one. Raises KeyLost, DatabaseBusy."""

        def store(transaction: Transaction) -> Rotated:
            done = Rotated([], [])
            repository = StoredEntriesRepository(transaction)
            for row in repository.providers(to_change=True):
                if row.sealed_key is None:
                    continue
                address: str | None = row.entry.get("base_url")
                try:
                    key = self._secrets.open(row.sealed_key, row.id, address)
                except KeyLost:
                    done.lost.append(row.id)
                    continue
                row.sealed_key = self._secrets.seal(key, row.id, address)
                repository.update(row)
                done.providers.append(row.id)
            for seal_again in self._also_sealed:
                done.lost.extend(seal_again(transaction))
            return done

        async with self._sources.writing:  # no key may be sealed with the old secret while it is replaced
            await asyncio.to_thread(self._secrets.begin_rotation)
            done = await self._database.write(store)
            await asyncio.to_thread(self._secrets.end_rotation)
        return done

    async def finish_rotation(self) -> None:
        """Finish a rotation that was interrupted, so that the previous secret is gone. Raises DatabaseBusy."""
        if await asyncio.to_thread(self._secrets.has_begun_rotation):
            try:
                await self._rotate()
            except KeyLost as error:
                log.warning("the rotation of the secret is not finished: %s %s", error.title, error.detail)

    def _change_key(self, row: ProviderRow, request: ChangeProvider, address: str | None) -> bool:
        """Change a provider's key; return whether one was deleted because it was for another origin."""
        now_at: str | None = row.entry.get("base_url")
        if request.api_key is not None:
            row.sealed_key, row.key_variable = self._sealed(request, row.id, now_at), None
        elif request.key_variable is not None:
            row.sealed_key, row.key_variable = None, request.key_variable
        else:
            if "api_key" in request.model_fields_set:
                row.sealed_key = None
            if "key_variable" in request.model_fields_set:
                row.key_variable = None
            if _origin(address) != _origin(now_at):
                dropped = row.sealed_key is not None or row.key_variable is not None
                row.sealed_key = row.key_variable = None
                return dropped
        return False

    def at_address(self, base_url: str | None, besides: str | None = None) -> Provider | None:
        """Return the first configured provider at an address, besides one; None if there is none."""
        configured = (each for each in self._sources.catalog.providers() if each.id != besides)
        return next((each for each in configured if same_server(each.base_url, base_url)), None)

    def _is_taken(self, repository: StoredEntriesRepository) -> Callable[[str], bool]:
        listed = {provider.id for provider in self._sources.catalog.providers()}
        return lambda provider_id: provider_id in listed or repository.provider(provider_id) is not None

    def _row(self, repository: StoredEntriesRepository, provider_id: str) -> ProviderRow:
        if provider_id in {provider.id for provider in self._sources.file.entries.providers}:
            raise in_file("provider", self._sources)
        row = repository.present(ProviderRow, provider_id)
        if row is None:
            raise NotFound(f"There is no provider “{provider_id}”.", code="provider_not_found")
        return row

    def _sealed(self, request: ProviderFields, provider_id: str, base_url: str | None) -> bytes | None:
        key = request.api_key.get_secret_value() if request.api_key else ""
        return self._secrets.seal(key, provider_id, base_url) if key else None

    async def _one(self, provider_id: str, *, key_dropped: bool = False) -> ProviderView:
        row = await self._database.read(
            lambda transaction: StoredEntriesRepository(transaction).provider(provider_id)
        )
        provider = self._sources.catalog.provider(provider_id)
        return self._view(provider, {} if row is None else {row.id: row}, key_dropped=key_dropped)

    def _view(
        self, provider: Provider, rows: Mapping[str, ProviderRow], *, key_dropped: bool = False
    ) -> ProviderView:
        in_model_list = provider.id in {each.id for each in self._sources.file.entries.providers}
        row = None if in_model_list else rows.get(provider.id)
        models = self._sources.catalog.models()
        twin = self.at_address(provider.base_url, besides=provider.id)
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
            shared_key=provider.shared_key,
            run=provider.run,
            models=sum(any(route.provider == provider.id for route in model.routes) for model in models),
            health=self._health([provider.id])[0],
            problem=self._sources.stored.problems.get(provider.id),
            key_dropped=key_dropped,
            same_address_as=twin.id if twin else None,
        )


def _known(known_id: str | None) -> KnownProvider | None:
    if known_id is None:
        return None
    known = known_provider(known_id)
    if known is None:
        raise Invalid("known", f"There is no known provider “{known_id}”.")
    return known


def _entry_of(request: ProviderFields) -> dict[str, object]:
    entry = {name: getattr(request, name) for name in ENTRY_FIELDS}
    return {name: value for name, value in entry.items() if value is not None}


def _emptied(request: ProviderFields) -> dict[str, object]:
    """Return the fields to clear."""
    fields_set = request.model_fields_set
    return {
        name: None
        for name in ("region", "max_concurrency", "max_per_minute")
        if name in fields_set and not getattr(request, name)
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
