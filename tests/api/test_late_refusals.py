"""Tests of streams of the door that are refused after they have opened."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

import pytest
from fastapi import Request
from starlette.types import Message

from parley.api.streams import Frames, FramesResponse
from parley.features.openai_api import answering_routes
from parley.features.openai_api.open_call import OpenCall, OpenCalls
from parley.kernel.calls import Call
from parley.kernel.errors import UsedUp


async def test_a_refusal_in_the_moment_in_which_a_stream_opens_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused = asyncio.Event()

    async def events() -> AsyncGenerator[bytes]:
        await refused.wait()
        raise UsedUp("Ana has used up its $5.00 of today.", retry_after_s=60)
        yield b""

    class Opening(Frames):
        async def begin(self, within_s: float) -> bool:
            del within_s
            opened = await super().begin(0)
            refused.set()
            await asyncio.wait([self._reading])
            return opened

    async def silent() -> Message:
        return await asyncio.Future[Message]()

    monkeypatch.setattr(answering_routes, "Frames", Opening)
    call = OpenCall(
        cast("OpenCalls", None), Call(owner_id="ana", purpose="reply", model_id="ada", messages=())
    )
    request = Request({"type": "http"}, receive=silent)
    response = await answering_routes.streamed(request, call, events(), answering_routes.OPENAI)
    assert isinstance(response, FramesResponse)
    sent = await response._frames.read(20)
    assert sent is not None
    assert b'"code":"insufficient_quota"' in sent
