"""Compare as a script: who is asked when, with which history, and what becomes of one that fails."""

import asyncio

from parley.kernel.messages import Message
from parley.modes.compare import Compare
from parley.testing import BREAK, Forever, Wait, make_script, open_engine
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"a": "ada", "b": "bob", "c": "cy"}


@on_virtual_time
async def test_all_answer_at_once() -> None:
    async with open_engine() as engine:
        for model in SEATS.values():
            engine.connector.says(model, Wait(5), f"I am {model}.")
        began = asyncio.get_running_loop().time()
        events = await engine.play(Compare(), make_script(Compare(), SEATS))
        assert asyncio.get_running_loop().time() - began < 10
    assert texts(events) == {"a": "I am ada.", "b": "I am bob.", "c": "I am cy."}


@on_virtual_time
async def test_one_at_a_time_each_is_asked_when_the_one_before_has_ended() -> None:
    clock = asyncio.get_running_loop().time
    brief = {"order": "one_at_a_time"}
    async with open_engine() as engine:
        engine.connector.says("ada", Wait(5), "I am ada.")
        engine.connector.says("bob", Wait(5), BREAK)
        began = clock()
        events = await engine.play(Compare(), make_script(Compare(), SEATS, brief=brief))
        assert clock() - began >= 10
        assert [request.model for request in engine.connector.requests] == ["ada", "bob", "cy"]
    ends = [event["kind"] for event in events if event["kind"] in ("reply.completed", "reply.failed")]
    assert ends == ["reply.completed", "reply.failed", "reply.completed"]
    assert events[-1]["kind"] == "turn.completed"


@on_virtual_time
async def test_each_hears_only_its_own_history() -> None:
    history = {seat: (Message("user", "Hi"), Message("assistant", f"Hello from {seat}")) for seat in SEATS}
    async with open_engine() as engine:
        await engine.play(Compare(), make_script(Compare(), SEATS, history=history))
        said = [engine.connector.heard(model) for model in SEATS.values()]
    assert said == [["user: Hi", f"assistant: Hello from {seat}", said[0][-1]] for seat in SEATS]


@on_virtual_time
async def test_one_that_hangs_does_not_keep_the_others_from_a_choice() -> None:
    async with open_engine() as engine:
        engine.connector.says("cy", "Well…", Forever())
        events = await engine.play(Compare(), make_script(Compare(), SEATS))
    kinds = [event["kind"] for event in events]
    assert kinds.count("reply.completed") == 2
    assert kinds.count("reply.failed") == 1
