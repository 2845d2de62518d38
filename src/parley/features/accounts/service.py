"""Accounts: in personal mode everyone who reaches Parley is its one owner."""

from datetime import UTC, datetime

from parley.features.accounts.repository import AccountsRepository
from parley.kernel.caller import Caller, Callers, Scope, Way
from parley.kernel.ports import Clock
from parley.storage.database import Database

OWNER_ID = "owner"
EVERYTHING = frozenset(Scope)
NOTHING = frozenset[Scope]()


class AccountsService(Callers):
    """Finds the caller of a request."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open(self) -> None:
        """Create the owner's account if it does not exist."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        await self._database.write(
            lambda transaction: AccountsRepository(transaction).ensure(OWNER_ID, "Owner", now)
        )

    async def caller_of(self, way: Way, *, is_local: bool) -> Caller:
        """Return the owner on this computer, a stranger anywhere else."""
        return self.owner(way) if is_local else self.stranger(way)

    @staticmethod
    def owner(way: Way) -> Caller:
        """Return the one owner of personal mode, with every scope."""
        return Caller(OWNER_ID, EVERYTHING, way)

    @staticmethod
    def stranger(way: Way) -> Caller:
        """Return the caller for a stranger, without any scope."""
        return Caller("", NOTHING, way)
