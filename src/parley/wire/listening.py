"""The addresses at which Parley listens and people open it, checked."""

import ipaddress
from urllib.parse import urlsplit


def checked_host(host: str, *, is_shared: bool, url: str | None) -> str:
    """Return the address to listen on. Raises ValueError for one that others reach, without sign-in or `url`."""
    if is_loopback(host):
        return host
    if not is_shared:
        raise ValueError(
            f"{host} is not a loopback address. In personal mode everyone who reaches Parley is its owner, so it "
            "listens on this computer only. Use 127.0.0.1, and from elsewhere an SSH tunnel (ssh -L "
            "8400:127.0.0.1:8400 this-computer). To let people sign in, see parley share."
        )
    if url is None:
        raise ValueError(
            f"{host} is not a loopback address. Say under which address people open Parley: set public_url, for "
            "example https://parley.example.org"
        )
    return host


def checked_origin(url: str) -> str:
    """Return an address of scheme, host and port, in lower case. Raises ValueError."""
    parts = urlsplit(url.rstrip("/"))
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        raise ValueError("must be scheme, host and port only, as in https://parley.example.org")
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_loopback(host: str) -> bool:
    """Return whether only this computer reaches an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_bare_origin(origin: str) -> None:
    """Raise ValueError unless a text is an origin and nothing else: scheme, host and port."""
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}":
        raise ValueError("must be origins: scheme, host and port only, as in https://example.org")
