"""Use cases of people: sign in, one's own account, and an administrator's list of everybody."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import msgspec

from parley.features.accounts.attempts import Attempts
from parley.features.accounts.factor_schemas import Ticketed
from parley.features.accounts.factors import SecondFactors
from parley.features.accounts.logins import Browser, Logins
from parley.features.accounts.passwords import Passwords, check_strength
from parley.features.accounts.person_views import person_of
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import (
    ChangeMe,
    ChangePassword,
    NewAccount,
    PersonView,
    SignIn,
)
from parley.features.accounts.tables import AccountRow
from parley.features.accounts.tokens import proof_of_browser, same
from parley.features.accounts.workspace_repository import WorkspaceRepository
from parley.kernel.caller import Caller, Role, SpaceRole
from parley.kernel.errors import Conflict, Forbidden, Invalid, Unknown
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.text.controls import in_one_line


class People:
    """Signs people in and keeps their accounts. `erase` deletes everything that is a caller's."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        logins: Logins,
        erase: Callable[[Caller], Awaitable[object]],
        factors: SecondFactors,
        attempts: Attempts,
    ) -> None:
        self._database = database
        self._clock = clock
        self._logins = logins
        self._erase = erase
        self._passwords = Passwords()
        self._attempts = attempts
        self._factors = factors

    # ── sign in ──────────────────────────────────────────────────────────────────────────────────

    async def sign_in(self, request: SignIn, browser: Browser) -> str | Ticketed:
        """Return the token of a new login, or a ticket where a code must follow. Raises as `verify`."""
        user_id = await self.verify(request, browser)
        if await self._factors.is_needed(user_id):
            return self.ticket(user_id)
        return await self.enter(user_id, browser)

    def ticket(self, user_id: str) -> Ticketed:
        """Return what must come back with the code of a person's app."""
        return Ticketed(self._factors.ticket(user_id))

    async def verify(self, request: SignIn, browser: Browser) -> str:
        """Return whose address and password these are; a code may have to follow.

        Raises Unknown, TooMany; nobody learns whether an address is known.
        """
        account = await self._database.read(lambda it: AccountsRepository(it).account_of(request.email))
        is_known = account is not None and same(_proof(account), browser.proof)
        await self._attempts.count(request.email, browser.network, is_known=is_known)
        stored = account.password_hash if account else None
        fits = await self._passwords.fits(request.password.get_secret_value(), stored)
        if not fits or account is None or account.disabled_at is not None:
            raise Unknown(
                "This e-mail address and password don't fit together.",
                "Nobody was signed in. Check both, or ask an administrator for a link to set a new password.",
                code="wrong_password",
            )
        await self._attempts.succeeded(request.email, browser.network)
        return account.user_id

    async def enter(self, user_id: str, browser: Browser) -> str:
        """Return the token of a new login of a person who has proved who they are. Raises Unknown if disabled."""

        def store(transaction: Transaction) -> str:
            account = AccountsRepository(transaction).account(user_id)
            if account is None or account.disabled_at is not None:
                raise Unknown("This account can't be used.", "Ask an administrator.", code="wrong_password")
            return self._logins.start(transaction, user_id, browser)

        return await self._database.write(store)

    async def account_name(self, caller: Caller) -> str:
        """Return the caller's e-mail address, or their name without one."""
        person = await self.me(caller)
        return (person.email or person.name) if person else ""

    async def proof_for(self, caller: Caller) -> str:
        """Return what the caller's browser keeps, so that others' attempts don't lock it out."""
        account = await self._database.read(lambda it: AccountsRepository(it).account(caller.author_id))
        return _proof(account) if account else ""

    async def enter_as_guest(self, browser: Browser) -> str:
        """Add a guest; return the token of their login. Raises TooMany."""
        await self._attempts.newcomer(browser.network)
        return await self._database.write(
            lambda it: self._logins.start(it, self.add(it, "Guest", None, None, Role.GUEST), browser)
        )

    async def sign_up(self, caller: Caller, request: NewAccount, role: Role, browser: Browser) -> str:
        """Make an account, of the guest who asks if there is one; return the token of a new login.

        Raises Conflict if the address is taken, Invalid for a weak password, TooMany.
        """
        await self._attempts.newcomer(browser.network)
        hashed = await self.hash(request.password.get_secret_value(), request.email, request.name)

        def store(transaction: Transaction) -> tuple[str, list[str]]:
            user_id = self.add_person(transaction, caller, request, hashed, role)
            ended = AccountsRepository(transaction).end_logins(user_id)
            return self._logins.start(transaction, user_id, browser), ended

        token, ended = await self._database.write(store)
        await self._logins.announce(ended)
        return token

    def add_person(
        self, transaction: Transaction, caller: Caller, request: NewAccount, hashed: str, role: Role
    ) -> str:
        """Store an account within a transaction; a guest who asks keeps their id. Raises Conflict."""
        accounts = AccountsRepository(transaction)
        if accounts.account_of(request.email) is not None:
            raise address_taken()
        return self._add_or_adopt(transaction, caller, request.name, request.email, hashed, role)

    def add_from_elsewhere(self, transaction: Transaction, caller: Caller, name: str, email: str) -> str:
        """Store an account without a password within a transaction; a guest who asks keeps their id."""
        name = " ".join(in_one_line(name).split())[:64]
        return self._add_or_adopt(transaction, caller, name, email, None, Role.MEMBER)

    async def hash(self, password: str, *known: str) -> str:
        """Return the hash of a new password. Raises Invalid if it is weak."""
        check_strength(password, *known)
        return await self._passwords.hash(password)

    def add(
        self, transaction: Transaction, name: str, email: str | None, hashed: str | None, role: Role
    ) -> str:
        """Store a new user with an account within a transaction; return the id."""
        user_id, now = random_id(), self._now()
        accounts = AccountsRepository(transaction)
        accounts.ensure(user_id, name, now)
        accounts.add(
            AccountRow(user_id=user_id, email=email, password_hash=hashed, role=role, created_at=now)
        )
        return user_id

    # ── one's own account ────────────────────────────────────────────────────────────────────────

    async def me(self, caller: Caller) -> PersonView | None:
        """Return who asks; None if nobody is known."""
        if not caller.is_known:
            return None
        return await self._database.read(lambda it: person_of(AccountsRepository(it), caller.author_id))

    async def give_account(self, caller: Caller, request: NewAccount) -> PersonView:
        """Give the owner of a personal installation an address and a password, to sign in once it is shared.

        Raises Conflict if they have an address already, or another person has this one.
        """
        hashed = await self.hash(request.password.get_secret_value(), request.email, request.name)
        return await self._database.write(
            lambda it: self.store_first_account(it, caller.author_id, request, hashed)
        )

    def store_first_account(
        self, transaction: Transaction, person_id: str, request: NewAccount, hashed: str
    ) -> PersonView:
        """Do the same within a transaction."""
        accounts = AccountsRepository(transaction)
        account = accounts.account(person_id)
        if account is not None and account.email is not None:
            raise Conflict(
                "The owner of this installation has an account already.",
                "Nothing was changed. Sign in with it, or make a link for a new password: parley users "
                "reset-password",
                code="account_exists",
            )
        if accounts.account_of(request.email) is not None:
            raise address_taken()
        user = accounts.user(person_id)
        user.name = request.name
        accounts.update(user)
        account_row = AccountRow(
            user_id=person_id,
            email=request.email,
            password_hash=hashed,
            role=Role.ADMINISTRATOR,
            created_at=self._now(),
        )
        if account is None:
            accounts.add(account_row)
        else:
            accounts.update(account_row)
        return person_of(accounts, person_id)

    async def change_me(self, caller: Caller, request: ChangeMe) -> PersonView:
        """Change the caller's name or address. Raises Invalid without the password, Conflict for a taken address."""
        if request.email is not None:
            await self.confirm(caller, request.password.get_secret_value() if request.password else "")

        def store(transaction: Transaction) -> PersonView:
            accounts = AccountsRepository(transaction)
            user, account = accounts.user(caller.author_id), accounts.account(caller.author_id)
            if request.name is not None:
                user.name = request.name
                accounts.update(user)
            if request.email is not None and account is not None and request.email != account.email:
                if accounts.account_of(request.email) is not None:
                    raise address_taken()
                account.email = request.email
                accounts.update(account)
            return person_of(accounts, caller.author_id)

        return await self._database.write(store)

    async def change_password(self, caller: Caller, request: ChangePassword) -> None:
        """Set a new password and end the caller's other logins. Raises Invalid."""
        await self.confirm(caller, request.current.get_secret_value(), field="current")
        person = await self.me(caller)
        known = (person.name, person.email or "") if person else ()
        hashed = await self.hash(request.password.get_secret_value(), *known)

        def store(transaction: Transaction) -> list[str]:
            accounts = AccountsRepository(transaction)
            account = accounts.account(caller.author_id)
            if account is not None:
                account.password_hash = hashed
                accounts.update(account)
            return accounts.end_logins(caller.author_id, but=caller.login_id)

        await self._logins.announce(await self._database.write(store))

    async def delete_me(self, caller: Caller, password: str) -> None:
        """Delete the caller's account and everything that is theirs; their votes stay under a pseudonym.

        Raises Invalid for a wrong password, Conflict for the last administrator.
        """
        await self.confirm(caller, password)
        await self._database.read(lambda it: _check_leaving(it, caller.author_id))
        await self._erase(msgspec.structs.replace(caller, person_id=caller.author_id, space_role=None))

        def remove(transaction: Transaction) -> list[str]:
            accounts = AccountsRepository(transaction)
            _check_leaving(transaction, caller.author_id)
            WorkspaceRepository(transaction).leave_all(caller.author_id)
            ended = accounts.end_logins(caller.author_id)
            accounts.remove_account(caller.author_id)
            user = accounts.user(caller.author_id)
            user.name = "Deleted"
            accounts.update(user)
            return ended

        await self._logins.announce(await self._database.write(remove))

    async def confirm(self, caller: Caller, password: str, field: str = "password") -> None:
        """Check the caller's password. Raises Invalid, TooMany, Forbidden for who has none."""
        account = await self._database.read(lambda it: AccountsRepository(it).account(caller.author_id))
        if account is None or account.password_hash is None:
            raise Forbidden("You have no password.", "Nothing was changed. Make an account first.")
        attempt = f"password of {caller.author_id}"  # a browser left open is no way to guess it
        await self._attempts.count(attempt, "", is_known=True)
        if not await self._passwords.fits(password, account.password_hash):
            raise Invalid(
                field, f"{field}: is not your password.", "Nothing was changed.", code="wrong_password"
            )
        await self._attempts.succeeded(attempt, "")

    def _add_or_adopt(
        self,
        transaction: Transaction,
        caller: Caller,
        name: str,
        email: str,
        hashed: str | None,
        role: Role,
    ) -> str:
        accounts = AccountsRepository(transaction)
        guest = accounts.account(caller.author_id) if caller.role is Role.GUEST and caller.is_known else None
        if guest is None or guest.email is not None:
            return self.add(transaction, name, email, hashed, role)
        guest.email, guest.role, guest.password_hash = email, role, hashed
        user = accounts.user(guest.user_id)
        user.name = name
        accounts.update(user)
        accounts.update(guest)
        return guest.user_id

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _proof(account: AccountRow) -> str:
    return proof_of_browser(account.user_id, account.password_hash) if account.password_hash else "none"


def _check_leaving(transaction: Transaction, person_id: str) -> None:
    """Raise Conflict if an installation or a workspace would be nobody's without this person."""
    keep_an_administrator(AccountsRepository(transaction), person_id)
    workspaces = WorkspaceRepository(transaction)
    alone = [each for each, role in workspaces.roles(person_id).items() if role == SpaceRole.OWNER]
    for workspace_id in alone:
        if sum(member.role == SpaceRole.OWNER for member in workspaces.members(workspace_id)) == 1:
            name = workspaces.names([workspace_id])[workspace_id]
            raise Conflict(
                f"You are the last owner of the workspace {name}.",
                "Nothing was deleted. Make somebody else an owner first, or delete the workspace.",
                code="last_owner",
            )


def keep_an_administrator(accounts: AccountsRepository, person_id: str) -> None:
    """Raise Conflict if nobody but this person could administer the installation."""
    account = accounts.account(person_id)
    is_one = account is not None and account.role == Role.ADMINISTRATOR and account.disabled_at is None
    if is_one and accounts.administrators() <= 1:
        raise Conflict(
            "This is the last administrator.",
            "Nothing was changed. Make somebody else an administrator first.",
            code="last_administrator",
        )


def address_taken() -> Conflict:
    """Return the error for an address that has an account."""
    return Conflict(
        "This e-mail address has an account already.",
        "Nothing was changed. Sign in with it, or use another address.",
        code="account_exists",
    )
