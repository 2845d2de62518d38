"""The connectors: one wire dialect each. Built-in ones register here and are imported when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parley.plugins.hookspecs import ConnectorFactory, hookimpl

if TYPE_CHECKING:
    from parley.kernel.connector import Connector
    from parley.kernel.models import Provider
    from parley.wire.http import HttpClient


@hookimpl
def parley_connectors() -> dict[str, ConnectorFactory]:
    """Return the built-in connectors by name."""
    return {"openai": _openai, "demo": _demo}


def _openai(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.openai import OpenAIConnector

    return OpenAIConnector(provider, client)


def _demo(provider: Provider, client: HttpClient) -> Connector:
    from parley.connectors.demo import DemoConnector

    return DemoConnector(provider, client)
