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
from parley.features.catalog.discovery.place import LOCAL, Place, in_order
from parley.features.catalog.discovery.purposes import purpose_of
from parley.kernel.errors import UpstreamError
from parley.kernel.models import Capability

MAX_SHOWN = 200
"""How many models of one server are asked for details."""

SHOWN_AT_ONCE = 4
"""How many details one server is asked for at once."""

MARGIN_S = 0.1
"""How long before the deadline details are given up, so that the list itself is kept."""

_NUM_CTX = re.compile(r"(?m)^\s*num_ctx\s+(\d{1,9})\s*$")
_CAPABILITIES: dict[str, Capability] = {"vision": "vision", "tools": "tools"}


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
    models = tuple(_model(name, tag, shown.get(name, {})) for name, tag in tags.items())
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


def _model(name: str, tag: Fields, shown: Fields) -> OfferedModel:
    said = texts_of(shown.get("capabilities"))
    embeds = "embedding" in said if said else purpose_of(name, {}) == "embeddings"
    can: set[Capability] = {
        *LOCAL,
        *(_CAPABILITIES[word] for word in said if word in _CAPABILITIES),
    }
    remote = bool(text_of(tag.get("remote_host")) or text_of(shown.get("remote_host")))
    return OfferedModel(
        model=name,
        name=name.removesuffix(":latest"),
        purpose="embeddings" if embeds else "chat",
        capabilities=("embeddings",) if embeds else in_order(can),
        context_window=_context(shown),
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
