"""A catalog in memory, with models that only need an id."""

from collections.abc import Sequence
from typing import Any

import msgspec

from parley.kernel.errors import NotFound
from parley.kernel.models import Model, Prices, Provider, Route
from parley.kernel.views import ModelCard


class SmallCatalog:
    """Implements the kernel's port `Catalog`: any other model id leads to the provider "near", except "gone"."""

    def __init__(self, models: Sequence[Model] = (), providers: Sequence[Provider] = ()) -> None:
        self._models = {model.id: model for model in models}
        self._providers = {provider.id: provider for provider in providers}

    def model(self, model_id: str) -> Model:
        """Return an entry. Raises NotFound."""
        if model_id == "gone":
            raise NotFound("There is no such model.")
        return self._models.get(model_id) or make_model(model_id)

    def provider(self, provider_id: str) -> Provider:
        """Return a provider."""
        return self._providers.get(provider_id) or Provider(provider_id, "canned")

    def models(self) -> Sequence[Model]:
        """Return the models that were given."""
        return tuple(self._models.values())


def make_model(model_id: str, *providers: str, **changes: Any) -> Model:
    """Return a model with a route to each provider; `changes` are other fields of `Model`."""
    routes = tuple(Route(provider, model_id) for provider in providers or ("near",))
    model = Model(model_id, model_id.upper(), "Org", "family", "MIT", routes, prices=Prices(1.0, 2.0))
    return msgspec.structs.replace(model, **changes)


def make_card(model_id: str) -> ModelCard:
    """Return the card of a model, made from its id."""
    known = {"id": model_id, "name": model_id.upper(), "organization": "Org", "family": "family"}
    unknown = {"context_window": None, "prices": None, "description": None, "local": False, "demo": False}
    rest = {"license": "MIT", "kind": "single", "capabilities": ("text",), "tags": (), "provider": "near"}
    return msgspec.convert({**known, **rest, **unknown, "enabled": True}, ModelCard)
