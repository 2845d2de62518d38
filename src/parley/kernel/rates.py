"""The ports of rates: how many questions a caller may ask in a minute, and what is left of all that limits them."""

from abc import ABC, abstractmethod

import msgspec

from parley.kernel.caller import Caller


class RequestRates(ABC):
    """Counts the requests that ask models."""

    @abstractmethod
    async def count(self, caller: Caller) -> None:
        """Count a request. Raises TooMany, which says when to try again; the request is then not counted."""


class Quota(msgspec.Struct, frozen=True):
    """A limit, what is left of it, and the seconds until some of it, or all of an allowance, is free again."""

    limit: int
    left: int
    resets_in_s: float


class Quotas(msgspec.Struct, frozen=True):
    """Of a caller's limits in requests, tokens and money (micro-dollars), those with the least left; None without."""

    requests: Quota | None = None
    tokens: Quota | None = None
    money: Quota | None = None


class CallerQuotas(ABC):
    """Knows what is left for a caller."""

    @abstractmethod
    async def of(self, caller: Caller) -> Quotas:
        """Return what is left, in figures that tell nothing about a blind match."""
