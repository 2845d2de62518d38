"""Idempotency keys: a request that is repeated with one is carried out once."""

from typing import NamedTuple


class IdempotencyKey(NamedTuple):
    """A client's key and the digest of the request (route and body) that came with it."""

    value: str
    request_sha256: str
