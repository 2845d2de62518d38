"""Tests of rates: questions a minute, and calls of models at once."""

import asyncio
from pathlib import Path

import pytest

from parley.features.limits.call_limits import CallLimits
from parley.features.limits.rates.keeper import RateKeeper
from parley.features.limits.rates.leases import Leases
from parley.features.limits.rates.places import Places
from parley.features.limits.rates.rules import RateRule
from parley.features.limits.spending.allowances import Allowances
from parley.features.limits.spending.pools import Pools
from parley.kernel.budget import Need, Spent
from parley.kernel.caller import Caller, CallerKey, Scope
from parley.kernel.calls import Call
from parley.kernel.errors import TooMany
from parley.storage.database import Database
from tests.fakes.ports import free_port
from tests.fakes.redis_server import a_redis_server
from tests.fakes.virtual_loop import on_virtual_time
from tests.features.limits.test_allowances import SetClock, a_call

TALK = frozenset({Scope.TALK})
ANA, BEN = Caller("ana", TALK, "page"), Caller("ben", TALK, "page")
KEY = Caller("ana", TALK, "program", key=CallerKey("k", "ana"))


async def test_each_person_and_key_has_its_own_questions_a_minute() -> None:
    keeper = RateKeeper("memory")
    keeper.rules = {"person": RateRule(per_minute=2), "api_key": RateRule(per_minute=1)}
    for caller in (ANA, ANA, BEN, KEY):
        await keeper.count(caller)
    with pytest.raises(TooMany, match="Each person may ask 2 questions a minute") as caught:
        await keeper.count(ANA)
    assert 0 < (caught.value.retry_after_s or 0) <= 60
    with pytest.raises(TooMany, match="This API key may ask 1 question a minute"):
        await keeper.count(KEY)
    await keeper.count(BEN)


async def test_without_a_rule_nothing_is_counted() -> None:
    keeper = RateKeeper("memory")
    for _ in range(1000):
        await keeper.count(ANA)
    assert keeper._limiter is None


async def test_a_person_who_acts_in_a_workspace_is_counted_as_themself() -> None:
    keeper = RateKeeper("memory")
    keeper.rules = {"person": RateRule(per_minute=1)}
    await keeper.count(ANA)
    with pytest.raises(TooMany):
        await keeper.count(Caller("lab", TALK, "page", member_id="ana"))


async def test_two_processes_count_together_in_redis(tmp_path: Path) -> None:
    async with a_redis_server(tmp_path, free_port()) as address:
        keepers = RateKeeper(address), RateKeeper(address)
        for keeper in keepers:
            keeper.rules = {"person": RateRule(per_minute=2)}
            await keeper.count(ANA)
        for keeper in keepers:
            with pytest.raises(TooMany):
                await keeper.count(ANA)
            await keeper.close()


async def test_where_redis_is_away_questions_are_let_through() -> None:
    keeper = RateKeeper("redis://127.0.0.1:1/0")
    keeper.rules = {"person": RateRule(per_minute=1)}
    for _ in range(3):
        await keeper.count(ANA)
    await keeper.close()


def limited(rules: dict[str, RateRule], leases: Leases | None = None) -> CallLimits:
    places = Places(leases)
    places.rules = rules
    clock = SetClock()
    return CallLimits(places, Allowances(Pools(Database("sqlite:///unused.db"), clock), clock))


NEED = Need(input_tokens=1, output_tokens=1, usual_tokens=1)
ENDED = Spent(micros=0, tokens=0)


@on_virtual_time
async def test_a_person_s_calls_wait_until_one_has_ended_in_the_order_of_their_coming() -> None:
    limits, order = limited({"person": RateRule(at_once=2)}), list[int]()

    async def call(number: int) -> None:
        hold = await limits.reserve(a_call(), NEED)
        order.append(number)
        assert len(order) - len(ended) <= 2
        await asyncio.sleep(1)
        ended.append(number)
        limits.settle(hold, ENDED)

    ended: list[int] = []
    calls = [asyncio.create_task(call(number)) for number in range(6)]
    await asyncio.sleep(0.5)
    calls[3].cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    assert (order, sorted(ended)) == ([0, 1, 2, 4, 5], [0, 1, 2, 4, 5])


@on_virtual_time
async def test_a_key_with_too_many_calls_is_refused_at_once_and_has_its_place_again_later() -> None:
    limits, call = limited({"api_key": RateRule(at_once=1)}), a_call(key_id="k")
    hold = await limits.reserve(call, NEED)
    with pytest.raises(TooMany) as caught:
        await limits.reserve(call, NEED)
    assert caught.value.leaf_code == "too_many_at_once"
    assert not limits.limits(a_call()), "people have no such rule"
    limits.settle(hold, ENDED)
    limits.settle(await limits.reserve(call, NEED), ENDED)


async def test_processes_share_the_places_of_a_key_in_redis_and_those_of_a_killed_one_lapse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.features.limits.rates.leases.LEASE_S", 2)
    call, rules = a_call(key_id="k"), {"api_key": RateRule(at_once=2)}
    async with a_redis_server(tmp_path, free_port()) as address:
        here, there, killed = [limited(rules, Leases(address)) for _ in range(3)]
        hold = await here.reserve(call, NEED)
        await killed.reserve(call, NEED)
        for process in (here, there):
            with pytest.raises(TooMany):
                await process.reserve(call, NEED)
        here.settle(hold, ENDED)
        again = await here.reserve(call, NEED)
        await until_granted(there, call, renews=here)
        with pytest.raises(TooMany):
            await there.reserve(call, NEED)
        here.settle(again, ENDED)
        for process in (here, there, killed):
            await process._places.close()


async def test_calls_whose_places_lapsed_while_their_process_slept_count_again(tmp_path: Path) -> None:
    call, rules = a_call(key_id="k"), {"api_key": RateRule(at_once=1)}
    async with a_redis_server(tmp_path, free_port()) as address:
        redis = Leases(address)
        sleeper, other = [limited(rules, Leases(address)) for _ in range(2)]
        hold = await sleeper.reserve(call, NEED)
        await lapse(sleeper, redis)
        other.settle(await other.reserve(call, NEED), ENDED)
        await sleeper._places.renew()
        with pytest.raises(TooMany):
            await other.reserve(call, NEED)
        sleeper.settle(hold, ENDED)
        await sleeper._places.close()
        await other.reserve(call, NEED)
        await other._places.close()
        await redis.close()


async def lapse(process: CallLimits, redis: Leases) -> None:
    """Let Redis forget the places of a process, as it does after a while without a renewal."""
    for place in process._places._leased:
        await redis.leave(*place)


async def test_a_place_that_is_left_while_it_is_renewed_comes_free(tmp_path: Path) -> None:
    call, rules = a_call(key_id="k"), {"api_key": RateRule(at_once=1)}

    class Late(Leases):
        async def renew(self, subject: str, call_id: str) -> bool:
            here.settle(hold, ENDED)
            await asyncio.wait(here._places._leaving)
            return await super().renew(subject, call_id)

    async with a_redis_server(tmp_path, free_port()) as address:
        here, there = limited(rules, Late(address)), limited(rules, Leases(address))
        hold = await here.reserve(call, NEED)
        await here._places.renew()
        there.settle(await there.reserve(call, NEED), ENDED)
        for process in (here, there):
            await process._places.close()


async def until_granted(process: CallLimits, call: Call, renews: CallLimits) -> None:
    """Ask until the call has a place, while another process keeps its own."""
    async with asyncio.timeout(20):
        while True:
            await renews._places.renew()
            try:
                await process.reserve(call, NEED)
            except TooMany:
                await asyncio.sleep(0.2)
            else:
                return


async def test_a_person_s_call_waits_for_one_of_another_process(tmp_path: Path) -> None:
    async with a_redis_server(tmp_path, free_port()) as address:
        here, there = [limited({"person": RateRule(at_once=1)}, Leases(address)) for _ in range(2)]
        hold = await here.reserve(a_call(), NEED)
        waiting = asyncio.create_task(there.reserve(a_call(), NEED))
        await asyncio.wait([waiting], timeout=0.7)
        assert not waiting.done()
        here.settle(hold, ENDED)
        there.settle(await asyncio.wait_for(waiting, 20), ENDED)
        for process in (here, there):
            await process._places.close()


async def test_where_redis_is_away_calls_at_once_are_counted_by_each_process() -> None:
    limits, call = (
        limited({"api_key": RateRule(at_once=1)}, Leases("redis://127.0.0.1:1/0")),
        a_call(key_id="k"),
    )
    hold = await limits.reserve(call, NEED)
    with pytest.raises(TooMany):
        await limits.reserve(call, NEED)
    limits.settle(hold, ENDED)
    limits.settle(await limits.reserve(call, NEED), ENDED)
    await limits._places.close()


def test_a_call_without_rules_and_allowances_needs_no_hold() -> None:
    call: Call = a_call()
    assert not limited({}).limits(call)
