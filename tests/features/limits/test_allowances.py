"""Tests of allowances: no number of calls or processes passes a cap, and nothing stays held."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from parley.features.limits.periods import period_at
from parley.features.limits.repository import LimitsRepository
from parley.features.limits.schemas import LimitView
from parley.features.limits.spending.allowances import Allowances
from parley.features.limits.spending.pools import Pools
from parley.features.limits.tables import AllowancePeriodRow, AllowanceRow
from parley.features.limits.views import view_of
from parley.kernel.budget import Hold, Need, Spent
from parley.kernel.calls import Call
from parley.kernel.errors import OverBudget, UsedUp
from parley.kernel.messages import Message
from parley.kernel.prices import Prices
from parley.storage.database import Database
from tests.fakes.databases import ON_EVERY_KIND

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
DAY = "2026-11-28"
PRICES = Prices(1.0, 10.0)
NEED = Need(input_tokens=100, output_tokens=90, usual_tokens=8192, prices=PRICES)
BOUND = 1_000
"""The cost of `NEED` in micro-dollars: 100 for the input, 900 for the output."""


class SetClock:
    """A clock that a test sets."""

    def __init__(self, now: datetime = NOON) -> None:
        self.time = now

    def now(self) -> float:
        return self.time.timestamp()


def a_cap(
    cap: int, meter: str = "money", subject: tuple[str, str] = ("installation", ""), **fields: object
) -> AllowanceRow:
    row = AllowanceRow(
        id=f"{subject[0]}-{subject[1]}-{meter}"[:32],
        subject_kind=subject[0],
        subject_id=subject[1],
        meter=meter,
        period="day",
        cap=cap,
        warn_percent=80,
        unpriced="refuse",
        raised_by=None,
        raised_until=None,
        created_by="owner",
        created_at=NOON,
        updated_at=NOON,
    )
    for name, value in fields.items():
        setattr(row, name, value)
    return row


async def allowances(database: Database, *rows: AllowanceRow, clock: SetClock | None = None) -> Allowances:
    """Return what a process sees of these allowances, which are stored if they are not yet."""
    clock = clock or SetClock()
    known = {row.id for row in await database.read(lambda it: LimitsRepository(it).all())}
    await database.write(lambda it: it.insert(*(row for row in rows if row.id not in known)))
    made = Allowances(Pools(database, clock), clock)
    made.set(rows, lambda row: "Ana")
    return made


def a_call(**fields: object) -> Call:
    call = Call(owner_id="ana", purpose="reply", model_id="ada", messages=(Message("user", "Hi"),))
    return msgspec.structs.replace(call, **fields)


async def use(database: Database, row: AllowanceRow, day: str = DAY) -> AllowancePeriodRow:
    return await database.read(lambda it: LimitsRepository(it).use(row.id, day))


async def held(budget: Allowances, number: int, need: Need = NEED) -> list[Hold]:
    """Return the holds of calls that are made at once; those that do not fit have none."""
    holds: list[Hold] = []

    async def hold() -> None:
        with suppress(OverBudget):
            holds.append(await budget.reserve(a_call(), need))

    await asyncio.gather(*(hold() for _ in range(number)))
    return holds


def spend(budget: Allowances, hold: Hold, micros: int | None = BOUND, tokens: int = 190) -> None:
    budget.settle(hold, Spent(micros=micros, tokens=tokens))


@ON_EVERY_KIND
async def test_of_a_thousand_calls_at_once_exactly_those_that_fit_are_held(database: Database) -> None:
    row = a_cap(100 * BOUND)
    budget = await allowances(database, row)
    holds = await held(budget, 1000)
    assert len(holds) == 100
    for hold in holds:
        spend(budget, hold)
    await budget.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, spent=100 * BOUND)


@ON_EVERY_KIND
async def test_three_processes_never_pass_a_cap_together(database: Database) -> None:
    row = a_cap(100 * BOUND)
    processes = [await allowances(database, row) for _ in range(3)]
    holds = await asyncio.gather(*(held(process, 333) for process in processes))
    assert sum(map(len, holds)) == 100
    for process, its in zip(processes, holds, strict=True):
        for hold in its:
            spend(process, hold)
        await process.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, spent=100 * BOUND)


async def test_calls_far_from_the_cap_write_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = await allowances(database, a_cap(1_000_000 * BOUND))
    spend(budget, await budget.reserve(a_call(), NEED))

    async def no_write(*_: object, **__: object) -> None:
        raise AssertionError("this call wrote to the database")

    monkeypatch.setattr(database, "write", no_write)
    for hold in await held(budget, 1000):
        spend(budget, hold)


async def test_near_the_cap_what_a_call_did_not_use_is_there_for_the_next(database: Database) -> None:
    row = a_cap(BOUND)
    budget = await allowances(database, row)
    for spent in (1, 2, 3):
        hold = await budget.reserve(a_call(), a_need_of(200))
        spend(budget, hold, spent)
    await budget.pools.close()
    assert (await use(database, row)).spent == 6


def a_need_of(micros: int) -> Need:
    return Need(input_tokens=micros, output_tokens=0, usual_tokens=1, prices=PRICES)


@pytest.mark.parametrize(
    ("meter", "cap"), [("money", 0), ("tokens", 0), ("requests", 0), ("money", BOUND - 1)]
)
async def test_the_refusal_of_a_call_names_what_is_left_and_when_it_resets(
    database: Database, meter: str, cap: int
) -> None:
    budget = await allowances(database, a_cap(cap, meter))
    with pytest.raises(UsedUp) as caught:
        await budget.reserve(a_call(), NEED)
    assert caught.value.retry_after_s == 12 * 3600
    assert "resets in 12 h 0 min" in (caught.value.detail or "")
    assert caught.value.title == (
        "Ana has $0.000999 left today, and this call may take $0.001."
        if cap
        else f"Ana has used up its {'$0.00' if meter == 'money' else f'0 {meter}'} of today."
    )


async def test_a_refused_blind_call_does_not_say_what_its_model_costs(database: Database) -> None:
    budget = await allowances(database, a_cap(BOUND - 1))
    with pytest.raises(UsedUp) as caught:
        await budget.reserve(a_call(blind=True), NEED)
    assert "$" not in f"{caught.value.title} {caught.value.detail}"


async def test_a_call_falls_under_its_person_workspace_and_key(database: Database) -> None:
    rows = [
        a_cap(BOUND, subject=subject)
        for subject in (("person", "ana"), ("workspace", "lab"), ("api_key", "k"), ("person", "ben"))
    ]
    budget = await allowances(database, *rows)
    call = a_call(owner_id="lab", author_id="ana", key_id="k")
    assert [row.subject_id for row in budget.of(call)] == ["ana", "lab", "k"]
    assert budget.of(a_call(owner_id="cleo")) == []


SUBJECTS = (("installation", ""), ("person", "ana"), ("workspace", "lab"), ("api_key", "k"))
A_CALL_USES = {"money": BOUND, "tokens": 190, "requests": 1, "images": 1}


@pytest.mark.parametrize("period", ["day", "month"])
@pytest.mark.parametrize("meter", list(A_CALL_USES))
@pytest.mark.parametrize("subject", SUBJECTS, ids=[kind for kind, _ in SUBJECTS])
async def test_every_subject_has_caps_of_every_meter_by_day_and_month(
    database: Database, subject: tuple[str, str], meter: str, period: str
) -> None:
    clock, need = SetClock(), msgspec.structs.replace(NEED, images=int(meter == "images"))
    row = a_cap(2 * A_CALL_USES[meter], meter, subject, period=period)
    budget = await allowances(database, row, clock=clock)
    call = a_call(owner_id="lab", author_id="ana", key_id="k")
    whole = Spent(micros=need.micros(90), tokens=190, images=need.images)

    async def ask() -> None:
        budget.settle(await budget.reserve(call, need), whole)
        # Use is in the pool or in the database; a look at both, one after the other, may miss what moves meanwhile.
        await asyncio.gather(*budget.pools._tasks)

    await ask()
    view = await shown(database, budget, row, clock)
    assert (view.spent, view.is_near) == (row.cap // 2, False)
    await ask()
    view = await shown(database, budget, row, clock)
    assert (view.left, view.is_near) == (0, True)
    with pytest.raises(UsedUp):
        await ask()
    row.raised_by, row.raised_until = row.cap // 2, NOON + timedelta(minutes=5)
    await database.write(lambda it: LimitsRepository(it).update(row))
    await budget.pools.give_back([row.id])
    await ask()
    with pytest.raises(UsedUp):
        await ask()
    clock.time = datetime.fromisoformat(view.resets_at)
    await ask()
    assert (await shown(database, budget, row, clock)).spent == row.cap // 2, "the raise has ended too"


async def shown(database: Database, budget: Allowances, row: AllowanceRow, clock: SetClock) -> LimitView:
    """Return a limit as its administrator sees it."""
    period = period_at(row.period, clock.time).start
    used = await use(database, row, period)
    return view_of(row, used, budget.pools.of(row), "Ana", clock.time, rounded=False)


async def test_what_one_allowance_refuses_is_not_held_of_another(database: Database) -> None:
    person, installation = a_cap(BOUND, subject=("person", "ana")), a_cap(10 * BOUND)
    budget = await allowances(database, installation, person)
    spend(budget, await budget.reserve(a_call(), NEED))
    with pytest.raises(UsedUp):
        await budget.reserve(a_call(), NEED)
    assert budget.pools.of(installation).held == 0


async def test_where_money_is_capped_the_upstream_call_has_a_limit_of_tokens(database: Database) -> None:
    budget = await allowances(database, a_cap(50_000))
    open_need = Need(input_tokens=0, output_tokens=None, usual_tokens=8_000, prices=PRICES)
    first = await budget.reserve(a_call(), open_need)
    assert first.output_tokens == 4_000, "8,000 would cost more than is left"
    assert (await budget.reserve(a_call(), open_need)).output_tokens == 1_000
    with pytest.raises(UsedUp):
        await budget.reserve(a_call(), open_need)


async def test_a_model_without_a_price_is_refused_or_counted_in_tokens_alone(database: Database) -> None:
    need = Need(input_tokens=100, output_tokens=90, usual_tokens=8192)
    strict, tokens = a_cap(BOUND), a_cap(190, "tokens")
    budget = await allowances(database, strict, tokens)
    with pytest.raises(OverBudget) as caught:
        await budget.reserve(a_call(), need)
    assert caught.value.leaf_code == "model_without_price"
    strict.unpriced = "allow"
    spend(budget, await budget.reserve(a_call(), need), None)
    with pytest.raises(UsedUp, match="tokens"):
        await budget.reserve(a_call(), need)


async def test_a_raise_counts_until_it_ends(database: Database) -> None:
    clock = SetClock()
    row = a_cap(BOUND, raised_by=BOUND, raised_until=NOON + timedelta(hours=1))
    budget = await allowances(database, row, clock=clock)
    for _ in range(2):
        spend(budget, await budget.reserve(a_call(), NEED))
    clock.time += timedelta(hours=2)
    with pytest.raises(UsedUp):
        await budget.reserve(a_call(), NEED)


async def test_the_next_day_has_a_whole_allowance_and_late_calls_count_for_their_own(
    database: Database,
) -> None:
    clock, row = SetClock(), a_cap(BOUND)
    budget = await allowances(database, row, clock=clock)
    late = await budget.reserve(a_call(), NEED)
    clock.time += timedelta(days=1)
    spend(budget, await budget.reserve(a_call(), NEED), 7)
    spend(budget, late, 5)
    await budget.pools.close()
    assert ((await use(database, row)).spent, (await use(database, row, "2026-11-29")).spent) == (5, 7)


@ON_EVERY_KIND
async def test_what_a_killed_process_holds_counts_as_spent_and_unconfirmed(database: Database) -> None:
    row, clock = a_cap(100 * BOUND), SetClock()
    killed = await allowances(database, row, clock=clock)
    await held(killed, 100)
    other = await allowances(database, row, clock=clock)
    assert await held(other, 1) == []
    clock.time += timedelta(minutes=2)
    await other.pools.settle_expired(is_alone=False)
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, 100 * BOUND, 0, 100 * BOUND)
    await database.write(lambda it: LimitsRepository(it).forgive(row.id, DAY))
    assert (await use(database, row)).spent == 0


async def test_a_process_that_slept_through_its_lease_settles_nothing_twice(database: Database) -> None:
    row, clock = a_cap(100 * BOUND), SetClock()
    sleeper, other = [await allowances(database, row, clock=clock) for _ in range(2)]
    (hold,) = await held(sleeper, 1)
    clock.time += timedelta(minutes=2)
    await other.pools.settle_expired(is_alone=False)
    before = await use(database, row)
    spend(sleeper, hold)
    await sleeper.pools.report()
    assert await use(database, row) == before
    assert len(await held(sleeper, 1)) == 1, "it takes a new slice"


async def test_a_call_that_costs_more_than_its_bound_is_counted_whole(database: Database) -> None:
    row = a_cap(2 * BOUND)
    budget = await allowances(database, row)
    spend(budget, await budget.reserve(a_call(), NEED), 5 * BOUND)
    await budget.pools.report()
    assert await held(budget, 1) == []
    await budget.pools.close()
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY, spent=5 * BOUND)


async def test_a_call_that_is_cancelled_while_it_waits_for_a_slice_leaves_nothing_held(
    database: Database,
) -> None:
    row = a_cap(100 * BOUND)
    budget = await allowances(database, row)
    calls = [asyncio.create_task(budget.reserve(a_call(), NEED)) for _ in range(5)]
    await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await budget.pools.close()
    assert budget.pools.of(row).held == 0
    assert await use(database, row) == AllowancePeriodRow(row.id, DAY)
