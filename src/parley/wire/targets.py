"""A request as it is sent: to a URL that passed the egress policy."""

from collections.abc import Mapping
from typing import NamedTuple

from parley import __version__
from parley.wire.dialing import Origin
from parley.wire.failures import unusable


class Target(NamedTuple):
    """A URL that passed the egress policy: where to connect, and what the request says of it."""

    origin: Origin
    host: str
    path: str
    headers: str = ""


def encode_request(method: str, target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a request as it is sent. Raises Rejected: a header with a line break."""
    lines = [
        f"{method} {target.path} HTTP/1.1",
        f"Host: {target.host}",
        f"User-Agent: Parley/{__version__}",
        "Accept-Encoding: identity",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if method != "GET":
        lines.append(f"Content-Length: {len(body)}")
    head = "\r\n".join(lines)
    if head.count("\r") != len(lines) - 1 or head.count("\n") != len(lines) - 1 or "\0" in head:
        raise unusable()
    try:
        return f"{head}\r\n{target.headers}\r\n".encode("latin-1") + body
    except UnicodeEncodeError:
        raise unusable() from None
