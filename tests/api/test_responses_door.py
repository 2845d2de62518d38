"""Tests of the door's Responses API with OpenAI's own client: answers, events, and conversations that go on."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import openai
import pytest

from parley.engine.clock import WallClock
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import HangUp, delta

CALL = {"index": 0, "id": "c1", "function": {"name": "add", "arguments": '{"a":1}'}}
ADD: Any = {"type": "function", "name": "add", "parameters": {"type": "object"}, "strict": True}
STEPS = (
    delta(reasoning_content="hm"),
    delta(content="Well"),
    delta(tool_calls=[CALL]),
    delta(finish="tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}},
    "[DONE]",
)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    models = (ModelSpec("ada", capabilities=("text", "tools", "json")),)
    async with a_running_parley(tmp_path, models=models) as running:
        yield running


def client_of(parley: RunningParley) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{parley.base_url}/v1", api_key="any", max_retries=0)


async def test_an_answer_has_its_items_and_usage(parley: RunningParley):
    parley.upstream.stream(*STEPS)
    async with client_of(parley) as client:
        answer = await client.responses.create(
            model="ada", input="Hello", instructions="Be short", max_output_tokens=9, tools=[ADD]
        )
    assert answer.status == "completed"
    assert answer.output_text == "Well"
    assert [item.type for item in answer.output] == ["reasoning", "message", "function_call"]
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.total_tokens) == (9, 4, 13)
    sent = parley.upstream.chats[-1].json
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert (sent["max_tokens"], sent["tools"][0]["function"]["name"]) == (9, "add")


async def test_a_stream_has_the_events_that_clients_gather(parley: RunningParley):
    parley.upstream.stream(*STEPS)
    async with (
        client_of(parley) as client,
        client.responses.stream(model="ada", input="Hello", tools=[ADD]) as stream,
    ):
        events = [event async for event in stream]
        answer = await stream.get_final_response()
    assert answer.output_text == "Well"
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type.removeprefix("response.") for event in events] == [
        "created",
        "in_progress",
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]


async def test_an_answer_follows_a_stored_one(parley: RunningParley):
    parley.upstream.stream(*STEPS).reply("Three").reply("Four")
    async with client_of(parley) as client:
        first = await client.responses.create(model="ada", input="Add", instructions="Be short", tools=[ADD])
        result: Any = {"type": "function_call_output", "call_id": "c1", "output": "3"}
        second = await client.responses.create(
            model="ada", input=[result], previous_response_id=first.id, tools=[ADD], stream=True
        )
        ended = [event async for event in second][-1]
        assert ended.type == "response.completed"
        third = await client.responses.create(
            model="ada", input="And?", previous_response_id=ended.response.id
        )
        sent = parley.upstream.chats[-1].json["messages"]
        assert [(each["role"], each["content"]) for each in sent] == [
            ("user", "Add"),
            ("assistant", "Well"),
            ("tool", "3"),
            ("assistant", "Three"),
            ("user", "And?"),
        ]
        assert sent[1]["tool_calls"][0]["id"] == "c1"
        assert (await client.responses.retrieve(third.id)).output_text == "Four"
        await client.responses.delete(third.id)
        with pytest.raises(openai.NotFoundError):
            await client.responses.create(model="ada", input="And?", previous_response_id=third.id)


async def test_what_should_not_be_stored_is_not_and_the_rest_for_thirty_days(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
):
    async with client_of(parley) as client:
        unstored = await client.responses.create(model="ada", input="Hello", store=False)
        stored = await client.responses.create(model="ada", input="Hello")
        with pytest.raises(openai.NotFoundError):
            await client.responses.retrieve(unstored.id)
        now = WallClock().now()
        monkeypatch.setattr(WallClock, "now", lambda _: now + 31 * 86_400)
        await client.responses.create(model="ada", input="Hello")
        with pytest.raises(openai.NotFoundError):
            await client.responses.retrieve(stored.id)


async def test_an_answer_that_was_cut_off_has_failed(parley: RunningParley):
    parley.upstream.stream(delta(content="Half"), HangUp())
    async with client_of(parley) as client:
        with pytest.raises(openai.APIStatusError):
            await client.responses.create(model="ada", input="Hello")
        parley.upstream.stream(delta(content="Half"), HangUp())
        events = [
            event async for event in await client.responses.create(model="ada", input="Hi", stream=True)
        ]
    assert events[-1].type == "response.failed"
    assert events[-1].response.error is not None


async def test_an_answer_at_its_token_limit_is_incomplete(parley: RunningParley):
    parley.upstream.reply("Half", finish="length")
    async with client_of(parley) as client:
        answer = await client.responses.create(model="ada", input="Hello", max_output_tokens=1)
    assert answer.status == "incomplete"
    assert answer.incomplete_details is not None
    assert answer.incomplete_details.reason == "max_output_tokens"


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"background": True}, "background"),
        ({"tools": [{"type": "web_search"}]}, "tools.0.type"),
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input.0.type"),
        ({"parley": {"budget": 1}}, "parley.budget"),
        ({"previous_response_id": "resp_gone"}, None),
    ],
)
async def test_what_is_refused_is_named(parley: RunningParley, more: dict[str, Any], param: str | None):
    answer = await parley.client.post("/v1/responses", json={"model": "ada", "input": "Hello", **more})
    assert answer.status_code == (404 if param is None else 400)
    assert msgspec.json.decode(answer.content)["error"]["param"] == param
