"""The queries of accounts."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from parley.kernel.ids import random_id
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.conversations import User


class AccountsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._db = session

    async def ensure(self, user_id: str, name: str, now: datetime) -> None:
        """Add a user where there is none of that id."""
        row = {"id": user_id, "voter_id": random_id(), "name": name, "created_at": now}
        await self._db.execute(insert_or_ignore(self._db, User, row))
