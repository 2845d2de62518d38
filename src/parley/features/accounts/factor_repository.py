"""The queries of second factors: passkeys, apps with codes, and recovery codes."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete

from parley.features.accounts.tables import CredentialRow
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows


class FactorRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self, user_id: str) -> Sequence[CredentialRow]:
        """Return a person's factors, the oldest first."""
        query = select_rows(CredentialRow).where(CredentialRow.c.user_id == user_id)
        return self._db.select(CredentialRow, query.order_by(CredentialRow.c.created_at, CredentialRow.c.id))

    def has_factor(self, user_id: str) -> bool:
        """Return whether a person has a passkey, or an app that has shown its first code."""
        return any(
            row.kind == "passkey" or (row.kind == "totp" and row.confirmed_at is not None)
            for row in self.all(user_id)
        )

    def of_kind(self, kind: str) -> Sequence[CredentialRow]:
        """Return everybody's factors of a kind; nobody changes them meanwhile."""
        query = select_rows(CredentialRow).where(CredentialRow.c.kind == kind)
        return self._db.select(CredentialRow, query.with_for_update())

    def with_key(self, kind: str, key: str) -> CredentialRow | None:
        """Return the factor with a key; it is locked, so that a code is used once."""
        query = select_rows(CredentialRow).where(CredentialRow.c.kind == kind, CredentialRow.c.key == key)
        return next(iter(self._db.select(CredentialRow, query.with_for_update())), None)

    def app(self, user_id: str) -> CredentialRow | None:
        """Return a person's app with codes; it is locked."""
        query = select_rows(CredentialRow).where(
            CredentialRow.c.user_id == user_id, CredentialRow.c.kind == "totp"
        )
        return next(iter(self._db.select(CredentialRow, query.with_for_update())), None)

    def add(self, *rows: CredentialRow) -> None:
        """Insert factors."""
        self._db.insert(*rows)

    def used(self, row: CredentialRow, now: datetime, counter: int = 0) -> None:
        """Note that a factor was used."""
        row.used_at, row.counter = now, counter
        self._db.update(row)

    def update(self, row: CredentialRow) -> None:
        """Store a changed factor."""
        self._db.update(row)

    def remove(self, user_id: str, *kinds: str) -> None:
        """Delete a person's factors of these kinds, all of them without any."""
        which = [CredentialRow.c.user_id == user_id]
        if kinds:
            which.append(CredentialRow.c.kind.in_(kinds))
        self._db.execute(delete(CredentialRow.table).where(*which))

    def remove_one(self, user_id: str, credential_id: str) -> bool:
        """Delete one of a person's passkeys; return whether there was one."""
        row = self._db.find(
            CredentialRow,
            CredentialRow.c.id == credential_id,
            CredentialRow.c.user_id == user_id,
            CredentialRow.c.kind == "passkey",
        )
        if row is not None:
            self._db.delete(row)
        return row is not None
