"""Tests of the door in Anthropic's shape: what its clients send and read."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import HangUp, delta

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
PATH = "/v1/messages"
BODY = {"model": "ada", "max_tokens": 50, "messages": HELLO}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    models = (ModelSpec("ada", capabilities=("text", "tools", "vision")),)
    async with a_running_parley(tmp_path, models=models) as running:
        yield running


async def test_an_answer_has_blocks_the_reason_of_its_end_and_usage(parley: RunningParley):
    call = {"index": 0, "id": "c1", "function": {"name": "add", "arguments": '{"a":1}'}}
    parley.upstream.stream(
        delta(reasoning_content="hm"),
        delta(content="Well"),
        delta(tool_calls=[call]),
        delta(finish="tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}},
        "[DONE]",
    )
    response = await parley.client.post(PATH, json=BODY)
    answer = response.json()
    assert answer["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "Well"},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
    ]
    assert (answer["type"], answer["stop_reason"]) == ("message", "tool_use")
    assert (answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]) == (9, 4)
    assert response.headers["x-parley-cost"] == "0.000017"


async def test_a_stream_has_every_block_in_its_place(parley: RunningParley):
    call = {"index": 0, "id": "c1", "function": {"name": "add", "arguments": "{}"}}
    parley.upstream.stream(
        delta(reasoning_content="hm"),
        delta(content="We"),
        delta(content="ll"),
        delta(tool_calls=[call]),
        delta(finish="tool_calls"),
        "[DONE]",
    )
    text = (await parley.client.post(PATH, json={**BODY, "stream": True})).text
    events = [_event(each) for each in text.split("\n\n") if each.startswith("event: ")]
    assert [kind for kind, _ in events] == [
        "message_start",
        *("content_block_start", "content_block_delta", "content_block_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
        "message_delta",
        "message_stop",
    ]
    assert [data["index"] for _, data in events if "index" in data] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert events[-2][1]["delta"] == {"stop_reason": "tool_use", "stop_sequence": None}


async def test_an_answer_that_was_cut_off_is_an_error_of_its_shape(parley: RunningParley):
    parley.upstream.stream(delta(content="Half"), HangUp())
    whole = await parley.client.post(PATH, json=BODY)
    assert (whole.status_code, whole.json()["type"], whole.json()["error"]["type"]) == (
        502,
        "error",
        "api_error",
    )
    parley.upstream.stream(delta(content="Half"), HangUp())
    text = (await parley.client.post(PATH, json={**BODY, "stream": True})).text
    assert "message_stop" not in text
    assert _event(text.split("\n\n")[-2])[0] == "error"


async def test_tools_their_results_and_pictures_reach_the_model(parley: RunningParley):
    picture = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="
    source = {"type": "base64", "media_type": "image/gif", "data": picture}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image", "source": source}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "x", "signature": "y"},
                {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "3"}]},
                {"type": "text", "text": "Go on"},
            ],
        },
    ]
    tools = [{"name": "add", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}]
    system = [{"type": "text", "text": "Be short"}]
    parley.upstream.reply("Good")
    body = {**BODY, "messages": messages, "tools": tools, "system": system, "temperature": 0.5}
    assert (await parley.client.post(PATH, json=body)).status_code == 200
    sent = parley.upstream.chats[-1].json
    roles = [message["role"] for message in sent["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert sent["messages"][1]["content"][1]["image_url"]["url"].startswith("data:image/")
    assert sent["messages"][2]["tool_calls"][0]["function"] == {"name": "add", "arguments": '{"a":1}'}
    assert (sent["messages"][3]["tool_call_id"], sent["messages"][3]["content"]) == ("c1", "3")
    assert (sent["max_tokens"], sent["temperature"]) == (50, 0.5)


@pytest.mark.parametrize(
    ("more", "status", "kind", "says"),
    [
        ({"top_k": 3}, 400, "invalid_request_error", "top_k"),
        ({"stop_sequences": ["x"]}, 400, "invalid_request_error", "stop"),
        ({"parley": {"budget": 1}}, 400, "invalid_request_error", "parley.budget"),
        ({"max_tokens": 0}, 400, "invalid_request_error", "max_tokens"),
        ({"model": "nobody"}, 404, "not_found_error", "nobody"),
        (
            {"messages": [{"role": "user", "content": [{"type": "video"}]}]},
            400,
            "invalid_request_error",
            "content.0",
        ),
    ],
)
async def test_what_is_refused_is_named_in_anthropics_shape(
    parley: RunningParley, more: dict[str, Any], status: int, kind: str, says: str
):
    answer = await parley.client.post(PATH, json={**BODY, **more})
    assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind)
    assert says in answer.json()["error"]["message"]
    assert parley.upstream.chats == []


def _event(text: str) -> tuple[str, Any]:
    name, data = text.split("\n")
    return name.removeprefix("event: "), msgspec.json.decode(data.removeprefix("data: "))
