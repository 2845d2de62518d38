"""The queries of preferences."""

from parley.storage.database import Transaction
from parley.storage.tables.preferences import PreferencesRow


class PreferencesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def find(self, owner_id: str) -> PreferencesRow | None:
        """Return a person's preferences; None if there are none."""
        return self._db.find(PreferencesRow, PreferencesRow.c.owner_id == owner_id)

    def put(self, row: PreferencesRow) -> None:
        """Store a person's preferences in place of earlier ones."""
        self.remove(row.owner_id)
        self._db.insert(row)

    def remove(self, owner_id: str) -> int:
        """Delete a person's preferences; return how many there were."""
        row = self.find(owner_id)
        if row is not None:
            self._db.delete(row)
        return int(row is not None)
