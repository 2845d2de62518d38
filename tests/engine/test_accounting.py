"""Tests of the table of calls: a row for each request, whatever it is for and however it ends."""

import asyncio
from contextlib import aclosing

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.answer_cache import MemoryAnswers
from parley.kernel.calls import CallEnded
from parley.kernel.connector import Finish, Usage
from parley.kernel.errors import Overloaded, ParleyError, Rejected, Unreachable
from parley.kernel.messages import ImagePart, Message
from parley.kernel.models import Model, Provider
from parley.kernel.options import AskOptions
from parley.testing import BREAK, Forever, Wait, make_model
from tests.fakes.gateways import Board, GatewaySetting, a_call, listen
from tests.fakes.virtual_loop import on_virtual_time

TWO_ROUTES = make_model("ada", "near", "far", fallback="bob", cache_s=60.0)
FAR = Provider("far", "c", priority=1)


def rows(setting: GatewaySetting) -> list[tuple[str, str | None, str, str | None]]:
    """Return model, provider, outcome and code of each row."""
    return [(row.model_id, row.provider_id, row.outcome, row.code) for row in setting.recorded]


@on_virtual_time
async def test_each_request_has_a_row_and_the_requests_of_a_call_belong_together() -> None:
    setting = GatewaySetting(TWO_ROUTES, providers=(FAR,))
    setting.at("near").says("ada", Wait(0.5), Overloaded("busy", retry_after_s=100.0))
    setting.at("far").says("ada", Wait(2), "Hi", Wait(1), " you", Finish("stop"), Usage(7, 2, 1, 3))
    result = CallResult()
    call = msgspec.structs.replace(a_call(), space_id="team", key_id="key", mode="chat")
    await listen(setting, call, [], result)
    failed, answered = setting.recorded
    assert answered == CallEnded(
        call_id=result.call_id,
        started_at=0.5,
        owner_id="owner",
        space_id="team",
        key_id="key",
        purpose="reply",
        mode="chat",
        turn_id="t",
        reply_id="r",
        attempt=2,
        model_id="ada",
        provider_id="far",
        outcome="completed",
        code=None,
        first_token_ms=2000,
        duration_ms=3000,
        input_tokens=7,
        output_tokens=2,
        reasoning_tokens=1,
        cached_tokens=3,
        cost_micros=11,
        estimated=False,
        from_cache=False,
    )
    assert failed == msgspec.structs.replace(
        answered,
        started_at=0.0,
        provider_id="near",
        outcome="failed",
        code="upstream_overloaded",
        first_token_ms=None,
        duration_ms=500,
        input_tokens=0,
        output_tokens=0,
        reasoning_tokens=0,
        cached_tokens=0,
        cost_micros=0,
    )
    metrics = result.metrics
    assert (metrics.ttft_ms, metrics.duration_ms, metrics.cost_micros) == (2500, 3500, 11)


@on_virtual_time
async def test_each_retry_at_a_provider_has_a_row() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Unreachable("no"))
    await setting.fails()
    assert rows(setting) == [("ada", "near", "failed", "upstream_unreachable")] * 3
    assert len({row.call_id for row in setting.recorded}) == 1
    assert [row.space_id for row in setting.recorded] == ["owner"] * 3, "without another one, one's own"


@on_virtual_time
async def test_a_fallback_s_row_is_of_the_model_that_answered_and_of_the_same_call() -> None:
    setting = GatewaySetting(make_model("ada", fallback="bob"), make_model("bob", "far"))
    setting.at("near").says("ada", Rejected("no such key"))
    await setting.ask()
    assert rows(setting) == [
        ("ada", "near", "failed", "upstream_rejected"),
        ("bob", "far", "completed", None),
    ]
    assert len({row.call_id for row in setting.recorded}) == 1


@pytest.mark.parametrize(
    ("how", "outcome", "code"),
    [
        ("fails", "failed", "upstream_overloaded"),
        ("breaks off", "failed", "upstream_interrupted"),
        ("falls silent", "failed", "upstream_stalled"),
        ("is broken", "failed", "connector_broken"),
        ("is cancelled", "stopped", None),
        ("is left", "stopped", None),
    ],
)
def test_what_a_provider_began_to_say_is_recorded_once_however_the_call_ends(
    how: str, outcome: str, code: str | None
) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting()
        ends = {"fails": Overloaded("broke"), "breaks off": BREAK, "is broken": ValueError("a bug")}
        setting.at("near").says("ada", "eight ch", ends.get(how, Forever()))
        result = CallResult()

        async def ask() -> None:
            async with aclosing(setting.gateway.stream(a_call(), result)) as chunks:
                async for _ in chunks:
                    assert setting.recorded == [], "only its end tells what it took"
                    if how == "is left":
                        return

        asking = asyncio.create_task(ask())
        await asyncio.sleep(1 if how == "is cancelled" else 100)
        asking.cancel()
        await asyncio.wait([asking])
        (row,) = setting.recorded
        assert (row.outcome, row.code) == (outcome, code)
        figures = (row.input_tokens, row.output_tokens, row.cost_micros, row.estimated)
        assert figures == (1, 2, 5, True)
        assert (result.metrics.output_tokens, result.metrics.cost_micros) == (2, 5)
        assert result.provider_id == "near"

    whole()


@on_virtual_time
async def test_a_request_that_is_stopped_before_the_first_word_has_cost_nothing() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Forever())
    asking = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    asking.cancel()
    await asyncio.wait([asking])
    (row,) = setting.recorded
    assert (row.provider_id, row.outcome, row.code) == ("near", "stopped", None)
    assert (row.duration_ms, row.input_tokens, row.cost_micros) == (1000, 0, 0)


@on_virtual_time
async def test_a_call_that_is_stopped_in_the_queue_has_a_row_without_a_provider() -> None:
    setting = GatewaySetting(make_model("ada", max_concurrency=1))
    setting.at("near").says("ada", Forever())
    first, second = asyncio.create_task(setting.ask()), asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    second.cancel()
    await asyncio.wait([second])
    assert rows(setting) == [("ada", None, "stopped", None)]
    first.cancel()
    await asyncio.wait([first])


PICTURE = (Message("user", (ImagePart("00", "image/png"),)),)
SEES = make_model("ada", capabilities=("text", "vision"))


@pytest.mark.parametrize(
    ("model", "changes", "code"),
    [
        (make_model("ada", routes=()), {}, "no_route"),
        (make_model("ada"), {"options": AskOptions(json_schema={})}, "model_without_json"),
        (make_model("ada"), {"messages": PICTURE}, "model_without_vision"),
        (SEES, {"messages": PICTURE}, "no_blobs"),
        (make_model("ada"), {"model_id": "gone"}, "not_found"),
    ],
)
def test_a_call_that_is_refused_has_a_row_without_a_provider(
    model: Model, changes: dict[str, object], code: str
) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting(model)
        call = msgspec.structs.replace(a_call(), **changes)
        with pytest.raises(ParleyError):
            await listen(setting, call, [])
        assert rows(setting) == [(call.model_id, None, "refused", code)]
        assert (setting.recorded[0].input_tokens, setting.recorded[0].cost_micros) == (0, 0)
        assert setting.at("near").requests == []

    whole()


@on_virtual_time
async def test_a_cached_answer_has_a_row_without_provider_tokens_and_cost() -> None:
    setting = GatewaySetting(TWO_ROUTES, answers=MemoryAnswers())
    call = msgspec.structs.replace(a_call(), attempt=1)
    await listen(setting, call, [])
    again = CallResult()
    await listen(setting, call, [], again)
    first, row = setting.recorded
    assert (first.from_cache, row.from_cache) == (False, True)
    assert (row.provider_id, row.outcome) == (None, "completed")
    assert (row.input_tokens, row.output_tokens, row.cost_micros) == (0, 0, 0)
    assert again.metrics.output_tokens == first.output_tokens > 0, "the reply shows its tokens"


@on_virtual_time
async def test_an_ensemble_s_row_costs_nothing_since_its_members_rows_do() -> None:
    setting = GatewaySetting(make_model("board", kind="ensemble", routes=()))
    setting.gateway.admit(Board(setting))
    result = CallResult()
    await listen(setting, a_call("board"), [], result)
    assert rows(setting) == [("ada", "near", "completed", None), ("board", None, "completed", None)]
    member, board = setting.recorded
    assert (member.reply_id, board.reply_id) == ("inner", "r")
    assert (board.input_tokens, board.output_tokens, board.cost_micros) == (0, 0, 0)
    metrics = result.metrics
    assert (metrics.input_tokens, metrics.output_tokens, metrics.cost_micros) == (50, 60, 70)


@on_virtual_time
async def test_an_ensemble_that_fails_is_not_refused() -> None:
    setting = GatewaySetting(make_model("board", kind="ensemble", routes=()))
    setting.gateway.admit(Board(setting))
    setting.at("near").says("ada", Rejected("no"))
    await setting.fails("board")
    assert rows(setting)[-1] == ("board", None, "failed", "upstream_rejected")
