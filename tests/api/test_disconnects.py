"""Tests of disconnects: work for a client that has gone is cancelled."""

import asyncio

import pytest
from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.types import Message

from parley.api.disconnects import unless_gone


def a_request(gone: asyncio.Event) -> Request:
    parts: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if parts:
            return parts.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)


async def test_work_ends_with_its_answer_while_the_client_waits() -> None:
    assert await unless_gone(a_request(asyncio.Event()), asyncio.sleep(0.01, 7)) == 7


async def test_work_is_cancelled_once_the_client_has_gone() -> None:
    gone, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> int:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()
        return 1

    asyncio.get_running_loop().call_later(0.01, gone.set)
    async with asyncio.timeout(5):
        with pytest.raises(ClientDisconnect):
            await unless_gone(a_request(gone), work())
    assert cancelled.is_set()
