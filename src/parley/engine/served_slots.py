"""The slots that servers say they have: a server with one slot is asked one question at a time, unlimited or not."""

import asyncio
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from parley.engine.demand import Pool, provider_pool
from parley.kernel.connector import Connector, StatesSlots
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Provider
from parley.kernel.ports import Catalog

WITHIN_S = 1.0
"""Seconds that a server has to say how many slots it has."""

KNOWN_S = 300.0
"""Seconds after which a server is asked again: it may have been started anew."""

SILENT_S = 60.0
"""Seconds after which a server is asked again that did not answer in time."""

FAILED_S = 5.0
"""Seconds after which a server is asked again that could not be reached."""


class _Answer(NamedTuple):
    slots: int | None
    until: float


class ServedSlots:
    """Knows the pool of each provider: its `max_concurrency`, else what its server says, else none.

    Providers at one address share their server's slots.
    """

    def __init__(self, catalog: Catalog, connect: Callable[[Provider], Connector], *, asks: bool) -> None:
        """Unless it `asks`, only `max_concurrency` counts."""
        self._catalog = catalog
        self._connect = connect
        self._asks = asks
        self._answers: dict[str, _Answer] = {}
        self._asking = asyncio.Lock()

    def pool(self, provider: Provider) -> Pool | None:
        """Return the pool of a provider; None if nothing limits it."""
        if provider.max_concurrency:
            return provider_pool(provider)
        answer = self._answers.get(provider.base_url or "")
        return Pool(f"server:{_origin(provider)}", answer.slots) if answer and answer.slots else None

    async def learn(self) -> None:
        """Ask the servers of all models for what is not known; takes a second at most.

        All of them whoever is about to play: what a turn waits for must not depend on its models.
        """
        if not self._asks or not self._unknown():
            return
        async with self._asking:
            # Of one server at several addresses each is asked; that costs nothing.
            await asyncio.gather(*(self._ask(provider) for provider in self._unknown()))

    def _unknown(self) -> list[Provider]:
        now = asyncio.get_running_loop().time()
        providers: dict[str, Provider] = {}
        for provider in self._providers():
            address = provider.base_url
            if address and not provider.max_concurrency and address not in providers:
                answer = self._answers.get(address)
                if answer is None or answer.until <= now:
                    providers[address] = provider
        return list(providers.values())

    def _providers(self) -> Iterable[Provider]:
        for provider_id in {route.provider for model in self._catalog.models() for route in model.routes}:
            try:
                yield self._catalog.provider(provider_id)
            except NotFound:
                continue

    async def _ask(self, provider: Provider) -> None:
        before, clock = self._answers.get(provider.base_url or ""), asyncio.get_running_loop().time
        slots, until = before.slots if before else None, KNOWN_S
        try:
            connector = self._connect(provider)
            if isinstance(connector, StatesSlots):
                async with asyncio.timeout(WITHIN_S):
                    slots = await connector.slots()
        except TimeoutError:
            until = SILENT_S
        except ParleyError:
            until = FAILED_S
        self._answers[provider.base_url or ""] = _Answer(slots, clock() + until)


def _origin(provider: Provider) -> str:
    parts = urlsplit(provider.base_url or "")
    return f"{parts.scheme}://{parts.netloc}"
