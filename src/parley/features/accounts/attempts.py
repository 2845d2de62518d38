"""Limits on attempts to sign in: per account and network, so that a school behind one address is not locked out."""

import ipaddress
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from parley.kernel.errors import TooMany

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.strategies import MovingWindowRateLimiter

PER_ACCOUNT_AND_NETWORK = "10/15minutes"
PER_ACCOUNT = "60/hour"
PER_KNOWN_BROWSER = "10/15minutes"
"""A browser that has signed in to the account; what others try does not lock it out."""
PER_NETWORK = "1500/hour"
"""On any account: a school signs in from behind one address."""
NEWCOMERS_PER_NETWORK = "1000/hour"
"""Guests, and accounts that people make for themselves."""


class Attempts:
    """Counts failed attempts and refuses more than a person would need."""

    def __init__(self) -> None:
        self._limiter: MovingWindowRateLimiter | None = None

    async def count(self, email: str, network: str, *, is_known: bool) -> None:
        """Count an attempt before it is made, so that many at once are no more than one after the other.

        Raises TooMany if an account, or a network, has had too many; `is_known`: the browser has signed in before.
        """
        for limit, key in _counted(email, network, is_known=is_known):
            if not await self._limits().hit(limit, *key):
                raise await self._refusal(limit, key)

    async def succeeded(self, email: str, network: str) -> None:
        """Forget the attempts of a person who has signed in from a network."""
        for limit, key in _counted(email, network, is_known=False)[:1] + _counted(
            email, network, is_known=True
        ):
            await self._limits().clear(limit, *key)

    async def newcomer(self, network: str) -> None:
        """Count who comes without an invitation. Raises TooMany."""
        limit, key = _limit(NEWCOMERS_PER_NETWORK), ("newcomer", network)
        if not await self._limits().hit(limit, *key):
            raise await self._refusal(limit, key)

    async def _refusal(self, limit: "RateLimitItem", key: tuple[str, ...]) -> TooMany:
        window = await self._limits().get_window_stats(limit, *key)
        seconds = max(1, round(window.reset_time - time.time()))
        minutes = max(1, round(seconds / 60))
        return TooMany(
            "There were too many attempts to sign in.",
            f"Nothing was changed. Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}, or ask an "
            "administrator for a link to set a new password.",
            code="too_many_attempts",
            retry_after_s=seconds,
        )

    def _limits(self) -> "MovingWindowRateLimiter":
        if self._limiter is None:
            from limits.aio.storage import MemoryStorage
            from limits.aio.strategies import MovingWindowRateLimiter

            storage = MemoryStorage()
            # A count that is cleared while the library looks for old ones would end that look with an error.
            storage.events = defaultdict(list)
            self._limiter = MovingWindowRateLimiter(storage)
        return self._limiter


def network_of(address: str) -> str:
    """Return the network of an address: 256 neighbours of IPv4, a site of IPv6."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    prefix = 24 if known.version == 4 else 56
    return str(ipaddress.ip_network(f"{known}/{prefix}", strict=False))


def _counted(email: str, network: str, *, is_known: bool) -> list[tuple["RateLimitItem", tuple[str, ...]]]:
    if is_known:
        return [(_limit(PER_KNOWN_BROWSER), ("known", email))]
    return [
        (_limit(PER_ACCOUNT_AND_NETWORK), ("account", email, network)),
        (_limit(PER_ACCOUNT), ("account", email)),
        (_limit(PER_NETWORK), ("network", network)),
    ]


def _limit(text: str) -> "RateLimitItem":
    from limits import parse

    return parse(text)
