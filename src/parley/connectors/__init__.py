"""The connectors: one wire dialect each. Built-in ones register here and are imported when first used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from parley.plugins.hookspecs import ConnectorFactory, hookimpl

ANY_LLM = ("openai", "anthropic", "gemini", "mistral", "cohere", "bedrock")
"""The providers that are reached through any-llm-sdk."""

if TYPE_CHECKING:
    from parley.kernel.connector import Connector
    from parley.kernel.models import Provider
    from parley.wire.http import HttpClient


@hookimpl
def parley_connectors() -> dict[str, ConnectorFactory]:
    """Return the built-in connectors by name."""
    return {
        "openai": _openai,
        "litellm-proxy": _litellm_proxy,
        "demo": _demo,
        "a1111": _a1111,
        "comfyui": _comfyui,
        "llm": _llm,
        **{f"anyllm-{name}": partial(_anyllm, name) for name in ANY_LLM},
    }


def _openai(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.openai import OpenAIConnector

    return OpenAIConnector(provider, client)


def _litellm_proxy(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.litellm_proxy import LiteLLMProxyConnector

    return LiteLLMProxyConnector(provider, client)


def _a1111(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.a1111 import A1111Connector

    return A1111Connector(provider, client)


def _comfyui(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.comfyui import ComfyUIConnector

    return ComfyUIConnector(provider, client)


def _anyllm(name: str, provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.anyllm import make_connector

    return make_connector(name, provider, client)


def _llm(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.llm_plugins import LlmConnector

    return LlmConnector(provider, client)


def _demo(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.demo import DemoConnector

    return DemoConnector(provider, client)
