"""A hostile model server must not hold up the others: what it sends is read in small portions, in linear time."""

import asyncio
import gc
import gzip
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from parley.connectors.openai import OpenAIConnector
from parley.connectors.openai.faults import error_from_chunk, error_from_response
from parley.kernel.connector import ChatRequest
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import EVENT_STREAM, Script, ScriptedUpstream

REQUEST = ChatRequest(model="m", messages=(Message("user", "Hi"),))
LAG_S = 0.5
"""Generous: the machines that run tests are slow; what this is to find takes many seconds."""

BOMBS = {
    "comments": b": x\n" * 10_000_000,
    "blank lines": b"\n" * 40_000_000,
    "empty chunks": b'data: {"choices":[]}\n\n' * 2_000_000,
    "one-letter words": b'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n' * 500_000,
}
UNITS = ("a-", "a/", "sk-", "a1-", "x.", "s3cret-", "key=", "<a ", "a://", "eyJ", "Bearer ", "model ")


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Without Python's collector: among all tests it takes most of a second, in whichever moment it likes."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
async def up() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


async def lags(into: list[float]) -> None:
    """Note every few milliseconds how long the event loop has computed; other processes' work does not count."""
    while True:
        began = time.thread_time()
        await asyncio.sleep(0.005)
        into.append(time.thread_time() - began)


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("bomb", BOMBS)
async def test_a_small_answer_that_unpacks_to_very_much_does_not_hold_up_the_others(
    up: ScriptedUpstream, bomb: str
) -> None:
    packed = gzip.compress(BOMBS[bomb], 6)
    up.script(Script((packed,), headers={**EVENT_STREAM, "Content-Encoding": "gzip"}))
    client = HttpClient(WireOptions(allow_loopback=True))
    connector = OpenAIConnector(Provider("p", "openai", up.url, "k"), client)
    late: list[float] = []
    beating = asyncio.create_task(lags(late))
    await asyncio.sleep(0.02)
    try:
        async for _ in connector.stream(REQUEST):
            pass
    except UpstreamError:
        pass  # to refuse it is right as well
    await asyncio.sleep(0.02)
    beating.cancel()
    await client.close()
    assert max(late) < LAG_S


@pytest.mark.parametrize("unit", UNITS)
def test_an_error_text_of_any_shape_is_made_fit_to_be_shown_at_once(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    began = time.process_time()
    error_from_chunk(b'{"error":{"message":"%b"}}' % text.encode(), ("s3cret-key-of-the-provider",))
    error_from_response(400, text[:8192].encode(), secrets=("s3cret-key-of-the-provider",))
    assert time.process_time() - began < LAG_S


CODES = ['"²"', f'"{"9" * 5000}"', '"٤٠٤"', '"99999"', "9" * 400, "-404", "1e300", "[404]", '{"code":404}']


@pytest.mark.parametrize("code", CODES)
def test_a_status_that_is_none_is_no_status(code: str) -> None:
    body = f'{{"error":{{"message":"it went wrong","code":{code}}}}}'
    assert error_from_chunk(body.encode()).title == "The model's server reported an error."
