"""Blobs: the bytes of pictures and files, in a folder, named by their SHA-256."""

import asyncio
import hashlib
import os
import shutil
from collections.abc import Collection
from pathlib import Path

from parley.kernel.errors import NotFound


class FolderBlobs:
    """Implements the kernel's port `Blobs` with files. Stored files never change, so nothing is locked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path_of(self, sha256: str) -> Path:
        """Return where the bytes with this SHA-256 (hex) are, or would be."""
        return self._folder / sha256[:2] / sha256

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound, also for a file that was damaged."""
        return await asyncio.to_thread(self._read, sha256)

    def store(self, path: Path) -> str:
        """Move a file here, durably; return its SHA-256 (hex). Blocks. Raises OSError."""
        with path.open("r+b") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        place = self.path_of(sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, place)
        _sync(place.parent)
        return sha256

    def sweep(self, keep: Collection[str]) -> int:
        """Delete every blob but these; return how many. Blocks."""
        gone = [path for path in self._folder.glob("??/*") if path.name not in keep]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def _read(self, sha256: str) -> bytes:
        try:
            content = self.path_of(sha256).read_bytes()
        except OSError:
            raise NotFound(
                "This picture or file is missing.", "Attach it again, or restore it from a backup."
            ) from None
        if hashlib.sha256(content).hexdigest() != sha256:
            raise NotFound(
                "This picture or file is damaged.", "Attach it again, or restore it from a backup."
            )
        return content


def _sync(folder: Path) -> None:
    """Make a folder's entries durable, if the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
