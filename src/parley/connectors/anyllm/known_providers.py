"""The providers that are reached through any-llm-sdk, and how each of their libraries takes our HTTP client."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from parley.wire.sdk_clients import Library

Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Spoken:
    """A provider of any-llm-sdk.

    `extra` is the one of Parley's package that installs its library, `compatible` the end of the address of its
    OpenAI-compatible API, which its own library does not use. `takes` returns how its library takes an address and a
    client of `library`; None if it takes no client.
    """

    name: str
    title: str
    extra: str
    base_url: str
    library: Library = "httpx"
    takes: Callable[[str, Any], Fields] | None = None
    compatible: str = ""
    counts: bool = False
    """True if it must be asked for the usage."""

    def address(self, base_url: str | None) -> str:
        """Return the address for its library, from one that may be for the OpenAI-compatible API."""
        return (base_url or self.base_url).rstrip("/").removesuffix(self.compatible)


def _openai(base_url: str, client: Any) -> Fields:
    return {"api_base": base_url, "http_client": client, "max_retries": 0}


def _gemini(base_url: str, client: Any) -> Fields:
    # Preview models are served in v1beta alone.
    options = {"base_url": base_url, "api_version": "v1beta", "httpx_async_client": client}
    return {"http_options": options, "max_retries": 0, "vertexai": False}


def _mistral(base_url: str, client: Any) -> Fields:
    # Its library asks again only if it is asked to.
    return {"api_base": base_url, "async_client": client}


def _cohere(base_url: str, client: Any) -> Fields:
    return {"base_url": base_url, "httpx_client": client, "max_retries": 0}


SPOKEN: Final = {
    spoken.name: spoken
    for spoken in (
        Spoken("openai", "OpenAI", "anyllm", "https://api.openai.com/v1", "httpx2", _openai, counts=True),
        Spoken(
            *("anthropic", "Anthropic", "anyllm", "https://api.anthropic.com", "httpx", _openai),
            compatible="/v1",
        ),
        Spoken(
            *("gemini", "Google Gemini", "gemini", "https://generativelanguage.googleapis.com"),
            *("httpx2", _gemini),
            compatible="/v1beta/openai",
        ),
        Spoken(
            *("mistral", "Mistral", "mistral", "https://api.mistral.ai", "httpx2", _mistral),
            compatible="/v1",
        ),
        Spoken(
            *("cohere", "Cohere", "cohere", "https://api.cohere.com", "httpx", _cohere),
            compatible="/compatibility/v1",
        ),
        Spoken(
            *("bedrock", "Amazon Bedrock", "bedrock"),
            "https://bedrock-runtime.us-east-1.amazonaws.com",
        ),
    )
}
"""By the name that any-llm-sdk gives them."""
