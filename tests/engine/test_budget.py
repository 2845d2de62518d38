"""Tests of the budget: it is asked before anything is sent, and every hold is settled once."""

import asyncio
from contextlib import aclosing, suppress

import msgspec
import pytest

from parley.engine.answer_cache import MemoryAnswers
from parley.kernel.errors import OverBudget, Overloaded, ParleyError, Rejected
from parley.kernel.models import Provider
from parley.testing import BREAK, Forever, Said, make_model
from tests.fakes.budget import REFUSAL, FakeBudget
from tests.fakes.gateways import Board, GatewaySetting, a_call, listen
from tests.fakes.virtual_loop import on_virtual_time

FAR = Provider("far", "c", priority=1)


@on_virtual_time
async def test_a_refused_call_asks_nobody_and_says_why() -> None:
    budget = FakeBudget(refuses="ada")
    setting = GatewaySetting(make_model("ada", fallback="bob"), make_model("bob"), budget=budget)
    with pytest.raises(OverBudget) as caught:
        await listen(setting, a_call(), [])
    assert caught.value is REFUSAL
    assert setting.at("near").requests == [], "a fallback does not make up for it"
    (row,) = setting.recorded
    assert (row.provider_id, row.outcome, row.code, row.cost_micros) == (None, "refused", "over_budget", 0)
    assert setting.gateway.health.read(["near"])[0].state == "ok"
    assert (budget.held, budget.settled) == ([], [])


@pytest.mark.parametrize("how", ["ends", "fails", "has no provider", "is cancelled", "is left", "waits"])
@pytest.mark.parametrize(
    "said",
    [
        ("A whole answer.",),
        ("Half", BREAK),
        ("Half", Overloaded("broke")),
        ("Half", ValueError("a bug in the connector")),
        ("Half", Forever()),
        (Forever(),),
        (Rejected("no"),),
        (ValueError("a bug in the connector"),),
    ],
    ids=["whole", "broken off", "failing late", "bug", "stalling", "silent", "refused", "bug at once"],
)
def test_a_hold_is_settled_once_with_what_the_requests_cost(said: tuple[Said, ...], how: str) -> None:
    """`how` the reader behaves, or the model is set up; `said` is what the provider sends."""

    @on_virtual_time
    async def whole() -> None:
        budget = FakeBudget()
        routes = () if how == "has no provider" else make_model("ada").routes
        setting = GatewaySetting(make_model("ada", routes=routes, max_concurrency=1), budget=budget)
        setting.at("near").says("ada", *said)

        async def ask() -> None:
            with suppress(ParleyError, ValueError):
                async with aclosing(setting.gateway.stream(a_call())) as chunks:
                    async for _ in chunks:
                        if how == "is left":
                            return

        calls = [asyncio.create_task(ask()) for _ in range(2 if how == "waits" else 1)]
        await asyncio.sleep(0.1 if how in ("is cancelled", "waits") else 1000)
        for call in calls:
            call.cancel()
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert [end for end in ends if isinstance(end, Exception)] == []
        assert budget.held == []
        costs: dict[str, int] = {}
        for row in setting.recorded:
            costs[row.call_id] = costs.get(row.call_id, 0) + (row.cost_micros or 0)
        assert sorted(cost or 0 for cost in budget.settled) == sorted(costs.values())
        assert len(budget.settled) == len(calls)

    whole()


@on_virtual_time
async def test_a_failover_has_one_hold_and_a_fallback_one_for_each_model() -> None:
    budget = FakeBudget()
    setting = GatewaySetting(
        make_model("ada", "near", "far", fallback="bob"), make_model("bob"), providers=(FAR,), budget=budget
    )
    setting.at("near").says("ada", Rejected("no"))
    setting.at("far").says("ada", "Hello.")
    setting.at("far").says("ada", Rejected("no"))
    await setting.ask()
    assert (budget.held, budget.settled) == ([], [9])
    await setting.ask()
    assert (budget.held, budget.settled) == ([], [9, 0, 9])


@on_virtual_time
async def test_what_a_model_without_a_price_cost_is_unknown() -> None:
    budget = FakeBudget()
    await GatewaySetting(make_model("ada", prices=None), budget=budget).ask()
    assert ([need.prices for need in budget.needs], budget.settled) == ([None], [None])


@on_virtual_time
async def test_a_cached_answer_holds_nothing() -> None:
    budget = FakeBudget()
    model = make_model("ada", cache_s=60.0)
    setting = GatewaySetting(model, answers=MemoryAnswers(), budget=budget)
    call = msgspec.structs.replace(a_call(), attempt=1)
    await listen(setting, call, [])
    budget.refuses = "*"
    await listen(setting, call, [])
    assert (len(budget.asked), budget.held, budget.settled) == (1, [], [9])


@on_virtual_time
async def test_a_call_that_is_stopped_while_the_budget_is_asked_sends_and_settles_nothing() -> None:
    budget = FakeBudget(wait_s=10.0)
    setting = GatewaySetting(budget=budget)
    asking = asyncio.create_task(setting.ask())
    await asyncio.sleep(5)
    assert setting.at("near").requests == [], "nothing is sent before the answer"
    asking.cancel()
    await asyncio.wait([asking])
    assert (budget.held, budget.settled, setting.at("near").requests) == ([], [], [])
    assert [(row.provider_id, row.outcome) for row in setting.recorded] == [(None, "stopped")]


@on_virtual_time
async def test_members_of_an_ensemble_are_held_and_the_ensemble_is_not_held_again() -> None:
    budget = FakeBudget()
    setting = GatewaySetting(make_model("board", kind="ensemble", routes=()), budget=budget)
    setting.gateway.admit(Board(setting))
    await listen(setting, a_call("board"), [])
    assert [call.model_id for call in budget.asked] == ["ada"]
    assert (budget.held, budget.settled) == ([], [9])


@on_virtual_time
async def test_the_limit_of_tokens_that_is_held_is_the_one_that_is_sent() -> None:
    setting = GatewaySetting(budget=FakeBudget(output_tokens=77))
    await listen(setting, a_call(), [])
    assert [request.max_output_tokens for request in setting.at("near").requests] == [77]
