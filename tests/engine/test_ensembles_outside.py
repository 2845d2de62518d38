"""Tests of ensembles that answer outside a turn: nothing is recorded of them but what they cost."""

import asyncio
from contextlib import aclosing

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.ensembles import EnsembleFailed
from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Delta
from parley.kernel.messages import Message
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import CannedEngine, Forever, make_script, until
from tests.engine.test_ensembles import a_hall
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time


def a_call(model_id: str) -> Call:
    return Call(
        owner_id="someone", purpose="summary", model_id=model_id, messages=(Message("user", "Hello"),)
    )


async def answer(engine: CannedEngine, call: Call, result: CallResult | None = None) -> list[Chunk]:
    return [chunk async for chunk in engine.gateway.stream(call, result)]


def text(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta) and chunk.channel == "text")


@on_virtual_time
async def test_a_consortium_answers_outside_a_turn_as_it_does_within_one() -> None:
    async with a_hall() as engine:
        for _ in range(2):
            engine.connector.says("ada", member("Blue."))
            engine.connector.says("bob", member("Green."))
            engine.connector.says("judge", arbiter("Turquoise."))
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "board-r1"}))
        before = len(engine.log.entries)
        outside = await answer(engine, a_call("board-r1"))
        await engine.recorder.commit()
    assert {"assistant": text(outside)} == texts(events) == {"assistant": "Turquoise."}
    # Two members, the arbiter, and the call of the ensemble itself.
    assert [type(entry).__name__ for entry in engine.log.entries[before:]] == ["CallEnded"] * 4


@on_virtual_time
async def test_calls_of_members_are_recorded_with_the_owner_and_the_purpose() -> None:
    async with a_hall() as engine:
        result = CallResult()
        await answer(engine, a_call("outer-r1"), result)
        await engine.recorder.commit()
    spent = [call for call in engine.log.calls() if call.provider_id]
    assert sorted(entry.model_id for entry in spent) == [
        "ada",
        "ada",
        "bob",
        "bob",
        "cid",
        "judge",
        "judge",
        "judge",
    ]
    assert {(entry.owner_id, entry.purpose) for entry in spent} == {("someone", "summary")}
    assert {(entry.turn_id, entry.reply_id) for entry in spent} == {(None, None)}
    assert result.metrics.cost_micros == sum(entry.cost_micros or 0 for entry in spent) > 0


@on_virtual_time
async def test_closing_the_stream_ends_all_members() -> None:
    async with a_hall() as engine:
        engine.connector.says("ada", "So far", Forever())
        engine.connector.says("bob", Forever())
        engine.connector.says("cid", Forever())

        async def reading() -> None:
            async with aclosing(engine.gateway.stream(a_call("outer-r1"))) as chunks:
                async for _ in chunks:
                    pass

        task = asyncio.create_task(reading())
        await until(lambda: engine.connector.open == 3)
        task.cancel()
        await asyncio.wait([task])
        assert engine.connector.open == 0
        await engine.recorder.commit()
    stopped = [call for call in engine.log.calls() if call.provider_id]
    assert sorted((call.model_id, call.outcome) for call in stopped) == [
        (name, "stopped") for name in ("ada", "bob", "cid")
    ]
    assert [call.model_id for call in stopped if call.cost_micros] == ["ada"], "the others said nothing"


@on_virtual_time
async def test_the_same_call_makes_the_same_choices() -> None:
    async with a_hall() as engine:
        for _ in range(2):
            await answer(engine, a_call("panel-r1"))
        other = msgspec.structs.replace(a_call("panel-r1"), messages=(Message("user", "Goodbye"),))
        await answer(engine, other)
    prompts = [
        request.messages[0].content for request in engine.connector.requests if request.model == "judge"
    ]
    assert prompts[0:2] == prompts[2:4]
    assert len(set(prompts)) == 4


@on_virtual_time
async def test_nesting_too_deep_is_refused_outside_a_turn_too() -> None:
    async with a_hall() as engine:
        with pytest.raises(EnsembleFailed, match="No member gave an answer"):
            await answer(engine, a_call("deepest-r1"))
        assert engine.connector.requests == []
        assert text(await answer(engine, a_call("middle-r1"))) == "AN ANSWER."


@on_virtual_time
async def test_a_blind_turn_meanwhile_hides_nothing_outside() -> None:
    async with a_hall() as engine:
        engine.connector.says("alone", Forever())
        engine.start(Battle(), make_script(Battle(), {"left": "alone", "right": "cid"}))
        await until(lambda: engine.connector.open == 1)
        blind: list[bool] = []
        stream = engine.gateway.stream

        def noted(call: Call, result: CallResult | None = None):
            blind.append(call.blind)
            return stream(call, result)

        engine.gateway.stream = noted
        await answer(engine, a_call("panel-r1"))
    assert blind == [False] * 7
