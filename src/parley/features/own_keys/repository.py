"""The queries of provider keys of one's own."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from parley.features.own_keys.tables import OwnKeyRow
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows

_KEY = OwnKeyRow.c


class OwnKeysRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self) -> Sequence[OwnKeyRow]:
        """Return everybody's keys."""
        return self._db.select(OwnKeyRow, select_rows(OwnKeyRow))

    def of(self, holder_id: str) -> Sequence[OwnKeyRow]:
        """Return a person's or workspace's keys, by provider."""
        query = select_rows(OwnKeyRow).where(_KEY.holder_id == holder_id).order_by(_KEY.provider_id)
        return self._db.select(OwnKeyRow, query)

    def count(self, holder_id: str) -> int:
        """Return how many keys a person or workspace has."""
        return self._db.scalar(select(func.count()).where(_KEY.holder_id == holder_id)) or 0

    def put(self, row: OwnKeyRow) -> None:
        """Store a key in place of the one before."""
        self.remove(row.holder_id, row.provider_id)
        self._db.insert(row)

    def update(self, row: OwnKeyRow) -> None:
        """Store a changed key."""
        self._db.update(row)

    def remove(self, holder_id: str, provider_id: str | None = None) -> int:
        """Delete a key, or all of a person or workspace; return how many there were."""
        this = [_KEY.holder_id == holder_id]
        if provider_id is not None:
            this.append(_KEY.provider_id == provider_id)
        return self._db.execute(delete(OwnKeyRow.table).where(*this)).rowcount
