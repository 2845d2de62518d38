"""Models of OpenAI's Responses API: they are found by the server's refusal, and read like any other."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.kernel.errors import Overloaded, Rejected, UpstreamError
from parley.kernel.messages import FilePart, ImagePart, Message, TextPart, ToolCall
from parley.kernel.models import Provider
from parley.kernel.options import Tool
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import HangUp, ScriptedUpstream

REFUSAL = {
    "error": {
        "message": "This model is only supported in v1/responses and not in v1/chat/completions.",
        "type": "invalid_request_error",
        "param": "model",
        "code": None,
    }
}
USAGE = {
    "input_tokens": 36,
    "input_tokens_details": {"cached_tokens": 12},
    "output_tokens": 87,
    "output_tokens_details": {"reasoning_tokens": 64},
    "total_tokens": 123,
}


def said(kind: str, **fields: Any) -> bytes:
    """Return an event as the API sends it: with its kind as the event's name too."""
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), msgspec.json.encode({"type": kind, **fields}))


def ended(kind: str = "completed", **fields: Any) -> bytes:
    response = {"id": "resp_1", "object": "response", "status": kind, "output": [], "usage": USAGE, **fields}
    return said(f"response.{kind}", response=response)


@pytest.fixture
async def upstream() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as server:
        server.fail(404, REFUSAL)
        yield server


@pytest.fixture
async def connector(upstream: ScriptedUpstream) -> AsyncIterator[OpenAIConnector]:
    client = HttpClient(WireOptions(allow_loopback=True))
    yield OpenAIConnector(Provider("p", "openai", upstream.url, "sk-test-key-0123456789"), client)
    await client.close()


async def ask(connector: OpenAIConnector, *messages: Message, **options: Any) -> list[Chunk]:
    request = ChatRequest(model="thinker", messages=messages or (Message("user", "Hello?"),), **options)
    return [chunk async for chunk in connector.stream(request)]


async def test_a_model_that_only_the_responses_api_has_is_asked_there(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.stream(
        said("response.created", response={"status": "in_progress", "output": [], "usage": None}),
        said("response.output_item.added", output_index=0, item={"type": "reasoning", "summary": []}),
        said("response.reasoning_summary_text.delta", output_index=0, delta="Let me see."),
        said("response.output_item.added", output_index=1, item={"type": "message", "content": []}),
        said("response.output_text.delta", output_index=1, delta="Hello "),
        said("response.output_text.delta", output_index=1, delta="wörld 😀"),
        said("response.output_text.done", output_index=1, text="Hello wörld 😀"),
        ended(),
    )
    chunks = await ask(connector)
    assert chunks[-2:] == [Finish("stop"), Usage(36, 87, 64, 12)]
    deltas = [chunk for chunk in chunks if isinstance(chunk, Delta)]
    assert "".join(each.text for each in deltas if each.channel == "reasoning") == "Let me see."
    assert "".join(each.text for each in deltas if each.channel == "text") == "Hello wörld 😀"
    assert [request.path for request in upstream.requests] == ["/v1/chat/completions", "/v1/responses"]
    await ask(connector)
    assert [request.path for request in upstream.requests[2:]] == ["/v1/responses"]


async def test_the_whole_conversation_is_written_as_the_api_wants_it(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.stream(said("response.output_text.delta", delta="A cat."), ended())
    picture = b"\x89PNG"
    tool = Tool(name="look", description="Looks.", parameters={"type": "object"})
    await ask(
        connector,
        Message("system", "Be brief."),
        Message("user", (TextPart("What is it?"), ImagePart("a" * 64, "image/png"))),
        Message("assistant", "", (ToolCall(0, "call_1", "look", '{"at": 1}'),)),
        Message("tool", "a cat", tool_call_id="call_1"),
        Message("assistant", (TextPart("A cat."),)),
        Message("user", (FilePart("b" * 64, "application/pdf", "all.pdf"),)),
        temperature=0.5,
        max_output_tokens=100,
        reasoning_effort="low",
        seed=7,
        json_schema={"type": "object"},
        tools=(tool,),
        attached={"a" * 64: picture, "b" * 64: b"%PDF"},
    )
    body = upstream.requests[-1].json
    assert body["input"] == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is it?"},
                {"type": "input_image", "image_url": "data:image/png;base64,iVBORw=="},
            ],
        },
        {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"at": 1}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "a cat"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "A cat."}]},
        {
            "role": "user",
            "content": [
                {
                    "type": "input_file",
                    "filename": "all.pdf",
                    "file_data": "data:application/pdf;base64,JVBERg==",
                }
            ],
        },
    ]
    assert (body["model"], body["stream"], body["store"]) == ("thinker", True, False)
    assert (body["temperature"], body["max_output_tokens"], "seed" in body) == (0.5, 100, False)
    assert body["reasoning"]["effort"] == "low"
    assert body["text"]["format"]["schema"] == {"type": "object"}
    assert body["tools"] == [
        {"type": "function", "name": "look", "description": "Looks.", "parameters": {"type": "object"}}
    ]


async def test_calls_of_tools_are_put_together(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    item = {"type": "function_call", "call_id": "call_9", "name": "look", "arguments": ""}
    upstream.stream(
        said("response.output_item.added", output_index=1, item=item),
        said("response.function_call_arguments.delta", output_index=1, delta='{"at":'),
        said("response.function_call_arguments.delta", output_index=1, delta=" 2}"),
        said("response.function_call_arguments.done", output_index=1, arguments='{"at": 2}'),
        ended(),
    )
    chunks = await ask(connector)
    assert chunks == [ToolCall(1, "call_9", "look", '{"at": 2}'), Finish("tool_calls"), Usage(36, 87, 64, 12)]


@pytest.mark.parametrize(
    ("reason", "finish"), [("max_output_tokens", "length"), ("content_filter", "content_filter")]
)
async def test_an_incomplete_answer_says_why(
    upstream: ScriptedUpstream, connector: OpenAIConnector, reason: str, finish: str
) -> None:
    upstream.stream(
        said("response.output_text.delta", delta="Half"),
        ended("incomplete", incomplete_details={"reason": reason}),
    )
    assert Finish(finish) in await ask(connector)  # type: ignore[arg-type]


async def test_an_answer_that_breaks_off_has_no_finish(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.stream(said("response.output_text.delta", delta="Half"), HangUp())
    assert await ask(connector) == [Delta("text", "Half")]


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (
            ended(
                "failed", error={"code": "rate_limit_exceeded", "message": "Slow down, please."}, usage=None
            ),
            Overloaded,
        ),
        (said("error", code="server_error", message="Slow down, please.", param=None), Overloaded),
        (said("error", code=None, message="Slow down, please.", param=None), UpstreamError),
    ],
)
async def test_a_failure_within_the_stream_is_an_error_with_the_servers_words(
    upstream: ScriptedUpstream, connector: OpenAIConnector, event: bytes, error: type[UpstreamError]
) -> None:
    upstream.stream(said("response.created", response={"status": "in_progress"}), event)
    with pytest.raises(error) as failure:
        await ask(connector)
    assert "Slow down, please." in str(failure.value.detail)


async def test_a_model_that_gives_no_summary_of_its_reasoning_is_asked_without(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.fail(400, {"error": {"message": "Unsupported parameter: 'reasoning.summary'."}})
    upstream.stream(said("response.output_text.delta", delta="Hi."), ended())
    assert Delta("text", "Hi.") in await ask(connector)
    assert ["reasoning" in request.json for request in upstream.requests] == [False, True, False]
    await ask(connector)
    assert "reasoning" not in upstream.requests[-1].json


async def test_another_refusal_there_is_an_error(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.fail(400, {"error": {"message": "v1/responses does not know this model"}})
    with pytest.raises(Rejected):
        await ask(connector)
    assert len(upstream.requests) == 2


@pytest.mark.parametrize(
    ("document", "chunks"),
    [
        (
            {
                "object": "response",
                "status": "completed",
                "output": [
                    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
                    {"type": "message", "content": [{"type": "output_text", "text": "Whole."}]},
                ],
                "usage": USAGE,
            },
            [Delta("reasoning", "Hm."), Delta("text", "Whole."), Finish("stop"), Usage(36, 87, 64, 12)],
        ),
    ],
)
async def test_an_answer_that_is_not_streamed_is_read_too(
    upstream: ScriptedUpstream, connector: OpenAIConnector, document: dict[str, Any], chunks: list[Chunk]
) -> None:
    upstream.answer(document)
    assert await ask(connector) == chunks


async def test_an_error_in_place_of_a_document_is_one(
    upstream: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    upstream.answer({"error": {"message": "No answer today.", "code": "server_error"}})
    with pytest.raises(UpstreamError) as failure:
        await ask(connector)
    assert "No answer today." in str(failure.value.detail)
