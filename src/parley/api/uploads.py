"""Uploads: bodies that are files, written to the disk as they come."""

import asyncio
from pathlib import Path

from fastapi import Request

from parley.kernel.errors import Invalid

WRITE_BYTES = 1 << 20


async def receive_file(request: Request, path: Path, *, limit: int, instead: str) -> None:
    """Write the body to a file. Raises ClientDisconnect, and Invalid above `limit` bytes.

    `instead` says what to do with a larger file.
    """
    size, waiting = 0, bytearray()
    with path.open("wb") as file:
        async for part in request.stream():
            size += len(part)
            if size > limit:
                shown = f"{limit >> 30} GiB" if limit >= 1 << 30 else f"{limit >> 20} MB"
                raise Invalid(
                    "body",
                    f"The file is larger than {shown}.",
                    f"Nothing was imported. {instead}",
                    code="body_too_large",
                )
            waiting += part
            if len(waiting) >= WRITE_BYTES:
                await asyncio.to_thread(file.write, bytes(waiting))
                waiting.clear()
        file.write(waiting)
