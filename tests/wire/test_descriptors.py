"""A process that may open no more files: the model's server is not at fault, and is not told to be."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from parley.engine.breaker import FAILURES, Breakers
from parley.kernel.errors import Unsent
from parley.kernel.models import Route
from parley.wire.http import HttpClient, WireOptions

if sys.platform == "win32":
    pytest.skip("Windows has no such limit", allow_module_level=True)

import resource

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let this process open nothing for a while."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(65536):
        writer.write(WHOLE)
    writer.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "models.example"])
async def test_no_descriptor_for_a_connection_is_reported_as_our_own_fault(host: str) -> None:
    client = HttpClient(WireOptions(allow_loopback=True))
    with no_more_files(), pytest.raises(Unsent) as caught:
        await client.post_json(f"http://{host}:9/", b"{}", {})
    assert caught.value.leaf_code == "too_many_open_files"
    assert "ulimit -n" in str(caught.value.detail)
    await client.close()


async def test_a_client_keeps_to_its_share_and_gives_up_idle_connections_first() -> None:
    servers = [await asyncio.start_server(answer, "127.0.0.1", 0) for _ in range(2)]
    here, there = (f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/" for server in servers)
    client = HttpClient(WireOptions(allow_loopback=True, max_connections=2))
    first = await client.post_json(here, b"{}", {})
    second = await client.post_json(here, b"{}", {})
    with pytest.raises(Unsent):
        await client.post_json(there, b"{}", {})
    assert await second.read_body() == b"{}"
    second.close()
    third = await client.post_json(there, b"{}", {})
    assert await third.read_body() == b"{}"
    first.close()
    third.close()
    await client.close()
    for server in servers:
        server.close()
    await asyncio.sleep(0.05)


async def test_what_was_never_sent_opens_no_breaker() -> None:
    line = Breakers().of(Route("near", "ada"))
    for moment in range(10 * FAILURES):
        assert line.refusal(moment) is None
        line.failed(Unsent("No descriptor."), moment, begun=False)
    assert not line.is_open(10 * FAILURES)
