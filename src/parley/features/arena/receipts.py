"""Receipts: a request sent twice with the same idempotency key is carried out once."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import msgspec

from parley.features.arena.repository import ArenaRepository
from parley.kernel.errors import Invalid
from parley.kernel.idempotency import IdempotencyKey
from parley.storage.database import Transaction

T = TypeVar("T", bound=msgspec.Struct)


def once(
    transaction: Transaction,
    owner_id: str,
    key: IdempotencyKey | None,
    now: datetime,
    kind: type[T],
    make: Callable[[], T],
) -> tuple[T, bool]:
    """Return what `make` returned for this key, and whether it was called just now.

    Raises Invalid if the key was used for another request.
    """
    if key is None:
        return make(), True
    repository = ArenaRepository(transaction)
    if repository.take_receipt(owner_id, key.value, key.request_sha256, now):
        result = make()
        repository.fill_receipt(owner_id, key.value, msgspec.to_builtins(result))
        return result, True
    earlier = repository.receipt(owner_id, key.value)
    if earlier.request_sha256 != key.request_sha256:
        raise Invalid(
            "Idempotency-Key",
            "This idempotency key was already used for another request.",
            "Use a new key for a new request.",
            code="idempotency_key_reused",
        )
    return msgspec.convert(earlier.result, kind), False
