"""The queries of accounts."""

from datetime import datetime

from parley.kernel.ids import random_id
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.conversations import User


class AccountsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def ensure(self, user_id: str, name: str, now: datetime) -> None:
        """Add a user unless the id exists."""
        row = {"id": user_id, "voter_id": random_id(), "name": name, "created_at": now}
        self._db.execute(insert_or_ignore(self._db, User), row)
