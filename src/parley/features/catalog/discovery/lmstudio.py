"""Recognising LM Studio, in each form of its own list of models."""

from parley.features.catalog.discovery.answers import Fields, count_of, fields_of, items_of, text_of, texts_of
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.place import LOCAL, ServerAddress, in_order, strict_entries
from parley.features.catalog.discovery.purposes import purpose_of
from parley.features.catalog.known_models.effort import takes_effort
from parley.kernel.models import Capability


async def lmstudio(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise LM Studio by its own list of models, in the form of version 0.4 or the one before."""
    answer = await place.get("/api/v1/models")
    if answer and answer.ok:
        listed = [fields_of(item) for item in items_of(answer.fields.get("models"))]
        own = isinstance(answer.fields.get("models"), list) and all("key" in entry for entry in listed)
        if own and (listed or set(answer.fields) == {"models"}):
            models = (_model(entry, "key") for entry in listed)
            return place.server("lmstudio", tuple(model for model in models if model))
    if answer and answer.status in (401, 403) and b"api token" in answer.body.lower():
        return place.server("lmstudio", needs_key=True)
    answer = await place.get("/api/v0/models")
    listed = [fields_of(item) for item in items_of(answer.fields.get("data"))] if answer and answer.ok else []
    if listed and all("max_context_length" in entry for entry in listed):
        models = (_model(entry, "id") for entry in listed)
        return place.server("lmstudio", tuple(model for model in models if model))
    entries = strict_entries(await place.get("/v1/models"))
    if entries and all(entry.get("owned_by") == "organization_owner" for entry in entries):
        return place.server("lmstudio", read_models(entries, assumed=LOCAL))
    return None


def _model(entry: Fields, key: str) -> OfferedModel | None:
    model = text_of(entry.get(key))
    if model is None:
        return None
    purpose = purpose_of(model, entry)
    flags = fields_of(entry.get("capabilities"))
    words = texts_of(entry.get("capabilities"))
    can: set[Capability] = set(LOCAL)
    if flags.get("vision") is True or entry.get("type") == "vlm":
        can.add("vision")
    if flags.get("trained_for_tool_use") is True or "tool_use" in words:
        can.add("tools")
    if takes_effort(model):
        can.add("reasoning")
    loaded = (fields_of(fields_of(item).get("config")) for item in items_of(entry.get("loaded_instances")))
    context = next((count for config in loaded if (count := count_of(config.get("context_length")))), None)
    return OfferedModel(
        model=model,
        name=text_of(entry.get("display_name")) or model,
        purpose=purpose,
        capabilities=in_order(can) if purpose == "chat" else ("embeddings",),
        # A loaded model has the context window that it was loaded with, not the largest.
        context_window=context
        or count_of(entry.get("loaded_context_length"))
        or count_of(entry.get("max_context_length")),
        size_bytes=count_of(entry.get("size_bytes")),
        organization=text_of(entry.get("publisher")),
    )
