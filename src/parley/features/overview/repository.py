"""The queries of the overview."""

from sqlalchemy import func, select, text

from parley.features.accounts.tables import AccountRow
from parley.storage.database import Transaction

SIZE_SQLITE = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
SIZE_POSTGRESQL = text("SELECT pg_database_size(current_database())")
PEOPLE = select(func.count()).where(AccountRow.c.role != "guest", AccountRow.c.disabled_at.is_(None))


class OverviewRepository:
    """Counts of an installation, within a transaction."""

    def __init__(self, db: Transaction) -> None:
        self._db = db

    def people(self) -> int:
        """Return how many people have an account that is not disabled, guests left out."""
        return self._db.scalar(PEOPLE)

    def size(self, *, is_sqlite: bool) -> int:
        """Return the size of the database in bytes."""
        return self._db.scalar(SIZE_SQLITE if is_sqlite else SIZE_POSTGRESQL)
