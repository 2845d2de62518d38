"""The measure of all rows: a bare aiohttp → StreamingResponse pass-through, as short as it can be written.

python -m bench.passthrough PORT UPSTREAM_PORT
"""

import sys
from collections.abc import AsyncIterator

import aiohttp
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

HEADERS = {"Content-Type": "application/json"}


def make_app(upstream: str) -> Starlette:
    """Return the app; its client opens with the first request."""
    sessions: list[aiohttp.ClientSession] = []

    async def chat(request: Request) -> StreamingResponse:
        if not sessions:
            sessions.append(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        answer = await sessions[0].post(upstream, data=await request.body(), headers=HEADERS)

        async def packets() -> AsyncIterator[bytes]:
            async with answer:
                async for packet in answer.content.iter_any():
                    yield packet

        return StreamingResponse(packets(), media_type="text/event-stream")

    async def healthz(_: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    return Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/healthz", healthz),
        ]
    )


if __name__ == "__main__":
    port, upstream_port = sys.argv[1:]
    uvicorn.run(
        make_app(f"http://127.0.0.1:{upstream_port}/v1/chat/completions"),
        host="127.0.0.1",
        port=int(port),
        loop="uvloop",
        http="httptools",
        log_level="warning",
        access_log=False,
        backlog=4096,
    )
