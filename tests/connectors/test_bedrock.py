"""Tests of Bedrock through any-llm-sdk, whose library blocks and connects by itself."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator
from typing import Any

import pytest

from parley.connectors.anyllm import SPOKEN, make_connector
from parley.connectors.anyllm.bedrock import BedrockConnector
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, ListsModels, Usage
from parley.kernel.errors import BrokenOff, Overloaded, Rejected, Unreachable, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.dialing import Outgoing
from parley.wire.http import HttpClient, WireOptions
from parley.wire.proxies import Proxies, Proxy
from tests.fakes import aws_events as aws
from tests.fakes.extras import needs
from tests.fakes.ports import free_port
from tests.fakes.upstream import Hang, HangUp, Pause, Reset, Script, ScriptedUpstream, Step

KEY = "bedrock-api-key-0123456789abcdefABCDEF"
REQUEST = ChatRequest(model="us.model-v1:0", messages=(Message("system", "Be brief."), Message("user", "Hi")))


# Its library leaves connections that broke to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def installed() -> None:
    needs("any_llm", "bedrock")
    needs("boto3", "bedrock")


@pytest.fixture
async def up(
    installed: None, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ScriptedUpstream]:
    """Its library sends a key through TLS alone, by the certificates that its own variable names."""
    monkeypatch.setenv("AWS_CA_BUNDLE", os.environ["SSL_CERT_FILE"])  # noqa: TID251
    async with ScriptedUpstream(tls=tls) as upstream:
        yield upstream


def connector_to(url: str, idle_s: float = 20, **options: Any) -> Connector:
    client = HttpClient(WireOptions(connect_s=20, idle_s=idle_s, allow_loopback=True, **options))
    return make_connector("bedrock", Provider("p", "x", url, KEY), client)


async def listen(connector: Connector) -> tuple[list[Chunk], UpstreamError | None]:
    chunks: list[Chunk] = []
    try:
        async for chunk in connector.stream(REQUEST):
            chunks.append(chunk)  # noqa: PERF401 - what came before a failure counts too
    except UpstreamError as error:
        assert KEY not in f"{error.title} {error.detail} {error!r}"
        return chunks, error
    finally:
        await connector.close()
    return chunks, None


def answer(*steps: Step) -> Script:
    return Script(steps, headers=aws.STREAM)


async def test_an_answer_is_streamed_with_the_key_as_a_bearer_token(up: ScriptedUpstream) -> None:
    up.script(answer(aws.begun(), aws.piece("Hel"), Pause(0.02), aws.piece("lo"), aws.ended()))
    chunks, error = await listen(connector_to(up.origin))
    assert error is None
    assert chunks == [
        Delta("text", "Hel"),
        Delta("text", "lo"),
        Finish("stop"),
        Usage(7, 2, model="us.model-v1:0"),
    ]
    (request,) = up.requests
    assert request.path.endswith("/converse-stream")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "Be brief." in str(request.json["system"])


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (403, "upstream_key_rejected", Rejected),
        (404, "upstream_model_not_found", Rejected),
        (429, "upstream_rate_limited", Overloaded),
        (500, "upstream_overloaded", Overloaded),
        (503, "upstream_overloaded", Overloaded),
        (400, "upstream_rejected", Rejected),
    ],
)
async def test_a_refusal_is_asked_once(
    up: ScriptedUpstream, status: int, code: str, kind: type[UpstreamError]
) -> None:
    up.answer({"message": f"no, says {KEY}"}, status=status)
    _, error = await listen(connector_to(up.origin))
    assert error is not None
    assert (type(error), error.problem.code) == (kind, code)
    assert len(up.requests) == 1


async def test_an_error_within_the_stream_keeps_what_had_come(up: ScriptedUpstream) -> None:
    wrong = aws.frame("throttlingException", {"message": "slow down"}, exception=True)
    up.script(answer(aws.begun(), aws.piece("half"), wrong))
    chunks, error = await listen(connector_to(up.origin))
    assert chunks == [Delta("text", "half")]
    assert error is not None
    assert error.problem.code == "upstream_rate_limited"


@pytest.mark.parametrize("end", [Reset(), HangUp(), Hang(), b""], ids=["reset", "cut", "stall", "end"])
async def test_a_stream_that_breaks_off_has_no_finish_and_keeps_its_text(
    up: ScriptedUpstream, end: Step
) -> None:
    up.script(answer(aws.begun(), aws.piece("half"), Pause(0.05), end))
    chunks, error = await listen(connector_to(up.origin, idle_s=1.0))
    assert (chunks, error) == ([Delta("text", "half")], None)


@pytest.mark.parametrize("end", [Reset(), HangUp(), Hang()], ids=["reset", "cut", "stall"])
async def test_a_break_before_the_head_may_be_asked_again(up: ScriptedUpstream, end: Step) -> None:
    up.script(Script((), before=(end,)))
    _, error = await listen(connector_to(up.origin, idle_s=1.0))
    assert isinstance(error, BrokenOff)
    assert len(up.requests) == 1


async def test_where_nothing_listens_it_is_unreachable(installed: None) -> None:
    _, error = await listen(connector_to(f"https://127.0.0.1:{free_port()}"))
    assert type(error) is Unreachable


async def test_an_address_that_is_denied_is_not_reached() -> None:
    _, error = await listen(connector_to("http://169.254.169.254"))
    assert isinstance(error, Rejected)
    assert error.problem.code == "upstream_address_denied"


async def test_who_stops_reading_waits_for_nothing(up: ScriptedUpstream) -> None:
    up.script(answer(aws.begun(), aws.piece("half"), Hang()))
    stream = connector_to(up.origin, idle_s=1.0).stream(REQUEST)
    assert await anext(stream) == Delta("text", "half")
    async with asyncio.timeout(0.9):
        await stream.aclose()  # type: ignore[attr-defined]
    await up.wait_until_idle(within=20)


async def test_the_environment_moves_no_request(
    up: ScriptedUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AWS_ENDPOINT_URL"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "canary-token")
    up.script(answer(aws.begun(), aws.piece("a"), aws.ended()))
    chunks, _ = await listen(connector_to(up.origin))
    assert Finish("stop") in chunks
    assert "canary" not in str(up.requests[0].headers)


async def test_the_proxy_of_the_installation_is_the_librarys(installed: None) -> None:
    heard = asyncio.Event()
    heads: list[bytes] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        heard.set()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    proxy = Proxy.at(f"http://user:p%40ss@127.0.0.1:{server.sockets[0].getsockname()[1]}")
    connector = connector_to(
        "https://bedrock-runtime.eu-west-1.example", outgoing=Outgoing(Proxies(proxy, proxy))
    )
    _, error = await listen(connector)
    server.close()
    assert isinstance(error, Unreachable)
    assert heads[0].startswith(b"CONNECT bedrock-runtime.eu-west-1.example:443 ")
    assert b"Proxy-Authorization: Basic dXNlcjpwQHNz" in heads[0].replace(b"proxy-a", b"Proxy-A")


def test_it_lists_no_models_since_another_server_does() -> None:
    connector = make_connector("bedrock", Provider("p", "x", None, KEY), HttpClient())
    assert isinstance(connector, BedrockConnector)
    assert not isinstance(connector, ListsModels)
    assert SPOKEN["bedrock"].address(None) == "https://bedrock-runtime.us-east-1.amazonaws.com"
