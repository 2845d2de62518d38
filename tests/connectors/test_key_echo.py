"""A key stays out of errors and logs, also where the server sends it back, whole, halved or written otherwise."""

import base64
import html
import logging
import traceback
from collections.abc import AsyncGenerator
from urllib.parse import quote

import msgspec
import pytest

from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import WireOptions
from tests.fakes.clients import CLIENTS
from tests.fakes.upstream import HangUp, Script, ScriptedUpstream, delta, event

KEYS = [
    "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl",
    "correct horse battery staple",
    "only-words-and-no-digits",
    'p@ss/w+rd&<x>="7"',
]
ECHOES = {
    "as it is": lambda key: f"You sent {key} to us.",
    "in the header": lambda key: f"Authorization: Bearer {key}",
    "in quotes": lambda key: f"'{key}'",
    "in an address": lambda key: f"https://models.example/v1?key={quote(key)}&api_key={quote(key, safe='')}",
    "with credentials": lambda key: f"https://user:{quote(key, safe='')}@models.example/",
    "as an entity": lambda key: f"You sent {html.escape(key)} to us.",
    "inside JSON inside a text": lambda key: f"got {msgspec.json.encode({'key': key}).decode()}",
    "cut short": lambda key: f"You sent {key[: len(key) * 2 // 3]}",
    "between tags": lambda key: f"<html><p>You sent <b>{html.escape(key)}</b></p>",
    "far behind": lambda key: f"<p>{'<br>' * 2000} {key} {'<br>' * 200} {key}",
    "over the cut": lambda key: "<p>" + "<i>" * ((8192 - 4 - len(key) // 2) // 3) + " " + key,
    "Basic": lambda key: f"Authorization: Basic {base64.b64encode(f':{key}'.encode()).decode()}",
}  # fmt: skip


@pytest.fixture
async def up() -> AsyncGenerator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


async def failures(name: str, up: ScriptedUpstream, key: str) -> list[UpstreamError]:
    """Ask for an answer and for the models; return what failed."""
    client = CLIENTS[name](WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    connector = OpenAIConnector(Provider("p", "openai", up.url, key), client)  # pyright: ignore[reportArgumentType]
    failed: list[UpstreamError] = []
    try:
        async for _ in connector.stream(ChatRequest(model="m", messages=(Message("user", "Hi"),))):
            pass
    except UpstreamError as error:
        failed.append(error)
    try:
        await connector.list_models()
    except UpstreamError as error:
        failed.append(error)
    await client.close()
    return failed


def assert_unsaid(key: str, failed: list[UpstreamError], logs: str) -> None:
    """Neither the key nor its first third is anywhere, in no spelling."""
    said = [f"{error.problem!r}{error!r}{''.join(traceback.format_exception(error))}" for error in failed]
    for start in {key[: max(8, len(key) // 3)]}:
        for spelling in (start, quote(start), quote(start, safe=""), html.escape(start)):
            for text in (*said, logs):
                assert spelling not in text
                assert spelling not in html.unescape(text)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("echo", ECHOES)
async def test_a_body_that_echoes_the_key(
    name: str, echo: str, key: str, up: ScriptedUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    words = ECHOES[echo](key)
    as_error = msgspec.json.encode({"error": {"message": words}})
    bodies = [
        Script((as_error,), 401), Script((words.encode(),), 400), Script((words.encode(),), 500),
        Script((as_error,), 429),
        Script((as_error,), headers={"Content-Type": "application/json"}),
        Script((words.encode(),), headers={"Content-Type": "text/html"}),
        Script((event({"error": {"message": words, "code": 401}}),)),
        Script((event({"error": words}),)), Script((event(delta(content="x")), as_error)),
        Script((as_error[:-3], HangUp()), 403),
    ]  # fmt: skip
    for body in bodies:
        up.forget()
        up.script(body).lists_with(body)
        failed = await failures(name, up, key)
        assert failed
        assert_unsaid(key, failed, caplog.text)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("key", KEYS)
async def test_headers_that_echo_the_key(
    name: str, key: str, up: ScriptedUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for status in (200, 301, 401, 429, 500):
        for header in (
            "Location",
            "Retry-After",
            "Content-Type",
            "WWW-Authenticate",
            "Set-Cookie",
            "Content-Encoding",
        ):
            body = Script((b"no",), status, {header: f"Bearer {key}"})
            up.forget()
            up.script(body).lists_with(body)
            failed = await failures(name, up, key)
            assert failed
            assert_unsaid(key, failed, caplog.text)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    "key", ["line\nbreak-in-the-key", "nul\x00in-the-key", "schlüssel-mit-umlaut", "鍵鍵鍵鍵鍵鍵鍵鍵"]
)
async def test_a_key_that_cannot_be_sent(
    name: str, key: str, up: ScriptedUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    up.fail(401, f"You sent {key}")
    failed = await failures(name, up, key)
    assert failed
    assert_unsaid(key, failed, caplog.text)
