"""The connector for LiteLLM's proxy, as recorded from its versions 1.105 to 1.106."""

from typing import Final

from parley.connectors.openai import OpenAIConnector
from parley.kernel.errors import Rejected
from parley.kernel.models import Provider
from parley.wire.http import HttpClient

_MEANT: Final = (
    # Without a database it knows no key but its master key, and says this of every other.
    (b'"no_db_connection"', 401),
    (b'"budget_exceeded"', 402),
    (b"Invalid model name passed in", 404),
)
"""The text of a refusal, and the status that other servers send with such a refusal."""


class LiteLLMProxyConnector(OpenAIConnector):
    """Asks LiteLLM's proxy as any server of the OpenAI dialect, and reads its refusals as they are meant."""

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        """Raises Rejected without an address: there is no usual one, and the key must not go to another."""
        if provider.base_url is None:
            raise Rejected(
                f"The provider {provider.name or provider.id} has no address.",
                "Set base_url to the proxy's address, as in http://127.0.0.1:4000/v1.",
                code="upstream_address_invalid",
            )
        super().__init__(provider, client)

    def _status_of(self, status: int, refusal: bytes) -> int:
        return next((meant for words, meant in _MEANT if words in refusal), status)
