"""Recognising model servers: what each kind answers that no other server does."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from parley.kernel.errors import UpstreamError
from parley.kernel.models import Capability
from parley.wire.http import HttpClient
from parley.workspace.discovery.answers import (
    Answer,
    Fields,
    count_of,
    entries_of,
    fetch,
    fields_of,
    items_of,
    text_of,
    texts_of,
)
from parley.workspace.discovery.findings import DiscoveredServer, OfferedModel
from parley.workspace.discovery.known import known_provider
from parley.workspace.discovery.listing import ORDER, read_models
from parley.workspace.discovery.purposes import purpose_of

MAX_SHOWN = 200
"""How many models of one server are asked for details."""

SHOWN_AT_ONCE = 4
"""How many details one server is asked for at once."""

MARGIN_S = 0.1
"""How long before the deadline details are given up, so that the list itself is kept."""

LOCAL: tuple[Capability, ...] = ("text", "json")
"""What every chat model of these servers can do: they constrain the output to a schema themselves."""

_NUM_CTX = re.compile(r"(?m)^\s*num_ctx\s+(\d{1,9})\s*$")
_OLLAMA_CAPABILITIES: dict[str, Capability] = {"vision": "vision", "tools": "tools"}


@dataclass(frozen=True)
class Place:
    """A server to look at. `ends` is the event loop's time at which looking ends."""

    client: HttpClient
    origin: str
    ends: float
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    _answers: dict[str, Answer | None] = field(default_factory=dict[str, "Answer | None"])

    async def get(self, path: str) -> Answer | None:
        """Return an answer, or None if there is none within the bounds. Asks for each path once."""
        if path not in self._answers:
            try:
                self._answers[path] = await fetch(self.client, self.origin + path, self.headers)
            except UpstreamError:
                self._answers[path] = None
        return self._answers[path]

    def server(
        self,
        kind: str,
        models: tuple[OfferedModel, ...] = (),
        version: str | None = None,
        *,
        needs_key: bool = False,
    ) -> DiscoveredServer:
        """Return a server of this kind at this place."""
        known = known_provider(kind)
        return DiscoveredServer(
            kind=kind,
            name=known.name if known else kind,
            base_url=f"{self.origin}/v1",
            version=version,
            needs_key=needs_key,
            models=models,
        )


Recogniser: TypeAlias = Callable[[Place], Awaitable[DiscoveredServer | None]]


async def ollama(place: Place) -> DiscoveredServer | None:
    """Recognise Ollama by its version and its list of tags; ask for each model's context window and capabilities."""
    answer = await place.get("/api/version")
    version = text_of(answer.fields.get("version")) if answer and answer.ok else None
    if version is None:
        return None
    answer = await place.get("/api/tags")
    if answer is None or not answer.ok or not isinstance(answer.fields.get("models"), list):
        return None
    tags = {
        name: fields
        for item in items_of(answer.fields.get("models"))
        if (name := text_of((fields := fields_of(item)).get("model")) or text_of(fields.get("name")))
    }
    shown = await _shown(place, list(tags)[:MAX_SHOWN])
    models = tuple(_ollama_model(name, tag, shown.get(name, {})) for name, tag in tags.items())
    return place.server("ollama", models, version)


async def _shown(place: Place, names: list[str]) -> dict[str, Fields]:
    """Return the details of those models whose details arrive in time."""
    found: dict[str, Fields] = {}
    waiting = iter(names)

    async def ask() -> None:
        for name in waiting:
            try:
                answer = await fetch(
                    place.client, f"{place.origin}/api/show", place.headers, post={"model": name}
                )
            except UpstreamError:
                continue
            if answer.ok:
                found[name] = answer.fields

    workers = [asyncio.create_task(ask()) for _ in range(min(SHOWN_AT_ONCE, len(names)))]
    try:
        if workers:
            left = place.ends - MARGIN_S - asyncio.get_running_loop().time()
            await asyncio.wait(workers, timeout=max(left, 0.0))
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return dict(found)


def _ollama_model(name: str, tag: Fields, shown: Fields) -> OfferedModel:
    said = texts_of(shown.get("capabilities"))
    embeds = "embedding" in said if said else purpose_of(name, {}) == "embeddings"
    can: set[Capability] = {
        *LOCAL,
        *(_OLLAMA_CAPABILITIES[word] for word in said if word in _OLLAMA_CAPABILITIES),
    }
    remote = bool(text_of(tag.get("remote_host")) or text_of(shown.get("remote_host")))
    return OfferedModel(
        model=name,
        name=name.removesuffix(":latest"),
        purpose="embeddings" if embeds else "chat",
        capabilities=("embeddings",) if embeds else _ordered(can),
        context_window=_ollama_context(shown),
        size_bytes=None if remote else count_of(tag.get("size")),
        remote=remote,
    )


def _ollama_context(shown: Fields) -> int | None:
    """Return the context window that the model file sets, else the one that the model was trained with."""
    parameters = shown.get("parameters")
    if isinstance(parameters, str) and (match := _NUM_CTX.search(parameters[:20_000])):
        return count_of(match[1])
    info = fields_of(shown.get("model_info"))
    names = (name for name in info if name.endswith(".context_length"))
    return next((count for name in names if (count := count_of(info[name]))), None)


async def lmstudio(place: Place) -> DiscoveredServer | None:
    """Recognise LM Studio by its own list of models, in the form of version 0.4 or the one before."""
    answer = await place.get("/api/v1/models")
    if answer and answer.ok:
        listed = [fields_of(item) for item in items_of(answer.fields.get("models"))]
        own = isinstance(answer.fields.get("models"), list) and all("key" in entry for entry in listed)
        if own and (listed or set(answer.fields) == {"models"}):
            models = (_lmstudio_model(entry, "key") for entry in listed)
            return place.server("lmstudio", tuple(model for model in models if model))
    if answer and answer.status in (401, 403) and b"api token" in answer.body.lower():
        return place.server("lmstudio", needs_key=True)
    answer = await place.get("/api/v0/models")
    listed = [fields_of(item) for item in items_of(answer.fields.get("data"))] if answer and answer.ok else []
    if listed and all("max_context_length" in entry for entry in listed):
        models = (_lmstudio_model(entry, "id") for entry in listed)
        return place.server("lmstudio", tuple(model for model in models if model))
    entries = strict_entries(await place.get("/v1/models"))
    if entries and all(entry.get("owned_by") == "organization_owner" for entry in entries):
        return place.server("lmstudio", read_models(entries, assumed=LOCAL))
    return None


def _lmstudio_model(entry: Fields, key: str) -> OfferedModel | None:
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
    loaded = (fields_of(fields_of(item).get("config")) for item in items_of(entry.get("loaded_instances")))
    context = next((count for config in loaded if (count := count_of(config.get("context_length")))), None)
    return OfferedModel(
        model=model,
        name=text_of(entry.get("display_name")) or model,
        purpose=purpose,
        capabilities=_ordered(can) if purpose == "chat" else ("embeddings",),
        # A loaded model has the context window that it was loaded with, not the largest.
        context_window=context
        or count_of(entry.get("loaded_context_length"))
        or count_of(entry.get("max_context_length")),
        size_bytes=count_of(entry.get("size_bytes")),
        organization=text_of(entry.get("publisher")),
    )


async def vllm(place: Place) -> DiscoveredServer | None:
    """Recognise vLLM by the owner of its models, or by its version where it asks for a key."""
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


async def llamacpp(place: Place) -> DiscoveredServer | None:
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
        "llamacpp", tuple(_llamacpp_model(model, by_id[model.model], fields) for model in models), version
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
        capabilities=_ordered(can) if model.purpose == "chat" else model.capabilities,
        context_window=count_of(settings.get("n_ctx")) or count_of(meta.get("n_ctx_train")),
        size_bytes=count_of(meta.get("size")),
    )


async def localai(place: Place) -> DiscoveredServer | None:
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


async def jan(place: Place) -> DiscoveredServer | None:
    """Recognise Jan by the owner of its models, or by how it asks for its key."""
    listed = await place.get("/v1/models")
    if listed is None:
        return None
    entries = strict_entries(listed)
    if entries is not None and all(entry.get("owned_by") in (None, "user") for entry in entries):
        return place.server("jan", read_models(entries, assumed=LOCAL))
    asks = b"issing authorization header", b"missing authorization token"
    if listed.status == 401 and any(words in listed.body for words in asks):
        return place.server("jan", needs_key=True)
    return None


async def custom(place: Place) -> DiscoveredServer | None:
    """Recognise any server that lists models exactly as the OpenAI dialect has it."""
    entries = strict_entries(await place.get("/v1/models"))
    if not entries:
        return None
    models = read_models(entries)
    return place.server("custom", models) if models else None


def strict_entries(answer: Answer | None) -> list[Fields] | None:
    """Return the entries of an OpenAI list; None if the answer is not exactly one.

    Many servers answer everything with some JSON. A list of models says that it is one, and each entry too.
    """
    if answer is None or not answer.ok or answer.fields.get("object") != "list":
        return None
    entries = entries_of(answer.body)
    if entries is None or not all(entry.get("object") == "model" and "id" in entry for entry in entries):
        return None
    return entries


def _ordered(can: set[Capability]) -> tuple[Capability, ...]:
    return tuple(capability for capability in ORDER if capability in can)


RECOGNISERS: dict[str, Recogniser] = {
    "localai": localai,
    "llamacpp": llamacpp,
    "lmstudio": lmstudio,
    "vllm": vllm,
    "ollama": ollama,
    "jan": jan,
    "custom": custom,
}
"""By the id of the known provider. The first ones imitate the later ones, so that the order decides."""
