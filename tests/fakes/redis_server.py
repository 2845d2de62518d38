"""A Redis server for one test, where one is installed."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest


@asynccontextmanager
async def a_redis_server(folder: Path, port: int) -> AsyncGenerator[str]:
    """Yield the address of a server on this port that stores nothing; it stops at once when the block is left."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("no Redis server is installed")
    options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder))
    process = await asyncio.create_subprocess_exec(program, *options, stdout=asyncio.subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.kill()
        await process.wait()
