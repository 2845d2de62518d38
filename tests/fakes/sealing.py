"""A sealed session's key and wraps, as a page makes them."""

import base64
import secrets
from typing import Any

from parley.kernel.sealing import KEY_BYTES


def new_key() -> str:
    """Return a key as the header Parley-Seal carries it."""
    return encoded(secrets.token_bytes(KEY_BYTES))


def encoded(data: bytes) -> str:
    """Return bytes in base64url."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def a_wrap(**changes: Any) -> dict[str, Any]:
    """Return a wrap of a passphrase that looks right: the server can't look into one."""
    random = {
        name: encoded(secrets.token_bytes(size)) for name, size in (("salt", 16), ("nonce", 12), ("key", 48))
    }
    return {"kind": "passphrase", "iterations": 600_000, **random, **changes}


def a_seal() -> dict[str, Any]:
    """Return what begins a sealed session, for its body."""
    return {"seal": {"wraps": [a_wrap()]}}


def with_key(key: str) -> dict[str, Any]:
    """Return the header of a request about a sealed session, as an option of a client."""
    return {"headers": {"Parley-Seal": key}}
