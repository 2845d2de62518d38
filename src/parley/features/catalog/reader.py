"""Reads a model list: text in, the kernel's providers and models out, all mistakes reported at once."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from pydantic import BaseModel, ValidationError

from parley.features.catalog.addresses import is_local
from parley.features.catalog.key_variables import is_own_key
from parley.features.catalog.known_models.makers import NOTHING_KNOWN, facts_of_name
from parley.features.catalog.picture_fields import PictureFields
from parley.features.catalog.schemas import ModelEntry, PricesEntry, ProviderEntry
from parley.kernel.errors import ParleyError
from parley.kernel.models import Fact, FactSource, Model, Provider, Route
from parley.text.located_yaml import Located, LocatedError, Path, as_list, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean, in_plain_words

EntryT = TypeVar("EntryT", bound=BaseModel)

NO_SOURCES: Mapping[Fact, FactSource] = {}


class Entries(NamedTuple):
    """The providers and models of a model list."""

    providers: tuple[Provider, ...] = ()
    models: tuple[Model, ...] = ()


class CatalogMistake(NamedTuple):
    """One thing that is wrong in a model list; `field` as in “models[2].prices.input”."""

    line: int
    field: str
    text: str


class CatalogError(ParleyError):
    """A model list with mistakes; the text names file, line and field of every one.

    `usable` are the entries without any; None if the mistakes are not within entries.
    """

    code = "invalid_models"

    def __init__(
        self, source: str, mistakes: Collection[CatalogMistake], usable: Entries | None = None
    ) -> None:
        self.mistakes = tuple(sorted(mistakes))
        self.usable = usable
        lines = [
            f"{source}:{line}: {field}: {text}" if field else f"{source}:{line}: {text}"
            for line, field, text in self.mistakes
        ]
        super().__init__(lines[0], "\n".join(lines[1:]) or None)


def read_entries(
    text: str,
    *,
    source: str,
    connectors: Collection[str],
    variables: Mapping[str, str],
    restricted: bool = False,
) -> Entries:
    """Read a model list. `source` is the file's name for errors, `connectors` are the known names.

    A `restricted` one was found in the working directory, and can only use variables that are keys of its providers.

    Raises CatalogError with every mistake.
    """
    try:
        located = parse_yaml(text, variables)
    except LocatedError as error:
        mistakes = [CatalogMistake(mistake.place.line, "", mistake.text) for mistake in error.mistakes]
        raise CatalogError(source, mistakes) from None
    reading = _Reading(located, connectors)
    if restricted:
        reading.check_variables()
    entries = reading.entries()
    if reading.mistakes:
        raise CatalogError(source, reading.mistakes, reading.usable(entries))
    return entries


class _Reading:
    """One pass over a document that collects mistakes."""

    def __init__(self, located: Located, connectors: Collection[str]) -> None:
        self.mistakes: set[CatalogMistake] = set()
        self._wrong: set[Path] = set()
        self._located = located
        self._connectors = connectors
        self._providers: dict[str, Provider] = {}
        self._anonymous: dict[tuple[str, str | None, str | None], str] = {}

    def entries(self) -> Entries:
        document = as_mapping({} if self._located.data is None else self._located.data)
        if document is None:
            self._add((), "must be a mapping with “providers” and “models”, such as “models: [...]”")
            return Entries()
        for key in document.keys() - {"providers", "models"}:
            self._add((key,), "is not a known field" + did_you_mean(key, ("providers", "models")))
        named = self._ids(document.get("providers"), "providers")
        self._ids(document.get("models"), "models")
        self._check_references(document, named)
        for _, provider in self._validated(document, "providers", ProviderEntry):
            self._providers.setdefault(provider.id, provider_of(provider))
        models = tuple(self._model(entry) for _, entry in self._validated(document, "models", ModelEntry))
        return Entries(tuple(self._providers.values()), models)

    def usable(self, entries: Entries) -> Entries | None:
        """Return the entries without mistakes; None if there are mistakes outside of entries."""
        if any(len(path) < 2 for path in self._wrong):
            return None
        document = as_mapping(self._located.data) or {}

        def wrong(section: str) -> set[object]:
            items = as_list(document.get(section)) or []
            marked = (place[1] for place in self._wrong if place[0] == section)
            return {(as_mapping(items[it]) or {}).get("id") for it in marked if isinstance(it, int)}

        bad_providers, bad_models = wrong("providers"), wrong("models")
        providers = tuple(each for each in entries.providers if each.id not in bad_providers)
        known = {provider.id for provider in providers}
        models: list[Model] = []
        for model in (each for each in entries.models if each.id not in bad_models):
            routes = tuple(route for route in model.routes if route.provider in known)
            if routes:
                models.append(msgspec.structs.replace(model, routes=routes))
        return Entries(providers, tuple(models))

    def check_variables(self) -> None:
        """Refuse every variable but a provider's own key in `api_key`."""
        document = as_mapping(self._located.data) or {}
        for path, names in self._located.variables.items():
            section, index, field = (*path, None, None, None)[:3]
            items = as_list(document.get(str(section))) or []
            entry = as_mapping(items[index]) if isinstance(index, int) else None
            for name in sorted(names):
                if entry is None or field != "api_key" or len(path) != 3 or not is_own_key(name, entry):
                    words = f"can't use the environment variable {name}, which is no key of this provider"
                    self._add(path, f"{words}: name the file with --models to allow it")

    def _ids(self, items: object, section: str) -> frozenset[str]:
        """Return the ids of a section as written, whether or not the rest of the entry is right."""
        first: dict[str, int] = {}
        for index, item in enumerate(as_list(items) or ()):
            name = (as_mapping(item) or {}).get("id")
            path = (section, index, "id")
            if not isinstance(name, str):
                continue
            if name in first:
                self._add(path, f"“{name}” is already used in line {first[name]}")
            first.setdefault(name, self._located.place(path).line)
        return frozenset(first)

    def _check_references(self, document: Mapping[str, object], providers: Collection[str]) -> None:
        """Check the names of connectors and providers, whether or not the rest of the entry is right."""
        for section in ("providers", "models"):
            for index, item in enumerate(as_list(document.get(section)) or ()):
                entry = as_mapping(item) or {}
                self._check_connector((section, index, "connector"), entry.get("connector"))
                for number, raw in enumerate(as_list(entry.get("routes")) or ()):
                    name = (as_mapping(raw) or {}).get("provider")
                    if isinstance(name, str) and name not in providers:
                        words = f"there is no provider “{name}”{did_you_mean(name, providers)}"
                        self._add((section, index, "routes", number, "provider"), words)

    def _check_connector(self, path: Path, name: object) -> None:
        if isinstance(name, str) and name not in self._connectors:
            words = f"there is no connector “{name}”{did_you_mean(name, self._connectors)}"
            self._add(path, f"{words}; the connectors are {', '.join(sorted(self._connectors))}")

    def _validated(
        self, document: Mapping[str, object], section: str, schema: type[EntryT]
    ) -> Iterator[tuple[Path, EntryT]]:
        raw = document.get(section)
        items = as_list([] if raw is None else raw)
        if items is None:
            self._add((section,), "must be a list")
        for index, item in enumerate(items or ()):
            path = (section, index)
            try:
                yield path, schema.model_validate(_without_empty(item))
            except ValidationError as error:
                for detail in error.errors(include_url=False, include_input=False):
                    known = _fields(schema, detail["loc"][:-1])
                    self._add((*path, *detail["loc"]), _words(in_plain_words(detail, known)))

    def _model(self, entry: ModelEntry) -> Model:
        if entry.routes is None:
            routes = (self._short_route(entry),)
        else:
            routes = tuple(Route(route.provider, route.model) for route in entry.routes)
        reached = [self._providers.get(route.provider) for route in routes]
        return model_of(entry, routes, local=all(provider and provider.local for provider in reached))

    def _short_route(self, entry: ModelEntry) -> Route:
        """Return the route of a short entry; entries with the same server and key share a provider."""
        connector, model = entry.connector or "", entry.model or ""
        key = (connector, entry.base_url, entry.api_key or None)
        if key not in self._anonymous:
            host = urlsplit(entry.base_url).netloc if entry.base_url else connector
            number = sum(1 for known in self._anonymous.values() if known.partition("#")[0] == host)
            name = f"{host}#{number + 1}" if number or host in self._providers else host
            self._anonymous[key] = name
            self._providers[name] = Provider(
                id=name,
                connector=connector,
                base_url=entry.base_url,
                api_key=entry.api_key or None,
                local=is_local(entry.base_url),
            )
        return Route(self._anonymous[key], model)

    def _add(self, path: Path, text: str) -> None:
        self._wrong.add(path)
        line = self._located.place(path).line
        self.mistakes.add(CatalogMistake(line, _dotted(path), text))


def provider_of(entry: ProviderEntry) -> Provider:
    """Return the provider that an entry describes."""
    return Provider(
        id=entry.id,
        connector=entry.connector,
        base_url=entry.base_url,
        api_key=entry.api_key or None,
        weight=entry.weight,
        region=entry.region,
        priority=entry.priority,
        local=is_local(entry.base_url),
        max_concurrency=entry.max_concurrency,
        max_per_minute=entry.max_per_minute,
        shared_key=entry.shared_key,
        run=entry.run,
    )


def model_of(
    entry: ModelEntry,
    routes: tuple[Route, ...],
    *,
    local: bool,
    sources: Mapping[Fact, FactSource] = NO_SOURCES,
) -> Model:
    """Return the model that an entry describes, with the facts that its name tells where the entry says nothing.

    `sources` are the entry's facts that no person set.
    """
    derived = _derived(entry, routes, local=local)
    full = entry.model_copy(update={str(fact): value for fact, value in derived.items()})
    known_from: dict[Fact, FactSource] = {
        fact: source for fact, source in sources.items() if getattr(entry, fact) is not None
    }
    known_from |= dict.fromkeys(derived, "name")
    return Model(
        id=full.id,
        name=full.name or full.id,
        organization=full.organization or "",
        family=full.family or "",
        license=full.license or "",
        routes=routes,
        kind=full.kind,
        prices=full.prices.prices() if full.prices else None,
        capabilities=full.capabilities,
        context_window=full.context_window,
        tags=full.tags,
        timeout_s=full.timeout_s,
        max_concurrency=full.max_concurrency,
        weight=full.weight,
        enabled=full.enabled,
        cache_s=full.cache_s,
        fallback=full.fallback,
        description=full.description,
        local=local,
        known_from=tuple(known_from.items()),
        picture=full.picture.settings if full.picture else None,
    )


def _derived(entry: ModelEntry, routes: tuple[Route, ...], *, local: bool) -> dict[Fact, object]:
    """Return the facts that a model's name at its providers tells, or its id, without those that the entry has.

    What a model on this computer can do depends on the files there, so its name tells nothing of that.
    """
    known = (facts_of_name(name) for name in (*(route.model for route in routes), entry.id))
    facts = next((facts for facts in known if facts != NOTHING_KNOWN), NOTHING_KNOWN)
    derived: dict[Fact, object] = {
        "name": facts.name,
        "organization": facts.organization,
        "family": facts.family,
        "license": facts.license,
        "capabilities": () if local else facts.abilities,
    }
    unsaid = {name for name in derived if name not in entry.model_fields_set or getattr(entry, name) is None}
    return {fact: value for fact, value in derived.items() if value and fact in unsaid}


def _without_empty(item: object) -> object:
    """Return an entry without the fields that were left empty: they have their defaults."""
    fields = as_mapping(item)
    return item if fields is None else {name: value for name, value in fields.items() if value is not None}


_INNER: Mapping[str, Collection[str]] = {
    "routes": ("provider", "model"),
    "prices": tuple(PricesEntry.model_fields),
    "picture": tuple(PictureFields.model_fields),
}


def _fields(schema: type[BaseModel], inside: tuple[int | str, ...]) -> Collection[str]:
    if not inside:
        return schema.model_fields
    return _INNER.get(str(inside[0]), ())


def _words(text: str) -> str:
    if "should match pattern" in text:
        return "must be lower-case letters, digits, “.”, “-” and “_”, at most 64, the first a letter or digit"
    return text


def _dotted(path: Path) -> str:
    dotted = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return dotted.removeprefix(".")
