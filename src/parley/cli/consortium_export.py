"""Makes the models of an exported consortium known to `llm`, which runs the plugin."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from parley.storage.plugin_models import PluginModel

if TYPE_CHECKING:
    from parley.kernel.models import Model, Provider
    from parley.kernel.ports import Catalog

LLM = "llm"
"""The connector whose models have their names from `llm`."""

USUAL = "https://api.openai.com/v1"


class KnownToLlm(NamedTuple):
    """Models under the names that `llm` has for them.

    `names` is by id, `listed` are those that it must list, `unknown` are ids that it can't reach.
    """

    names: dict[str, str]
    listed: list[PluginModel]
    unknown: list[str]


def known_to_llm(catalog: "Catalog", model_ids: Iterable[str]) -> KnownToLlm:
    """Return how `llm` reaches models: as its own, or at their servers of the OpenAI dialect."""
    known = KnownToLlm({}, [], [])
    by_id = {model.id: model for model in catalog.models()}
    for model_id in dict.fromkeys(model_ids):
        model = by_id.get(model_id)
        known.names[model_id] = model_id
        if model is None or not _reached(catalog, model, known):
            known.unknown.append(model_id)
    return known


def _reached(catalog: "Catalog", model: "Model", known: KnownToLlm) -> bool:
    from parley.features.catalog.addresses import BY_ADDRESS

    for route in model.routes:
        provider = catalog.provider(route.provider)
        if provider.connector == LLM:
            known.names[model.id] = route.model
            return True
        if provider.connector in BY_ADDRESS:
            known.listed.append(_listed(model.id, route.model, provider))
            return True
    return False


def _listed(model_id: str, name: str, provider: "Provider") -> PluginModel:
    key = provider.id if provider.api_key else None
    return PluginModel(
        model_id=model_id, model_name=name, api_base=provider.base_url or USUAL, api_key_name=key
    )
