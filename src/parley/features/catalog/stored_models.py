"""Use cases of models in the database: add, change, remove."""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from pydantic import ValidationError

from parley.features.catalog.ids import free_id, slug
from parley.features.catalog.known_models.makers import facts_of_name
from parley.features.catalog.repository import StoredEntriesRepository
from parley.features.catalog.requests import AddedModel, ChangeModel, Dependent, ModelFields, NewModels
from parley.features.catalog.schemas import ModelEntry
from parley.features.catalog.service import BATTLE_TAG, IMPORTED
from parley.features.catalog.sources import CatalogSources, in_file
from parley.features.catalog.tables import ModelRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.text.located_yaml import as_list, as_mapping
from parley.text.plain_words import did_you_mean, in_plain_words

CLEARABLE = ModelFields.model_fields.keys() - {"battle"}
"""Fields of a model that null clears: they return to what the name tells, or to their default."""

MOST_NAMED = 5
"""The dependents that the title of a refusal names; its result has all."""

Dependents: TypeAlias = Callable[[Transaction, str, Collection[str]], Sequence[Dependent]]
"""Returns a person's presets that can't run without one of some models."""

log = logging.getLogger(__name__)


class StoredModels:
    """Adds, changes and removes models. Each change is in effect once its request is answered."""

    def __init__(self, *, database: Database, sources: CatalogSources, clock: Clock) -> None:
        self._database = database
        self._sources = sources
        self._clock = clock
        self._dependents: list[Dependents] = []

    def add_dependents(self, dependents: Dependents) -> None:
        """Let something else name what can't run without a model."""
        self._dependents.append(dependents)

    async def add(self, caller: Caller, request: NewModels) -> Sequence[ModelCard]:
        """Add models to providers. Raises Invalid, naming the model and field, and Conflict."""
        now = self._now()

        def store(transaction: Transaction) -> list[str]:
            repository = StoredEntriesRepository(transaction)
            added: list[str] = []
            for number, model in enumerate(request.models):
                self._check_provider(f"models.{number}.provider", model.provider)
                self._check_fallback(f"models.{number}.fallback", model)
                added.append(self.insert(repository, model.provider, model, now, f"models.{number}."))
            return added

        async with self._sources.writing:
            added = await self._database.write(store)
        log.info("%s adds the models %s", caller, ", ".join(added))
        await self._sources.announce()
        catalog = self._sources.catalog
        return [catalog.card(catalog.model(model_id)) for model_id in added]

    async def change(self, caller: Caller, model_id: str, request: ChangeModel) -> ModelCard:
        """Change the given fields. Raises NotFound, Invalid, Conflict."""
        now = self._now()
        for number, route in enumerate(request.routes or ()):
            self._check_provider(f"routes.{number}.provider", route.provider)
        self._check_fallback("fallback", request, model_id)

        def store(transaction: Transaction) -> None:
            repository = StoredEntriesRepository(transaction)
            row = self._row(repository, model_id)
            row.entry = _entry(model_id, row.entry, request)
            changed = request.model_fields_set
            row.sources = {name: source for name, source in row.sources.items() if name not in changed}
            row.updated_at = now
            repository.update(row)
            if changed & {"battle", "weight"}:
                repository.choose(model_id, request.battle, request.weight, now)

        async with self._sources.writing:
            await self._database.write(store)
        log.info("%s changes the model %s", caller, model_id)
        await self._sources.announce()
        return self._sources.catalog.card(self._sources.catalog.model(model_id))

    async def retire(self, caller: Caller, model_id: str, *, force: bool = False) -> None:
        """Remove a model; its votes and sessions are kept.

        Raises NotFound, and Conflict, naming the caller's presets that need the model, unless `force`.
        """
        now = self._now()

        def store(transaction: Transaction) -> None:
            repository = StoredEntriesRepository(transaction)
            row = self._row(repository, model_id)
            row.retired_at = now
            repository.update(row)
            self.check_unused(transaction, caller, [model_id], force=force)

        async with self._sources.writing:
            await self._database.write(store)
        log.info("%s removes the model %s", caller, model_id)
        await self._sources.announce()

    def insert(
        self,
        repository: StoredEntriesRepository,
        provider_id: str,
        request: AddedModel,
        now: datetime,
        field: str,
    ) -> str:
        """Add a model within a transaction; return its id. Raises Invalid, Conflict if the id is taken.

        `field` is the model's place in the request, as in "models.0.". A used id can only be requested again if it is
        known from imported votes alone.
        """
        present = {model.id for model in self._sources.catalog.models()}

        def is_taken(model_id: str, *, unless_imported: bool = False) -> bool:
            if model_id in present or repository.model(model_id) is not None:
                return True
            if repository.is_of_contestant(model_id):
                return True
            card = repository.remembered(model_id)
            return card is not None and not (unless_imported and IMPORTED in card.tags)

        model_id = request.id or free_id(slug(request.model.rpartition("/")[2]), is_taken)
        if request.id and is_taken(request.id, unless_imported=True):
            raise Conflict(
                f"The id “{request.id}” is taken. Ids are never used again.",
                "Choose another id, or leave it out.",
                code="model_exists",
            )
        routes = [{"provider": provider_id, "model": request.model}]
        # Where the name at the provider tells nothing, it is the best name there is.
        named = {} if facts_of_name(request.model).name else {"name": request.model}
        entry = _entry(model_id, {"routes": routes, **named}, request, field)
        sources = dict.fromkeys(named.keys() - request.model_fields_set, "server") | {
            name: source for name, source in (request.sources or {}).items() if name in entry
        }
        repository.add(
            ModelRow(
                id=model_id, entry=entry, sources=sources, created_at=now, updated_at=now, retired_at=None
            )
        )
        return model_id

    def leave(self, repository: StoredEntriesRepository, provider_id: str, now: datetime) -> list[str]:
        """Remove a provider from all routes; return the models that are removed because they have no other route."""
        retired: list[str] = []
        for row in repository.models(to_change=True):
            present = as_list((as_mapping(row.entry) or {}).get("routes")) or []
            routes = [it for it in present if (as_mapping(it) or {}).get("provider") != provider_id]
            if not routes:
                row.retired_at = now
                retired.append(row.id)
            elif len(routes) < len(present):
                row.entry, row.updated_at = {**row.entry, "routes": routes}, now
            repository.update(row)
        return retired

    def check_unused(
        self, transaction: Transaction, caller: Caller, model_ids: Collection[str], *, force: bool
    ) -> None:
        """Raise Conflict, naming the caller's presets that need one of the models, unless `force`."""
        needed_by = [
            dependent
            for dependents in self._dependents
            for dependent in dependents(transaction, caller.person_id, model_ids)
        ]
        if force or not needed_by:
            return
        names = [f"{each.mode} “{each.name}”" for each in needed_by]
        more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
        raise Conflict(
            f"Presets that would stop working: {', '.join([*names[:MOST_NAMED], *more])}.",
            "Nothing was removed. Choose another model in them, or use force to remove it anyway.",
            code="model_in_use",
            result=needed_by,
        )

    def _check_provider(self, field: str, provider_id: str) -> None:
        known = {each.id for each in self._sources.catalog.providers()}
        if provider_id not in known:
            raise Invalid(field, f"There is no provider “{provider_id}”{did_you_mean(provider_id, known)}.")

    def _check_fallback(self, field: str, request: ModelFields, model_id: str | None = None) -> None:
        known = {each.id for each in self._sources.catalog.models() if each.kind == "single"} - {model_id}
        if request.fallback is not None and request.fallback not in known:
            why = f"{did_you_mean(request.fallback, known)}. A fallback must be a single model."
            raise Invalid(field, f"There is no other model “{request.fallback}”{why}")

    def _row(self, repository: StoredEntriesRepository, model_id: str) -> ModelRow:
        if model_id in {model.id for model in self._sources.file.entries.models}:
            raise in_file("model", self._sources)
        row = repository.present(ModelRow, model_id)
        if row is None:
            raise NotFound(
                f"There is no model “{model_id}”, or it can't be changed here.", code="model_not_found"
            )
        return row

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _entry(
    model_id: str, before: dict[str, object], request: ModelFields, field: str = ""
) -> dict[str, object]:
    """Return a model's entry with the requested changes, checked by the rules of the model list. Raises Invalid."""
    changes = request.model_dump(exclude={"battle", "provider", "model", "id", "sources"}, exclude_unset=True)
    prices = as_mapping(changes.get("prices"))
    if prices is not None:
        # Whoever changes two of the prices keeps those of cached input and long prompts.
        changes["prices"] = {**(as_mapping(before.get("prices")) or {}), **prices}
    entry = {**before, **{name: value for name, value in changes.items() if value is not None}}
    for name, value in changes.items():
        if value is None and name in CLEARABLE:
            entry.pop(name, None)
    if request.battle is not None:
        tags = [tag for tag in _tags(before) if tag != BATTLE_TAG]
        entry["tags"] = [*tags, BATTLE_TAG] if request.battle else tags
    try:
        checked = ModelEntry.model_validate({"id": model_id, **entry})
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        name = field + (".".join(str(part) for part in detail["loc"]) or "model")
        raise Invalid(name, f"{name}: {in_plain_words(detail, ModelEntry.model_fields)}.") from None
    return checked.model_dump(mode="json", exclude={"id"}, exclude_none=True, exclude_unset=True)


def _tags(entry: dict[str, object]) -> list[str]:
    return [str(tag) for tag in as_list(entry.get("tags")) or ()]
