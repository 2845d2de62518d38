"""Tests of requests that pass as they are: answers come back so, and are still retried, metered and counted."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import openai
import pytest

from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import HangUp, delta, event

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
CHAT = "/v1/chat/completions"
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
MODELS = ("ada", ModelSpec("vectors", capabilities=("embeddings",)))


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


def client_of(parley: RunningParley) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{parley.base_url}/v1", api_key="any", max_retries=0)


async def test_a_request_reaches_the_provider_as_it_is(parley: RunningParley):
    body = {
        "model": "ada",
        "messages": [
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "aGk="}}]},
            {"role": "assistant", "content": None, "of_2030": {"deep": [1, 2.50]}},
        ],
        "tools": [{"type": "custom", "custom": {"name": "shell"}}],
        "tool_choice": "required",
        "logprobs": True,
        "n": 2,
        "stop": ["\u2028"],
        "of_2031": {"big": 12345678901234567890},
        "stream": True,
        "stream_options": {"include_obfuscation": False},
        "max_completion_tokens": 9,
        "parley": {},
    }
    parley.upstream.stream(delta(content="Hi"), delta(finish="stop"), "[DONE]")
    await parley.client.post(CHAT, json=body)
    sent = parley.upstream.chats[-1].json
    assert sent.pop("stream_options") == {"include_obfuscation": False, "include_usage": True}
    assert sent == {name: body[name] for name in body if name not in ("parley", "stream_options")}


async def test_an_answer_in_one_piece_comes_back_byte_for_byte(parley: RunningParley):
    message = {"role": "assistant", "content": None, "audio": {"id": "a", "data": "aGk="}, "of_2030": [1.50]}
    choices = [{"index": 0, "message": message, "logprobs": {"content": []}, "finish_reason": "stop"}]
    answer = b'{ "id":"x", "choices":%b, "usage": %b }' % (
        msgspec.json.encode(choices),
        msgspec.json.encode(USAGE),
    )
    parley.upstream.answer(answer)
    response = await parley.client.post(CHAT, json={"model": "ada", "messages": HELLO})
    assert (response.status_code, response.content) == (200, answer)
    assert response.headers["x-parley-model"] == "ada"
    assert response.headers["x-parley-cost"] == "0.000020"
    (call,) = await recorded_calls(parley)
    assert (call.outcome, call.purpose, call.input_tokens, call.output_tokens) == ("completed", "api", 10, 5)


@pytest.mark.parametrize("packet", [None, 7])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
async def test_a_stream_comes_back_byte_for_byte_but_for_the_usage_that_nobody_wants(
    parley: RunningParley, packet: int | None, line_end: bytes
):
    events = [
        event(part).replace(b"\n", line_end)
        for part in (
            delta(role="assistant", content=""),
            {**delta(content="Good "), "of_2030": 1},
            delta(tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]),
            delta(finish="tool_calls"),
        )
    ]
    usage = event({**delta(), "choices": [], "usage": USAGE}).replace(b"\n", line_end)
    done = event("[DONE]").replace(b"\n", line_end)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    for wanted in (False, True):
        parley.upstream.forget()
        parley.upstream.stream(*events, usage, done, packet=packet)
        more = {"stream_options": {"include_usage": wanted}}
        response = await parley.client.post(CHAT, json={**body, **more})
        expected = b"".join([*events, *([usage] if wanted else [])])
        assert response.content == expected + b": x-parley-cost: 0.000020\n\ndata: [DONE]\n\n"
    assert [call.output_tokens for call in await recorded_calls(parley)] == [5, 5]


@pytest.mark.parametrize("packet", [None, 7])
async def test_lines_of_json_come_back_as_events(parley: RunningParley, packet: int | None):
    chunks = [delta(content="Good "), delta(content="day"), {**delta(), "finish_reason": "stop"}]
    parley.upstream.stream(*(msgspec.json.encode(chunk) + b"\n" for chunk in chunks), packet=packet)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    response = await parley.client.post(CHAT, json=body)
    assert response.content.startswith(b"".join(map(event, chunks)))
    assert response.content.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize(
    "rest",
    [
        [HangUp()],
        [b'data: {"choices":[{"index":0,"delta":{"content":"ha', HangUp()],
        ["[DONE]"],
        [],
        [delta(finish="error"), "[DONE]"],
    ],
)
async def test_a_stream_that_was_cut_off_ends_with_an_error_and_without_done(
    parley: RunningParley, rest: list[Any]
):
    parley.upstream.stream(delta(content="Half"), delta(content="way"), *rest)
    text = (await parley.client.post(CHAT, json={"model": "ada", "messages": HELLO, "stream": True})).text
    *events, last, end = text.split("\n\n")
    assert (end, "[DONE]" in text, '"finish_reason":"stop"' in text) == ("", False, False)
    assert last.startswith('data: {"error":{"message":')
    assert [msgspec.json.decode(each.removeprefix("data: ")) is not None for each in events]
    (call,) = await recorded_calls(parley)
    assert (call.outcome, call.estimated) == ("failed", True)


async def test_one_of_two_answers_that_was_cut_off_is_an_error_too(parley: RunningParley):
    second = delta(content="Second")
    second["choices"][0]["index"] = 1
    parley.upstream.stream(delta(content="First"), second, delta(finish="stop"), "[DONE]")
    body = {"model": "ada", "messages": HELLO, "stream": True, "n": 2}
    assert "[DONE]" not in (await parley.client.post(CHAT, json=body)).text


async def test_a_provider_is_asked_again_before_the_first_byte(parley: RunningParley):
    parley.upstream.fail(503, retry_after="0").reply("Good", " day")
    parley.upstream.stream({"error": {"message": "overloaded", "code": 503}})
    async with client_of(parley) as client:
        answer = await client.chat.completions.create(model="ada", messages=HELLO)
        assert answer.choices[0].message.content == "Good day"
    assert [call.outcome for call in await recorded_calls(parley)] == ["failed", "completed"]


async def test_an_error_within_the_stream_is_shown_without_the_providers_key(parley: RunningParley):
    wrong = {"error": {"message": "s3cret-key-of-the-provider is broken", "code": 400}}
    parley.upstream.stream(delta(content="a"), delta(content="b"), wrong)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    text = (await parley.client.post(CHAT, json=body)).text
    assert '"code":"upstream_rejected"' in text
    assert "s3cret" not in text


@pytest.mark.parametrize("stream", [False, True])
async def test_what_is_no_answer_is_an_error(parley: RunningParley, stream: bool):
    for body in ("<html>", {"hello": 1}, {"error": {"message": "no"}}):
        parley.upstream.forget()
        parley.upstream.answer(body, times=4)
        request = {"model": "ada", "messages": HELLO, "stream": stream}
        answer = await parley.client.post(CHAT, json=request)
        assert (answer.status_code, "error" in answer.json()) == (502, True), answer.text


async def test_the_token_limit_has_the_name_that_the_server_wants(parley: RunningParley):
    parley.upstream.fail(400, "Unsupported parameter: use 'max_completion_tokens' instead").reply("Hi")
    async with client_of(parley) as client:
        for _ in range(2):
            await client.chat.completions.create(model="ada", messages=HELLO, max_tokens=3)
    limits = [
        (sent.json.get("max_tokens"), sent.json.get("max_completion_tokens"))
        for sent in parley.upstream.chats
    ]
    assert limits == [(3, None), (None, 3), (None, 3)]


async def test_fields_for_parley_that_there_are_not_are_refused_by_name(parley: RunningParley):
    body = {"model": "ada", "messages": HELLO, "parley": {"budget": 3}}
    answer = await parley.client.post(CHAT, json=body)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "parley.budget")
    assert parley.upstream.chats == []


async def test_embeddings_pass_as_they_are(parley: RunningParley):
    vectors = {
        "object": "list",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.5, -1.25]}],
        "usage": {"prompt_tokens": 4, "total_tokens": 4},
    }
    parley.upstream.answer(vectors)
    async with client_of(parley) as client:
        raw = await client.embeddings.with_raw_response.create(
            model="vectors", input=["Hello", "there"], dimensions=2, encoding_format="float"
        )
        assert raw.parse().data[0].embedding == [0.5, -1.25]
        assert raw.headers["x-parley-cost"] == "0.000004"
        with pytest.raises(openai.NotFoundError):
            await client.embeddings.create(model="ada", input="Hello")
    sent = parley.upstream.requests[-1]
    assert sent.path == "/v1/embeddings"
    assert sent.json == {
        "model": "vectors",
        "input": ["Hello", "there"],
        "dimensions": 2,
        "encoding_format": "float",
    }
    (call,) = await recorded_calls(parley)
    assert (call.model_id, call.input_tokens, call.output_tokens) == ("vectors", 4, 0)


async def test_a_client_that_leaves_stops_the_model_and_pays_for_what_came(parley: RunningParley):
    parley.upstream.reply("Good ", "day ", "and ", "night", hold_after=3)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    async with parley.client.stream("POST", CHAT, json=body) as response:
        async for text in response.aiter_text():
            if "and" in text:
                break
    await parley.upstream.wait_until_idle()
    (call,) = await recorded_calls(parley)
    assert (call.outcome, call.estimated, call.output_tokens) == ("stopped", True, 4)
