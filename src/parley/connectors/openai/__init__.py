"""The OpenAI dialect: any server with `POST {base_url}/chat/completions`."""

from parley.connectors.openai.connector import OpenAIConnector

__all__ = ["OpenAIConnector"]
