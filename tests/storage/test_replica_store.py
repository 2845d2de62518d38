"""Replicas in PostgreSQL: who is dead, who owns a turn, and what is left out of the log of one that does not."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import select, text, update

from parley.kernel.inputs import PromptInput
from parley.kernel.ports import EventLogged
from parley.kernel.replicas import TurnOrder, TurnsLost
from parley.storage import server_lock
from parley.storage.database import Database
from parley.storage.replica_store import SqlReplicaStore
from parley.storage.server_lock import DatabaseLock, lock_database
from parley.storage.tables.conversations import TurnEventRow, TurnRow
from parley.storage.tables.replicas import ReplicaRow
from parley.storage.turn_log import SqlTurnLog
from tests.storage.test_turn_log import FixedClock, StoredTurns

pytestmark = pytest.mark.databases("postgresql")

TURN = "m-t0"


class Several:
    """Replicas on one database, each with its own lock; `kill` frees one, as the end of its process does."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._held: dict[str, AsyncExitStack] = {}
        self.locks: dict[str, DatabaseLock] = {}

    async def join(self, name: str) -> SqlReplicaStore:
        self._held[name] = stack = AsyncExitStack()
        self.locks[name] = await stack.enter_async_context(lock_database(self.database, name))
        store = SqlReplicaStore(self.database, self.locks[name], name)
        await store.renew((), takes=0)
        return store

    async def kill(self, name: str) -> None:
        await self._held.pop(name).aclose()

    async def close(self) -> None:
        for name in tuple(self._held):
            await self.kill(name)

    async def silence(self, name: str, seconds: float) -> None:
        """Let a replica have been silent for some time."""
        earlier = update(ReplicaRow.table).where(ReplicaRow.c.id == name)
        change = earlier.values(seen_at=ReplicaRow.c.seen_at - seconds)
        await self.database.write(lambda transaction: transaction.execute(change))

    async def owner(self) -> str | None:
        query = select(TurnRow.c.replica_id).where(TurnRow.c.id == TURN)
        return await self.database.read(lambda transaction: transaction.scalar(query))


@pytest.fixture
async def several(database: Database) -> AsyncGenerator[Several]:
    turns = StoredTurns(database)
    await turns.open()
    await turns.match("m", 0)
    await turns.turn("m", 0, PromptInput("Hello"))
    several = Several(database)
    yield several
    await several.close()


async def test_a_turn_of_a_killed_replica_is_taken_once(several: Several) -> None:
    first, second, third = [await several.join(name) for name in ("first", "second", "third")]
    assert list((await first.renew((), takes=5)).taken) == [TURN]
    await several.silence("first", 2)
    assert list((await second.renew((), takes=5)).taken) == []
    assert await several.owner() == "first", "it is silent, and its lock stands"
    await several.kill("first")
    taken = [*(await second.renew((), takes=5)).taken, *(await third.renew((), takes=5)).taken]
    assert taken == [TURN]
    assert await several.owner() == "second"


async def test_a_replica_that_is_silent_for_long_loses_its_turns_and_hears_of_it(several: Several) -> None:
    first, second = await several.join("first"), await several.join("second")
    await first.renew((), takes=5)
    await several.silence("first", 20)
    assert list((await second.renew((), takes=5)).taken) == [TURN]
    assert list((await first.renew([TURN], takes=5)).lost) == [TURN]


async def test_a_replica_that_leaves_hands_its_turns_over(several: Several) -> None:
    first, second = await several.join("first"), await several.join("second")
    await first.renew((), takes=5)
    await first.leave()
    assert list((await second.renew((), takes=5)).taken) == [TURN]


async def test_the_log_leaves_out_what_belongs_to_a_turn_of_another(several: Several) -> None:
    first = await several.join("first")
    await first.renew((), takes=5)
    own, stale = (SqlTurnLog(several.database, FixedClock(), name) for name in ("first", "second"))
    await own.write([EventLogged(turn_id=TURN, seq=0, kind="turn.started", data=b"{}")])
    with pytest.raises(TurnsLost) as caught:
        await stale.write([EventLogged(turn_id=TURN, seq=1, kind="turn.started", data=b"{}")])
    assert caught.value.turn_ids == {TURN}
    query = select(TurnEventRow.c.seq)
    assert await several.database.read(lambda transaction: transaction.scalars(query)) == [0]


async def test_an_order_reaches_the_owner_of_its_turn_and_is_answered(several: Several) -> None:
    first, second = await several.join("first"), await several.join("second")
    await first.renew((), takes=5)
    order = TurnOrder(id="order", turn_id=TURN, kind="stop", data="null")
    await second.order(order)
    assert list((await second.renew((), takes=0)).orders) == []
    assert list((await first.renew((), takes=0)).orders) == [order]
    assert await second.result("order") is None
    await first.answer("order", "{}")
    assert await second.result("order") == "{}"
    assert list((await first.renew((), takes=0)).orders) == []


async def test_one_leads_and_another_follows_it(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_lock, "LEAD_S", 0.02)

    async def leader(*names: str) -> str:
        async with asyncio.timeout(20):
            while not (leading := [name for name in names if several.locks[name].leads]):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert len(leading) == 1
        return leading[0]

    for name in ("first", "second"):
        await several.join(name)
        several.locks[name].wants_lead = True
    ahead = await leader("first", "second")
    other = {"first": "second", "second": "first"}[ahead]
    await several.kill(ahead)
    assert await leader(other) == other


async def test_a_server_alone_and_replicas_keep_each_other_out(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parley.kernel.errors import Unavailable

    monkeypatch.setattr(server_lock, "PATIENCE_S", 0.1)
    await several.join("first")
    with pytest.raises(Unavailable):
        async with lock_database(several.database):
            pass
    await several.kill("first")
    async with lock_database(several.database):
        with pytest.raises(Unavailable):
            await several.join("second")
    assert await several.database.read(lambda transaction: transaction.scalar(text("select 1"))) == 1
