"""Accounts: finds who makes a request. In personal mode everyone who reaches Parley is its one owner."""

from datetime import UTC, datetime
from typing import Protocol

import msgspec

from parley.features.accounts.access_tokens import AccessTokens
from parley.features.accounts.logins import Logins
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.tokens import same
from parley.kernel.caller import (
    SCOPES_OF,
    Caller,
    CallerKey,
    Callers,
    Credentials,
    Role,
    Scope,
    Way,
)
from parley.kernel.errors import Forbidden, ParleyError, Unknown
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

OWNER_ID = "owner"
EVERYTHING = frozenset(Scope)
NOTHING = frozenset[Scope]()
KEYS_MAY = frozenset({Scope.READ, Scope.TALK})


class KeyRing(Protocol):
    """Knows API keys by their secrets."""

    async def key_of(self, secret: str) -> CallerKey | None:
        """Return the valid key with a secret; None if there is none."""
        ...


class AccountsService(Callers):
    """Finds the caller of a request.

    With `logins` that is who has signed in, or the owner for a command, which knows `command_key`. Without, it is the
    owner on this computer.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        logins: Logins | None = None,
        tokens: AccessTokens | None = None,
        command_key: str = "",
    ) -> None:
        self._database = database
        self._clock = clock
        self._logins = logins
        self._command_key = command_key
        self._tokens = tokens
        self._keys: KeyRing | None = None

    def admit(self, keys: KeyRing) -> None:
        """Set who knows API keys; a setter, since keys are made by people with an account."""
        self._keys = keys

    async def open(self) -> None:
        """Create the owner's account if it does not exist."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        await self._database.write(
            lambda transaction: AccountsRepository(transaction).ensure(OWNER_ID, "Owner", now)
        )

    @staticmethod
    def names_of_everybody(transaction: Transaction) -> list[str]:
        """Return the names of people and workspaces, and what stands before the @ of their addresses."""
        accounts = AccountsRepository(transaction)
        addresses = (account.email or "" for account in accounts.accounts())
        return [user.name for user in accounts.users().values()] + [
            address.partition("@")[0].partition("+")[0] for address in addresses
        ]

    async def caller_of(self, way: Way, credentials: Credentials) -> Caller:
        """Return the caller; a stranger if it is not known who asks."""
        if self._logins is None:
            return self.owner(way) if credentials.is_local else self.stranger(way)
        if credentials.door:
            return await self._caller_with_key(credentials.bearer)
        if credentials.bearer:
            known = self._command_key and same(self._command_key, credentials.bearer)
            return self.owner("command") if known else await self._program(credentials)
        if not credentials.login:
            return self.stranger(way)
        return await self._logins.caller_of(way, credentials.login, credentials.space_id) or self.stranger(
            way
        )

    async def _caller_with_key(self, secret: str) -> Caller:
        """Return the caller with an API key, with the rights that both the key and its owner have."""
        key = await self._keys.key_of(secret) if self._keys and secret else None
        if key is None:
            return self.stranger("program")
        role = await self.role_of(key.person_id)
        if role is None:
            return self.stranger("program")
        return Caller(key.person_id, SCOPES_OF[role] & KEYS_MAY, "program", role, key=key)

    async def _program(self, credentials: Credentials) -> Caller:
        """Return the caller outside of the door: with an access token one who may do what the person may."""
        if self._tokens is not None and credentials.bearer.count(".") == 2:
            caller = await self._tokens.caller_of(credentials.bearer, credentials.space_id)
            return caller or self.stranger("program")
        return await self._reader_with_key(credentials.bearer)

    async def _reader_with_key(self, secret: str) -> Caller:
        """Return the caller with an API key for it, one who may read what everyone shares."""
        caller = await self._caller_with_key(secret) if secret.startswith("parley-") else None
        if caller is None or caller.key is None or "read" not in caller.key.scopes:
            return self.stranger("program")
        return msgspec.structs.replace(caller, scopes=caller.scopes & {Scope.READ})

    async def role_of(self, person_id: str) -> Role | None:
        """Return a person's role; None if they can't sign in."""
        return await self._database.read(lambda it: AccountsRepository(it).role(person_id))

    def refusal(self, caller: Caller) -> ParleyError:
        """Return the error for a caller without the scope that a route needs."""
        if self._logins is None:
            return Forbidden(
                "You don't have permission for this.",
                "In personal mode Parley serves only this computer. Use an SSH tunnel from elsewhere.",
            )
        if not caller.is_known:
            return Unknown("Nobody is signed in.", "Nothing was changed. Sign in and try again.")
        if caller.lacks_factor:
            return Forbidden(
                "A second factor is demanded here, and you have none yet.",
                "Nothing was changed. Add a passkey or an app with codes first: reload the page.",
                code="second_factor_needed",
            )
        if not caller.scopes:
            return Forbidden(
                "You are not in this workspace.",
                "Nothing was changed. Ask one of its owners to add you.",
                code="not_in_workspace",
            )
        if not caller.may_write:
            return Forbidden(
                "You can read in this workspace, and not write.",
                "Nothing was changed. Ask one of its owners to make you an editor.",
            )
        return Forbidden(
            "You don't have permission for this.",
            "Nothing was changed. Only an administrator may do this; ask one.",
        )

    @staticmethod
    def owner(way: Way) -> Caller:
        """Return the one owner of personal mode, with every scope."""
        return Caller(OWNER_ID, EVERYTHING, way)

    @staticmethod
    def stranger(way: Way) -> Caller:
        """Return the caller for a stranger, without any scope."""
        return Caller("", NOTHING, way, Role.GUEST)
