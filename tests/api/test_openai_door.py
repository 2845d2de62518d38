"""Tests of the door's translated requests with OpenAI's own client: models, answers, streams and errors."""

import asyncio
import base64
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import openai
import pytest

from parley.engine.gateway import Gateway
from parley.features.openai_api import answering_routes
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.upstream import HangUp, ScriptedUpstream, delta

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
JURY = {"a": "ada", "b": "bob", "arbiter": "judge"}
PICTURE = base64.b64encode(
    bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")
).decode()
MODELS = (
    ModelSpec("ada", capabilities=("text", "json", "tools", "vision")),
    "bob",
    "judge",
    ModelSpec("off", enabled=False),
)


@pytest.fixture(autouse=True)
def translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask every model as if its provider spoke another dialect."""
    monkeypatch.setattr(Gateway, "passes_on", lambda *_: False)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


def client_of(parley: RunningParley, key: str = "any") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{parley.base_url}/v1", api_key=key, max_retries=0)


async def test_models_are_listed_without_those_that_are_off(parley: RunningParley):
    async with client_of(parley) as client:
        assert [model.id async for model in client.models.list()] == ["ada", "bob", "judge", "auto"]
        assert (await client.models.retrieve("ada")).owned_by == "Ada Labs"
        with pytest.raises(openai.NotFoundError):
            await client.models.retrieve("off")


async def test_an_answer_has_its_text_reasoning_usage_and_headers(parley: RunningParley):
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    parley.upstream.reply("Good ", "day", reasoning=["hm"], usage=usage, finish="length")
    async with client_of(parley) as client:
        raw = await client.chat.completions.with_raw_response.create(
            model="ada", messages=HELLO, temperature=0.5, max_tokens=7, seed=3, extra_body={"of_2030": {}}
        )
    answer = raw.parse()
    (choice,) = answer.choices
    assert (choice.message.content, choice.finish_reason) == ("Good day", "length")
    assert choice.message.model_extra == {"reasoning_content": "hm"}
    assert answer.usage is not None
    assert answer.usage.model_dump(exclude_none=True) == usage
    assert raw.headers["x-parley-model"] == "ada"
    assert raw.headers["x-parley-cost"] == "0.000020"
    assert raw.headers["x-request-id"].removeprefix("req_") == answer.id.removeprefix("chatcmpl-")
    sent = parley.upstream.chats[-1].json
    assert (sent["temperature"], sent["max_tokens"], sent["seed"]) == (0.5, 7, 3)


async def test_a_stream_has_chunks_the_finish_reason_and_usage_if_wanted(parley: RunningParley):
    parley.upstream.reply("Good ", "day", reasoning=["hm"])
    async with client_of(parley) as client:
        for wanted in (True, False):
            stream = await client.chat.completions.create(
                model="bob", messages=HELLO, stream=True, stream_options={"include_usage": wanted}
            )
            chunks = [chunk async for chunk in stream]
            said = [chunk.choices[0] for chunk in chunks if chunk.choices]
            assert "".join(choice.delta.content or "" for choice in said) == "Good day"
            assert (said[0].delta.role, said[-1].finish_reason) == ("assistant", "stop")
            assert "reasoning_content" in (said[0].delta.model_extra or {})
            usage = chunks[-1].usage
            assert (usage.total_tokens if usage else None) == (10 if wanted else None)
            assert len({chunk.id for chunk in chunks}) == 1


async def test_the_bytes_of_a_stream_are_what_every_client_reads(parley: RunningParley):
    parley.upstream.reply("Hi")
    body = {"model": "ada", "messages": HELLO, "stream": True}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = answer.text.split("\n\n")
    assert events[-3:] == [": x-parley-cost: 0.000009", "data: [DONE]", ""]
    assert all(event.startswith("data: {") for event in events[:-3])
    assert '"usage"' not in answer.text


async def test_an_answer_that_was_cut_off_is_an_error_and_never_a_stop(parley: RunningParley):
    cut = [delta(content="Half"), HangUp()]
    parley.upstream.stream(*cut)
    async with client_of(parley) as client:
        with pytest.raises(openai.APIStatusError) as whole:
            await client.chat.completions.create(model="ada", messages=HELLO)
        assert whole.value.status_code == 502
        parley.upstream.stream(*cut)
        stream = await client.chat.completions.create(model="ada", messages=HELLO, stream=True)
        pieces = aiter(stream)
        first = (await anext(pieces)).choices[0]
        with pytest.raises(openai.APIError):
            await anext(pieces)
        assert (first.delta.content, first.finish_reason) == ("Half", None)
    parley.upstream.reply("Half", finish=None)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    text = (await parley.client.post("/v1/chat/completions", json=body)).text
    assert "[DONE]" not in text
    assert '"finish_reason":"' not in text
    assert text.split("\n\n")[-2].startswith('data: {"error":{"message":"The answer ended before')


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "body", "expected", "code"),
    [
        (400, {"message": "maximum context length is 10 tokens"}, 400, "context_length_exceeded"),
        (400, {"message": "no"}, 400, "upstream_rejected"),
        (401, {"message": "bad key"}, 502, "upstream_key_rejected"),
        (500, {"message": "oh"}, 503, "upstream_overloaded"),
    ],
)
async def test_what_a_provider_refuses_has_the_status_that_clients_expect(
    parley: RunningParley, stream: bool, status: int, body: Any, expected: int, code: str
):
    parley.upstream.answer({"error": body}, status=status, times=9)
    answer = await parley.client.post(
        "/v1/chat/completions", json={"model": "ada", "messages": HELLO, "stream": stream}
    )
    assert answer.status_code == expected, answer.text
    error = answer.json()["error"]
    assert error["code"] == code
    assert set(error) == {"message", "type", "param", "code"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "param"),
    [
        ("POST", "/v1/audio/speech", 404, "not_found", None),
        ("GET", "/v1", 404, "not_found", None),
        ("GET", "/v1/chat/completions", 405, "method_not_allowed", None),
        ("GET", "/v1/models/none", 404, "model_not_found", "model"),
        ("POST", "/v1/chat/completions", 400, "invalid_value", "model"),
    ],
)
async def test_every_error_has_openais_shape(
    parley: RunningParley, method: str, path: str, status: int, code: str, param: str | None
):
    answer = await parley.client.request(method, path, json={"messages": HELLO} if method == "POST" else None)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"].startswith("req_")
    error = answer.json()["error"]
    assert (error["code"], error["param"], error["type"]) == (code, param, "invalid_request_error")


async def test_broken_bodies_and_other_sites_are_refused_in_openais_shape(parley: RunningParley):
    path, kind = "/v1/chat/completions", {"content-type": "application/json"}
    for content, headers, status in (
        (b"{", kind, 400),
        (b"\xff", kind, 400),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"{}", {**kind, "origin": "https://elsewhere.example"}, 403),
        (b"[" * 20_000, kind, 400),
        (b'{"a":"' + b"a" * (17 << 20) + b'"}', kind, 413),
    ):
        answer = await parley.client.post(path, content=content, headers=headers)
        assert (answer.status_code, list(answer.json())) == (status, ["error"]), answer.text
    foreign = await parley.client.get("/v1/models", headers={"origin": "https://elsewhere.example"})
    assert (foreign.status_code, foreign.json()["error"]["code"]) == (403, "cross_site")
    assert not parley.upstream.chats


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 2),
        ("logprobs", True),
        ("audio", {"voice": "x"}),
        ("stop", ["\n"]),
        ("top_p", 0.5),
        ("modalities", ["text", "audio"]),
        ("functions", [{"name": "f"}]),
        ("tool_choice", "required"),
        ("response_format", {"type": "json_object"}),
    ],
)
async def test_what_cannot_be_passed_on_is_refused_by_name(parley: RunningParley, field: str, value: Any):
    body = {"model": "ada", "messages": HELLO, field: value}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["param"], error["code"]) == (field, "unsupported_parameter")
    assert not parley.upstream.chats


async def test_values_that_ask_for_nothing_and_unknown_fields_are_taken(parley: RunningParley):
    parley.upstream.reply("Hi")
    body = {
        "model": "ada",
        "messages": [{"role": "developer", "content": "Be brief", "x": 1}, *HELLO],
        "n": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "logprobs": False,
        "user": "me",
        "reasoning_effort": "low",
        "temperature": 1,
    }
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200, answer.text
    assert [it["role"] for it in parley.upstream.chats[-1].json["messages"]] == ["system", "user"]


async def test_pictures_schemas_and_tools_reach_the_model(parley: RunningParley):
    called = {"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    tool_delta = {**delta(), "choices": [{"index": 0, "delta": {"tool_calls": [called]}}]}
    parley.upstream.stream(tool_delta, delta(finish="tool_calls"), "[DONE]", times=2)
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    content = [
        {"type": "text", "text": "Look"},
        {"type": "image_url", "image_url": {"url": f"data:image/gif;base64,{PICTURE}", "detail": "low"}},
    ]
    asked: Any = {
        "model": "ada",
        "messages": [
            {"role": "user", "content": content},
            {"role": "assistant", "content": None, "tool_calls": [called]},
            {"role": "tool", "tool_call_id": "c1", "content": "42"},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}},
    }
    async with client_of(parley) as client:
        answer = await client.chat.completions.create(**asked)
        stream = await client.chat.completions.create(**asked, stream=True)
        chunks = [chunk.choices[0] async for chunk in stream]
    (choice,) = answer.choices
    assert choice.message.content is None
    assert choice.finish_reason == "tool_calls"
    assert choice.message.tool_calls is not None
    (call,) = choice.message.tool_calls
    assert call.type == "function"
    assert (call.id, call.function.name, call.function.arguments) == (
        "c1",
        "f",
        "{}",
    )
    assert chunks[0].delta.tool_calls
    assert chunks[-1].finish_reason == "tool_calls"
    sent = parley.upstream.chats[-1].json
    assert sent["messages"][0]["content"][1]["image_url"]["url"].startswith("data:image/")
    assert sent["messages"][2] == {"role": "tool", "content": "42", "tool_call_id": "c1"}
    assert sent["tools"][0]["function"]["name"] == "f"
    assert sent["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://example.org/a.png", "data URI"),
        ("data:image/png;base64,???", "Base64"),
        ("data:image/png;base64,aGk=", "picture"),
    ],
)
async def test_a_picture_that_cannot_be_used_is_named(parley: RunningParley, url: str, says: str):
    content = [{"type": "image_url", "image_url": {"url": url}}]
    body = {"model": "ada", "messages": [{"role": "user", "content": content}]}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    error = answer.json()["error"]
    assert answer.status_code == 400
    assert says in error["message"]
    assert error["param"] == "messages.0.content.0.image_url.url"


async def test_a_model_that_thinks_long_keeps_the_connection_open(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(answering_routes, "ALIVE_S", 0.05)
    parley.upstream.reply("Hi", first_delay=0.4)
    async with client_of(parley) as client:
        stream = await client.chat.completions.create(model="ada", messages=HELLO, stream=True)
        assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "Hi"
    body = {"model": "ada", "messages": HELLO, "stream": True}
    text = (await parley.client.post("/v1/chat/completions", json=body)).text
    assert text.startswith(": \n\n")
    assert text.endswith("data: [DONE]\n\n")


async def test_a_provider_that_is_down_is_named(tmp_path: Path):
    async with ScriptedUpstream() as gone:
        pass
    async with a_running_parley(tmp_path, upstream=gone) as parley:
        answer = await parley.client.post("/v1/chat/completions", json={"model": "ada", "messages": HELLO})
    error = answer.json()["error"]
    assert (answer.status_code, error["type"], error["code"]) == (502, "server_error", "upstream_unreachable")
    assert "near at http://127.0.0.1" in error["message"]


async def test_an_answer_that_fails_before_its_first_word_ends_with_an_error_however_late(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(answering_routes, "ALIVE_S", 0.01)
    parley.upstream.reply(first_delay=0.3, finish=None, done=False, model="ada")
    body = {"model": "ada", "messages": HELLO, "stream": True}
    answer = await parley.client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200
    assert '"type":"server_error"' in answer.text
    assert "[DONE]" not in answer.text


async def test_a_server_that_stops_ends_its_answers_with_an_error(parley: RunningParley):
    parley.upstream.reply("One", " two", hold_after=1, times=2)
    async with client_of(parley) as client:
        pieces = aiter(await client.chat.completions.create(model="ada", messages=HELLO, stream=True))
        assert (await anext(pieces)).choices[0].delta.content == "One"
        whole = asyncio.create_task(client.chat.completions.create(model="bob", messages=HELLO))
        await parley.upstream.wait_for_requests(2)
        await parley.application.interrupt()
        with pytest.raises(openai.APIError, match="being stopped"):
            await anext(pieces)
        with pytest.raises(openai.InternalServerError) as refused:
            await whole
    assert refused.value.status_code == 503
    await parley.upstream.wait_until_idle()


async def test_a_client_that_leaves_stops_the_model(parley: RunningParley):
    parley.upstream.reply("a", "b", hold_after=1, times=2)
    body = {"model": "ada", "messages": HELLO, "stream": True}
    async with parley.client.stream("POST", "/v1/chat/completions", json=body) as response:
        async for _ in response.aiter_bytes():
            break
    await parley.upstream.wait_until_idle()
    assert parley.upstream.aborted == 1


async def test_a_preset_answers_by_its_id_and_by_its_name(parley: RunningParley):
    preset = {"mode": "consortium", "name": "Jury", "seats": JURY, "contestant": True}
    await parley.post("/api/presets", preset)
    assert [it["id"] for it in (await parley.get("/v1/models"))["data"]] == [
        *("ada", "bob", "judge", "jury-r1", "auto")
    ]
    parley.upstream.reply(member("Paris.", 0.9), model="ada")
    parley.upstream.reply(member("Paris.", 0.8), model="bob")
    parley.upstream.reply(arbiter("Paris.", 0.95), model="judge")
    async with client_of(parley) as client:
        answer = await client.chat.completions.create(model="jury-r1", messages=HELLO)
        stream = await client.chat.completions.create(model="jury", messages=HELLO, stream=True)
        said = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
        with pytest.raises(openai.BadRequestError) as refused:
            await client.chat.completions.create(model="jury", messages=HELLO, temperature=0.1)
        talk: Any = [*HELLO, {"role": "assistant", "content": "Hi"}]
        with pytest.raises(openai.BadRequestError):
            await client.chat.completions.create(model="jury", messages=talk)
    assert answer.choices[0].message.content == said == "Paris."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens > 10
    assert refused.value.code == "unsupported_parameter"
    assert {row.purpose for row in await recorded_calls(parley)} == {"api"}
