"""Use cases of an administrator: the list of everybody, their roles, and who is kept out."""

from datetime import UTC, datetime

from parley.features.accounts.logins import Logins
from parley.features.accounts.people import People, address_taken, keep_an_administrator
from parley.features.accounts.person_views import person_of, person_view
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import ChangePerson, NewAccount, PersonView
from parley.features.accounts.tables import AccountRow
from parley.kernel.caller import Role
from parley.kernel.errors import Conflict
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class Everybody:
    """Lists people, adds them, and changes what they may do."""

    def __init__(self, database: Database, clock: Clock, people: People, logins: Logins) -> None:
        self._database = database
        self._clock = clock
        self._people = people
        self._logins = logins

    async def list(self) -> list[PersonView]:
        """Return everybody by name."""

        def read(transaction: Transaction) -> list[PersonView]:
            accounts = AccountsRepository(transaction)
            users, seen = accounts.users(), accounts.last_seen()
            return [person_view(users[it.user_id], it, seen.get(it.user_id)) for it in accounts.accounts()]

        people = await self._database.read(read)
        return sorted(people, key=lambda person: (person.name.casefold(), person.id))

    async def add(self, request: NewAccount, role: Role) -> PersonView:
        """Add a person. Raises Conflict if the address is taken, Invalid for a weak password."""
        hashed = await self._people.hash(request.password.get_secret_value(), request.email, request.name)

        def store(transaction: Transaction) -> PersonView:
            accounts = AccountsRepository(transaction)
            if accounts.account_of(request.email) is not None:
                raise address_taken()
            return person_of(
                accounts, self._people.add(transaction, request.name, request.email, hashed, role)
            )

        return await self._database.write(store)

    async def change(self, person_id: str, request: ChangePerson) -> PersonView:
        """Change a person's role, or disable or enable them; their logins and invitations follow at once.

        Raises NotFound, Conflict for the last administrator.
        """

        def store(transaction: Transaction) -> tuple[PersonView, list[str]]:
            accounts = AccountsRepository(transaction)
            accounts.user(person_id)
            account = accounts.account(person_id) or _no_account()
            role = request.role or account.role
            disables = request.disabled is True
            if disables or role != Role.ADMINISTRATOR:
                keep_an_administrator(accounts, person_id)
            if account.email is None and role != Role.GUEST:
                raise _no_address()
            account.role = role
            if request.disabled is not None:
                account.disabled_at = self._now() if disables else None
            accounts.update(account)
            if disables or role != Role.ADMINISTRATOR:
                accounts.revoke_made_by(person_id)
            logins = [login.id for login in accounts.logins(person_id, self._now())]
            if disables:
                accounts.end_logins(person_id)
            return person_of(accounts, person_id), logins

        person, logins = await self._database.write(store)
        await self._logins.announce(logins)
        return person

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _no_account() -> AccountRow:
    raise Conflict(
        "This person has no account.",
        "Nothing was changed. The owner of a personal installation gets one with: parley share",
        code="no_account",
    )


def _no_address() -> Conflict:
    return Conflict(
        "A guest has no e-mail address to sign in with.",
        "Nothing was changed. Send them an invitation: they keep their sessions and votes.",
        code="no_account",
    )
