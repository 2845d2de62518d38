"""Sign-in with other providers' accounts. A person is found again by provider and subject, never by an address alone.

The provider's tokens are dropped after the check: its outage, or a token that expires, ends nobody's login here.
"""

import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.accounts.logins import Browser, Logins
from parley.features.accounts.people import People
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.tables import AccountRow, IdentityRow
from parley.features.accounts.tokens import same
from parley.kernel.caller import Caller, Role
from parley.kernel.errors import Conflict, Forbidden, NotFound, Unknown
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.wire.identity import Identity, IdentityClient, IdentitySetting, Secrets

PENDING_S = 600
MOST_PENDING = 10_000


class _Pending(msgspec.Struct, frozen=True):
    """A sign-in that has begun, and who links an identity to their account by it."""

    setting: IdentitySetting
    secrets: Secrets
    back: str
    linking: str
    until: float


class SignInElsewhere:
    """Sends people to their provider, and signs in who comes back."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        client: IdentityClient,
        providers: Sequence[IdentitySetting],
        people: People,
        logins: Logins,
    ) -> None:
        self._database = database
        self._clock = clock
        self._client = client
        self._providers = {provider.id: provider for provider in providers}
        self._people = people
        self._logins = logins
        self._pending: dict[str, _Pending] = {}

    async def begin(self, caller: Caller, provider_id: str, origin: str) -> tuple[str, str]:
        """Return the address of the provider, and the state that the browser must bring back.

        Raises NotFound, Unavailable.
        """
        setting = self._setting(provider_id)
        state = secrets.token_urlsafe(24)
        own = Secrets(secrets.token_urlsafe(48), secrets.token_urlsafe(24))
        back = f"{origin}/api/auth/with/{provider_id}/back"
        address = await self._client.address(setting, back, state, own)
        now = time.monotonic()
        self._pending = {key: it for key, it in self._pending.items() if it.until > now}
        if len(self._pending) >= MOST_PENDING:
            del self._pending[next(iter(self._pending))]
        linking = caller.author_id if caller.is_known and caller.role is not Role.GUEST else ""
        self._pending[state] = _Pending(setting, own, back, linking, now + PENDING_S)
        return address, state

    async def finish(
        self, caller: Caller, provider_id: str, code: str, state: str, brought: str, browser: Browser
    ) -> str:
        """Return the token of a new login of who comes back with a code; `brought` is the state in their browser.

        Raises Unknown, Unavailable, Conflict, Forbidden.
        """
        pending = self._pending.pop(state, None) if state and same(state, brought) else None
        if pending is None or pending.setting.id != provider_id or pending.until < time.monotonic():
            raise Unknown(
                "This sign-in was not begun in this browser, or too long ago.",
                "Nobody was signed in. Begin again.",
                code="ticket_ended",
            )
        identity = await self._client.identify(pending.setting, pending.back, code, pending.secrets)
        linking = pending.linking if pending.linking == caller.author_id else ""

        def store(transaction: Transaction) -> tuple[str, list[str]]:
            user_id = self._user_of(transaction, caller, pending.setting, identity, linking)
            account = AccountsRepository(transaction).account(user_id)
            if account is None or account.disabled_at is not None:
                raise Unknown("This account can't be used.", "Ask an administrator.", code="identity_refused")
            changed = self._give_role(transaction, account, pending.setting, identity)
            return self._logins.start(transaction, user_id, browser), changed

        token, changed = await self._database.write(store)
        await self._logins.announce(changed)
        return token

    async def logged_out(self, provider_id: str, logout_token: str) -> None:
        """End every login of a person whom their provider has signed out. Raises NotFound, Unknown."""
        setting = self._setting(provider_id)
        subject = await self._client.logged_out(setting, logout_token)

        def store(transaction: Transaction) -> list[str]:
            accounts = AccountsRepository(transaction)
            known = accounts.identity(setting.address, subject)
            return accounts.end_logins(known.user_id) if known else []

        await self._logins.announce(await self._database.write(store))

    def _setting(self, provider_id: str) -> IdentitySetting:
        if provider_id not in self._providers:
            raise NotFound("Nobody signs in with this provider here.", "Choose another way to sign in.")
        return self._providers[provider_id]

    def _user_of(
        self,
        transaction: Transaction,
        caller: Caller,
        setting: IdentitySetting,
        identity: Identity,
        linking: str,
    ) -> str:
        """Return whose identity it is: known before, of who is signed in, or of a new account."""
        accounts, now = AccountsRepository(transaction), self._now()
        known = accounts.identity(identity.issuer, identity.subject)
        if known is not None and linking not in ("", known.user_id):
            raise Conflict(
                f"This account at {setting.name} belongs to somebody else here.",
                "Nothing was changed.",
                code="account_exists",
            )
        user_id = known.user_id if known else linking or self._new(transaction, caller, setting, identity)
        created_at = known.created_at if known else now
        accounts.put_identity(
            IdentityRow(identity.issuer, identity.subject, user_id, identity.email, created_at, now)
        )
        return user_id

    def _new(
        self, transaction: Transaction, caller: Caller, setting: IdentitySetting, identity: Identity
    ) -> str:
        if not setting.sign_up:
            raise Forbidden(
                f"Nobody here has this account at {setting.name}.",
                "Sign in another way first, then add it under Settings, Security; or ask for an invitation.",
                code="sign_up_closed",
            )
        if not identity.email:
            raise Forbidden(
                f"{setting.name} has not verified an e-mail address of yours.",
                "Verify one there, then sign in again.",
                code="identity_refused",
            )
        if AccountsRepository(transaction).account_of(identity.email) is not None:
            raise Conflict(
                f"Somebody signs in here with {identity.email} already.",
                f"If that is you, sign in as until now and add {setting.name} under Settings, Security.",
                code="account_exists",
            )
        return self._people.add_from_elsewhere(transaction, caller, identity.name, identity.email)

    def _give_role(
        self, transaction: Transaction, account: AccountRow, setting: IdentitySetting, identity: Identity
    ) -> list[str]:
        """Let the provider's groups decide the role, where they are named; return the logins that it concerns."""
        if not setting.admin_groups:
            return []
        role = Role.ADMINISTRATOR if {*setting.admin_groups} & {*identity.groups} else Role.MEMBER
        accounts = AccountsRepository(transaction)
        last = account.role == Role.ADMINISTRATOR and accounts.administrators() <= 1
        if role == account.role or (last and role is Role.MEMBER):
            return []
        account.role = role
        accounts.update(account)
        if role is Role.MEMBER:
            accounts.revoke_made_by(account.user_id)
        return [login.id for login in accounts.logins(account.user_id, self._now())]

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)
