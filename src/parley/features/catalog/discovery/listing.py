"""Reading lists of models: the OpenAI dialect's, with what each provider adds to it."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from parley.features.catalog.discovery.answers import (
    Fields,
    count_of,
    fields_of,
    number_of,
    text_of,
    texts_of,
)
from parley.features.catalog.discovery.findings import OfferedModel, Purpose
from parley.features.catalog.discovery.known import KnownProvider
from parley.features.catalog.discovery.purposes import purpose_of
from parley.features.catalog.known_models.effort import takes_effort
from parley.kernel.models import Capability, Prices

ORDER: tuple[Capability, ...] = (
    "text",
    "vision",
    "files",
    "json",
    "tools",
    "reasoning",
    "images",
    "embeddings",
)

_CONTEXT_FIELDS = (
    "max_model_len",  # vLLM
    "context_length",  # OpenRouter, Together AI, Fireworks AI, Cohere
    "context_window",  # Groq
    "loaded_context_length",  # LM Studio
    "max_context_length",  # Mistral, LM Studio
    "max_input_tokens",  # Anthropic
)
_PREFIXES = ("models/", "accounts/fireworks/models/")
_PARAMETERS: dict[str, Capability] = {
    "tools": "tools",
    "tool_use": "tools",
    "function_calling": "tools",
    "structured_outputs": "json",
    "json_schema": "json",
    "json_mode": "json",
    "vision": "vision",
    "reasoning": "reasoning",
    "reasoning_effort": "reasoning",
}


def read_models(
    entries: Iterable[Fields], known: KnownProvider | None = None, assumed: Sequence[Capability] = ("text",)
) -> tuple[OfferedModel, ...]:
    """Return the models of a list, each once and in its order; an entry without a usable name is left out.

    `assumed` is what a chat model can do if the list says nothing and the provider is not known.
    """
    models: dict[str, OfferedModel] = {}
    for entry in entries:
        model = read_model(entry, known, assumed)
        if model is not None:
            models.setdefault(model.model, model)
    return tuple(models.values())


def read_model(
    entry: Fields, known: KnownProvider | None = None, assumed: Sequence[Capability] = ("text",)
) -> OfferedModel | None:
    """Return one entry of a list as a model; None if it has no usable name."""
    model = text_of(entry.get("id")) or text_of(entry.get("name"))
    if model is None:
        return None
    if known is not None and known.id == "gemini":
        model = model.removeprefix("models/")
    purpose = purpose_of(model, entry)
    defaults: list[Capability] = [*(_defaults(model, known) if known is not None else assumed)]
    if takes_effort(model):
        defaults.append("reasoning")
    return OfferedModel(
        model=model,
        name=_name_of(model, entry),
        purpose=purpose,
        capabilities=capabilities_of(entry, defaults) if purpose == "chat" else _of_purpose(purpose),
        context_window=_context_of(entry),
        prices=_prices_of(entry),
        organization=text_of(entry.get("organization")),
        created=_created(entry),
    )


def capabilities_of(entry: Fields, defaults: Sequence[Capability]) -> tuple[Capability, ...]:
    """Return what a chat model can do, from its entry; from `defaults` what the entry says nothing of."""
    capabilities: set[Capability] = {"text"}
    denied: set[Capability] = set()
    words = texts_of(entry.get("supported_parameters")) | texts_of(entry.get("features"))
    words |= texts_of(entry.get("capabilities"))
    capabilities |= {_PARAMETERS[word] for word in words if word in _PARAMETERS}
    inputs = texts_of(fields_of(entry.get("architecture")).get("input_modalities"))
    if words or inputs:
        # Whoever lists what a model takes lists all of it.
        denied |= {"tools", "json", "reasoning"} if words else set()
        denied |= {"vision", "files"} if inputs else set()
    capabilities |= {"vision"} if "image" in inputs else set()
    capabilities |= {"files"} if "file" in inputs else set()
    for capability, stated in _said_capabilities(entry):
        (capabilities if stated else denied).add(capability)
    allowed = capabilities | (set(defaults) - denied)
    return tuple(capability for capability in ORDER if capability in allowed)


def _said_capabilities(entry: Fields) -> Iterable[tuple[Capability, bool]]:
    """Yield what Mistral, Anthropic and Fireworks AI say of a model in so many words."""
    capabilities = fields_of(entry.get("capabilities"))
    flags: tuple[tuple[Capability, object], ...] = (
        ("tools", capabilities.get("function_calling")),
        ("vision", capabilities.get("vision")),
        ("vision", fields_of(capabilities.get("image_input")).get("supported")),
        ("tools", entry.get("supports_tools")),
        ("vision", entry.get("supports_image_input")),
    )
    for capability, flag in flags:
        if isinstance(flag, bool):
            yield capability, flag


def _defaults(model: str, known: KnownProvider) -> Sequence[Capability]:
    low = model.lower()
    blind = any(fnmatchcase(low, pattern) for pattern in known.without_vision)
    return [capability for capability in known.capabilities if not (blind and capability == "vision")]


def _of_purpose(purpose: Purpose) -> tuple[Capability, ...]:
    return ("embeddings",) if purpose == "embeddings" else ("images",) if purpose == "images" else ()


def _context_of(entry: Fields) -> int | None:
    """Return the context window that is served, where a server also tells how the model was trained."""
    served = count_of(fields_of(entry.get("meta")).get("n_ctx"))  # llama.cpp
    return served or next((count for name in _CONTEXT_FIELDS if (count := count_of(entry.get(name)))), None)


def _name_of(model: str, entry: Fields) -> str:
    """Return the name for people: the one that the server gives, else its own without folders and file ending."""
    name = text_of(entry.get("display_name")) or text_of(entry.get("name"))
    if name is not None and name != model:
        return name.removeprefix("models/")
    for prefix in _PREFIXES:
        model = model.removeprefix(prefix) or model
    if model.lower().endswith(".gguf"):
        model = re.split(r"[/\\]", model)[-1][: -len(".gguf")]
    return model


def _created(entry: Fields) -> float | None:
    """Return when a model came out: `created` in seconds, or Anthropic's `created_at` as a date."""
    try:
        written = datetime.fromisoformat(text_of(entry.get("created_at")) or "")
    except ValueError:
        return number_of(entry.get("created"))
    return written.replace(tzinfo=written.tzinfo or UTC).timestamp()


def _per_million(per_token: object) -> float | None:
    price = number_of(per_token)
    return None if price is None else round(price * 1e6, 6)


def _prices_of(entry: Fields) -> Prices | None:
    """Return the prices that OpenRouter (dollars per token) and Together AI (per million) list."""
    pricing = fields_of(entry.get("pricing"))
    per_token = number_of(pricing.get("prompt")), number_of(pricing.get("completion"))
    if per_token[0] is not None and per_token[1] is not None:
        return Prices(
            input=round(per_token[0] * 1e6, 6),
            output=round(per_token[1] * 1e6, 6),
            cached_input=_per_million(pricing.get("input_cache_read")),
            cache_write=_per_million(pricing.get("input_cache_write")),
        )
    per_million = number_of(pricing.get("input")), number_of(pricing.get("output"))
    if per_million[0] is not None and per_million[1] is not None and any(per_million):
        return Prices(input=per_million[0], output=per_million[1])
    return None
