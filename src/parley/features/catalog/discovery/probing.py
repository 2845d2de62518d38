"""Looking for model servers on this computer, and at addresses that a person typed."""

import asyncio
import logging
from collections.abc import Iterable
from typing import NamedTuple

from parley.features.catalog.addresses import mended_address
from parley.features.catalog.discovery.answers import LOCAL_BYTES
from parley.features.catalog.discovery.findings import DiscoveredServer
from parley.features.catalog.discovery.place import ServerAddress
from parley.features.catalog.discovery.servers import RECOGNISERS
from parley.kernel.errors import Rejected
from parley.wire.egress import origin_of
from parley.wire.http import HttpClient, WireOptions

log = logging.getLogger(__name__)

WITHIN_S = 1.0
"""The most seconds that discovery takes, however many servers there are."""

TYPED_WITHIN_S = 3.0
"""The same for addresses that were typed: every kind is looked for there, and a gateway in Python answers slowly."""

MAX_ADDRESSES = 32


class LocalAddress(NamedTuple):
    """Addresses to look at, and the kinds of servers to look for, in this order."""

    origin: str
    kinds: tuple[str, ...]


USUAL_ADDRESSES = (
    LocalAddress("http://127.0.0.1:11434", ("ollama",)),
    LocalAddress("http://127.0.0.1:1234", ("lmstudio",)),
    LocalAddress("http://127.0.0.1:8000", ("vllm", "custom")),
    LocalAddress("http://127.0.0.1:8080", ("localai", "llamacpp", "custom")),
    LocalAddress("http://127.0.0.1:1337", ("jan",)),
    LocalAddress("http://127.0.0.1:4000", ("litellm",)),
    LocalAddress("http://127.0.0.1:7860", ("a1111",)),
    LocalAddress("http://127.0.0.1:8188", ("comfyui",)),
)
"""The ports that the servers have if nobody chose others."""


async def discover_servers(
    addresses: Iterable[LocalAddress] = USUAL_ADDRESSES,
    typed: Iterable[str] = (),
    *,
    within_s: float | None = None,
) -> tuple[DiscoveredServer, ...]:
    """Return the model servers that answer, in the order of the addresses. Never raises.

    `typed` are addresses of the administrator, with or without a scheme or a path; they may lead into a private
    network, and every kind of server is looked for there. All other addresses must be on loopback.
    """
    typed = tuple(typed)
    within_s = within_s or (TYPED_WITHIN_S if typed else WITHIN_S)
    own = [LocalAddress(origin, tuple(RECOGNISERS)) for text in typed if (origin := _typed_origin(text))]
    wanted = list(dict.fromkeys([*addresses, *own]))[:MAX_ADDRESSES]
    options = WireOptions(
        connect_s=within_s,
        idle_s=within_s,
        max_body_bytes=LOCAL_BYTES,
        max_stream_bytes=2 * LOCAL_BYTES,
        allow_loopback=True,
        allowed_origins=frozenset(address.origin for address in own),
    )
    client = HttpClient(options)
    ends = asyncio.get_running_loop().time() + within_s
    looks = [
        asyncio.create_task(_look(ServerAddress(client, address.origin, ends), address.kinds))
        for address in wanted
    ]
    try:
        if looks:
            await asyncio.wait(looks, timeout=within_s)
    finally:
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)
        await client.close()
    servers = (look.result() for look in looks if not look.cancelled())
    by_address = {server.base_url: server for server in servers if server is not None}
    return tuple(by_address.values())


async def _look(place: ServerAddress, kinds: tuple[str, ...]) -> DiscoveredServer | None:
    """Return the server at a place, if it is one of these kinds."""
    try:
        for kind in kinds:
            server = await RECOGNISERS[kind](place)
            if server is not None:
                return server
    except Exception:
        # Whatever listens there must not take the others from the page.
        log.exception("Could not read what %s answered.", place.origin)
    return None


def _typed_origin(text: str) -> str | None:
    """Return the origin of an address as people write one; None if it is no address."""
    try:
        return origin_of(mended_address(text))
    except (ValueError, Rejected):
        return None
