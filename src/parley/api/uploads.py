"""Uploads: bodies that are files, streamed to the disk."""

import asyncio
from pathlib import Path

from fastapi import Request

from parley.kernel.errors import ParleyError

WRITE_BYTES = 1 << 20


async def receive_file(request: Request, path: Path, most: int, too_large: ParleyError) -> None:
    """Write the body to a file. Raises `too_large` beyond `most` bytes, OSError, ClientDisconnect."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > most:
        raise too_large
    size, waiting = 0, bytearray()
    with path.open("wb") as file:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise too_large
            waiting += part
            if len(waiting) >= WRITE_BYTES:
                await asyncio.to_thread(file.write, bytes(waiting))
                waiting.clear()
        file.write(waiting)
