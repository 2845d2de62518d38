"""Use cases of discovery: servers and keys on this computer, and tests of connections."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from parley.features.catalog.discovery.describing import described
from parley.features.catalog.discovery.findings import DiscoveredServer, Offer
from parley.features.catalog.discovery.known import keys_in_environment, known_provider
from parley.features.catalog.discovery.offers import list_offered
from parley.features.catalog.discovery.probing import USUAL_ADDRESSES, discover_servers
from parley.kernel.errors import Invalid
from parley.kernel.models import Provider
from parley.kernel.ports import Clock
from parley.wire.dialing import USUAL, Outgoing
from parley.wire.egress import origin_of


class FoundServer(DiscoveredServer, frozen=True, kw_only=True):
    """A model server that runs on this computer. `provider_id` is its configured provider, null if there is none."""

    provider_id: str | None


class FoundKey(msgspec.Struct, frozen=True, kw_only=True):
    """An environment variable that holds a provider's key. `provider_id`: see `FoundServer`."""

    variable: str
    known: str
    name: str
    base_url: str
    provider_id: str | None


class Discoveries(msgspec.Struct, frozen=True):
    """Providers and models that can be added with one click."""

    servers: list[FoundServer]
    keys: list[FoundKey]


FRESH_S = 60.0
"""Seconds for which servers are not looked for again."""


class DiscoveryService:
    """Looks for model servers and keys, and tests connections."""

    def __init__(
        self,
        environment: Callable[[], Mapping[str, str]],
        clock: Clock,
        typed: Sequence[str] | None = None,
        outgoing: Outgoing = USUAL,
    ) -> None:
        """`typed` are the addresses to look at; None means the usual ones."""
        self._outgoing = outgoing
        self._environment = environment
        self._clock = clock
        self._typed = typed
        self._looking = asyncio.Lock()
        self._servers: Sequence[DiscoveredServer] = ()
        self._looked_at: float | None = None

    async def look(self, providers: Sequence[Provider], *, anew: bool = False) -> Discoveries:
        """Return servers on this computer, found within the last minute unless `anew`, and keys in the environment.

        Takes about a second at most. Requests that arrive meanwhile wait for the same search.
        """
        by_origin = {
            origin_of(address): each.id for each in reversed(providers) if (address := _web_address(each))
        }
        servers = [
            FoundServer(
                **{
                    name: getattr(server, name)
                    for name in DiscoveredServer.__struct_fields__
                    if name != "models"
                },
                models=tuple(described(model) for model in server.models),
                provider_id=by_origin.get(origin_of(server.base_url)),
            )
            for server in await self._discover(anew=anew)
        ]
        keys: list[FoundKey] = []
        for key in keys_in_environment(self._environment()):
            known = known_provider(key.known)
            if known is None or known.base_url is None:
                continue
            provider_id = by_origin.get(origin_of(known.base_url))
            keys.append(
                FoundKey(
                    variable=key.variable,
                    known=key.known,
                    name=key.name,
                    base_url=known.base_url,
                    provider_id=provider_id,
                )
            )
        return Discoveries(servers, keys)

    async def _discover(self, *, anew: bool) -> Sequence[DiscoveredServer]:
        begun = self._clock.now()
        async with self._looking:
            oldest = begun if anew else begun - FRESH_S
            if self._looked_at is None or not oldest <= self._looked_at <= self._clock.now():
                usual = USUAL_ADDRESSES if self._typed is None else ()
                self._servers = await discover_servers(usual, self._typed or ())
                self._looked_at = self._clock.now()
            return self._servers

    async def test(self, known: str | None, base_url: str | None, key: str | None) -> Offer:
        """Test an address and a key. Raises Invalid if there is no address."""
        recognised = known_provider(known) if known else None
        address = base_url or (recognised.base_url if recognised else None)
        if address is None:
            raise Invalid("base_url", "Enter an address, as in http://127.0.0.1:8000/v1.")
        return await list_offered(recognised, address, key, now=self._clock.now(), outgoing=self._outgoing)

    def variable(self, name: str | None) -> str | None:
        """Return the value of a variable of the environment."""
        return self._environment().get(name) if name else None


def _web_address(provider: Provider) -> str | None:
    address = provider.base_url or ""
    return address if address.startswith(("http://", "https://")) else None
