"""The deny table: which numeric addresses are refused, and what a grant allows.

Written out by hand from the IANA special-purpose registries: `ipaddress.is_global` alone lets through NAT64 and 6to4
forms that lead back into a private network.
"""

from enum import IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address


class Grant(IntEnum):
    """The addresses that a request may reach; each grant includes the ones before it."""

    PUBLIC = 0
    LOOPBACK = 1
    PRIVATE = 2
    NOTHING = 3
    """Required by addresses that no grant allows."""


_V4: tuple[tuple[IPv4Network, Grant, str], ...] = tuple(
    (IPv4Network(network), needed, reason)
    for network, needed, reason in (
        ("169.254.0.0/16", Grant.NOTHING, "a link-local or metadata address"),
        ("100.100.100.200/32", Grant.NOTHING, "a cloud's metadata service"),
        ("168.63.129.16/32", Grant.NOTHING, "a cloud's metadata service"),
        ("192.0.0.0/24", Grant.NOTHING, "an address reserved for protocols"),
        ("0.0.0.0/8", Grant.NOTHING, "an unspecified address"),
        ("224.0.0.0/4", Grant.NOTHING, "a multicast address"),
        ("240.0.0.0/4", Grant.NOTHING, "a reserved address"),
        ("127.0.0.0/8", Grant.LOOPBACK, "this computer itself"),
        ("10.0.0.0/8", Grant.PRIVATE, "a private network"),
        ("172.16.0.0/12", Grant.PRIVATE, "a private network"),
        ("192.168.0.0/16", Grant.PRIVATE, "a private network"),
        ("100.64.0.0/10", Grant.PRIVATE, "a carrier's private network"),
        ("192.0.2.0/24", Grant.PRIVATE, "an address for documentation"),
        ("198.51.100.0/24", Grant.PRIVATE, "an address for documentation"),
        ("203.0.113.0/24", Grant.PRIVATE, "an address for documentation"),
        ("192.88.99.0/24", Grant.PRIVATE, "a 6to4 relay"),
        ("198.18.0.0/15", Grant.PRIVATE, "a network for benchmarks"),
    )
)

_V6: tuple[tuple[IPv6Network, Grant, str], ...] = tuple(
    (IPv6Network(network), needed, reason)
    for network, needed, reason in (
        ("::/128", Grant.NOTHING, "an unspecified address"),
        ("::1/128", Grant.LOOPBACK, "this computer itself"),
        ("fe80::/10", Grant.NOTHING, "a link-local address"),
        ("ff00::/8", Grant.NOTHING, "a multicast address"),
        ("fd00:ec2::/32", Grant.NOTHING, "a cloud's metadata service"),
        ("fd20:ce::/32", Grant.NOTHING, "a cloud's metadata service"),
        ("fd00:42::42/128", Grant.NOTHING, "a cloud's metadata service"),
        ("fc00::/7", Grant.PRIVATE, "a private network"),
        ("fec0::/10", Grant.PRIVATE, "a private network"),
        ("64:ff9b::/96", Grant.PRIVATE, "a NAT64 address"),
        ("64:ff9b:1::/48", Grant.PRIVATE, "a NAT64 address"),
        ("2002::/16", Grant.PRIVATE, "a 6to4 address"),
        ("2001::/23", Grant.PRIVATE, "a tunnel or an address reserved for protocols"),
        ("2001:db8::/32", Grant.PRIVATE, "an address for documentation"),
        ("3fff::/20", Grant.PRIVATE, "an address for documentation"),
    )
)

_GLOBAL_V6 = IPv6Network("2000::/3")
_LAST_BITS = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""NAT64: the last 32 bits are an IPv4 address. (The second one has other layouts too; they are not decoded.)"""

_ISATAP = (0x00005EFE, 0x02005EFE)
"""The interface ids under which the last 32 bits are an IPv4 address, whatever the prefix."""


def refusal(address: str, grant: Grant) -> str | None:
    """Return why the address is refused under the grant, or None if it may be reached."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return "something that is not an address"
    needed, reason = _needed_by_v4(parsed) if isinstance(parsed, IPv4Address) else _needed_by_v6(parsed)
    return None if needed <= grant else reason


def _needed_by_v4(address: IPv4Address) -> tuple[Grant, str]:
    for network, needed, reason in _V4:
        if address in network:
            return needed, reason
    return Grant.PUBLIC, ""


def _needed_by_v6(address: IPv6Address) -> tuple[Grant, str]:
    if address.ipv4_mapped is not None:
        return _needed_by_v4(address.ipv4_mapped)
    # An address that embeds others needs what the strictest of them needs.
    inner = (_needed_by_v4(embedded) for embedded in _embedded_v4(address))
    return max([_listed_v6(address), *inner], key=lambda needed: needed[0])


def _listed_v6(address: IPv6Address) -> tuple[Grant, str]:
    for network, needed, reason in _V6:
        if address in network:
            return needed, reason
    # Only 2000::/3 is given out as global unicast; the rest is unassigned or special.
    return (
        (Grant.PUBLIC, "")
        if address in _GLOBAL_V6
        else (Grant.NOTHING, "an address outside the public internet")
    )


def _embedded_v4(address: IPv6Address) -> list[IPv4Address]:
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in network for network in _LAST_BITS):
        return [last]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return list(address.teredo)
    return [last] if int(address) >> 32 & 0xFFFFFFFF in _ISATAP else []
