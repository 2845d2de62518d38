"""Recognising Ollama, and asking it what its models can do."""

import asyncio
import re

from parley.features.catalog.discovery.answers import (
    Fields,
    count_of,
    fetch,
    fields_of,
    items_of,
    text_of,
    texts_of,
)
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel
from parley.features.catalog.discovery.place import LOCAL, ServerAddress, in_order
from parley.features.catalog.discovery.purposes import purpose_of
from parley.kernel.errors import UpstreamError
from parley.kernel.models import Capability

MAX_SHOWN = 200
"""The models of one server whose details are asked for."""

SHOWN_AT_ONCE = 4
"""The details that one server is asked for at once."""

MARGIN_S = 0.1
"""Seconds before the deadline at which details are given up, so that the list itself is kept."""

_NUM_CTX = re.compile(r"(?m)^\s*num_ctx\s+(\d{1,9})\s*$")
_CAPABILITIES: dict[str, Capability] = {"vision": "vision", "tools": "tools", "thinking": "reasoning"}


async def ollama(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise Ollama by its version and its list of tags; ask for each model's context window and capabilities."""
    answer = await place.get("/api/version")
    version = text_of(answer.fields.get("version")) if answer and answer.ok else None
    if version is None:
        return None
    answer = await place.get("/api/tags")
    if answer is None or not answer.ok or not isinstance(answer.fields.get("models", ""), list | None):
        return None
    tags = {
        name: fields
        for item in items_of(answer.fields.get("models"))
        if (name := text_of((fields := fields_of(item)).get("model")) or text_of(fields.get("name")))
    }
    shown = await _shown(place, list(tags)[:MAX_SHOWN])
    loaded = await _loaded(place)
    models = tuple(_model(name, tag, shown.get(name, {}), loaded.get(name)) for name, tag in tags.items())
    return place.server("ollama", models, version)


async def _shown(place: ServerAddress, names: list[str]) -> dict[str, Fields]:
    """Return the details of those models whose details arrive in time."""
    details: dict[str, Fields] = {}
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
                details[name] = answer.fields

    workers = [asyncio.create_task(ask()) for _ in range(min(SHOWN_AT_ONCE, len(names)))]
    try:
        if workers:
            left = place.ends - MARGIN_S - asyncio.get_running_loop().time()
            await asyncio.wait(workers, timeout=max(left, 0.0))
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return dict(details)


async def _loaded(place: ServerAddress) -> dict[str, int]:
    """Return the context windows of the models that run now."""
    answer = await place.get("/api/ps")
    running = (fields_of(item) for item in items_of(answer.fields.get("models"))) if answer else ()
    contexts = {text_of(item.get("model")): count_of(item.get("context_length")) for item in running}
    return {name: context for name, context in contexts.items() if name and context}


def _model(name: str, tag: Fields, shown: Fields, served: int | None) -> OfferedModel:
    capabilities = texts_of(shown.get("capabilities"))
    embeds = "embedding" in capabilities if capabilities else purpose_of(name, {}) == "embeddings"
    can: set[Capability] = {
        *LOCAL,
        *(_CAPABILITIES[word] for word in capabilities if word in _CAPABILITIES),
    }
    remote = bool(text_of(tag.get("remote_host")) or text_of(shown.get("remote_host")))
    return OfferedModel(
        model=name,
        name=name.removesuffix(":latest"),
        purpose="embeddings" if embeds else "chat",
        capabilities=("embeddings",) if embeds else in_order(can),
        context_window=served or _context(shown),
        size_bytes=None if remote else count_of(tag.get("size")),
        remote=remote,
    )


def _context(shown: Fields) -> int | None:
    """Return the context window that the model file sets, else the one that the model was trained with."""
    parameters = shown.get("parameters")
    if isinstance(parameters, str) and (match := _NUM_CTX.search(parameters[:20_000])):
        return count_of(match[1])
    info = fields_of(shown.get("model_info"))
    names = (name for name in info if name.endswith(".context_length"))
    return next((count for name in names if (count := count_of(info[name]))), None)
