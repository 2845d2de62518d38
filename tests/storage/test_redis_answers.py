"""Tests of stored answers in Redis, with a server on loopback where one is installed."""

import asyncio
import builtins
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from parley.kernel.errors import ParleyError
from parley.storage.redis_answers import RedisAnswers, open_redis
from tests.fakes.ports import free_port
from tests.fakes.redis_server import a_redis_server


@pytest_asyncio.fixture
async def redis_url(tmp_path: Path) -> AsyncIterator[str]:
    async with a_redis_server(tmp_path, free_port()) as url:
        yield url


async def test_an_answer_is_stored_for_a_while_and_seen_by_other_servers(redis_url: str) -> None:
    one, other = RedisAnswers(open_redis(redis_url)), RedisAnswers(open_redis(redis_url))
    assert await one.read("a key") is None
    await one.write("a key", b"\x00an answer\xff", 60)
    await one.write("another", b"short", 0.05)
    assert await other.read("a key") == b"\x00an answer\xff"
    await asyncio.sleep(0.2)
    assert await other.read("another") is None
    await one.close()
    await other.close()


async def test_a_server_that_is_not_there_is_an_os_error() -> None:
    answers = RedisAnswers(open_redis(f"redis://:a-password@127.0.0.1:{free_port()}/0"))
    for attempt in (answers.read("a key"), answers.write("a key", b"x", 60)):
        with pytest.raises(OSError, match="Redis") as caught:
            await attempt
        assert "a-password" not in str(caught.value)
    await answers.close()


def test_without_the_client_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_redis(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "redis":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_redis)
    with pytest.raises(ParleyError) as caught:
        open_redis("redis://127.0.0.1:1/0")
    assert "pip install 'parley[redis]'" in (caught.value.detail or "")
