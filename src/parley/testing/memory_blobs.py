"""Pictures and files in memory."""

import hashlib

from parley.kernel.errors import NotFound
from parley.kernel.messages import Attached


class MemoryBlobs:
    """Implements the kernel's port `Blobs`: everything is a picture. While `broken` is set, `store` raises it."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}
        self.broken: Exception | None = None

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound."""
        if sha256 not in self.stored:
            raise NotFound("This picture or file is missing.")
        return self.stored[sha256]

    async def store(self, owner_id: str, data: bytes, name: str, *, alike: bool = False) -> Attached:  # noqa: ARG002 - there is one owner
        """Store what a model made, as it is. Raises `broken`."""
        if self.broken is not None:
            raise self.broken
        sha256 = hashlib.sha256(data).hexdigest()
        self.stored[sha256] = data
        return Attached(
            sha256=sha256,
            name=name or "picture.png",
            media_type="image/png",
            size=len(data),
            tokens=1,
            width=4,
            height=3,
        )
