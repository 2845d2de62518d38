"""Recognising LiteLLM's proxy, and reading what it knows of its models: `/model/info`."""

from collections.abc import Iterable

from parley.features.catalog.discovery.answers import (
    Fields,
    count_of,
    entries_of,
    fields_of,
    number_of,
    text_of,
)
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel, Purpose
from parley.features.catalog.discovery.place import ServerAddress, in_order
from parley.features.catalog.discovery.purposes import purpose_of
from parley.kernel.models import Capability, Prices

INFO_BYTES = 8 << 20
"""The most bytes of the answer: a model takes up to 9 kB of it."""

_FLAGS: tuple[tuple[str, Capability], ...] = (
    ("supports_vision", "vision"),
    ("supports_pdf_input", "files"),
    ("supports_response_schema", "json"),
    ("supports_function_calling", "tools"),
    ("supports_reasoning", "reasoning"),
)
_MODES: dict[str, Purpose] = {
    "chat": "chat",
    "responses": "chat",
    "embedding": "embeddings",
    "moderation": "moderation",
    "image_generation": "images",
    "image_edit": "images",
    "audio_speech": "audio",
    "audio_transcription": "audio",
    "realtime": "audio",
    "rerank": "reranking",
    "completion": "other",
    "video_generation": "other",
    "ocr": "other",
    "search": "other",
}


async def litellm(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise LiteLLM's proxy by what it tells of its models, or by how it says that it is there."""
    answer = await place.get("/model/info", limit=INFO_BYTES)
    entries = entries_of(answer.body) if answer and answer.ok else None
    if entries and all("model_name" in entry and "litellm_params" in entry for entry in entries):
        return place.server("litellm", read_info(entries))
    alive = await place.get("/health/liveliness")
    if alive is None or alive.document != "I'm alive!":
        return None
    return place.server("litellm", needs_key=answer is not None and not answer.ok)


def read_info(entries: Iterable[Fields]) -> tuple[OfferedModel, ...]:
    """Return the proxy's models in its order; one with several deployments is what all of them are."""
    deployments: dict[str, list[Fields]] = {}
    for entry in entries:
        if name := text_of(entry.get("model_name")):
            deployments.setdefault(name, []).append(fields_of(entry.get("model_info")))
    return tuple(_model(name, infos) for name, infos in deployments.items())


def _model(name: str, infos: list[Fields]) -> OfferedModel:
    purpose = _MODES.get(text_of(infos[0].get("mode")) or "") or purpose_of(name, {})
    can: set[Capability] = {"text"}
    can |= {capability for flag, capability in _FLAGS if all(info.get(flag) is True for info in infos)}
    windows = [count_of(info.get("max_input_tokens")) for info in infos]
    other: tuple[Capability, ...] = (purpose,) if purpose in ("embeddings", "images") else ()
    return OfferedModel(
        model=name,
        name=name,
        purpose=purpose,
        capabilities=in_order(can) if purpose == "chat" else other,
        context_window=min((window for window in windows if window), default=None),
        prices=_prices(infos),
    )


def _prices(infos: list[Fields]) -> Prices | None:
    """Return the dearest price: which deployment will answer is the proxy's choice. None if one has no price."""
    read = [number_of(info.get("input_cost_per_token")) for info in infos]
    written = [number_of(info.get("output_cost_per_token")) for info in infos]
    image = _dearest(infos, "output_cost_per_image", 1.0)
    if None in read or None in written:
        # Where a picture has a price, words may have none.
        return None if image is None else Prices(0.0, 0.0, image=image)
    return Prices(
        input=round(max(price or 0.0 for price in read) * 1e6, 6),
        output=round(max(price or 0.0 for price in written) * 1e6, 6),
        cached_input=_dearest(infos, "cache_read_input_token_cost"),
        cache_write=_dearest(infos, "cache_creation_input_token_cost"),
        image=image,
    )


def _dearest(infos: list[Fields], field: str, per: float = 1e6) -> float | None:
    """Return a price for so many tokens or pictures; None if a deployment has none, so that it counts in full."""
    prices = [number_of(info.get(field)) for info in infos]
    return None if None in prices else round(max(price or 0.0 for price in prices) * per, 6)
