"""The table of upstream faults, row by row, against a scripted server."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.kernel.errors import BrokenOff, Garbled, Overloaded, Rejected, Unreachable, UpstreamError
from parley.kernel.messages import Message, ToolCall
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import Hang, HangUp, Hold, Pause, Reset, Script, ScriptedUpstream, delta, event

KEY = "sk-secret-0123456789-abcdefABCDEF"
REQUEST = ChatRequest(model="m", messages=(Message("system", "Be brief."), Message("user", "Hi")))


@pytest.fixture
async def up() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    yield client
    await client.close()


def connector_to(url: str, client: HttpClient, key: str | None = KEY) -> OpenAIConnector:
    return OpenAIConnector(Provider("p", "openai", url, key), client)


@pytest.fixture
def connector(up: ScriptedUpstream, client: HttpClient) -> OpenAIConnector:
    return connector_to(up.url, client)


@pytest.fixture
async def impatient(up: ScriptedUpstream) -> AsyncIterator[OpenAIConnector]:
    """For servers that fall silent; a second is enough for what a slow machine sends before."""
    client = HttpClient(WireOptions(connect_s=40, idle_s=1.0, allow_loopback=True))
    yield connector_to(up.url, client)
    await client.close()


async def listen(
    connector: OpenAIConnector, request: ChatRequest = REQUEST
) -> tuple[list[Chunk], UpstreamError | None]:
    """All that came, and how it failed; it must never fail in another way, or name the key."""
    chunks: list[Chunk] = []
    try:
        async for chunk in connector.stream(request):
            chunks.append(chunk)  # noqa: PERF401 - what came before a failure counts too
    except UpstreamError as error:
        assert "secret" not in f"{error.title} {error.detail}"
        assert KEY not in repr(error)
        return chunks, error
    return chunks, None


def text_of(chunks: list[Chunk], channel: str = "text") -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta) and chunk.channel == channel)


def finishes(chunks: list[Chunk]) -> list[str]:
    return [chunk.reason for chunk in chunks if isinstance(chunk, Finish)]


# ── no connection ────────────────────────────────────────────────────────────────────────────────


async def test_a_refused_connection_is_unreachable(client: HttpClient) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        _, error = await listen(connector_to(f"http://127.0.0.1:{port}/v1", client))
    assert type(error) is Unreachable


async def test_a_connection_that_is_not_made_in_time_is_unreachable() -> None:
    async def never(host: str, port: int) -> list[tuple[int, str]]:
        await asyncio.Event().wait()
        return []

    client = HttpClient(WireOptions(connect_s=0.1), lookup=never)
    _, error = await listen(connector_to("https://slow-name.example/v1", client))
    assert type(error) is Unreachable
    await client.close()


async def test_a_name_without_an_address_is_unreachable() -> None:
    async def unknown(host: str, port: int) -> list[tuple[int, str]]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    client = HttpClient(WireOptions(), lookup=unknown)
    _, error = await listen(connector_to("https://nobody.example/v1", client))
    assert type(error) is Unreachable
    assert "not found" in error.title
    await client.close()


async def test_a_tls_failure_is_unreachable_and_nothing_is_sent_in_the_clear(client: HttpClient) -> None:
    heard: list[bytes] = []

    async def answer_in_the_clear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(4096))
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer_in_the_clear, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    _, error = await listen(connector_to(f"https://127.0.0.1:{port}/v1", client))
    server.close()
    await server.wait_closed()
    assert type(error) is Unreachable
    assert error.problem.code == "upstream_tls"
    assert KEY.encode() not in b"".join(heard)
    assert len(heard) == 1


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────

CONTEXT = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
)
REFUSALS = [
    (401, f"Incorrect API key provided: {KEY}", Rejected, "upstream_key_rejected"),
    (403, "Forbidden", Rejected, "upstream_key_rejected"),
    (
        401,
        "You didn't provide an API key. You need to provide your API key.",
        Rejected,
        "upstream_key_rejected",
    ),
    (401, "Access denied due to invalid subscription key.", Rejected, "upstream_key_rejected"),
    (401, "No API key was given. Get one to use our models.", Rejected, "upstream_key_rejected"),
    (403, "Project `p` does not have access to model `m`", Rejected, "upstream_model_forbidden"),
    (403, "The model `m` is blocked at the project level.", Rejected, "upstream_model_forbidden"),
    (401, "This key can only access models=['a']. Tried to access m", Rejected, "upstream_model_forbidden"),
    (
        403,
        "You don't have access to the model with the specified model ID.",
        Rejected,
        "upstream_model_forbidden",
    ),
    (403, "No access to model: m", Rejected, "upstream_model_forbidden"),
    (401, "Access to model m is restricted. You must log in.", Rejected, "upstream_model_forbidden"),
    (403, "You are not allowed to sample from this model", Rejected, "upstream_model_forbidden"),
    (
        401,
        "litellm.AuthenticationError: OpenAIException - Incorrect API key. Received Model Group=m",
        Rejected,
        "upstream_model_forbidden",
    ),
    (404, "The model `m` does not exist", Rejected, "upstream_model_not_found"),
    (400, "The model `m` does not exist", Rejected, "upstream_model_not_found"),
    (400, CONTEXT, Rejected, "upstream_context_too_long"),
    (422, "prompt is too long: 9000 tokens", Rejected, "upstream_context_too_long"),
    (413, "too big", Rejected, "upstream_context_too_long"),
    (400, "temperature must be below 2", Rejected, "upstream_rejected"),
    (422, "messages: field required", Rejected, "upstream_rejected"),
    (402, "Insufficient credits", Overloaded, "upstream_payment"),
    (429, "You exceeded your current quota (insufficient_quota)", Overloaded, "upstream_payment"),
    (
        429,
        "Rate limit reached. Add a payment method at our billing page.",
        Overloaded,
        "upstream_rate_limited",
    ),
    (500, "oops", Overloaded, "upstream_overloaded"),
    (502, "<html><h1>Bad gateway</h1></html>", Overloaded, "upstream_overloaded"),
    (503, "loading", Overloaded, "upstream_overloaded"),
    (504, "", Overloaded, "upstream_overloaded"),
    (529, "overloaded", Overloaded, "upstream_overloaded"),
    (408, "timeout", Overloaded, "upstream_overloaded"),
    (418, "teapot", Rejected, "upstream_rejected"),
]


@pytest.mark.parametrize(("status", "message", "kind", "code"), REFUSALS)
async def test_a_refusal_is_explained_in_plain_words_and_asked_once(
    up: ScriptedUpstream,
    connector: OpenAIConnector,
    status: int,
    message: str,
    kind: type[UpstreamError],
    code: str,
) -> None:
    up.fail(status, message)
    chunks, error = await listen(connector)
    assert chunks == []
    assert error is not None
    assert type(error) is kind
    assert error.problem.code == code
    assert len(up.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no such thing", "code": None}},
        {"error": "no such thing"},
        {"message": "no such thing"},
        {"detail": "no such thing"},
        {"detail": [{"msg": "no such thing", "loc": ["body"]}]},
        [{"error": {"code": 400, "message": "no such thing", "status": "INVALID_ARGUMENT"}}],
        "no such thing",
    ],
)
async def test_the_servers_own_words_are_found_wherever_it_puts_them(
    up: ScriptedUpstream, connector: OpenAIConnector, body: dict[str, object] | list[object] | str
) -> None:
    up.answer(body, status=400)
    _, error = await listen(connector)
    assert error is not None
    assert error.detail == "The server says: no such thing"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("0", 0.0), ("3", 3.0), ("99999", 99999.0), ("-1", 0.0), ("soon", None), (None, None)],
)
async def test_retry_after_is_passed_on(
    up: ScriptedUpstream, connector: OpenAIConnector, header: str | None, seconds: float | None
) -> None:
    up.fail(429, retry_after=header)
    _, error = await listen(connector)
    assert error is not None
    assert error.retry_after_s == seconds
    assert (f"again in {seconds or 0:.0f} s" in error.title) is bool(seconds)


async def test_a_body_of_a_refusal_that_never_ends_is_not_waited_for(
    up: ScriptedUpstream, impatient: OpenAIConnector
) -> None:
    up.script(Script((b"half a reason", Hang()), status=500))
    _, error = await listen(impatient)
    assert isinstance(error, Overloaded)


async def test_a_redirect_is_refused_and_the_key_stays(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    async with ScriptedUpstream() as elsewhere:
        for status in (301, 302, 303, 307, 308):
            up.answer("", status=status, headers={"Location": f"{elsewhere.url}/chat/completions"})
            _, error = await listen(connector)
            assert isinstance(error, Rejected)
            assert error.problem.code == "upstream_redirect"
        assert elsewhere.requests == []


# ── answers that are none ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "content_type", ["text/html; charset=utf-8", "text/event-stream", "application/json", ""]
)
async def test_a_web_page_is_garbled(
    up: ScriptedUpstream, connector: OpenAIConnector, content_type: str
) -> None:
    up.answer(" \n<!DOCTYPE html><html><body>Sign in</body></html>", content_type=content_type)
    _, error = await listen(connector)
    assert isinstance(error, Garbled)
    assert "web page" in error.title
    assert "Sign in" in (error.detail or "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"message": "rate limited", "type": "rate_limit_error"}}, "upstream_rate_limited"),
        ({"error": {"message": "bad key", "code": "invalid_api_key"}}, "upstream_key_rejected"),
        ({"error": {"message": "down", "code": 502}}, "upstream_overloaded"),
        ({"error": {"message": CONTEXT}}, "upstream_context_too_long"),
        ({"error": "it broke"}, "upstream_error"),
        ({"object": "error", "message": "it broke", "type": "Odd", "code": 40303}, "upstream_error"),
        ({"hello": "world"}, "upstream_garbled"),
        ([1, 2], "upstream_garbled"),
        ("{not json at all", "upstream_garbled"),
    ],
)
async def test_an_error_with_status_200_is_an_error(
    up: ScriptedUpstream, connector: OpenAIConnector, body: dict[str, object] | str, code: str
) -> None:
    up.answer(body)
    chunks, error = await listen(connector)
    assert chunks == []
    assert error is not None
    assert error.problem.code == code


@pytest.mark.parametrize(
    "last",
    [
        event({"error": {"message": "it broke", "type": "odd"}}),
        event({"error": "it broke"}),
        event({"object": "error", "message": "it broke", "type": "Odd", "code": 40303}),
        b'event: error\ndata: {"message": "it broke"}\n\n',
        b"event: error\ndata: it broke\n\n",
        event({"id": "x", "choices": [], "error": {"message": "it broke", "code": "odd"}}),
    ],
)
async def test_an_error_within_the_stream_keeps_what_had_come(
    up: ScriptedUpstream, connector: OpenAIConnector, last: bytes
) -> None:
    up.stream(delta(content="so far "), delta(content="so good"), last, delta(content="never said"), "[DONE]")
    chunks, error = await listen(connector)
    assert text_of(chunks) == "so far so good"
    assert finishes(chunks) == []
    assert error is not None
    assert error.detail == "The server says: it broke"


# ── streams that break off ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "end", [Reset(), HangUp(), Hang(), b""], ids=["reset", "cut", "stall", "end of body"]
)
async def test_a_stream_that_breaks_off_has_no_finish_and_keeps_its_text(
    up: ScriptedUpstream, impatient: OpenAIConnector, end: Reset | HangUp | Hang | bytes
) -> None:
    steps = (event(delta(content="half an answer")), Pause(0.02), *([end] if end else []))
    up.script(Script(steps))
    chunks, error = await listen(impatient)
    assert error is None
    assert text_of(chunks) == "half an answer"
    assert finishes(chunks) == []


@pytest.mark.parametrize("end", [Reset(), HangUp(), Hang()], ids=["reset", "cut", "stall"])
async def test_a_break_before_the_first_byte_can_be_retried(
    up: ScriptedUpstream, impatient: OpenAIConnector, end: Reset | HangUp | Hang
) -> None:
    for script in (Script((), before=(end,)), Script((Pause(0.02), end))):
        up.forget()
        up.script(script)
        chunks, error = await listen(impatient)
        assert chunks == []
        assert isinstance(error, BrokenOff)
        assert error.retry


async def test_a_finish_without_done_is_a_finish(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.reply("whole", done=False)
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("whole", ["stop"], None)


async def test_a_finish_after_which_the_server_says_no_more_is_a_finish(
    up: ScriptedUpstream, client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.connectors.openai.connector.AFTER_FINISH_S", 0.05)
    up.stream(delta(content="whole"), delta(finish="stop"), Hang())
    chunks, error = await listen(connector_to(up.url, client))
    assert (text_of(chunks), finishes(chunks), error) == ("whole", ["stop"], None)
    await up.wait_until_closed()


async def test_done_without_a_finish_is_incomplete(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.reply("half", finish=None)
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("half", [], None)


async def test_a_connection_is_used_again_after_a_whole_answer(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    up.reply("one")
    for _ in range(5):
        await listen(connector)
    assert up.total_connections == 1


async def test_nothing_is_left_after_any_end(up: ScriptedUpstream, client: HttpClient) -> None:
    before = asyncio.all_tasks()
    up.reply("fine").fail(500).stream(delta(content="x"), Reset()).answer("<html>").stream(
        delta(content="x"), "{bad" * 9
    )
    for _ in range(5):
        await listen(connector_to(up.url, client))
    await up.wait_until_idle()
    await client.close()
    await up.wait_until_closed()
    assert not {task for task in asyncio.all_tasks() - before if "_accept" not in repr(task)}


# ── what is bounded ──────────────────────────────────────────────────────────────────────────────


async def test_four_malformed_chunks_are_garbled_and_three_are_not(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    bad = ["{broken", "[1]", '{"choices": 7}']
    up.stream(delta(content="a"), *bad, delta(content="b"), delta(finish="stop"), "[DONE]")
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("ab", ["stop"], None)
    up.forget()
    up.stream(delta(content="a"), *bad, "nonsense", delta(content="b"))
    chunks, error = await listen(connector)
    assert text_of(chunks) == "a"
    assert isinstance(error, Garbled)


async def test_a_line_over_the_cap_is_garbled(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.stream(delta(content="a"), Pause(0.02), b"data: " + b"x" * ((1 << 20) + 10))
    chunks, error = await listen(connector)
    assert text_of(chunks) == "a"
    assert isinstance(error, Garbled)


async def test_an_answer_over_the_cap_ends(up: ScriptedUpstream, client: HttpClient) -> None:
    up.stream(*([event(delta(content="x" * 500_000))] * 6), delta(finish="stop"))
    chunks, error = await listen(connector_to(up.url, client))
    assert isinstance(error, Garbled)
    assert error.problem.code == "upstream_too_long"
    assert 1_500_000 <= len(text_of(chunks)) <= 2 << 20
    await up.wait_until_idle()


async def test_a_gzip_bomb_is_bounded(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    bomb = gzip.compress(b"data: " + b"x" * (200 << 20), 9)
    up.script(Script((bomb,), headers={"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}))
    chunks, error = await listen(connector)
    assert chunks == []
    assert isinstance(error, Garbled)


async def test_an_answer_in_gzip_is_read(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    body = gzip.compress(event(delta(content="packed")) + event(delta(finish="stop")) + event("[DONE]"))
    up.script(Script((body,), headers={"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}))
    chunks, error = await listen(connector)
    assert (text_of(chunks), error) == ("packed", None)


async def test_a_whole_json_body_over_the_cap_is_garbled(up: ScriptedUpstream, client: HttpClient) -> None:
    up.answer('{"choices": [], "padding": "' + "x" * (9 << 20) + '"}')
    _, error = await listen(connector_to(up.url, client))
    assert isinstance(error, Garbled)


# ── chunks of every shape ────────────────────────────────────────────────────────────────────────


async def test_odd_chunks_are_ignored(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.stream(
        {"choices": []},
        {"choices": None},
        {},
        {"object": "ping"},
        "",
        {"choices": [None]},
        {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
        {"choices": [{"delta": {"role": "assistant"}}]},
        {"choices": [{"delta": {"role": "assistant", "content": None}}]},
        {"choices": [{"delta": {"content": ""}}]},
        {"choices": [{"delta": {"content": "a", "new_field": [1, {"x": 2}]}}], "other": 1.5},
        delta(content="second answer", index=1),
        delta(content="b"),
        delta(finish="stop"),
        delta(content="text after finish"),
        delta(finish="length"),
        "[DONE]",
        delta(content="text after done"),
    )
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("abtext after finish", ["length"], None)


async def test_done_inside_the_text_is_not_the_end(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.reply("[DONE]", "\ndata: [DONE]\n\n", "more")
    chunks, _ = await listen(connector)
    assert text_of(chunks) == "[DONE]\ndata: [DONE]\n\nmore"


async def test_the_last_usage_counts(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    def with_usage(content: str, tokens: int) -> dict[str, object]:
        return {**delta(content=content), "usage": {"prompt_tokens": 5, "completion_tokens": tokens}}

    details = {
        "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 4},
    }
    last = {
        "choices": [],
        "usage": {"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14, **details},
    }
    up.stream(with_usage("a", 1), with_usage("b", 2), delta(finish="stop"), last, "[DONE]")
    chunks, _ = await listen(connector)
    assert [chunk for chunk in chunks if isinstance(chunk, Usage)] == [Usage(5, 9, 4, 3)]


@pytest.mark.parametrize("usage", [None, {}, "many", {"prompt_tokens": "x"}, {"prompt_tokens": None}, []])
async def test_an_odd_usage_does_no_harm(
    up: ScriptedUpstream, connector: OpenAIConnector, usage: object
) -> None:
    up.stream({**delta(content="a"), "usage": usage}, delta(finish="stop"), "[DONE]")
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("a", ["stop"], None)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", "stop"), ("length", "length"), ("max_tokens", "length"), ("tool_calls", "tool_calls"),
        ("function_call", "tool_calls"), ("content_filter", "content_filter"), ("SAFETY", "content_filter"),
        ("refusal", "content_filter"), ("PROHIBITED_CONTENT", "content_filter"), ("sensitive", "content_filter"),
        ("eos_token", "stop"), ("something new", "stop"), ("abort", None), ("error", None),
    ],
)  # fmt: skip
async def test_finish_reasons_are_mapped(
    up: ScriptedUpstream, connector: OpenAIConnector, said: str, meant: str | None
) -> None:
    up.reply("a", finish=said)
    chunks, _ = await listen(connector)
    assert finishes(chunks) == ([meant] if meant else [])


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_fields_go_to_their_channel(
    up: ScriptedUpstream, connector: OpenAIConnector, field: str
) -> None:
    thoughts: list[dict[str, Any]] = [{field: "let me "}, {field: "see"}]
    up.stream(
        *(delta(**thought) for thought in thoughts), delta(content="42"), delta(finish="stop"), "[DONE]"
    )
    chunks, _ = await listen(connector)
    assert (text_of(chunks, "reasoning"), text_of(chunks)) == ("let me see", "42")


async def test_content_in_parts_is_read(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    up.stream(delta(content=thinking), delta(content=[{"type": "text", "text": "yes"}]), delta(finish="stop"))  # type: ignore[arg-type]
    chunks, _ = await listen(connector)
    assert (text_of(chunks, "reasoning"), text_of(chunks)) == ("hm", "yes")


async def test_a_refusal_in_words_is_text(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.stream(delta(refusal="I would rather not."), delta(finish="stop"), "[DONE]")
    chunks, _ = await listen(connector)
    assert text_of(chunks) == "I would rather not."


THINKING = "\n<think>\nweigh </thin it</think>\n\nThe <think>answer</think> is 4."


@pytest.mark.parametrize("size", range(1, 12))
async def test_inline_reasoning_is_separated_wherever_it_is_cut(
    up: ScriptedUpstream, connector: OpenAIConnector, size: int
) -> None:
    up.reply(*(THINKING[start : start + size] for start in range(0, len(THINKING), size)))
    chunks, _ = await listen(connector)
    assert text_of(chunks, "reasoning") == "weigh </thin it"
    assert text_of(chunks) == "The <think>answer</think> is 4."


@pytest.mark.parametrize(
    "text", ["<th", "  <", "<thinkers>no</thinkers>", " \n plain", "a <think>b</think>", "<"]
)
async def test_what_only_looks_like_reasoning_stays_text(
    up: ScriptedUpstream, connector: OpenAIConnector, text: str
) -> None:
    up.reply(*text)
    chunks, _ = await listen(connector)
    assert (text_of(chunks), text_of(chunks, "reasoning")) == (text, "")


async def test_reasoning_that_never_closes_is_kept(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.reply("<think>on and on </thi", finish=None, done=False)
    chunks, _ = await listen(connector)
    assert (text_of(chunks), text_of(chunks, "reasoning")) == ("", "on and on </thi")


def call(index: int | None, **function: str | None) -> dict[str, object]:
    call_id = function.pop("id", None)
    return {"index": index, "id": call_id, "type": "function", "function": function}


async def test_tool_calls_are_assembled_by_index(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.stream(
        delta(tool_calls=[call(0, id="c0", name="look", arguments="")]),
        delta(tool_calls=[call(0, arguments='{"q": "a\\')]),
        delta(tool_calls=[call(1, id="c1", name="add", arguments='{"x"')]),
        delta(tool_calls=[call(0, arguments='u00e9"'), call(1, arguments=": 1}")]),
        delta(tool_calls=[call(0, arguments="}")]),
        delta(finish="tool_calls"),
        "[DONE]",
    )
    chunks, _ = await listen(connector)
    calls = [chunk for chunk in chunks if isinstance(chunk, ToolCall)]
    assert calls == [ToolCall(0, "c0", "look", '{"q": "a\\u00e9"}'), ToolCall(1, "c1", "add", '{"x": 1}')]
    assert chunks.index(calls[-1]) < chunks.index(Finish("tool_calls"))


@pytest.mark.parametrize("end", [[], [delta(finish="length")]], ids=["cut off", "too long"])
async def test_an_incomplete_tool_call_is_never_emitted(
    up: ScriptedUpstream, connector: OpenAIConnector, end: list[dict[str, object]]
) -> None:
    up.stream(delta(tool_calls=[call(0, id="c0", name="look", arguments='{"q":')]), *end)
    chunks, _ = await listen(connector)
    assert not [chunk for chunk in chunks if isinstance(chunk, ToolCall)]


async def test_tool_calls_without_an_index_are_distinguished_by_id(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    up.stream(
        delta(tool_calls=[call(None, id="c0", name="a", arguments="{}")]),
        delta(tool_calls=[call(None, id="c1", name="b", arguments='{"y"')]),
        delta(tool_calls=[call(None, arguments=": 2}")]),
        delta(finish="stop"),
    )
    chunks, _ = await listen(connector)
    assert [chunk for chunk in chunks if isinstance(chunk, ToolCall)] == [
        ToolCall(0, "c0", "a", "{}"),
        ToolCall(1, "c1", "b", '{"y": 2}'),
    ]


# ── bytes and characters ─────────────────────────────────────────────────────────────────────────

STORY = 'naïve 日本 🜁👩‍👩‍👧 \\ " \n\t end'


@pytest.mark.parametrize("packet", [1, 2, 3, 5, 17, 64])
async def test_text_is_exact_in_packets_of_any_size(
    up: ScriptedUpstream, connector: OpenAIConnector, packet: int
) -> None:
    up.reply(*STORY, packet=packet)
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == (STORY, ["stop"], None)


def raw(content: bytes) -> bytes:
    return b'data: {"choices":[{"index":0,"delta":{"content":"' + content + b'"}}]}\n\n'


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        ([b"a\xffb"], "a\ufffdb"),
        ([b"caf\xc3", b"\xa9!"], "café!"),
        ([b"\xf0\x9f", b"\x99\x82"], "🙂"),
        ([b"\\ud83d", b"\\ude42"], "🙂"),
        ([b"x\\ud83d", b"y"], "x\ufffdy"),
        ([b"\\ude42y"], "\ufffdy"),
        ([b"end\\ud83d"], "end\ufffd"),
        ([b"end\xe2\x82"], "end\ufffd"),
        ([b"nul \\u0000 and \x00"], "nul \ufffd and \ufffd"),
        ([b"\xed\xa0\x80"], "\ufffd\ufffd\ufffd"),
    ],
)
async def test_characters_that_were_cut_are_joined_and_the_invalid_are_marked(
    up: ScriptedUpstream, connector: OpenAIConnector, contents: list[bytes], text: str
) -> None:
    up.stream(*(raw(content) for content in contents), delta(finish="stop"), "[DONE]")
    chunks, error = await listen(connector)
    assert error is None
    assert text_of(chunks) == text


@pytest.mark.parametrize("line_end", [b"\r\n", b"\r", b"\n"])
async def test_any_line_ends_comments_and_a_byte_order_mark(
    up: ScriptedUpstream, connector: OpenAIConnector, line_end: bytes
) -> None:
    body = (
        b"\xef\xbb\xbf: hello\n\n"
        + event(delta(content="a")).replace(b"data: ", b"data:")
        + b": keep-alive\n\n"
        + b'id: 7\ndata: {"choices":[{"index":0,\ndata: "delta":{"content":"b"}}]}\n\n'
        + event(delta(finish="stop"))
        + event("[DONE]")
    )
    up.script(Script((body.replace(b"\n", line_end),), packet=3))
    chunks, error = await listen(connector)
    assert (text_of(chunks), finishes(chunks), error) == ("ab", ["stop"], None)


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────


async def test_the_request_says_what_was_asked(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    request = ChatRequest(
        model="m",
        messages=(*REQUEST.messages, Message("user", "half \ud83d")),
        max_output_tokens=9,
        temperature=0.5,
    )
    await listen(connector, request)
    assert up.requests[0].path == "/v1/chat/completions"
    assert up.requests[0].json == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "user", "content": "half \ufffd"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 9,
        "temperature": 0.5,
    }


async def test_the_key_is_in_one_header_only(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    await listen(connector)
    request = up.requests[0]
    assert request.headers.pop("authorization") == f"Bearer {KEY}"
    assert KEY not in f"{request}"


async def test_without_a_key_no_header_is_sent(up: ScriptedUpstream, client: HttpClient) -> None:
    await listen(connector_to(up.url, client, key=None))
    assert "authorization" not in up.requests[0].headers


async def test_a_key_that_no_header_can_carry_is_refused(up: ScriptedUpstream, client: HttpClient) -> None:
    _, error = await listen(connector_to(up.url, client, key="sk-secret\r\nX-Evil: 1"))
    assert isinstance(error, Rejected)
    assert up.requests == []


async def test_proxy_variables_are_ignored(
    up: ScriptedUpstream, connector: OpenAIConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    _, error = await listen(connector)
    assert error is None


async def test_a_server_that_does_not_know_stream_options_is_asked_without(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    up.fail(400, "Unknown field: stream_options").reply("fine", usage=False)
    for _ in range(2):
        chunks, error = await listen(connector)
        assert (text_of(chunks), error) == ("fine", None)
    assert ["stream_options" in request.json for request in up.requests] == [True, False, False]


async def test_a_model_that_wants_the_new_name_of_the_limit_gets_it(
    up: ScriptedUpstream, connector: OpenAIConnector
) -> None:
    up.fail(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.").reply("fine")
    request = ChatRequest(model="m", messages=REQUEST.messages, max_output_tokens=9)
    chunks, _ = await listen(connector, request)
    assert text_of(chunks) == "fine"
    assert up.requests[1].json["max_completion_tokens"] == 9
    assert "max_tokens" not in up.requests[1].json


async def test_an_answer_that_is_no_stream_is_read(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    message = {
        "role": "assistant",
        "content": "<think>hm</think>whole",
        "tool_calls": [call(0, id="c", name="f", arguments="{}")],
    }
    usage = {"prompt_tokens": 2, "completion_tokens": 3}
    up.answer(
        {
            "object": "chat.completion",
            "choices": [{"message": message, "finish_reason": "stop"}],
            "usage": usage,
        }
    )
    chunks, error = await listen(connector)
    assert chunks == [
        Delta("reasoning", "hm"),
        Delta("text", "whole"),
        ToolCall(0, "c", "f", "{}"),
        Finish("tool_calls"),
        Usage(2, 3),
    ]
    assert error is None


async def test_models_are_listed(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.lists("b", "a", "b")
    assert list(await connector.list_models()) == ["b", "a"]
    assert up.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [(b"<html>", 200, Garbled), (b"{", 200, Garbled), (b"{}", 401, Rejected), (b"", 503, Overloaded)],
)
async def test_a_list_that_cannot_be_had_is_a_typed_error(
    up: ScriptedUpstream, connector: OpenAIConnector, body: bytes, status: int, kind: type[UpstreamError]
) -> None:
    up.lists_with(Script((body,), status))
    with pytest.raises(kind):
        await connector.list_models()


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/v1?api-version=2", "/v1/chat/completions?api-version=2"),
    ],
)
async def test_the_base_url_may_end_in_any_way(
    up: ScriptedUpstream, client: HttpClient, base: str, path: str
) -> None:
    _, error = await listen(connector_to(up.origin + base, client))
    assert error is None
    assert up.requests[0].path == path


async def test_text_is_handed_on_as_it_comes(up: ScriptedUpstream, connector: OpenAIConnector) -> None:
    up.stream(delta(content="first"), Hold(), delta(content="second"), delta(finish="stop"), "[DONE]")
    stream = connector.stream(REQUEST)
    assert await anext(stream) == Delta("text", "first")
    up.release()
    assert await anext(stream) == Delta("text", "second")
    await stream.aclose()  # type: ignore[attr-defined]
