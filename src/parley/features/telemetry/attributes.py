"""Attributes of spans of model calls, by OpenTelemetry's conventions for generative models."""

from collections.abc import Sequence
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from parley.engine.accounting import RequestBegun
from parley.kernel.calls import CallEnded
from parley.kernel.messages import Message, text_of
from parley.kernel.models import Provider

Attributes: TypeAlias = dict[str, str | int | float | bool]

_KNOWN = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "api.cohere.com": "cohere",
    "api.deepseek.com": "deepseek",
    "api.groq.com": "groq",
    "api.mistral.ai": "mistral_ai",
    "api.perplexity.ai": "perplexity",
    "api.x.ai": "x_ai",
    "generativelanguage.googleapis.com": "gcp.gemini",
    "openai.azure.com": "azure.ai.openai",
}
"""The conventions' names of providers, by the end of their host's name."""
_CONNECTORS = {
    "anyllm-anthropic": "anthropic",
    "anyllm-bedrock": "aws.bedrock",
    "anyllm-cohere": "cohere",
    "anyllm-gemini": "gcp.gemini",
    "anyllm-mistral": "mistral_ai",
    "anyllm-openai": "openai",
}


def attributes_of(begun: RequestBegun, provider: Provider | None) -> Attributes:
    """Return what is known of a request before it is sent."""
    call, model = begun.call, begun.model
    routes = [route.model for route in model.routes if route.provider == begun.provider_id] if model else []
    host = urlsplit(provider.base_url) if provider is not None and provider.base_url else None
    known: dict[str, str | int | float | bool | None] = {
        "gen_ai.operation.name": _operation(begun),
        "gen_ai.provider.name": _provider_name(provider, (host.hostname or "") if host else "")
        or begun.provider_id,
        "gen_ai.request.model": routes[0] if routes else call.model_id,
        "gen_ai.request.max_tokens": call.options.max_output_tokens,
        "gen_ai.request.temperature": call.options.temperature,
        "server.address": host.hostname if host else None,
        "server.port": (host.port or (443 if host.scheme == "https" else 80)) if host else None,
        "parley.call.id": begun.call_id,
        "parley.model": model.id if model else call.model_id,
        "parley.provider": begun.provider_id,
        "parley.purpose": call.purpose,
        "parley.mode": call.mode,
        "parley.turn.id": call.turn_id,
    }
    return {name: value for name, value in known.items() if value is not None}


def result_of(ended: CallEnded, model: str) -> Attributes:
    """Return what is known of a request at its end; `model` is what its provider calls the model that answered."""
    known: dict[str, str | int | float | bool | None] = {
        "gen_ai.usage.input_tokens": ended.input_tokens,
        "gen_ai.usage.output_tokens": ended.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": ended.cached_tokens or None,
        "gen_ai.usage.reasoning.output_tokens": ended.reasoning_tokens or None,
        "gen_ai.response.model": model or None,
        "gen_ai.response.time_to_first_chunk": None
        if ended.first_token_ms is None
        else ended.first_token_ms / 1000,
        "error.type": ended.code,
        "parley.outcome": ended.outcome,
        "parley.cost_usd": None if ended.cost_micros is None else ended.cost_micros / 1_000_000,
    }
    return {name: value for name, value in known.items() if value is not None}


def texts_of(messages: Sequence[Message], answer: str) -> Attributes:
    """Return the texts of a question and its answer, as JSON in the conventions' shape."""
    question = [_message(message.role, text_of(message)) for message in messages]
    return {
        "gen_ai.input.messages": _json(question),
        "gen_ai.output.messages": _json([_message("assistant", answer)]),
    }


def _message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _operation(begun: RequestBegun) -> str:
    passed = begun.call.passed
    if passed is not None and passed.endpoint != "chat/completions":
        return passed.endpoint
    return "generate_content" if begun.model is not None and begun.model.draws else "chat"


def _provider_name(provider: Provider | None, host: str) -> str | None:
    if provider is None:
        return None
    ends = (name for end, name in _KNOWN.items() if host == end or host.endswith(f".{end}"))
    return next(ends, None) or _CONNECTORS.get(provider.connector)
