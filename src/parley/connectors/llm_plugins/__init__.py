"""The models of the library `llm` and of its installed plugins."""

from parley.connectors.llm_plugins.connector import LlmConnector

__all__ = ["LlmConnector"]
