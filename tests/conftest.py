"""For all tests: real requests are forbidden. Whoever needs a server starts one on loopback."""

import sys
from ipaddress import ip_address, ip_network

NOBODY = tuple(
    ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
)
"""Documentation networks (RFC 5737, RFC 3849): nobody is there, so tests may try to reach them."""


class RealRequest(RuntimeError):
    """A test tried to reach another computer."""


def _refuse_real_requests(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0]).partition("%")[0]
        if not _allowed(host):
            raise RealRequest(f"A test tried to reach {host}. Tests use loopback only.")


def _allowed(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or any(address in net for net in NOBODY if net.version == address.version)


sys.addaudithook(_refuse_real_requests)
