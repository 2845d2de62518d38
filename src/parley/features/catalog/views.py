"""Lists of models and providers, as the API shows them."""

from collections.abc import Sequence
from typing import Self

import msgspec

from parley.engine.health import ProviderHealth
from parley.features.catalog.discovery.checks import ProviderCheck
from parley.features.catalog.discovery.describing import described
from parley.features.catalog.discovery.findings import Offer, OfferedModel
from parley.features.catalog.discovery.known import KnownProvider
from parley.features.catalog.requests import ProviderView
from parley.kernel.errors import Problem
from parley.kernel.models import Model
from parley.kernel.views import ModelCard


class ModelList(msgspec.Struct, frozen=True):
    """Every model of the catalog, in order, and the state of each provider of an enabled model."""

    models: list[ModelCard]
    providers: list[ProviderHealth]


class ProviderList(msgspec.Struct, frozen=True, kw_only=True):
    """All configured providers, and the known ones that can be added.

    `file` is the model list's path, `file_error` why its latest version can't be used. `jobs`: calls can run as
    Kubernetes Jobs here.
    """

    providers: list[ProviderView]
    known: list[KnownProvider]
    file: str
    file_error: str | None
    jobs: bool


class ProviderCheckList(msgspec.Struct, frozen=True):
    """The result of checking each provider."""

    checks: list[ProviderCheck]


class OfferedHere(OfferedModel, frozen=True, kw_only=True):
    """A model that a provider offers. `added` is its id in the catalog, null if it is not there."""

    added: str | None


class OfferedBy(msgspec.Struct, frozen=True, kw_only=True):
    """The result of testing a connection. `problem` says what is wrong, `base_url` which address was tested."""

    ok: bool
    base_url: str | None
    latency_ms: float | None
    problem: Problem | None
    models: list[OfferedHere]
    suggested_base_url: str | None
    truncated: bool

    @classmethod
    def of(cls, offer: Offer, models: Sequence[Model], provider_id: str | None) -> Self:
        """Return an offer with the ids of the models that were added before."""
        added = {
            route.model: model.id
            for model in models
            for route in model.routes
            if route.provider == provider_id
        }
        names = OfferedModel.__struct_fields__
        return cls(
            ok=offer.ok,
            base_url=offer.base_url,
            latency_ms=offer.latency_ms,
            problem=offer.problem,
            models=[
                OfferedHere(**{name: getattr(each, name) for name in names}, added=added.get(each.model))
                for each in map(described, offer.models)
            ],
            suggested_base_url=offer.suggested_base_url,
            truncated=offer.truncated,
        )
