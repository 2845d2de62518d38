"""The egress policy: every address is checked against the deny table before anything connects to it.

A name is resolved once, every address it has is checked, and only checked addresses are connected to, so a name that
resolves differently after the check gains nothing.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address
from typing import NamedTuple, TypeAlias

from yarl import URL

from parley.kernel.errors import Rejected
from parley.wire.deny_table import Grant, refusal

Lookup: TypeAlias = Callable[[str, int], Awaitable[Sequence[tuple[int, str]]]]
"""Resolves (host, port) to (address family, numeric address). Raises OSError."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")
_NUMBER_LAST = re.compile(r"(^|\.)([0-9]+|0[xX][0-9A-Fa-f]*)\.?$")


def origin_of(url: str | URL) -> str:
    """Return "scheme://host:port" in canonical form, the port always written out.

    Raises Rejected: not an http(s) address with a host.
    """
    try:
        parsed = URL(url) if isinstance(url, str) else url
        # Undecoded, as it is sent: what decodes to the same text need not be the same host.
        host, port = parsed.raw_host, parsed.port
    except (ValueError, LookupError) as error:
        raise _bad_address("It is not a web address.") from error
    if parsed.scheme not in ("http", "https") or not host or port is None:
        raise _bad_address("It must start with http:// or https:// and name a host.")
    host = host.rstrip(".").lower()
    return f"{parsed.scheme}://[{host}]:{port}" if ":" in host else f"{parsed.scheme}://{host}:{port}"


class EgressPolicy:
    """Decides which addresses may be reached.

    `allowed_origins` are the administrator's own entries, exact in scheme, host and port: these may have private
    addresses. `allow_loopback` allows loopback for every request.
    """

    def __init__(self, *, allow_loopback: bool = False, allowed_origins: Iterable[str] = ()) -> None:
        self._usual = Grant.LOOPBACK if allow_loopback else Grant.PUBLIC
        self.allow(allowed_origins)

    def allow(self, origins: Iterable[str]) -> None:
        """Replace the allowed origins. Raises Rejected for one that is not a web address; then nothing changes."""
        self._origins = frozenset(origin_of(origin) for origin in origins)

    def grant_for(self, url: URL) -> Grant:
        """Return what a request to this URL may reach.

        Raises Rejected: not an http(s) address, credentials in it, a host that is neither a plain name nor
        an address in its usual form, or a literal that is denied.
        """
        origin = origin_of(url)
        if url.user is not None or url.password is not None:
            raise _bad_address("It contains a user name or password. Put the key in its own field.")
        grant = Grant.PRIVATE if origin in self._origins else self._usual
        host = url.raw_host or ""
        if _is_literal(host):
            check_address(host, grant)
        elif not _NAME.fullmatch(host):
            raise _bad_address("Its host name is not valid.")
        return grant


def check_url(url: str) -> None:
    """Raise Rejected for an address that can't be reached even if the administrator allows it."""
    EgressPolicy(allowed_origins=(url,)).grant_for(URL(url))


class Address(NamedTuple):
    """A numeric address that passed the check."""

    family: int
    host: str


async def checked_addresses(
    host: str, port: int, grant: Grant, lookup: Lookup | None = None
) -> list[Address]:
    """Return a host's addresses, of either family; a literal is its own.

    Raises OSError; Rejected if any of them is denied.
    """
    if _is_literal(host):
        addresses: Sequence[tuple[int, str]] = [(socket.AF_INET6 if ":" in host else socket.AF_INET, host)]
    else:
        addresses = await (lookup or _system_lookup)(host, port)
    for _, address in addresses:
        check_address(address, grant)
    if not addresses:
        raise OSError(f"{host} has no address")
    return [Address(family, address) for family, address in addresses]


def check_address(address: str, grant: Grant) -> None:
    """Raise Rejected if a numeric address may not be reached under the grant."""
    if reason := refusal(address, grant):
        raise Rejected(
            "Parley is not allowed to reach this address.",
            f"It leads to {reason}. The administrator can allow its exact origin in the configuration.",
            code="upstream_address_denied",
        )


def _is_literal(host: str) -> bool:
    """Return whether a host is an address, not a name. Raises Rejected for 127.1, 0x7f.1, 2130706433 and the like.

    Resolvers, clients and operating systems disagree on what those mean, so none of them gets to decide.
    """
    if ":" not in host and not _NUMBER_LAST.search(host):
        return False
    try:
        ip_address(host)
    except ValueError:
        raise _bad_address("Its host is neither a name nor an address in the usual form.") from None
    if "%" in host:
        raise _bad_address("Its host has an IPv6 zone, which Parley does not support.")
    return True


async def _system_lookup(host: str, port: int) -> list[tuple[int, str]]:
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [(int(family), str(address[0])) for family, _, _, _, address in infos]
    return list(dict.fromkeys(addresses))


def _bad_address(detail: str) -> Rejected:
    return Rejected("The provider's address cannot be used.", detail, code="upstream_address_invalid")
