"""Replicas in the database: who lives, who owns which turn, and orders to the owners."""

from collections.abc import Collection, Sequence

from sqlalchemy import Float, cast, delete, func, insert, or_, select, update

from parley.kernel.replicas import Renewal, TurnOrder
from parley.storage.database import Database
from parley.storage.server_lock import LIFE_KEY, DatabaseLock
from parley.storage.tables.conversations import TurnRow
from parley.storage.tables.replicas import ReplicaRow, TurnOrderRow
from parley.storage.transaction import Transaction

SILENT_S = 15.0
"""After how many seconds of silence a replica is taken for dead whose connection still stands."""

FREE_S = 1.0
"""After how many seconds of silence it is if its connection is gone, as after a kill."""

ORDER_KEPT_S = 60.0

_NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)
_TURNS, _REPLICAS, _ORDERS = TurnRow.c, ReplicaRow.c, TurnOrderRow.c


class SqlReplicaStore:
    """Implements the kernel's port `ReplicaStore` on PostgreSQL, whose clock counts."""

    def __init__(self, database: Database, lock: DatabaseLock, replica_id: str) -> None:
        self._database = database
        self._lock = lock
        self._id = replica_id

    @property
    def leads(self) -> bool:
        """True for one replica at a time."""
        return self._lock.leads

    async def renew(self, playing: Collection[str], *, takes: int) -> Renewal:
        """Say that this replica lives, bury dead ones, and read what concerns this one."""

        def change(transaction: Transaction) -> Renewal:
            now = self._renew(transaction)
            if takes:
                self._bury(transaction, now)
            return Renewal(
                lost=self._lost(transaction, playing),
                taken=self._take(transaction, takes),
                orders=self._open_orders(transaction),
            )

        return await self._database.write(change)

    async def order(self, order: TurnOrder) -> None:
        """Store an order."""

        def add(transaction: Transaction) -> None:
            now = float(transaction.scalar(select(_NOW)))
            transaction.execute(delete(TurnOrderRow.table).where(_ORDERS.created_at < now - ORDER_KEPT_S))
            transaction.insert(
                TurnOrderRow(
                    id=order.id,
                    turn_id=order.turn_id,
                    kind=order.kind,
                    data=order.data,
                    created_at=now,
                )
            )

        await self._database.write(add)

    async def answer(self, order_id: str, result: str) -> None:
        """Store the result of an order."""
        done = update(TurnOrderRow.table).where(_ORDERS.id == order_id).values(result=result)
        await self._database.write(lambda transaction: transaction.execute(done))

    async def result(self, order_id: str) -> str | None:
        """Return the result of an order."""
        query = select(_ORDERS.result).where(_ORDERS.id == order_id)
        return await self._database.read(lambda transaction: transaction.scalar(query))

    async def forget(self, order_id: str) -> None:
        """Delete an order."""
        gone = delete(TurnOrderRow.table).where(_ORDERS.id == order_id)
        await self._database.write(lambda transaction: transaction.execute(gone))

    async def others(self) -> int:
        """Return how many other replicas are known."""
        query = select(func.count()).where(_REPLICAS.id != self._id)
        return int(await self._database.read(lambda transaction: transaction.scalar(query)) or 0)

    async def leave(self) -> None:
        """Delete this replica: turns without a living owner are taken by the others."""
        own = delete(ReplicaRow.table).where(_REPLICAS.id == self._id)
        await self._database.write(lambda transaction: transaction.execute(own))

    def _renew(self, transaction: Transaction) -> float:
        """Store that this replica lives, which may be new, or was taken for dead; return the time."""
        own = update(ReplicaRow.table).where(_REPLICAS.id == self._id).values(seen_at=_NOW)
        now = transaction.scalar(own.returning(_REPLICAS.seen_at))
        if now is None:
            fresh = insert(ReplicaRow.table).values(id=self._id, seen_at=_NOW)
            now = transaction.scalar(fresh.returning(_REPLICAS.seen_at))
        return float(now)

    def _bury(self, transaction: Transaction, now: float) -> None:
        """Delete the replicas that are silent, and either have lost their connection or are silent for long."""
        is_free = func.pg_try_advisory_xact_lock_shared(LIFE_KEY, func.hashtext(_REPLICAS.id))
        silent = select(_REPLICAS.id, _REPLICAS.seen_at, is_free).where(
            _REPLICAS.id != self._id, _REPLICAS.seen_at < now - FREE_S
        )
        rows = transaction.execute(silent).all()
        dead = [each for each, seen_at, free in rows if free or seen_at < now - SILENT_S]
        if dead:
            transaction.execute(delete(ReplicaRow.table).where(_REPLICAS.id.in_(dead)))

    def _take(self, transaction: Transaction, most: int) -> Sequence[str]:
        """Take running turns that no living replica owns, the oldest first."""
        if not most:
            return ()
        ownerless = or_(_TURNS.replica_id.is_(None), _TURNS.replica_id.not_in(select(_REPLICAS.id)))
        query = (
            select(_TURNS.id)
            .where(_TURNS.status == "running", ownerless)
            .order_by(_TURNS.created_at, _TURNS.id)
            .limit(most)
            .with_for_update(skip_locked=True)
        )
        taken = transaction.scalars(query)
        if taken:
            own = update(TurnRow.table).where(_TURNS.id.in_(taken)).values(replica_id=self._id)
            transaction.execute(own)
        return taken

    def _lost(self, transaction: Transaction, playing: Collection[str]) -> Sequence[str]:
        if not playing:
            return ()
        others = select(_TURNS.id).where(_TURNS.id.in_(playing), _TURNS.replica_id.is_distinct_from(self._id))
        return transaction.scalars(others)

    def _open_orders(self, transaction: Transaction) -> Sequence[TurnOrder]:
        query = (
            select(_ORDERS.id, _ORDERS.turn_id, _ORDERS.kind, _ORDERS.data)
            .join(TurnRow.table, _TURNS.id == _ORDERS.turn_id)
            .where(_TURNS.replica_id == self._id, _ORDERS.result.is_(None))
            .order_by(_ORDERS.created_at)
        )
        rows = transaction.execute(query).all()
        return [TurnOrder(id=each.id, turn_id=each.turn_id, kind=each.kind, data=each.data) for each in rows]


def own_turn(transaction: Transaction, turn_id: str, replica_id: str) -> None:
    """Store which replica plays a turn."""
    own = update(TurnRow.table).where(_TURNS.id == turn_id).values(replica_id=replica_id)
    transaction.execute(own)


def running_turns(transaction: Transaction, *, turn_id: str = "", session_id: str = "") -> Sequence[str]:
    """Return the ids of the turns of a session that run, or of one turn."""
    which = _TURNS.id == turn_id if turn_id else _TURNS.session_id == session_id
    return transaction.scalars(select(_TURNS.id).where(_TURNS.status == "running", which))


def lost_turns(transaction: Transaction, turn_ids: Collection[str], replica_id: str) -> frozenset[str]:
    """Return those of these turns that another replica owns; the others stay this one's until the transaction ends."""
    if not turn_ids:
        return frozenset()
    query = select(_TURNS.id, _TURNS.replica_id).where(_TURNS.id.in_(turn_ids))
    rows = transaction.execute(query.order_by(_TURNS.id).with_for_update(key_share=True)).all()
    return frozenset(each.id for each in rows if each.replica_id != replica_id)
