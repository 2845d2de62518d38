"""The queries of people, workspaces and API keys, by the names that people know them by."""

from collections.abc import Sequence

from sqlalchemy import select

from parley.features.accounts.tables import AccountRow, MemberRow, WorkspaceRow
from parley.features.limits.schemas import Subject
from parley.features.openai_api.tables import ApiKeyRow
from parley.storage.database import Transaction
from parley.storage.tables.conversations import UserRow

INSTALLATION = Subject("installation", "", "This installation")


class SubjectsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self) -> Sequence[Subject]:
        """Return the installation, and by name everybody with an account, all workspaces and valid keys."""
        users, keys = UserRow.c, ApiKeyRow.c
        people = select(users.id, users.name).join_from(
            UserRow.table, AccountRow.table, AccountRow.c.user_id == users.id
        )
        spaces = select(users.id, users.name).join_from(
            UserRow.table, WorkspaceRow.table, WorkspaceRow.c.id == users.id
        )
        valid = select(keys.id, keys.name).where(keys.revoked_at.is_(None))
        return [
            INSTALLATION,
            *(Subject("person", *row) for row in self._db.execute(people.order_by(users.name))),
            *(Subject("workspace", *row) for row in self._db.execute(spaces.order_by(users.name))),
            *(Subject("api_key", *row) for row in self._db.execute(valid.order_by(keys.name))),
        ]

    def of_person(self, person_id: str) -> Sequence[tuple[str, str]]:
        """Return the kinds and ids of what a person's calls fall under, besides the installation."""
        spaces = select(MemberRow.c.workspace_id).where(MemberRow.c.user_id == person_id)
        keys = select(ApiKeyRow.c.id).where(
            ApiKeyRow.c.user_id == person_id, ApiKeyRow.c.revoked_at.is_(None)
        )
        return [
            ("person", person_id),
            *(("workspace", each) for each in self._db.scalars(spaces)),
            *(("api_key", each) for each in self._db.scalars(keys)),
        ]
