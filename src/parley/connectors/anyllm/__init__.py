"""Providers through any-llm-sdk, each in the dialect of its own library."""

from parley.connectors.anyllm.bedrock import BedrockConnector
from parley.connectors.anyllm.connector import AnyLLMConnector
from parley.connectors.anyllm.known_providers import SPOKEN
from parley.kernel.connector import Connector
from parley.kernel.models import Provider
from parley.wire.http import HttpClient

__all__ = ["SPOKEN", "make_connector"]


def make_connector(name: str, provider: Provider, client: HttpClient) -> Connector:
    """Return the connector to a provider, by the name that any-llm-sdk gives it."""
    kind = BedrockConnector if name == "bedrock" else AnyLLMConnector
    return kind(provider, client, SPOKEN[name])
