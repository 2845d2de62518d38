"""The queries of sign-ins at servers of tools."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, or_, select, update

from parley.features.tools.tables import ToolSignInRow
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows

_IT = ToolSignInRow.c


class SignInRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self) -> Sequence[ToolSignInRow]:
        """Return everybody's sign-ins."""
        return self._db.select(ToolSignInRow, select_rows(ToolSignInRow))

    def of(self, person_id: str) -> Sequence[ToolSignInRow]:
        """Return a person's sign-ins, by server."""
        query = select_rows(ToolSignInRow).where(_IT.person_id == person_id).order_by(_IT.server)
        return self._db.select(ToolSignInRow, query)

    def find(self, person_id: str, server: str) -> ToolSignInRow | None:
        """Return a person's sign-in at a server."""
        return self._db.find(ToolSignInRow, _IT.person_id == person_id, _IT.server == server)

    def put(self, row: ToolSignInRow) -> None:
        """Store a sign-in in place of the one before."""
        self.remove(row.person_id, row.server)
        self._db.insert(row)

    def update(self, row: ToolSignInRow) -> None:
        """Store a changed sign-in."""
        self._db.update(row)

    def reserve(self, row: ToolSignInRow, now: datetime, until: datetime) -> bool:
        """Reserve the renewal of tokens as they were read; return False if somebody else has it, or was faster."""
        this = (_IT.person_id == row.person_id, _IT.server == row.server, _IT.sealed == row.sealed)
        free = or_(_IT.renewing_until.is_(None), _IT.renewing_until < now)
        changed = update(ToolSignInRow.table).where(*this, free).values(renewing_until=until)
        return self._db.execute(changed).rowcount == 1

    def renewed(self, row: ToolSignInRow, sealed: bytes) -> None:
        """End a renewal; a sign-in that is gone, or was made anew, stays as it is."""
        this = (_IT.person_id == row.person_id, _IT.server == row.server, _IT.id == row.id)
        self._db.execute(update(ToolSignInRow.table).where(*this).values(sealed=sealed, renewing_until=None))

    def count(self, person_id: str) -> int:
        """Return how many sign-ins a person has."""
        return self._db.scalar(select(func.count()).where(_IT.person_id == person_id)) or 0

    def remove(self, person_id: str, server: str | None = None, sign_in_id: str | None = None) -> int:
        """Delete a sign-in, or all of a person; return how many there were."""
        this = [_IT.person_id == person_id]
        if server is not None:
            this.append(_IT.server == server)
        if sign_in_id is not None:
            this.append(_IT.id == sign_in_id)
        return self._db.execute(delete(ToolSignInRow.table).where(*this)).rowcount
