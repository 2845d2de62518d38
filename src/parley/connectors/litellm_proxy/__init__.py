"""LiteLLM's proxy: the OpenAI dialect, with refusals of its own."""

from parley.connectors.litellm_proxy.connector import LiteLLMProxyConnector

__all__ = ["LiteLLMProxyConnector"]
