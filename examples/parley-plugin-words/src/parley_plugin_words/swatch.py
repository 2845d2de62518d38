"""An image model that draws one colour."""

import hashlib
import struct
import zlib
from collections.abc import AsyncIterator

from parley.kernel.connector import Chunk, Finish, Made
from parley.kernel.pictures import DrawRequest

SIDE = 256


async def draw_swatch(request: DrawRequest) -> AsyncIterator[Chunk]:
    """Yield a square for each picture, of a colour that the prompt and the seed decide."""
    width, height = request.settings.width or SIDE, request.settings.height or SIDE
    for number in range(request.count):
        seed = request.seed + number
        colour = hashlib.sha256(f"{seed} {request.prompt}".encode()).digest()[:3]
        yield Made(_png(width, height, colour), name="swatch.png", seed=seed)
    yield Finish("stop")


def _png(width: int, height: int, colour: bytes) -> bytes:
    rows = (b"\0" + colour * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
