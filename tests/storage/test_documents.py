"""Documents come back as they went in, numbers too, on every database."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest

from parley.kernel.ids import random_id
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import KnownModelRow
from tests.fakes.databases import ON_EVERY_KIND

pytestmark = ON_EVERY_KIND

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)

NUMBERS = [0, 1, -1, 1.0, 0.1, -0.5, 1e15, 1e-300, 5e-324, 1516.0, 2**53 + 1, 2**63, -(2**63), 10**30]
"""Whole floats from 1e16 on are no part of it: PostgreSQL gives them back as whole numbers."""

TEXTS = ["", "ä", "\u2028", "\U0010ffff", '"\\', "\x01", "e\u0301", "\ufeff"]
DOCUMENTS: list[Any] = [
    *({"n": number} for number in NUMBERS),
    *({"t": text, text: 1} for text in TEXTS),
    {"b": 1, "a": 2, "aa": [], "c": {"z": None, "y": [True, False, {"x": [1, 2.5, "3"]}]}},
    {},
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=ascii)
async def test_a_document_comes_back_as_it_went_in(database: Database, document: dict[str, Any]) -> None:
    key = random_id()
    await database.write(
        lambda session: session.insert(
            KnownModelRow(id=key, card=document, first_seen_at=NOON, retired_at=None)
        )
    )

    def look(session: Transaction) -> Any:
        return session.one(KnownModelRow, KnownModelRow.c.id == key).card

    back = await database.read(look)
    assert back == document
    for name, value in document.items():
        if isinstance(value, float):
            assert isinstance(back[name], float)
            assert math.copysign(1, back[name]) == math.copysign(1, value)
