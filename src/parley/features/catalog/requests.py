"""Requests and responses about providers and models in the database."""

from typing import Annotated, Literal, Self

import msgspec
from pydantic import AfterValidator, Field, SecretStr, StringConstraints, model_validator

from parley.engine.health import ProviderHealth
from parley.features.catalog.picture_fields import PictureFields
from parley.features.catalog.schemas import (
    CacheTime,
    Concurrency,
    ContextWindow,
    DrawWeight,
    FactText,
    Identifier,
    Name,
    PerMinute,
    PricesEntry,
    Priority,
    RouteEntry,
    Text,
    Timeout,
    WebAddress,
    Weight,
)
from parley.kernel.models import Capability, Fact, Runs
from parley.kernel.request import Request
from parley.kernel.views import ModelSource


def _not_ours(name: str) -> str:
    """Return a variable's name. Raises ValueError for Parley's own variables, whose secrets are not provider keys."""
    if name.upper().startswith("PARLEY_"):
        raise ValueError("is a variable of Parley itself, which is never sent to a provider")
    return name


def _typed_key(key: SecretStr) -> SecretStr:
    """Return a key without spaces around it. Raises ValueError for what no request can carry."""
    plain = key.get_secret_value().strip()
    if not (plain.isascii() and plain.isprintable()):
        raise ValueError("has characters that are not allowed in a key: copy it again")
    return SecretStr(plain)


VariableName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,199}$"), AfterValidator(_not_ours)
]
ApiKey = Annotated[SecretStr, Field(max_length=4096), AfterValidator(_typed_key)]


class ModelFields(Request):
    """The fields of a model that a person can set. `battle`: it can be drawn for battles.

    An empty organisation, family or licence is unknown; null returns to what the model's name tells.
    """

    name: Name | None = None
    organization: FactText | None = None
    family: FactText | None = None
    license: FactText | None = None
    description: Text | None = None
    capabilities: list[Capability] | None = None
    context_window: ContextWindow | None = None
    prices: PricesEntry | None = None
    picture: PictureFields | None = None
    timeout_s: Timeout | None = None
    max_concurrency: Concurrency | None = None
    weight: DrawWeight | None = None
    cache_s: CacheTime | None = None
    fallback: Identifier | None = None
    battle: bool | None = None


class AddedModel(ModelFields):
    """A model to add, by its name at the provider. `sources` names the fields that no person set."""

    model: Name
    id: Identifier | None = None
    sources: dict[Fact, Literal["server", "published"]] | None = None


class NewModel(AddedModel):
    """A model to add at a provider."""

    provider: Text


class NewModels(Request):
    """Models to add."""

    models: Annotated[list[NewModel], Field(min_length=1, max_length=500)]


class ChangeModel(ModelFields):
    """The fields to change. Fields that are left out stay as they are."""

    enabled: bool | None = None
    routes: Annotated[list[RouteEntry], Field(min_length=1, max_length=100)] | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must change at least one field")
        return self


class ProviderFields(Request):
    """The fields of a provider that a person can set.

    The key is entered, or `key_variable` names the environment variable that holds it. An empty key deletes the saved
    one. `shared_key`: people who sign in may use the installation's key; else each needs one of their own. `run`: each
    call in Parley's process, or as a Kubernetes Job.
    """

    name: Name | None = None
    base_url: WebAddress | None = None
    api_key: ApiKey | None = None
    key_variable: VariableName | None = None
    region: Name | None = None
    weight: Weight | None = None
    priority: Priority | None = None
    max_concurrency: Concurrency | None = None
    max_per_minute: PerMinute | None = None
    shared_key: bool | None = None
    run: Runs | None = None

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.api_key is not None and self.key_variable is not None:
            raise ValueError("has both api_key and key_variable: use one")
        return self


class NewProvider(ProviderFields):
    """A provider to add: a known one, or any address. `models` are added with it."""

    known: Identifier | None = None
    id: Identifier | None = None
    connector: Text | None = None
    models: Annotated[tuple[AddedModel, ...], Field(max_length=500, strict=False)] = ()


class ChangeProvider(ProviderFields):
    """The fields to change. Fields that are left out stay as they are."""

    enabled: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("must change at least one field")
        return self


class TestProvider(Request):
    """A connection to test: that of a configured provider, or of one that is not added yet."""

    __test__ = False  # no test of pytest

    provider_id: Text | None = None
    known: Identifier | None = None
    base_url: WebAddress | None = None
    api_key: ApiKey | None = None
    key_variable: VariableName | None = None


class ProviderView(msgspec.Struct, frozen=True, kw_only=True):
    """A provider. `problem` says why its key can't be used. `models` is the number of models that it offers here.

    `key_dropped`: the saved key was for another origin, so it was deleted. `same_address_as` is another provider at the
    same address.
    """

    id: str
    name: str
    connector: str
    base_url: str | None
    source: ModelSource
    has_key: bool
    key_variable: str | None
    local: bool
    enabled: bool
    region: str | None
    weight: float
    priority: int
    max_concurrency: int | None
    max_per_minute: int | None
    shared_key: bool
    run: Runs
    models: int
    health: ProviderHealth
    problem: str | None = None
    key_dropped: bool = False
    same_address_as: str | None = None


class Rotated(msgspec.Struct, frozen=True):
    """The providers whose keys were encrypted again, and those whose keys can no longer be read."""

    providers: list[str]
    lost: list[str]


class Dependent(msgspec.Struct, frozen=True, kw_only=True):
    """A preset that can't run without a model that is to be removed."""

    id: str
    mode: str
    name: str


class Retired(msgspec.Struct, frozen=True):
    """The models that were removed with their provider."""

    retired_models: list[str]
