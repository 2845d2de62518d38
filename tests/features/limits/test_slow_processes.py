"""Tests of processes that sleep, are slow, or don't hear from the database: none passes a cap or counts wrongly."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from parley.features.limits.spending.pools import Pools
from parley.features.limits.spending.repository import Place, SpendingRepository
from parley.features.limits.tables import AllowancePeriodRow
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy, unknown_outcome
from tests.fakes.databases import ON_EVERY_KIND, in_own_loop
from tests.features.limits.test_allowances import (
    BOUND,
    DAY,
    NOON,
    SetClock,
    a_cap,
    allowances,
    held,
    spend,
    use,
)


@ON_EVERY_KIND
@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_process_that_does_not_hear_whether_its_report_was_stored_passes_no_cap(
    database: Database, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    row = a_cap(10 * BOUND)
    slow, other = [await allowances(database, row) for _ in range(2)]
    (first,) = await held(slow, 1)
    spend(slow, first)
    with monkeypatch.context() as patched:
        patched.setattr(database, "write", unheard(database, is_stored=is_stored))
        for _ in range(2):
            with pytest.raises(DatabaseBusy):
                await slow.pools.give_back([row.id])
    sent = [(process, hold) for process in (other, slow) for hold in await held(process, 20)]
    assert len(sent) == 9, "one of ten is spent"
    for process, hold in sent:
        spend(process, hold)
        await process.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, spent=10 * BOUND)


def unheard(database: Database, *, is_stored: bool) -> Callable[..., Awaitable[None]]:
    """Return a way to write whose outcome nobody hears."""
    write = database.write

    async def silent(work: Callable[[Transaction], object]) -> None:
        if is_stored:
            await write(work)
        raise unknown_outcome()

    return silent


@ON_EVERY_KIND
async def test_a_slice_that_lapses_while_its_process_takes_more_is_not_counted_twice(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, clock = a_cap(100 * BOUND), SetClock()
    sleeper, other = [await allowances(database, row, clock=clock) for _ in range(2)]
    holds, write = await held(sleeper, 10), database.write

    async def late(work: Callable[[Transaction], object]) -> object:
        monkeypatch.undo()
        await lapse(other.pools, clock)
        return await write(work)

    monkeypatch.setattr(database, "write", late)
    holds += await held(sleeper, 10)
    for hold in holds:
        spend(sleeper, hold)
    await sleeper.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, 20 * BOUND, 0, 10 * BOUND)


@ON_EVERY_KIND
async def test_what_calls_use_beyond_a_slice_that_has_lapsed_is_counted(database: Database) -> None:
    row, clock = a_cap(100 * BOUND), SetClock()
    sleeper, other = [await allowances(database, row, clock=clock) for _ in range(2)]
    holds = await held(sleeper, 10)
    spend(sleeper, holds[0], 3 * BOUND)
    await lapse(other.pools, clock)
    await sleeper.pools.report()
    spend(sleeper, holds[1], 4 * BOUND)
    await sleeper.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, 15 * BOUND, 0, 10 * BOUND)


async def lapse(other: Pools, clock: SetClock) -> None:
    """Let time pass until another process settles what nobody has renewed."""
    clock.time += timedelta(minutes=2)
    assert await other.settle_expired(is_alone=False)


@pytest.mark.databases("postgresql")
async def test_a_slice_that_is_renewed_while_another_process_settles_it_stays(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, clock = a_cap(100 * BOUND), SetClock()
    slow, other = [await allowances(database, row, clock=clock) for _ in range(2)]
    await held(slow, 1)
    place, lock = Place(slow.pools.process_id, row.id, DAY), SpendingRepository._lock
    clock.time += timedelta(minutes=2)

    async def renew() -> bool:
        beside = Database(database.url.render_as_string(hide_password=False)).patient()
        try:
            until = NOON + timedelta(minutes=3)
            return await beside.write(lambda it: SpendingRepository(it).report(place, BOUND, BOUND, until))
        finally:
            await beside.close()

    def lock_late(self: SpendingRepository, place: Place) -> None:
        monkeypatch.undo()
        with ThreadPoolExecutor(1) as beside:
            assert beside.submit(in_own_loop, renew()).result()
        lock(self, place)

    monkeypatch.setattr(SpendingRepository, "_lock", lock_late)
    expired = await database.patient().write(
        lambda it: SpendingRepository(it).settle_expired(clock.time, other.pools.process_id)
    )
    assert list(expired) == []
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, BOUND, BOUND, 0)
