"""The queries of API keys and of stored answers."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update

from parley.features.openai_api.tables import ApiKeyRow, ResponseRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows


class ApiKeysRepository:
    """Queries on one open transaction. A revoked key is found no more, but keeps its row for the calls made with it."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def add(self, row: ApiKeyRow) -> None:
        """Insert a key."""
        self._db.insert(row)

    def all(self, user_id: str) -> Sequence[ApiKeyRow]:
        """Return a person's keys, the newest first."""
        query = select_rows(ApiKeyRow).where(ApiKeyRow.c.user_id == user_id, ApiKeyRow.c.revoked_at.is_(None))
        return self._db.select(ApiKeyRow, query.order_by(ApiKeyRow.c.created_at.desc(), ApiKeyRow.c.id))

    def get(self, user_id: str, key_id: str) -> ApiKeyRow:
        """Return a key of a person. Raises NotFound."""
        row = self._db.find(
            ApiKeyRow,
            ApiKeyRow.c.id == key_id,
            ApiKeyRow.c.user_id == user_id,
            ApiKeyRow.c.revoked_at.is_(None),
        )
        if row is None:
            raise NotFound("This API key doesn't exist.", "It may have been revoked already.")
        return row

    def of_secret(self, token_sha256: str) -> ApiKeyRow | None:
        """Return the key whose secret has a hash."""
        return self._db.find(
            ApiKeyRow, ApiKeyRow.c.token_sha256 == token_sha256, ApiKeyRow.c.revoked_at.is_(None)
        )

    def count(self, user_id: str) -> int:
        """Return how many keys a person has."""
        query = select(func.count()).select_from(ApiKeyRow.table)
        return (
            self._db.scalar(query.where(ApiKeyRow.c.user_id == user_id, ApiKeyRow.c.revoked_at.is_(None)))
            or 0
        )

    def used(self, key_id: str, now: datetime) -> None:
        """Note that a key is used."""
        self._db.execute(update(ApiKeyRow.table).where(ApiKeyRow.c.id == key_id).values(last_used_at=now))

    def revoke(self, row: ApiKeyRow, now: datetime) -> None:
        """Revoke a key."""
        row.revoked_at = now
        self._db.update(row)

    def remove_all(self, user_id: str) -> int:
        """Delete every key of a person; return how many were valid."""
        removed = self.count(user_id)
        self._db.execute(delete(ApiKeyRow.table).where(ApiKeyRow.c.user_id == user_id))
        return removed


class ResponsesRepository:
    """Queries on one open transaction; each finds one person's only."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def add(self, row: ResponseRow) -> None:
        """Insert an answer."""
        self._db.insert(row)

    def find(self, owner_id: str, response_id: str) -> ResponseRow | None:
        """Return an answer."""
        return self._db.find(ResponseRow, ResponseRow.c.id == response_id, ResponseRow.c.owner_id == owner_id)

    def all(self, owner_id: str) -> Sequence[ResponseRow]:
        """Return every answer, the oldest first."""
        query = select_rows(ResponseRow).where(ResponseRow.c.owner_id == owner_id)
        return self._db.select(ResponseRow, query.order_by(ResponseRow.c.created_at, ResponseRow.c.id))

    def count(self, owner_id: str) -> int:
        """Return how many answers there are."""
        query = select(func.count()).select_from(ResponseRow.table)
        return self._db.scalar(query.where(ResponseRow.c.owner_id == owner_id)) or 0

    def remove(self, owner_id: str, response_id: str) -> bool:
        """Delete an answer; return whether there was one."""
        table = ResponseRow.table
        query = delete(table).where(ResponseRow.c.owner_id == owner_id, ResponseRow.c.id == response_id)
        return self._db.execute(query).rowcount > 0

    def remove_all(self, owner_id: str) -> int:
        """Delete every answer; return how many there were."""
        removed = self.count(owner_id)
        self._db.execute(delete(ResponseRow.table).where(ResponseRow.c.owner_id == owner_id))
        return removed

    def remove_before(self, time: datetime) -> None:
        """Delete everybody's answers from before a time."""
        self._db.execute(delete(ResponseRow.table).where(ResponseRow.c.created_at < time))
