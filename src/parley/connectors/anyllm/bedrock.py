"""Amazon Bedrock through any-llm-sdk: its library blocks, and connects by itself."""

import re
from base64 import b64decode
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module
from typing import Any
from urllib.parse import quote

from parley.connectors.anyllm.connector import AnyLLMStream
from parley.connectors.anyllm.known_providers import Fields, Spoken
from parley.connectors.threads import Threads
from parley.kernel.models import Provider
from parley.wire.http import HttpClient
from parley.wire.proxies import Proxy

AT_MOST = 32
"""The answers that are read at the same time; more wait."""

READ_S = 60.0
"""Seconds that its library waits for the next piece: as long may a thread outlive an answer that nobody reads."""

_REGION = re.compile(r"//bedrock-runtime[.-](?:fips\.)?([a-z]{2}(?:-[a-z]+)+-\d)\.")


class BedrockConnector(AnyLLMStream):
    """Streams from Bedrock's Converse API with a Bedrock API key. It lists no models: another server does that.

    Its library takes no client of ours. So the address is checked before every request, and the library is given the
    proxy; what the check cannot see is a name that changes its addresses in between.
    """

    def __init__(self, provider: Provider, client: HttpClient, spoken: Spoken) -> None:
        super().__init__(provider, client, spoken)
        self._threads = Threads(AT_MOST, "bedrock")

    async def close(self) -> None:
        """Close its connections, as far as no answer comes through them."""
        if self._opened is not None:
            self._opened.client.close()

    def _taken(self) -> Fields:
        config: Any = import_module("botocore.config")
        options = self._client.options
        proxy = self._proxy
        return {
            "api_base": self._address,
            "region_name": region[1] if (region := _REGION.search(self._address)) else "us-east-1",
            # Or else it would look for credentials in the environment, in files and at other servers.
            **dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none"),
            "config": config.Config(
                # An empty table, or else it would take the proxies of the environment.
                proxies={"http": proxy, "https": proxy} if proxy else {},
                retries={"total_max_attempts": 1},
                connect_timeout=options.connect_s,
                read_timeout=options.idle_s or READ_S,
                max_pool_connections=AT_MOST,
            ),
        }

    async def _sdk(self) -> Any:
        self._proxy = _address_of(await self._client.check(self._address))
        return await super()._sdk()

    async def _answer(self, sdk: Any, question: Fields) -> AsyncGenerator[Any]:
        make: Any = import_module("any_llm.types.completion").CompletionParams
        params = make(model_id=question.pop("model"), **question)
        # Its public method would start another event loop in another thread, and block that.
        async with aclosing(self._threads.each(lambda: sdk._completion(params))) as chunks:  # noqa: SLF001
            async for chunk in chunks:
                yield chunk


def _address_of(proxy: Proxy | None) -> str | None:
    """Return a proxy's address with its user and password, as the library wants it."""
    if proxy is None:
        return None
    user, _, password = b64decode((proxy.credentials or "Basic ").partition(" ")[2]).decode().partition(":")
    return f"http://{quote(user, safe='')}:{quote(password, safe='')}@{proxy}" if user else f"http://{proxy}"
