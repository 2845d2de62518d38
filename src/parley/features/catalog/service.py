"""The catalog: the models and providers that are configured now, and which can be drawn for a battle."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from parley.features.catalog.known_models.makers import facts_of_name
from parley.features.catalog.reader import Entries, read_entries
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Fact, Model, Provider
from parley.kernel.views import ModelCard, ModelSource
from parley.trust import Trust

DemoModels: TypeAlias = Literal["auto", "on", "off"]

BATTLE_TAG = "battle"
IMPORTED = "imported"
"""The tag of models known only from vote files; a model of the catalog can take over their id."""

NOTHING = Entries()

log = logging.getLogger(__name__)


class PoolChoice(NamedTuple):
    """A person's choice about a model's place in the battle pool; None is no choice."""

    chosen: bool | None
    weight: float | None


class CatalogService:
    """Implements the kernel's port `Catalog`, and serves the page and the terminal.

    A reader in another thread sees the state before or after a change, never a mixture.
    """

    def __init__(
        self, providers: Iterable[Provider], models: Iterable[Model], stored: Collection[str] = ()
    ) -> None:
        """`stored` are the ids of models in the database, which are drawn for battles only if tagged."""
        self._providers = {provider.id: provider for provider in providers}
        self._listed = {model.id: model for model in models}
        self._models = self._listed
        self._stored = frozenset(stored)
        self._choices: Mapping[str, PoolChoice] = {}

    def replace(self, listing: "Listing", choices: Mapping[str, PoolChoice]) -> None:
        """Replace the listing; the ensembles stay, and the caller then calls `admit`.

        `choices` are a person's about the battle pool, by model id.
        """
        self._choices = choices
        listed = {model.id: self._weighed(model) for model in listing.models}
        ensembles = {model.id: model for model in self._models.values() if model.kind == "ensemble"}
        providers = {provider.id: provider for provider in listing.providers}
        # Providers first: a model's provider must always be there.
        self._providers = {**self._providers, **providers}
        self._listed, self._stored = listed, listing.stored
        self._models = {**listed, **ensembles, **listed}
        self._providers = providers

    def admit(self, ensembles: Iterable[Model]) -> None:
        """Replace the ensembles. An id of the model list stays that of the list's model."""
        fresh = {model.id: self._weighed(model) for model in ensembles}
        for model_id in fresh.keys() & self._listed.keys():
            log.warning("skipping the ensemble “%s”: the model list has a model with this id", model_id)
        self._models = {**self._listed, **fresh, **self._listed}

    def model(self, model_id: str) -> Model:
        """Return an entry. Raises NotFound."""
        try:
            return self._models[model_id]
        except KeyError:
            raise NotFound(
                f"There is no model “{model_id}” in the catalog.", code="model_not_found"
            ) from None

    def provider(self, provider_id: str) -> Provider:
        """Return a provider. Raises NotFound."""
        try:
            return self._providers[provider_id]
        except KeyError:
            raise NotFound(f"There is no provider “{provider_id}”.", code="provider_not_found") from None

    def models(self) -> Sequence[Model]:
        """Return every entry, including disabled ones, in the catalog's order."""
        return tuple(self._models.values())

    def providers(self) -> Sequence[Provider]:
        """Return every provider, including those of short entries, in the order of the model list."""
        return tuple(self._providers.values())

    def battle_pool(self) -> Sequence[Model]:
        """Return the models that can be drawn: the chosen ones that are enabled, write text and have a weight."""
        return tuple(
            model for model in self.chosen() if model.enabled and model.weight > 0 and _writes(model)
        )

    def chosen(self) -> Sequence[Model]:
        """Return the models that are in the battle pool: those tagged `battle`, but for what a person chose.

        If none that could be drawn is tagged, all models of the model list and the demo are; those of the database only
        with the tag. Ensembles need no tag, since they exist to be drawn.
        """
        usual = {model.id for model in self._usual_pool()}
        choices = {model_id: choice.chosen for model_id, choice in self._choices.items()}
        return [
            model
            for model in self._models.values()
            if choices.get(model.id) or (choices.get(model.id) is None and model.id in usual)
        ]

    def _usual_pool(self) -> Sequence[Model]:
        single = [model for model in self._models.values() if model.kind == "single"]
        tagged = [model for model in single if BATTLE_TAG in model.tags]
        if not any(model.enabled and _writes(model) for model in tagged):
            tagged += [model for model in single if model.id not in self._stored]
        return (*tagged, *(model for model in self._models.values() if model.kind == "ensemble"))

    def _weighed(self, model: Model) -> Model:
        choice = self._choices.get(model.id)
        if choice is None or choice.weight is None:
            return model
        return msgspec.structs.replace(model, weight=choice.weight)

    def card(self, model: Model) -> ModelCard:
        """Return a model's card, which everyone can read."""
        return ModelCard(
            id=model.id,
            name=model.name,
            organization=model.organization,
            family=model.family,
            license=model.license,
            kind=model.kind,
            capabilities=model.capabilities,
            tags=model.tags,
            context_window=model.context_window,
            prices=model.prices,
            picture=model.picture,
            description=model.description,
            provider=model.routes[0].provider if model.routes else None,
            local=model.local or model.demo,
            demo=model.demo,
            enabled=model.enabled,
            source=self._source(model),
            cache_s=model.cache_s,
            fallback=model.fallback,
            known_from=dict(model.known_from),
            weight=model.weight,
            timeout_s=model.timeout_s,
            max_concurrency=model.max_concurrency,
        )

    def _source(self, model: Model) -> ModelSource | None:
        if model.kind == "ensemble":
            return None
        return "demo" if model.demo else "database" if model.id in self._stored else "file"

    def cards(self) -> Sequence[ModelCard]:
        """Return the card of every entry, in the catalog's order."""
        return tuple(self.card(model) for model in self._models.values())

    @property
    def demo_only(self) -> bool:
        """True if there are models, all of them demo models."""
        return bool(self._models) and all(model.demo for model in self._models.values())


def _writes(model: Model) -> bool:
    return model.answers


def retired_card(model_id: str, name: str | None = None) -> ModelCard:
    """Return a card for a model of which only the id is known, or a name too, with the facts that these tell."""
    facts = facts_of_name(name or model_id)
    derived: dict[Fact, str] = {
        "organization": facts.organization,
        "family": facts.family,
        "license": facts.license,
    }
    return ModelCard(
        id=model_id,
        name=name or model_id,
        **derived,
        known_from={fact: "name" for fact, value in derived.items() if value},
        kind="single",
        capabilities=(),
        tags=(),
        context_window=None,
        prices=None,
        description=None,
        provider=None,
        local=False,
        demo=False,
        enabled=False,
    )


def read_entries_file(
    path: Path, *, connectors: Collection[str], variables: Mapping[str, str], trust: Trust | None = None
) -> Entries:
    """Read the model list of a file, with `trust` one that was found in the working directory.

    Raises CatalogError, Untrusted, or ParleyError if it cannot be read.
    """
    try:
        text = (trust.read(path) if trust else path.read_bytes()).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ParleyError(f"The model list {path} cannot be read: {reason}.", code="invalid_models") from None
    return read_entries(
        text, source=str(path), connectors=connectors, variables=variables, restricted=trust is not None
    )


class Listing(NamedTuple):
    """The content of a catalog without ensembles; `stored` are the ids of models in the database."""

    providers: Collection[Provider]
    models: Collection[Model]
    stored: frozenset[str]


def join_entries(
    configured: Entries, demo: Entries, demo_models: DemoModels, stored: Entries = NOTHING
) -> Listing:
    """Join the entries of the model list, the database and the demo; earlier ones win.

    `auto` includes the demo models while there is no other model, `on` always, `off` never.
    """
    wanted = demo_models == "on" or (demo_models == "auto" and not (configured.models or stored.models))
    shown = demo if wanted else NOTHING
    models: dict[str, Model] = {}
    for model in (*configured.models, *stored.models, *shown.models):
        models.setdefault(model.id, model)
    providers: dict[str, Provider] = {}
    for provider in (*shown.providers, *configured.providers, *stored.providers):
        providers.setdefault(provider.id, provider)
    listed = {model.id for model in configured.models}
    return Listing(
        tuple(providers.values()),
        tuple(models.values()),
        frozenset(model.id for model in stored.models if model.id not in listed),
    )


def make_catalog(configured: Entries, demo: Entries, demo_models: DemoModels) -> CatalogService:
    """Join the entries of the model list and of the demo."""
    return CatalogService(*join_entries(configured, demo, demo_models))
