"""Logins: signed-in browsers. Each is found by its token's hash, from memory on most requests, and ends at once."""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import msgspec

from parley.engine.open_streams import OpenStreams
from parley.features.accounts.factor_repository import FactorRepository
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import LoginView
from parley.features.accounts.tables import AccountRow, LoginRow
from parley.features.accounts.tokens import digest, new_token
from parley.features.accounts.workspace_repository import WorkspaceRepository
from parley.kernel.bus import Bus
from parley.kernel.caller import SCOPES_OF, Caller, Role, SpaceRole, Way
from parley.kernel.errors import NotFound
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

log = logging.getLogger(__name__)

Find: TypeAlias = Callable[[AccountsRepository], LoginRow | None]

CHANNEL = "logins"
LASTS = timedelta(days=30)
"""A login ends after this time without use."""

LOOK_AGAIN_S = 30.0
NOTE_USE_AFTER = timedelta(minutes=5)
MOST_REMEMBERED = 10_000


class Browser(msgspec.Struct, frozen=True):
    """The browser that signs in: its name, its network, and the proof that it has signed in before."""

    agent: str
    network: str
    proof: str = ""


class _Known(msgspec.Struct, frozen=True):
    """A login in memory, until `until` on the monotonic clock, with the person's place in each workspace of theirs.

    `lacks_factor`: the person must add a second factor before anything else.
    """

    person_id: str
    role: Role
    login_id: str
    until: float
    spaces: dict[str, str]
    lacks_factor: bool


class Logins:
    """Starts, finds and ends logins. `streams` end with theirs; other processes hear of it over the bus."""

    def __init__(self, database: Database, clock: Clock, bus: Bus, streams: OpenStreams) -> None:
        self._database = database
        self._clock = clock
        self._bus = bus
        self._streams = streams
        self._known: dict[str, _Known] = {}

    async def caller_of(self, way: Way, token: str, space_id: str = "") -> Caller | None:
        """Return the caller whose login has a token; None if there is none, or they may not sign in.

        They act in a workspace if one is named, without any scope if they are no member of it.
        """
        key = digest(token)
        return await self._caller(way, key, lambda accounts: accounts.login_of(key), space_id)

    async def caller_with(self, login_id: str, space_id: str = "") -> Caller | None:
        """Return the program that has proved to have a login; None as above."""
        return await self._caller(
            "program", f"login {login_id}", lambda accounts: accounts.login(login_id), space_id
        )

    def start(self, transaction: Transaction, user_id: str, browser: Browser, login_id: str = "") -> str:
        """Add a login within a transaction; return its token, which nobody can be told again."""
        token, now = new_token(), self._now()
        AccountsRepository(transaction).add(
            LoginRow(
                id=login_id or random_id(),
                user_id=user_id,
                token_sha256=digest(token),
                agent=browser.agent[:300],
                network=browser.network,
                created_at=now,
                seen_at=now,
                expires_at=now + LASTS,
            )
        )
        return token

    async def list(self, caller: Caller) -> Sequence[LoginView]:
        """Return the caller's logins, the last seen first."""
        rows = await self._database.read(
            lambda transaction: AccountsRepository(transaction).logins(caller.author_id, self._now())
        )
        return [_view(row, caller) for row in rows]

    async def end(self, caller: Caller, login_id: str) -> None:
        """End one of the caller's logins. Raises NotFound."""
        ended = await self._database.write(
            lambda transaction: AccountsRepository(transaction).end_logins(caller.author_id, login_id)
        )
        if not ended:
            raise NotFound("This login doesn't exist.", "It may have ended already.")
        await self.announce(ended)

    async def end_others(self, caller: Caller) -> int:
        """End all of the caller's logins but the one that asks; return how many."""
        ended = await self._database.write(
            lambda transaction: AccountsRepository(transaction).end_logins(
                caller.author_id, but=caller.login_id
            )
        )
        await self.announce(ended)
        return len(ended)

    async def announce(self, login_ids: Sequence[str]) -> None:
        """Forget logins that were ended, or whose person has changed, here and in every other process."""
        self._forget(login_ids)
        if login_ids:
            try:
                await self._bus.publish(CHANNEL, msgspec.json.encode(list(login_ids)))
            except OSError as error:
                log.warning("other processes notice ended logins within %.0f s: %s", LOOK_AGAIN_S, error)

    async def announce_changes(self, user_ids: Sequence[str]) -> None:
        """Look again at these people's logins: their place in a workspace has changed."""

        def read(transaction: Transaction) -> list[str]:
            accounts = AccountsRepository(transaction)
            return [login.id for user_id in user_ids for login in accounts.logins(user_id, self._now())]

        await self.announce(await self._database.read(read))

    async def listen(self) -> None:
        """Forget logins that other processes end, until the bus closes."""
        async with self._bus.subscribe(CHANNEL) as messages:
            async for message in messages:
                if message is None:
                    self._known.clear()
                else:
                    self._forget(msgspec.json.decode(message, type=list[str]))

    async def forget_expired(self) -> None:
        """Delete logins that have expired."""
        await self._database.write(
            lambda transaction: AccountsRepository(transaction).forget_expired(self._now())
        )

    def _forget(self, login_ids: Sequence[str]) -> None:
        ended = set(login_ids)
        self._known = {key: it for key, it in self._known.items() if it.login_id not in ended}
        for login_id in ended:
            self._streams.end(login_id)

    async def _caller(self, way: Way, key: str, find: Find, space_id: str) -> Caller | None:
        known = self._known.get(key)
        if known is None or known.until < time.monotonic():
            known = await self._look_up(key, find)
            if known is None:
                return None
        scopes, person_id = SCOPES_OF[known.role], known.person_id
        if space_id in ("", person_id) or known.lacks_factor:
            return Caller(person_id, scopes, way, known.role, known.login_id, lacks_factor=known.lacks_factor)
        place = known.spaces.get(space_id)
        if place is None:
            return Caller(person_id, frozenset(), way, known.role, known.login_id)
        return Caller(space_id, scopes, way, known.role, known.login_id, person_id, SpaceRole(place))

    async def _look_up(self, key: str, find: Find) -> _Known | None:
        now = self._now()

        def look(transaction: Transaction) -> tuple[LoginRow, str, dict[str, str], bool] | None:
            accounts = AccountsRepository(transaction)
            login = find(accounts)
            account = accounts.account(login.user_id) if login else None
            if login is None or account is None or account.disabled_at or login.expires_at <= now:
                return None
            lacks = _lacks_factor(transaction, account)
            return login, account.role, WorkspaceRepository(transaction).roles(login.user_id), lacks

        known_row = await self._database.read(look)
        if known_row is None:
            self._known.pop(key, None)
            return None
        login, role, spaces, lacks_factor = known_row
        if now - login.seen_at > NOTE_USE_AFTER:
            await self._database.write(
                lambda transaction: AccountsRepository(transaction).seen(login.id, now, now + LASTS)
            )
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        until = time.monotonic() + LOOK_AGAIN_S
        known = _Known(login.user_id, Role(role), login.id, until, spaces, lacks_factor)
        self._known[key] = known
        return known

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _lacks_factor(transaction: Transaction, account: AccountRow) -> bool:
    """Return whether a person has a password alone where that is not enough; a provider asks for its own factors."""
    if account.password_hash is None or not AccountsRepository(transaction).rules().second_factor:
        return False
    return not FactorRepository(transaction).has_factor(account.user_id)


def _view(row: LoginRow, caller: Caller) -> LoginView:
    return LoginView(
        id=row.id,
        agent=row.agent,
        network=row.network,
        created_at=row.created_at.isoformat(),
        seen_at=row.seen_at.isoformat(),
        expires_at=row.expires_at.isoformat(),
        is_this=row.id == caller.login_id,
    )
