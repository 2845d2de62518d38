"""Callers over HTTP: the one place that makes them, for FastAPI's way and for the lane."""

import ipaddress
from functools import lru_cache

from starlette.requests import Request

from parley.api.guard import is_from_page
from parley.kernel.caller import Caller
from parley.wiring import House


def caller_of(request: Request, house: House) -> Caller:
    """Return who asks: in personal mode whoever asks from this computer is the owner, anybody else a stranger."""
    way = "page" if is_from_page(request.headers) else "program"
    return house.accounts.owner(way) if is_owner(request) else house.accounts.stranger(way)


def is_owner(request: Request) -> bool:
    """Personal mode: whoever asks from this computer is the owner."""
    return request.client is not None and _is_loopback(request.client.host)


@lru_cache(1024)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
