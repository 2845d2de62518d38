"""Tests of providers through any-llm-sdk, against scripted servers that speak their protocols."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from parley.connectors import parley_connectors
from parley.connectors.anyllm import SPOKEN, make_connector
from parley.connectors.anyllm.connector import AnyLLMConnector
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, ListsModels, Usage
from parley.kernel.errors import Garbled, Rejected, UpstreamError
from parley.kernel.messages import FilePart, ImagePart, Message, TextPart, ToolCall
from parley.kernel.models import Provider
from parley.kernel.options import Tool
from parley.wire.http import HttpClient, WireOptions
from tests.fakes import messages_api as api
from tests.fakes.extras import needs
from tests.fakes.upstream import Hang, Script, ScriptedUpstream, delta, event

KEY = "sk-secret-0123456789-abcdefABCDEF"
LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})


@pytest.fixture(autouse=True)
def installed() -> None:
    needs("any_llm", "anyllm")


@pytest.fixture
async def up() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    yield client
    await client.close()


@pytest.fixture
def claude(up: ScriptedUpstream, client: HttpClient) -> Connector:
    return make_connector("anthropic", Provider("p", "x", up.origin, KEY), client)


def ask(*messages: Message, **fields: Any) -> ChatRequest:
    return ChatRequest(model="m", messages=messages or (Message("user", "Hi"),), **fields)


async def listen(connector: Connector, request: ChatRequest | None = None) -> list[Chunk]:
    return [chunk async for chunk in connector.stream(request or ask())]


async def failure(connector: Connector, request: ChatRequest | None = None) -> UpstreamError:
    with pytest.raises(UpstreamError) as caught:
        await listen(connector, request)
    error = caught.value
    assert KEY not in f"{error!r} {error.title} {error.detail} {error.__cause__!r}"
    return error


# ── Anthropic's Messages API ─────────────────────────────────────────────────────────────────────


async def test_reasoning_text_and_usage_with_what_came_from_the_cache(
    up: ScriptedUpstream, claude: Connector
) -> None:
    thought = api.block(
        0,
        "thinking",
        {"type": "thinking_delta", "thinking": "let me "},
        {"type": "thinking_delta", "thinking": "see"},
        {"type": "signature_delta", "signature": "c2ln"},
        thinking="",
        signature="",
    )
    start = api.begun(cache_read_input_tokens=20, cache_creation_input_tokens=3)
    up.script(Script((start, thought, api.text("4", "2", index=1), api.ended(output_tokens=9)), packet=7))
    chunks = await listen(claude)
    said = [(chunk.channel, chunk.text) for chunk in chunks if isinstance(chunk, Delta)]
    assert "".join(text for channel, text in said if channel == "reasoning") == "let me see"
    assert "".join(text for channel, text in said if channel == "text") == "42"
    assert chunks[-2:] == [Finish("stop"), Usage(30, 9, cached_tokens=20, cache_written_tokens=3, model="m")]
    (request,) = up.requests
    assert (request.path, request.headers["x-api-key"]) == ("/v1/messages", KEY)
    assert "authorization" not in request.headers


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
    ],
)
async def test_finish_reasons(up: ScriptedUpstream, claude: Connector, said: str, meant: str) -> None:
    up.script(Script((api.begun(), api.text("a"), api.ended(said))))
    assert [chunk.reason for chunk in await listen(claude) if isinstance(chunk, Finish)] == [meant]


async def test_tools_go_out_and_their_calls_come_back(up: ScriptedUpstream, claude: Connector) -> None:
    call = api.block(
        1,
        "tool_use",
        {"type": "input_json_delta", "partial_json": '{"q": '},
        {"type": "input_json_delta", "partial_json": '"é"}'},
        id="c1",
        name="look",
        input={},
    )
    up.script(Script((api.begun(), api.text("Let me look."), call, api.ended("tool_use"))))
    before = Message("assistant", "Looking.", tool_calls=(ToolCall(0, "c0", "look", '{"q": "a"}'),))
    messages = (
        Message("system", "Be brief."),
        Message("user", "Hi"),
        before,
        Message("tool", "found", tool_call_id="c0"),
    )
    chunks = await listen(claude, ask(*messages, tools=(LOOK,), temperature=0.5, max_output_tokens=99))
    assert [chunk for chunk in chunks if isinstance(chunk, ToolCall)] == [
        ToolCall(1, "c1", "look", '{"q": "é"}')
    ]
    assert Finish("tool_calls") in chunks
    sent = up.requests[0].json
    assert (sent["max_tokens"], sent["temperature"], sent["stream"]) == (99, 0.5, True)
    assert "Be brief." in str(sent["system"])
    assert sent["tools"][0]["name"] == "look"
    assert sent["messages"][1]["content"][-1]["type"] == "tool_use"
    assert sent["messages"][2]["content"][0]["type"] == "tool_result"


async def test_pictures_and_files_are_sent(up: ScriptedUpstream, claude: Connector) -> None:
    up.script(Script((api.begun(), api.text("A cat."), api.ended())))
    parts = (TextPart("What is it?"), ImagePart("a", "image/png"), FilePart("b", "application/pdf", "x.pdf"))
    request = ask(Message("user", parts), attached={"a": b"png", "b": b"pdf"})
    await listen(claude, request)
    text, picture, file = up.requests[0].json["messages"][0]["content"]
    assert text == {"type": "text", "text": "What is it?"}
    assert picture["source"] == {"type": "base64", "media_type": "image/png", "data": "cG5n"}
    assert (file["type"], file["source"]["data"]) == ("document", "cGRm")


async def test_a_schema_is_enforced_by_the_provider_itself(up: ScriptedUpstream, claude: Connector) -> None:
    up.script(Script((api.begun(), api.text('{"a": 1}'), api.ended())))
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    await listen(claude, ask(json_schema=schema))
    assert "integer" in msgspec.json.encode(up.requests[0].json["output_config"]).decode()


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("overloaded_error", "upstream_overloaded"),
        ("api_error", "upstream_error"),
        ("rate_limit_error", "upstream_rate_limited"),
    ],
)
async def test_an_error_within_the_stream_keeps_what_had_come(
    up: ScriptedUpstream, claude: Connector, kind: str, code: str
) -> None:
    half = api.opened(0, "text", {"type": "text_delta", "text": "so far"}, text="")
    wrong = api.said("error", error={"type": kind, "message": f"it broke, says {KEY}"})
    up.script(Script((api.begun(), half, wrong)))
    stream = claude.stream(ask())
    assert await anext(stream) == Delta("text", "so far")
    with pytest.raises(UpstreamError) as caught:
        await anext(stream)
    assert caught.value.problem.code == code
    assert "it broke" in (caught.value.detail or "")
    assert KEY not in str(caught.value.detail)


async def test_an_option_that_the_provider_lacks_is_refused_and_nothing_is_sent(
    up: ScriptedUpstream, claude: Connector
) -> None:
    error = await failure(claude, ask(seed=7))
    assert isinstance(error, Rejected)
    assert "seed" in (error.detail or "")
    assert up.requests == []


async def test_models_are_listed(up: ScriptedUpstream, claude: Connector) -> None:
    entry = {"id": "claude-x", "type": "model", "display_name": "X", "created_at": "2026-01-01T00:00:00Z"}
    body = msgspec.json.encode({"data": [entry], "has_more": False, "first_id": None, "last_id": None})
    up.lists_with(Script((body,), headers={"Content-Type": "application/json"}))
    assert isinstance(claude, ListsModels)
    assert await claude.list_models() == ["claude-x"]
    assert up.requests[0].headers["x-api-key"] == KEY


# ── the library itself ───────────────────────────────────────────────────────────────────────────


async def test_the_address_may_be_that_of_the_compatible_api(
    up: ScriptedUpstream, client: HttpClient
) -> None:
    up.script(Script((api.begun(), api.text("a"), api.ended())))
    await listen(make_connector("anthropic", Provider("p", "x", up.url, KEY), client))
    assert up.requests[0].path == "/v1/messages"
    known = "https://generativelanguage.googleapis.com/v1beta/openai"
    assert SPOKEN["gemini"].address(known) == SPOKEN["gemini"].base_url


async def test_without_a_key_nothing_is_sent_and_none_is_taken_from_the_environment(
    up: ScriptedUpstream, client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    error = await failure(make_connector("anthropic", Provider("p", "x", up.origin), client))
    assert error.title == "Anthropic needs a key."
    assert up.requests == []


async def test_a_key_that_no_header_can_carry_is_called_one(up: ScriptedUpstream, client: HttpClient) -> None:
    error = await failure(make_connector("anthropic", Provider("p", "x", up.origin, "sk-naïve"), client))
    assert error.title == "The provider's key can't be sent."
    assert up.requests == []


async def test_the_environment_moves_no_request(
    up: ScriptedUpstream, claude: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "canary-token")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Canary: canary-header")
    up.script(Script((api.begun(), api.text("a"), api.ended())))
    assert Finish("stop") in await listen(claude)
    assert "canary" not in str(up.requests[0].headers)
    assert not any("stainless" in name for name in up.requests[0].headers)


async def test_a_missing_library_is_named_with_the_command_that_installs_it(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "any_llm", None)
    error = await failure(make_connector("cohere", Provider("p", "x", None, KEY), client))
    assert error.title == "The library for Cohere is not installed."
    assert "pip install 'parley[cohere]'" in (error.detail or "")
    assert error.problem.code == "no_connector"


@pytest.mark.parametrize(
    "body", ["<html>Sign in</html>", "not an event", 'data: {"choices": 7}\n\n', "data: {oh no\n\n"]
)
async def test_an_answer_that_is_none_is_an_error(
    up: ScriptedUpstream, client: HttpClient, body: str
) -> None:
    up.answer(body, content_type="text/event-stream")
    connector = make_connector("openai", Provider("p", "x", up.url, KEY), client)
    try:
        chunks = await listen(connector)
    except UpstreamError as error:
        assert isinstance(error, Garbled)
    else:
        assert chunks == []  # an empty answer: the engine says so


async def test_a_line_without_end_is_cut_off(up: ScriptedUpstream, client: HttpClient) -> None:
    up.stream(delta(content="a"), b"data: " + b"x" * ((1 << 20) + 10), b"x" * 1000)
    connector = make_connector("openai", Provider("p", "x", up.url, KEY), client)
    with pytest.raises(Garbled):
        await listen(connector)


async def test_an_answer_over_the_cap_ends(up: ScriptedUpstream, client: HttpClient) -> None:
    up.stream(*([event(delta(content="x" * 500_000))] * 6), delta(finish="stop"))
    error = await failure(make_connector("openai", Provider("p", "x", up.url, KEY), client))
    assert error.problem.code == "upstream_too_long"
    await up.wait_until_idle()


async def test_a_server_that_says_no_more_after_its_finish_has_finished(
    up: ScriptedUpstream, client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.connectors.anyllm.connector.AFTER_FINISH_S", 0.05)
    up.stream(delta(content="whole"), delta(finish="stop"), Hang())
    chunks = await listen(make_connector("openai", Provider("p", "x", up.url, KEY), client))
    assert chunks == [Delta("text", "whole"), Finish("stop")]
    await up.wait_until_idle()


async def test_no_key_and_no_question_is_logged(
    up: ScriptedUpstream, claude: Connector, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    up.script(Script((api.begun(), api.text("a"), api.ended()))).fail(401, f"bad key {KEY}")
    question = ask(Message("user", "canary-question"))
    await listen(claude, question)
    await failure(claude, question)
    assert KEY not in caplog.text
    assert "canary-question" not in caplog.text


async def test_many_ask_at_once_and_the_library_is_opened_once(
    up: ScriptedUpstream, claude: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(claude, AnyLLMConnector)
    opened: list[str] = []
    opening = claude._open
    monkeypatch.setattr(claude, "_open", lambda key: (opened.append(key), opening(key))[1])
    up.script(Script((api.begun(), api.text("a"), api.ended())))
    await asyncio.gather(*(listen(claude) for _ in range(8)))
    assert opened == [KEY]


def test_every_provider_is_a_connector_of_its_own() -> None:
    assert {f"anyllm-{name}" for name in SPOKEN} <= parley_connectors().keys()
    connector = parley_connectors()["anyllm-mistral"](Provider("p", "anyllm-mistral"), HttpClient())
    assert isinstance(connector, AnyLLMConnector)
