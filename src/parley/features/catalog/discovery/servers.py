"""Recognising model servers: what each kind answers that no other server does."""

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec

from parley.features.catalog.discovery.answers import Fields, count_of, fields_of, text_of
from parley.features.catalog.discovery.drawing import a1111, comfyui
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.litellm import litellm
from parley.features.catalog.discovery.lmstudio import lmstudio
from parley.features.catalog.discovery.ollama import ollama
from parley.features.catalog.discovery.place import LOCAL, ServerAddress, in_order, strict_entries

Recogniser: TypeAlias = Callable[[ServerAddress], Awaitable[DiscoveredServer | None]]
"""Returns the server at a place if it is of its kind. Raises nothing that a server can cause."""


async def vllm(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise vLLM by the owner of its models, or by its version where it requires a key."""
    listed = await place.get("/v1/models")
    if listed is None:
        return None
    entries = strict_entries(listed)
    if entries and all(entry.get("owned_by") == "vllm" for entry in entries):
        version = await place.get("/version")
        models = read_models(entries, assumed=LOCAL)
        return place.server("vllm", models, text_of(version.fields.get("version")) if version else None)
    if listed.status == 401 and listed.document == {"error": "Unauthorized"}:
        version = await place.get("/version")
        if version and version.ok and set(version.fields) == {"version"}:
            return place.server("vllm", (), text_of(version.fields["version"]), needs_key=True)
    return None


async def llamacpp(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise llama.cpp's server by its properties or by the owner of its models."""
    entries = strict_entries(await place.get("/v1/models"))
    own = bool(entries) and all(entry.get("owned_by") == "llamacpp" for entry in entries or ())
    props = await place.get("/props")
    fields: Fields = props.fields if props and props.ok else {}
    settings = fields_of(fields.get("default_generation_settings"))
    if not own and not (settings and "total_slots" in fields):
        refused = props is not None and props.status == 401 and b"Invalid API Key" in props.body
        return place.server("llamacpp", needs_key=True) if refused else None
    models = read_models(entries or (), assumed=LOCAL)
    by_id = {text_of(entry.get("id")): entry for entry in entries or ()}
    version = text_of(fields.get("build_info"))
    return place.server(
        "llamacpp",
        tuple(_llamacpp_model(model, by_id.get(model.model, {}), fields) for model in models),
        version,
    )


def _llamacpp_model(model: OfferedModel, entry: Fields, props: Fields) -> OfferedModel:
    """Complete a model: the list tells how it was trained, the properties how it is served."""
    meta = fields_of(entry.get("meta"))
    settings = fields_of(props.get("default_generation_settings"))
    template = fields_of(props.get("chat_template_caps"))
    can = set(model.capabilities)
    if fields_of(props.get("modalities")).get("vision") is True:
        can.add("vision")
    if template.get("supports_tools") is True or template.get("supports_tool_calls") is True:
        can.add("tools")
    return msgspec.structs.replace(
        model,
        capabilities=in_order(can) if model.purpose == "chat" else model.capabilities,
        context_window=count_of(settings.get("n_ctx"))
        or model.context_window
        or count_of(meta.get("n_ctx_train")),
        size_bytes=count_of(meta.get("size")),
    )


async def localai(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise LocalAI by its description of itself, or by the backends that it names."""
    described = await place.get("/.well-known/localai.json")
    version: str | None = None
    if described and described.ok and fields_of(described.fields.get("endpoints")):
        version = text_of(described.fields.get("version"))
    else:
        system = await place.get("/system")
        fields: Fields = system.fields if system and system.ok else {}
        if not isinstance(fields.get("backends"), list) or "loaded_models" not in fields:
            return None
        answer = await place.get("/version")
        version = text_of(answer.fields.get("version")) if answer else None
    listed = await place.get("/v1/models")
    if listed is not None and listed.status in (401, 403):
        return place.server("localai", (), version, needs_key=True)
    entries = strict_entries(listed)
    return None if entries is None else place.server("localai", read_models(entries, assumed=LOCAL), version)


async def jan(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise Jan by the owner of its models, or by how it asks for its key."""
    listed = await place.get("/v1/models")
    if listed is None:
        return None
    entries = strict_entries(listed)
    if entries and all(entry.get("owned_by") == "user" for entry in entries):
        return place.server("jan", read_models(entries, assumed=LOCAL))
    if entries == []:
        # Jan lists the models that it has loaded.
        described = await place.get("/openapi.json")
        title = text_of(fields_of(described.fields.get("info")).get("title")) if described else None
        return place.server("jan") if title and re.search(r"\bJan\b", title) else None
    asks = b"issing authorization header", b"missing authorization token"
    if listed.status == 401 and any(words in listed.body for words in asks):
        return place.server("jan", needs_key=True)
    return None


async def custom(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise any server that lists models exactly as the OpenAI dialect has it."""
    entries = strict_entries(await place.get("/v1/models"))
    if not entries:
        return None
    models = read_models(entries)
    if not models:
        return None
    server = place.server("custom", models)
    return msgspec.structs.replace(server, name=f"Server at {place.origin.partition('://')[2]}")


RECOGNISERS: dict[str, Recogniser] = {
    "litellm": litellm,
    "localai": localai,
    "llamacpp": llamacpp,
    "lmstudio": lmstudio,
    "vllm": vllm,
    "ollama": ollama,
    "jan": jan,
    "a1111": a1111,
    "comfyui": comfyui,
    "custom": custom,
}
"""By the id of the known provider. LiteLLM's proxy, which nobody imitates, is slow to refuse paths.

Of the others the first ones imitate the later ones, so that the order decides.
"""
