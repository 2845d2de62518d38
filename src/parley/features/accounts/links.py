"""Links: to come in with, as an invitation or for a new password, and those that other features make."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from parley.features.accounts.factor_schemas import Ticketed
from parley.features.accounts.factors import SecondFactors
from parley.features.accounts.logins import Browser, Logins
from parley.features.accounts.people import People
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.rules import Rules, providers_only
from parley.features.accounts.schemas import Invite, LinkOffer, LinkView, NewAccount, UseLink
from parley.features.accounts.tables import LinkRow
from parley.features.accounts.tokens import digest, new_token
from parley.features.accounts.views import LinkRecord
from parley.kernel.caller import Caller, Role
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

FIRST_LASTS = timedelta(days=1)
RESET_LASTS = timedelta(days=1)


class Links:
    """Makes links and lets people use them once. `url` is the address of the page."""

    def __init__(
        self, database: Database, clock: Clock, people: People, logins: Logins, url: str, rules: Rules
    ) -> None:
        self._database = database
        self._clock = clock
        self._people = people
        self._logins = logins
        self._url = url
        self._rules = rules

    async def invite(self, caller: Caller, request: Invite) -> LinkView:
        """Make an invitation."""
        terms = {"role": request.role, "note": " ".join(request.note.split())}
        return await self._invite(caller, "invitation", "", terms, timedelta(days=request.days))

    async def invitations(self) -> Sequence[LinkView]:
        """Return the invitations that are open, the newest first."""

        def read(transaction: Transaction) -> list[LinkView]:
            accounts = AccountsRepository(transaction)
            names = {user_id: user.name for user_id, user in accounts.users().items()}
            return [
                _view(_record(row), row.purpose, names.get(row.created_by, ""), None)
                for row in accounts.open_links("invitation", self._now())
            ]

        return await self._database.read(read)

    async def revoke(self, link_id: str) -> None:
        """Revoke an invitation. Raises NotFound."""
        if not await self._database.write(lambda it: AccountsRepository(it).revoke(link_id)):
            raise NotFound("This link doesn't exist.", "It may have been used or revoked.")

    async def reset(self, caller: Caller, person_id: str) -> LinkView:
        """Make a link with which a person sets a new password; it replaces the one before. Raises NotFound."""

        def check(transaction: Transaction) -> None:
            accounts = AccountsRepository(transaction)
            accounts.user(person_id)
            account = accounts.account(person_id)
            if account is None or account.email is None:
                raise Conflict(
                    "This person has no e-mail address to sign in with.",
                    "Nothing was changed. Send them an invitation.",
                    code="no_account",
                )
            accounts.revoke_all("reset", person_id)

        await self._database.write(check)
        terms = {"console": caller.way == "command"}
        return await self._invite(caller, "reset", person_id, terms, RESET_LASTS)

    async def first_administrator(self, owner: Caller) -> str | None:
        """Return a link for the first administrator; None if somebody can administer the installation."""

        def check(transaction: Transaction) -> bool:
            accounts = AccountsRepository(transaction)
            accounts.revoke_all("first_administrator", owner.person_id)
            return accounts.administrators() > 0

        if await self._database.write(check):
            return None
        return (await self._invite(owner, "first_administrator", owner.person_id, {}, FIRST_LASTS)).url

    async def look(self, token: str) -> LinkOffer:
        """Return what a link is for. Raises NotFound if it can't be used.

        Where people sign in with their provider alone, Forbidden for all links but the first administrator's, and one
        that was made on the server for an administrator.
        """
        rules = await self._rules.read()

        def read(transaction: Transaction) -> LinkOffer:
            row = self._usable(transaction, token)
            if row.purpose not in ("invitation", "reset", "first_administrator"):
                raise _ended()
            accounts = AccountsRepository(transaction)
            reset = row.purpose == "reset"
            account = accounts.account(row.target) if reset else None
            rescues = account is not None and account.role == Role.ADMINISTRATOR and row.terms.get("console")
            if rules.providers_only and row.purpose != "first_administrator" and not rescues:
                raise providers_only()
            return LinkOffer(
                purpose=row.purpose,
                role=_role(row.terms),
                invited_by=accounts.user(row.created_by).name,
                name=accounts.user(row.target).name if reset else None,
                email=account.email if account else None,
                expires_at=row.expires_at.isoformat() if row.expires_at else None,
            )

        # A write, because the link is locked as it is when it is used.
        return await self._database.write(read)

    async def use(self, caller: Caller, request: UseLink, browser: Browser) -> str | Ticketed:
        """Use a link; return the token of a new login, or a ticket where a code must follow the new password.

        A link that was made on the server asks for no code. Raises NotFound, Invalid, Conflict for a taken address.
        """
        offer = await self.look(request.token)
        account = _new_account(request) if offer.purpose != "reset" else None
        known = (account.email, account.name) if account else (offer.email or "", offer.name or "")
        hashed = await self._people.hash(request.password.get_secret_value(), *known)

        def store(transaction: Transaction) -> tuple[str, list[str], str]:
            accounts = AccountsRepository(transaction)
            row = self._usable(transaction, request.token)
            row.used_at = self._now()
            accounts.update(row)
            if account is None:
                user_id = _set_password(accounts, row.target, hashed)
            elif row.purpose == "first_administrator":
                user_id = self._people.store_first_account(transaction, row.target, account, hashed).id
            else:
                role = _role(row.terms) or Role.MEMBER
                user_id = self._people.add_person(transaction, caller, account, hashed, role)
            ended = accounts.end_logins(user_id)
            asks = (
                account is None and not row.terms.get("console") and SecondFactors.asks(transaction, user_id)
            )
            return user_id, ended, "" if asks else self._logins.start(transaction, user_id, browser)

        user_id, ended, token = await self._database.write(store)
        await self._logins.announce(ended)
        return token or self._people.ticket(user_id)

    # ── links of any purpose ─────────────────────────────────────────────────────────────────────

    async def make(
        self,
        caller: Caller,
        purpose: str,
        target: str,
        terms: dict[str, Any],
        lasts: timedelta | None,
        path: str,
    ) -> tuple[LinkRecord, str]:
        """Store a link; return it with its address, the page's plus `path`, which nobody can be told again."""
        token, now = new_token(), self._now()
        row = LinkRow(
            id=random_id(),
            purpose=purpose,
            target=target,
            token_sha256=digest(token),
            terms=terms,
            created_by=caller.author_id,
            created_at=now,
            expires_at=now + lasts if lasts else None,
        )
        await self._database.write(lambda it: AccountsRepository(it).add(row))
        return _record(row), f"{self._url}{path}{token}"

    async def about(self, purpose: str, target: str) -> Sequence[LinkRecord]:
        """Return the links of a purpose about one thing that can be used, the newest first."""
        rows = await self._database.read(
            lambda it: AccountsRepository(it).open_links(purpose, self._now(), target)
        )
        return [_record(row) for row in rows]

    async def open(self, purpose: str, token: str) -> LinkRecord:
        """Return the link of a purpose, and count that it was opened. Raises NotFound if it has ended."""

        def store(transaction: Transaction) -> LinkRow:
            row = self._usable(transaction, token)
            if row.purpose != purpose:
                raise _ended()
            row.terms = {**row.terms, "opened": row.terms.get("opened", 0) + 1}
            AccountsRepository(transaction).update(row)
            return row

        return _record(await self._database.write(store))

    # ── internals ────────────────────────────────────────────────────────────────────────────────

    async def _invite(
        self, caller: Caller, purpose: str, target: str, terms: dict[str, Any], lasts: timedelta
    ) -> LinkView:
        record, url = await self.make(caller, purpose, target, terms, lasts, "/join#")
        name = await self._database.read(lambda it: AccountsRepository(it).user(caller.author_id).name)
        return _view(record, purpose, name, url)

    def _usable(self, transaction: Transaction, token: str) -> LinkRow:
        row = AccountsRepository(transaction).link_of(digest(token))
        if row is None or row.used_at or (row.expires_at and row.expires_at <= self._now()):
            raise _ended()
        return row

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _new_account(request: UseLink) -> NewAccount:
    for field in ("name", "email"):
        if getattr(request, field) is None:
            raise Invalid(field, f"{field}: is missing.", "Nothing was changed.")
    return NewAccount(email=request.email or "", name=request.name or "", password=request.password)


def _set_password(accounts: AccountsRepository, user_id: str, hashed: str) -> str:
    account = accounts.account(user_id)
    if account is None or account.disabled_at is not None:
        raise NotFound("This account can't be used.", "Ask an administrator.", code="link_ended")
    account.password_hash = hashed
    accounts.update(account)
    return user_id


def _ended() -> NotFound:
    return NotFound(
        "This link can't be used.",
        "It has expired, or was used, replaced or revoked. Ask who sent it for a new one.",
        code="link_ended",
    )


def _record(row: LinkRow) -> LinkRecord:
    return LinkRecord(
        id=row.id,
        target=row.target,
        terms=row.terms,
        created_by=row.created_by,
        created_at=row.created_at.isoformat(),
        expires_at=row.expires_at.isoformat() if row.expires_at else None,
    )


def _role(terms: dict[str, Any]) -> Role | None:
    return Role(terms["role"]) if "role" in terms else None


def _view(record: LinkRecord, purpose: str, created_by: str, url: str | None) -> LinkView:
    return LinkView(
        id=record.id,
        purpose=purpose,  # pyright: ignore[reportArgumentType] - as it was stored
        role=_role(record.terms),
        note=record.terms.get("note", ""),
        created_by=created_by,
        created_at=record.created_at,
        expires_at=record.expires_at,
        url=url,
    )
