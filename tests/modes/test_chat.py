"""The chat as a script: canned replies in, events out."""

import pytest

from parley.kernel.connector import Delta, Finish, Usage
from parley.kernel.errors import Overloaded, Rejected
from parley.kernel.messages import Message
from parley.modes.chat import Chat
from parley.testing import BREAK, Forever, Wait, heard, kinds, make_script, open_engine, until
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"assistant": "ada"}


@on_virtual_time
async def test_reasoning_and_text_come_on_their_own_channels() -> None:
    async with open_engine() as engine:
        engine.connector.says(
            "ada", Delta("reasoning", "Hm… "), Wait(1), Delta("reasoning", "so."), "It is 4."
        )
        events = await engine.play(Chat(), make_script(Chat(), SEATS))
    assert kinds(events) == [
        "turn.snapshot",
        "turn.started",
        "reply.started",
        "reply.completed",
        "turn.completed",
    ]
    assert texts(events) == {"assistant": "It is 4."}
    assert texts(events, "reasoning") == {"assistant": "Hm… so."}
    completed = events[-2]
    assert (completed["text_end"], completed["reasoning_end"], completed["finish_reason"]) == (8, 7, "stop")


@on_virtual_time
async def test_metrics_are_the_provider_s_usage_and_the_model_s_prices() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Wait(0.5), "Four", Wait(2.0), "!", Usage(11, 40, 3), Finish("stop"))
        events = await engine.play(Chat(), make_script(Chat(), SEATS))
    assert events[-2]["metrics"] == {
        "ttft_ms": 500,
        "duration_ms": 2500,
        "input_tokens": 11,
        "output_tokens": 40,
        "reasoning_tokens": 3,
        "tokens_per_second": 20.0,
        "cost_micros": 91,
        "estimated": False,
        "cached": False,
        "answered_by": None,
    }
    (call,) = engine.log.calls()
    assert (call.owner_id, call.mode, call.provider_id, call.cost_micros) == ("owner", "chat", "near", 91)


@on_virtual_time
async def test_the_system_prompt_of_the_settings_comes_first() -> None:
    history = {"assistant": (Message("user", "Hi"), Message("assistant", "Hello"))}
    script = make_script(Chat(), SEATS, history=history, brief={"system_prompt": "Be brief."})
    async with open_engine() as engine:
        await engine.play(Chat(), script)
        heard_by_ada = engine.connector.heard("ada")
    assert heard_by_ada == ["system: Be brief.", "user: Hi", "assistant: Hello", "user: Hello"]


@pytest.mark.parametrize(
    ("said", "status", "code", "text"),
    [
        (("Half", BREAK), "incomplete", "reply_incomplete", "Half"),
        ((BREAK,), "failed", "reply_empty", ""),
        ((Finish("stop"),), "failed", "reply_empty", ""),
        ((" \n\u200b",), "failed", "reply_empty", " \n\u200b"),
        (("I can", Finish("content_filter")), "incomplete", "reply_filtered", "I can"),
        ((Finish("content_filter"),), "failed", "reply_filtered", ""),
        (("Half", Rejected("Too long.", code="context_too_long")), "failed", "context_too_long", "Half"),
        ((Overloaded("Busy."),), "failed", "upstream_overloaded", ""),
        (("Half", ValueError("a bug")), "failed", "connector_broken", "Half"),
        (("Half", Forever()), "incomplete", "upstream_stalled", "Half"),
        ((Forever(),), "failed", "upstream_stalled", ""),
    ],
)
@on_virtual_time
async def test_a_failing_model_is_a_reply_and_what_had_come_is_kept(said, status, code, text) -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", *said)
        live = engine.start(Chat(), make_script(Chat(), SEATS))
        events = await heard(live.follow())
    assert kinds(events)[-2:] == ["reply.failed", "turn.completed"]
    failed = events[-2]
    assert (failed["status"], failed["error"]["code"], failed["text_end"]) == (status, code, len(text))
    assert engine.log.replies()["assistant"].text == text
    assert live.snapshot().turn.replies[0].status == status


@on_virtual_time
async def test_a_model_that_left_the_catalog_is_a_failed_reply() -> None:
    async with open_engine() as engine:
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "gone"}))
    assert events[-2]["error"]["code"] == "model_gone"
    assert [call.outcome for call in engine.log.calls()] == ["refused"]


@on_virtual_time
async def test_stop_keeps_what_had_come_and_closes_the_stream_to_the_model() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "So far ", Wait(1), "so good", Forever())
        live = engine.start(Chat(), make_script(Chat(), SEATS))
        feed = live.follow()
        await until(lambda: live.replies and next(iter(live.replies.values())).text.length == 14)
        assert await engine.runner.stop("turn")
        assert engine.connector.open == 0
        events = await heard(feed)
        assert not await engine.runner.stop("turn"), "it is not being played any more"
    assert kinds(events) == ["turn.snapshot", "turn.stopped"], "one end, however late the client reads"
    reply = engine.log.replies()["assistant"]
    assert (reply.status, reply.text, reply.error) == ("stopped", "So far so good", None)
    assert len(engine.log.calls()) == 1
    ended = engine.log.ended("turn")
    assert ended is not None
    assert ended.status == "stopped"


@on_virtual_time
async def test_a_retry_opens_a_new_attempt_of_the_same_reply() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "Wrong ", Rejected("no"))
        engine.connector.says("ada", "Right.")
        first = await engine.play(Chat(), make_script(Chat(), SEATS))
        second = await engine.retry(Chat())
    ids = {event["reply_id"] for event in first + second if "reply_id" in event}
    assert len(ids) == 1
    assert [event["attempt"] for event in second if event["kind"] == "reply.started"] == [2]
    assert texts(second) == {"assistant": "Right."}
    assert engine.log.replies()["assistant"].status == "completed"
    assert [entry.attempt for entry in engine.log.calls()] == [1, 2]


@on_virtual_time
async def test_a_finished_chat_that_is_played_again_tells_its_reply_without_asking() -> None:
    async with open_engine() as engine:
        await engine.play(Chat(), make_script(Chat(), SEATS))
        events = await engine.resume(Chat())
    assert engine.connector.asked("ada") == 1
    assert kinds(events)[2:4] == ["reply.started", "reply.completed"]
    assert texts(events) == {"assistant": "An answer."}
