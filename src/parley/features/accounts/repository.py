"""The queries of accounts, logins and links."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, or_, select, update

from parley.features.accounts.tables import (
    AccountRow,
    CredentialRow,
    IdentityRow,
    LinkRow,
    LoginRow,
    RefreshTokenRow,
    SignInRulesRow,
)
from parley.kernel.caller import Role
from parley.kernel.errors import NotFound
from parley.kernel.ids import random_id
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.conversations import UserRow
from parley.storage.tables.rows import select_rows


class AccountsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    # ── people ───────────────────────────────────────────────────────────────────────────────────

    def ensure(self, user_id: str, name: str, now: datetime) -> None:
        """Add a user unless the id exists."""
        row = {"id": user_id, "voter_id": random_id(), "name": name, "created_at": now}
        self._db.execute(insert_or_ignore(self._db, UserRow), row)

    def users(self) -> dict[str, UserRow]:
        """Return every user by id."""
        return {row.id: row for row in self._db.select(UserRow, select_rows(UserRow))}

    def user(self, user_id: str) -> UserRow:
        """Return a user. Raises NotFound."""
        row = self._db.find(UserRow, UserRow.c.id == user_id)
        if row is None:
            raise NotFound("This person doesn't exist.", "They may have deleted their account.")
        return row

    def accounts(self) -> Sequence[AccountRow]:
        """Return every account."""
        return self._db.select(AccountRow, select_rows(AccountRow))

    def account(self, user_id: str) -> AccountRow | None:
        """Return a user's account, if they have one."""
        return self._db.find(AccountRow, AccountRow.c.user_id == user_id)

    def role(self, user_id: str) -> Role | None:
        """Return a user's role; None if they may not sign in."""
        account = self.account(user_id)
        return None if account is None or account.disabled_at else Role(account.role)

    def account_of(self, email: str) -> AccountRow | None:
        """Return the account of an e-mail address in lower case."""
        return self._db.find(AccountRow, AccountRow.c.email == email)

    def administrators(self) -> int:
        """Return how many administrators can sign in; nobody else can become one meanwhile."""
        query = select(AccountRow.c.user_id).where(
            AccountRow.c.role == "administrator",
            AccountRow.c.email.is_not(None),
            AccountRow.c.disabled_at.is_(None),
        )
        return len(self._db.scalars(query.with_for_update()))

    def last_seen(self, user_id: str | None = None) -> dict[str, datetime]:
        """Return when each user was last seen, or one of them."""
        query = select(LoginRow.c.user_id, func.max(LoginRow.c.seen_at)).group_by(LoginRow.c.user_id)
        if user_id is not None:
            query = query.where(LoginRow.c.user_id == user_id)
        return dict(tuple(row) for row in self._db.execute(query))

    def add(self, *rows: UserRow | AccountRow | LoginRow | RefreshTokenRow | LinkRow) -> None:
        """Insert rows."""
        self._db.insert(*rows)

    def update(self, row: UserRow | AccountRow | RefreshTokenRow | LinkRow) -> None:
        """Store a changed row."""
        self._db.update(row)

    def remove_account(self, user_id: str) -> None:
        """Delete an account with its logins and its links; the user's row stays for what counts on."""
        self.end_logins(user_id)
        self.revoke_made_by(user_id)
        self._db.execute(delete(LinkRow.table).where(LinkRow.c.target == user_id))
        self._db.execute(delete(CredentialRow.table).where(CredentialRow.c.user_id == user_id))
        self._db.execute(delete(IdentityRow.table).where(IdentityRow.c.user_id == user_id))
        self._db.execute(delete(AccountRow.table).where(AccountRow.c.user_id == user_id))

    # ── identities ───────────────────────────────────────────────────────────────────────────────

    def identity(self, issuer: str, subject: str) -> IdentityRow | None:
        """Return a person as their identity provider knows them."""
        return self._db.find(IdentityRow, IdentityRow.c.issuer == issuer, IdentityRow.c.subject == subject)

    def put_identity(self, row: IdentityRow) -> None:
        """Store how a provider knows a person, and when they last came."""
        known = self.identity(row.issuer, row.subject)
        if known is None:
            self._db.insert(row)
        else:
            self._db.update(row)

    def issuers(self, user_id: str) -> set[str]:
        """Return the providers that know a person."""
        query = select(IdentityRow.c.issuer).where(IdentityRow.c.user_id == user_id)
        return set(self._db.scalars(query))

    # ── rules ────────────────────────────────────────────────────────────────────────────────────

    def rules(self) -> SignInRulesRow:
        """Return the rules of signing in; none apply before the first are stored."""
        rows = self._db.select(SignInRulesRow, select_rows(SignInRulesRow))
        return next(iter(rows), SignInRulesRow(1, False, False))

    def set_rules(self, row: SignInRulesRow) -> None:
        """Store the rules of signing in."""
        self._db.execute(delete(SignInRulesRow.table))
        self._db.insert(row)

    # ── logins ───────────────────────────────────────────────────────────────────────────────────

    def login_of(self, token_sha256: str) -> LoginRow | None:
        """Return the login of a token."""
        return self._db.find(LoginRow, LoginRow.c.token_sha256 == token_sha256)

    def login(self, login_id: str) -> LoginRow | None:
        """Return a login by its id."""
        return self._db.find(LoginRow, LoginRow.c.id == login_id)

    def refresh_token(self, token_sha256: str) -> RefreshTokenRow | None:
        """Return a refresh token; it is locked, so that one of two who use it at once is first."""
        query = select_rows(RefreshTokenRow).where(RefreshTokenRow.c.token_sha256 == token_sha256)
        return next(iter(self._db.select(RefreshTokenRow, query.with_for_update())), None)

    def logins(self, user_id: str, now: datetime) -> Sequence[LoginRow]:
        """Return a user's logins that have not expired, the last seen first."""
        query = select_rows(LoginRow).where(LoginRow.c.user_id == user_id, LoginRow.c.expires_at > now)
        return self._db.select(LoginRow, query.order_by(LoginRow.c.seen_at.desc(), LoginRow.c.id))

    def seen(self, login_id: str, now: datetime, expires_at: datetime) -> None:
        """Note that a login was used."""
        changed = update(LoginRow.table).where(LoginRow.c.id == login_id)
        self._db.execute(changed.values(seen_at=now, expires_at=expires_at))

    def end_logins(self, user_id: str, login_id: str | None = None, *, but: str = "") -> list[str]:
        """Delete a user's logins, or one of them, or all `but` one; return the ids of those that there were."""
        which = [LoginRow.c.user_id == user_id, LoginRow.c.id != but]
        if login_id is not None:
            which.append(LoginRow.c.id == login_id)
        ids = list(self._db.scalars(select(LoginRow.c.id).where(*which)))
        self._db.execute(delete(LoginRow.table).where(LoginRow.c.id.in_(ids)))
        return ids

    def forget_expired(self, before: datetime) -> None:
        """Delete the logins that expired before a time."""
        self._db.execute(delete(LoginRow.table).where(LoginRow.c.expires_at < before))

    # ── links ────────────────────────────────────────────────────────────────────────────────────

    def link_of(self, token_sha256: str) -> LinkRow | None:
        """Return the link of a token; it is locked, so that one of two who use it at once is first."""
        query = select_rows(LinkRow).where(LinkRow.c.token_sha256 == token_sha256).with_for_update()
        return next(iter(self._db.select(LinkRow, query)), None)

    def open_links(self, purpose: str, now: datetime, target: str = "") -> Sequence[LinkRow]:
        """Return the links of a purpose about one thing that can be used, the newest first."""
        lasts = or_(LinkRow.c.expires_at.is_(None), LinkRow.c.expires_at > now)
        query = select_rows(LinkRow).where(
            LinkRow.c.purpose == purpose, LinkRow.c.target == target, LinkRow.c.used_at.is_(None), lasts
        )
        return self._db.select(LinkRow, query.order_by(LinkRow.c.created_at.desc(), LinkRow.c.id))

    def revoke(self, link_id: str) -> bool:
        """Delete a link; return whether there was one."""
        known = self._db.scalar(select(LinkRow.c.id).where(LinkRow.c.id == link_id))
        self._db.execute(delete(LinkRow.table).where(LinkRow.c.id == link_id))
        return known is not None

    def revoke_made_by(self, user_id: str) -> None:
        """Delete the links to come in with that a person has made and nobody has used: they administer no more."""
        self._db.execute(
            delete(LinkRow.table).where(
                LinkRow.c.created_by == user_id,
                LinkRow.c.purpose.in_(("invitation", "reset")),
                LinkRow.c.used_at.is_(None),
            )
        )

    def revoke_all(self, purpose: str, target: str) -> None:
        """Delete the links of a purpose about one thing that have not been used."""
        self._db.execute(
            delete(LinkRow.table).where(
                LinkRow.c.purpose == purpose, LinkRow.c.target == target, LinkRow.c.used_at.is_(None)
            )
        )
