"""Pools: the slices of allowances that this process hands out in memory, so that a call needs no commit of its own."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from parley.features.limits.periods import period_at
from parley.features.limits.spending.repository import GrantedAmount, Place, SliceGone, SpendingRepository
from parley.features.limits.tables import AllowanceRow
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

T = TypeVar("T")

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""The time after which the slice of a process that has not reported counts as spent."""

RENEW_BEFORE = timedelta(seconds=20)
REFUSED_S = 1.0
"""Seconds for which a refusal answers others that need as much, unless something is settled meanwhile."""


class Pool:
    """The slice of one period of an allowance. Its amount in the database is `free + held + spent`.

    `held` is for running calls, `spent` is settled and not reported yet, `reported` was spent of the slice before.
    `is_lost`: it expired, and all of it counts as spent already. `is_unheard`: whether the last report was stored is
    unknown.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.free = 0
        self.held = 0
        self.spent = 0
        self.reported = 0
        self.amount = 0
        self.expires_at = datetime.min.replace(tzinfo=UTC)
        self.used_at = 0.0
        self.is_lost = False
        self.is_unheard = False
        self.refused: tuple[float, GrantedAmount] | None = None
        self.lock = asyncio.Lock()

    @property
    def is_empty(self) -> bool:
        """Nothing is held, and nothing has to be reported."""
        return not (self.held or self.spent or self.amount)

    def hand_out(self, need: int, now: datetime) -> bool:
        """Hold an amount if the slice has it and is still this process's."""
        if need > self.free or (need and now >= self.expires_at - RENEW_BEFORE):
            return False
        self.free -= need
        self.held += need
        return True


class Share:
    """A call's part of a pool, held until it is settled."""

    __slots__ = ("amount", "is_alone", "pool")

    def __init__(self, pool: Pool, amount: int, *, is_alone: bool) -> None:
        """`is_alone`: it was granted to this call, since the cap is near."""
        self.pool = pool
        self.amount = amount
        self.is_alone = is_alone


class Pools:
    """The pools of this process, by allowance and period."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.process_id = random_id()
        self._database = database
        self._clock = clock
        self._pools: dict[tuple[str, str], Pool] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def hold(self, allowance: AllowanceRow, need: int) -> Share | GrantedAmount:
        """Hold an amount of an allowance; return what is left if that is too little. Raises Unavailable."""
        pool = self._pool(allowance)
        pool.used_at = _now()
        if pool.hand_out(need, self._time()):
            return Share(pool, need, is_alone=False)
        if pool.refused is not None and _now() < pool.refused[0] and need > pool.refused[1].left:
            return pool.refused[1]
        # A call may be cancelled; what is granted by then must not be lost.
        task = self._run(self._hold_locked(pool, need))
        try:
            result = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._release_unheard)
            raise
        return await self.hold(allowance, need) if result is None else result

    def settle(self, share: Share, spent: int) -> None:
        """Replace what a call holds with what it used; near the cap, report it at once."""
        pool = share.pool
        if pool.is_lost:
            self._count_beyond(pool, spent - share.amount)
            return
        pool.held -= share.amount
        pool.free += share.amount - spent
        pool.spent += spent
        pool.refused = None
        if share.is_alone:
            self._run(self._report_locked(pool, give_back=True))

    def release(self, share: Share) -> None:
        """Give back a share that was not needed."""
        self.settle(share, 0)

    def counted(self, allowance: AllowanceRow) -> Share:
        """Return a share that holds nothing: what the call uses is counted all the same."""
        return Share(self._pool(allowance), 0, is_alone=False)

    def of(self, allowance: AllowanceRow) -> Pool:
        """Return the pool of an allowance in its period now."""
        return self._pool(allowance)

    async def report(self, *, idle_s: float = 5.0, close: bool = False) -> None:
        """Write what was spent, renew slices, and give back those that nobody uses."""
        for key, pool in list(self._pools.items()):
            is_idle = close or (not pool.held and _now() - pool.used_at > idle_s)
            expires_soon = pool.amount > 0 and self._time() > pool.expires_at - RENEW_BEFORE * 1.5
            if pool.spent or pool.is_unheard or expires_soon or (is_idle and pool.amount):
                await self._report(pool, give_back=is_idle)
            if is_idle and pool.is_empty and not pool.lock.locked():
                self._pools.pop(key, None)

    async def give_back(self, allowance_ids: Iterable[str]) -> None:
        """Give back what nobody holds of some allowances: their terms have changed."""
        for pool in [it for it in self._pools.values() if it.place.allowance_id in set(allowance_ids)]:
            pool.refused = None
            await self._report(pool, give_back=True)

    async def settle_expired(self, *, is_alone: bool) -> int:
        """Count the slices of killed processes as spent, unconfirmed; return how many there were.

        `is_alone`: no other process may use the database, so every slice of another one is left over.
        """
        now = None if is_alone else self._time()
        expired = await self._database.write(
            lambda it: SpendingRepository(it).settle_expired(now, self.process_id)
        )
        return len(expired)

    async def close(self) -> None:
        """Report everything; what is still held is given up with its calls."""
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self.report(close=True)

    def _run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run work to its end, whoever is cancelled meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("could not settle an allowance yet: %s", error)

    def _release_unheard(self, task: "asyncio.Task[Share | GrantedAmount | None]") -> None:
        if not task.cancelled() and task.exception() is None and isinstance(share := task.result(), Share):
            self.release(share)

    async def _hold_locked(self, pool: Pool, need: int) -> Share | GrantedAmount | None:
        """Hold an amount; None if the pool turns out to be lost."""
        async with pool.lock:
            if pool.is_lost:
                return None
            if pool.hand_out(need, self._time()):
                return Share(pool, need, is_alone=False)
            if pool.refused is not None and _now() < pool.refused[0] and need > pool.refused[1].left:
                return pool.refused[1]
            return await self._take(pool, need)

    async def _take(self, pool: Pool, need: int) -> Share | GrantedAmount | None:
        """Take a slice that has what a call needs; None if the pool turns out to be lost."""
        now = self._time()
        lease = now + LEASE
        if pool.amount and (pool.is_unheard or now >= pool.expires_at - RENEW_BEFORE):
            await self._write_report(pool, give_back=False)
            if pool.is_lost:
                return None
        lacking, has_slice = max(need - pool.free, 0), pool.amount > 0
        try:
            taken = await self._database.write(
                lambda it: SpendingRepository(it).take(pool.place, lacking, now, lease, has_slice=has_slice)
            )
        except SliceGone:
            self._lose(pool, beyond=-pool.free)
            return None
        if taken is None or taken.amount < lacking:
            taken = taken or GrantedAmount(0, 0, 0)
            left = GrantedAmount(0, taken.left + max(pool.free, 0), taken.cap)
            pool.refused = (_now() + REFUSED_S, left)
            return left
        pool.amount += taken.amount
        pool.free += taken.amount - need
        pool.held += need
        pool.expires_at = lease
        return Share(pool, need, is_alone=taken.amount == lacking)

    async def _report(self, pool: Pool, *, give_back: bool) -> None:
        await asyncio.shield(self._run(self._report_locked(pool, give_back=give_back)))

    async def _report_locked(self, pool: Pool, *, give_back: bool) -> None:
        async with pool.lock:
            if not pool.is_lost:
                await self._write_report(pool, give_back=give_back)

    async def _write_report(self, pool: Pool, *, give_back: bool) -> None:
        """Settle in the database. What is given back leaves the pool before, so nobody gets it meanwhile.

        What was spent leaves it afterwards, so that figures of both together never show too little.
        """
        spent, back = pool.spent, pool.free if give_back or pool.free < 0 else 0
        pool.free -= back
        amount, lease = max(0, pool.held + pool.free), self._time() + LEASE
        if not (spent or amount or pool.amount):
            return
        work = _report_of(pool, pool.reported + spent, amount, lease)
        try:
            is_ours = await self._database.write(work)
        except BaseException:
            # It may be stored all the same: then others have what was given back.
            pool.free += min(back, 0)
            pool.is_unheard = True
            raise
        pool.is_unheard = False
        pool.spent -= spent
        pool.reported = pool.reported + spent if amount else 0
        # Whatever was handed out and settled meanwhile stays within the amount.
        pool.amount, pool.expires_at = amount, lease
        if not is_ours:
            self._lose(pool, beyond=-(pool.free + back))

    def _lose(self, pool: Pool, *, beyond: int) -> None:
        """Leave a slice that has expired, and count what calls have used beyond it."""
        pool.is_lost = True
        self._pools.pop((pool.place.allowance_id, pool.place.period_start), None)
        self._count_beyond(pool, beyond)

    def _count_beyond(self, lost: Pool, spent: int) -> None:
        """Count what was used beyond a slice, or a part of it, that counts as spent already."""
        if spent > 0:
            self.settle(Share(self._at(lost.place), 0, is_alone=False), spent)

    def _pool(self, allowance: AllowanceRow) -> Pool:
        start = period_at(allowance.period, self._time()).start
        return self._at(Place(self.process_id, allowance.id, start))

    def _at(self, place: Place) -> Pool:
        key = (place.allowance_id, place.period_start)
        if key not in self._pools:
            self._pools[key] = Pool(place)
        return self._pools[key]

    def _time(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _report_of(pool: Pool, spent: int, amount: int, lease: datetime) -> Callable[[Transaction], bool]:
    """Return the transaction that settles a pool; it tells whether the pool is still this process's."""
    place, has_slice = pool.place, pool.amount > 0

    def settle(transaction: Transaction) -> bool:
        spending = SpendingRepository(transaction)
        if has_slice:
            return spending.report(place, spent, amount, lease)
        spending.count(place, spent)
        return True

    return settle


def _now() -> float:
    return asyncio.get_running_loop().time()
