"""People as others see them."""

from datetime import datetime

from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import PersonView
from parley.features.accounts.tables import AccountRow
from parley.kernel.caller import Role
from parley.storage.tables.conversations import UserRow


def person_of(accounts: AccountsRepository, person_id: str) -> PersonView:
    """Return a person as others see them, by their id."""
    return person_view(
        accounts.user(person_id), accounts.account(person_id), accounts.last_seen(person_id).get(person_id)
    )


def person_view(user: UserRow, account: AccountRow | None, seen_at: datetime | None) -> PersonView:
    """Return a person as others see them."""
    disabled_at = account.disabled_at if account else None
    return PersonView(
        id=user.id,
        name=user.name,
        email=account.email if account else None,
        role=Role(account.role) if account else Role.ADMINISTRATOR,
        created_at=user.created_at.isoformat(),
        seen_at=seen_at.isoformat() if seen_at else None,
        disabled_at=disabled_at.isoformat() if disabled_at else None,
    )
