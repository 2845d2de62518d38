"""Reads a model list: text in, the kernel's providers and models out, all mistakes reported at once."""

import ipaddress
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from parley.features.catalog.schemas import ModelEntry, ProviderEntry
from parley.kernel.errors import ParleyError
from parley.kernel.models import Model, Prices, Provider, Route
from parley.text.located_yaml import Located, LocatedError, Path, as_list, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean, in_plain_words

EntryT = TypeVar("EntryT", bound=BaseModel)


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
    """A model list that can't be used; the text names file, line and field of every mistake."""

    code = "invalid_models"

    def __init__(self, source: str, mistakes: Collection[CatalogMistake]) -> None:
        self.mistakes = tuple(sorted(mistakes))
        lines = [
            f"{source}:{line}: {field}: {text}" if field else f"{source}:{line}: {text}"
            for line, field, text in self.mistakes
        ]
        super().__init__(lines[0], "\n".join(lines[1:]) or None)


def read_entries(
    text: str, *, source: str, connectors: Collection[str], variables: Mapping[str, str]
) -> Entries:
    """Read a model list. `source` is the file's name for errors, `connectors` are the known names.

    Raises CatalogError with every mistake.
    """
    try:
        located = parse_yaml(text, variables)
    except LocatedError as error:
        mistakes = [CatalogMistake(mistake.place.line, "", mistake.text) for mistake in error.mistakes]
        raise CatalogError(source, mistakes) from None
    reading = _Reading(located, connectors)
    entries = reading.entries()
    if reading.mistakes:
        raise CatalogError(source, reading.mistakes)
    return entries


def is_local(base_url: str | None) -> bool:
    """Return whether an address looks like one on this computer or in its local network."""
    host = (urlsplit(base_url).hostname or "") if base_url else ""
    if not host:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_ENDINGS)
    return address.is_loopback or address.is_private or address.is_link_local


_LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


class _Reading:
    """One pass over a document that collects mistakes."""

    def __init__(self, located: Located, connectors: Collection[str]) -> None:
        self.mistakes: set[CatalogMistake] = set()
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
    )


def model_of(entry: ModelEntry, routes: tuple[Route, ...], *, local: bool) -> Model:
    """Return the model that an entry describes."""
    prices = entry.prices
    return Model(
        id=entry.id,
        name=entry.name or entry.id,
        organization=entry.organization or "Unknown",
        family=entry.family or entry.organization or entry.id,
        license=entry.license,
        routes=routes,
        kind=entry.kind,
        prices=Prices(prices.input, prices.output) if prices else None,
        capabilities=entry.capabilities,
        context_window=entry.context_window,
        tags=entry.tags,
        timeout_s=entry.timeout_s,
        max_concurrency=entry.max_concurrency,
        weight=entry.weight,
        enabled=entry.enabled,
        cache_s=entry.cache_s,
        fallback=entry.fallback,
        description=entry.description,
        local=local,
    )


def _without_empty(item: object) -> object:
    """Return an entry without the fields that were left empty: they have their defaults."""
    fields = as_mapping(item)
    return item if fields is None else {name: value for name, value in fields.items() if value is not None}


def _fields(schema: type[BaseModel], inside: tuple[int | str, ...]) -> Collection[str]:
    if not inside:
        return schema.model_fields
    return {"routes": ("provider", "model"), "prices": ("input", "output")}.get(str(inside[0]), ())


def _words(text: str) -> str:
    if "should match pattern" in text:
        return "must be lower-case letters, digits, “.”, “-” and “_”, at most 64, the first a letter or digit"
    return text


def _dotted(path: Path) -> str:
    dotted = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return dotted.removeprefix(".")
