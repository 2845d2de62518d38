"""The query of names for ids in tables of usage."""

from collections.abc import Collection

from sqlalchemy import select

from parley.features.openai_api.tables import ApiKeyRow
from parley.storage.database import Transaction
from parley.storage.tables.conversations import UserRow

AT_ONCE = 500


def names_of(transaction: Transaction, ids: Collection[str]) -> dict[str, str]:
    """Return the names of people, workspaces and API keys; what is deleted has none."""
    names: dict[str, str] = {}
    ordered = sorted(ids)
    for first in range(0, len(ordered), AT_ONCE):
        some = ordered[first : first + AT_ONCE]
        for kind in (UserRow, ApiKeyRow):
            query = select(kind.c.id, kind.c.name).where(kind.c.id.in_(some))
            names |= {row.id: row.name for row in transaction.execute(query)}
    return names
