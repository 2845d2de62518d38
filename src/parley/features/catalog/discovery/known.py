"""The providers that Parley knows: addresses, keys and what their lists leave out, from `known.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from parley.kernel.errors import Rejected
from parley.kernel.models import Capability
from parley.wire.egress import origin_of


class KnownProvider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A known provider that can be added from the list. `known.toml` documents its fields."""

    id: str
    name: str
    connector: str = "openai"
    base_url: str | None = None
    key_url: str | None = None
    key_variable: str | None = None
    other_variables: tuple[str, ...] = ()
    needs_key: bool = False
    local: bool = False
    note: str | None = None
    start: str | None = None
    models_path: str | None = None
    key_check: str | None = None
    key_header: str = "Authorization"
    models: tuple[str, ...] = ()
    prices: str | None = None
    capabilities: tuple[Capability, ...] = ("text",)
    without_vision: tuple[str, ...] = ()

    @property
    def origin(self) -> str | None:
        """Scheme, host and port of its address; None for `custom`."""
        return origin_of(self.base_url) if self.base_url else None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    provider: tuple[KnownProvider, ...]


class KeyInEnvironment(msgspec.Struct, frozen=True, kw_only=True):
    """An environment variable that holds a provider's key; never the key itself."""

    variable: str
    known: str
    name: str


@cache
def known_providers() -> tuple[KnownProvider, ...]:
    """Return all known providers in the order of the dialog; `custom` is the last."""
    text = (files("parley.features.catalog.discovery") / "known.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _File).provider


def known_provider(provider_id: str) -> KnownProvider | None:
    """Return a known provider by its id."""
    return next((provider for provider in known_providers() if provider.id == provider_id), None)


def known_at(base_url: str) -> KnownProvider | None:
    """Return the hosted provider that an address belongs to. A local port proves nothing."""
    try:
        origin = origin_of(base_url)
    except Rejected:
        return None
    return next((known for known in known_providers() if not known.local and known.origin == origin), None)


def keys_in_environment(variables: Mapping[str, str]) -> tuple[KeyInEnvironment, ...]:
    """Return which known providers have a key among the environment's variables, one variable for each."""
    keys: list[KeyInEnvironment] = []
    for known in known_providers():
        names = (known.key_variable, *known.other_variables)
        variable = next((name for name in names if name and variables.get(name, "").strip()), None)
        if variable:
            keys.append(KeyInEnvironment(variable=variable, known=known.id, name=known.name))
    return tuple(keys)
