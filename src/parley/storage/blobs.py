"""Blobs: the bytes of pictures and files, in a folder, named by their SHA-256."""

import asyncio
import hashlib
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from parley.kernel.errors import NotFound

SHARD_CHARS = 2
"""The length of the name of a folder of files, which no database's folder has."""


class BlobStore(ABC):
    """Files that never change, so nothing is locked. All methods but `read` block.

    Each database has a folder of its own. Files of others are only read: a database may have been copied to another
    server, and its attachments with it.
    """

    @abstractmethod
    def use(self, name: str) -> None:
        """Store in and delete from this folder only."""

    @abstractmethod
    def adopt(self, files: Iterable[str]) -> None:
        """Move files with these SHA-256 (hex) from where they were before each database had a folder.

        Only who recorded a file may call this with it: from then on this database deletes it. Raises OSError.
        """

    @abstractmethod
    def has_earlier(self) -> bool:
        """Return whether there are files from before each database had a folder."""

    @abstractmethod
    def find(self, sha256: str) -> Path | None:
        """Return a file on this computer with these bytes, None if there are none. Raises Unavailable."""

    @abstractmethod
    def store(self, path: Path, sha256: str) -> None:
        """Move a file with this SHA-256 (hex) here, durably. Raises OSError."""

    @abstractmethod
    def sizes(self, files: Iterable[str]) -> Mapping[str, int]:
        """Return the bytes of each of these files that this database has. Raises Unavailable."""

    @abstractmethod
    def remove(self, sha256: str, since: datetime) -> bool:
        """Delete a file of this database unless it was stored anew since then. Raises OSError, Unavailable."""

    @abstractmethod
    def waiting(self) -> list[str]:
        """Return the SHA-256 of own files that are on this computer and belong elsewhere."""

    @abstractmethod
    def settle(self, sha256: str) -> None:
        """Bring a waiting file a step closer to its place. Raises OSError, Unavailable."""

    @abstractmethod
    def elsewhere(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield SHA-256 and bytes of the files of a folder that are on another computer. Raises Unavailable."""

    @abstractmethod
    def copy_folder(self, old: str, new: str) -> int:
        """Give another database the same files in a folder of its own; return how many. Raises OSError, Unavailable."""

    async def read(self, sha256: str) -> bytes:
        """Return the bytes with this SHA-256 (hex). Raises NotFound, also for a damaged file, and Unavailable."""
        return await asyncio.to_thread(self._read, sha256)

    def _read(self, sha256: str) -> bytes:
        try:
            path = self.find(sha256)
            content = path.read_bytes() if path else None
        except OSError:
            content = None
        if content is None:
            raise NotFound(
                "This picture or file is missing.", "Attach it again, or restore it from a backup."
            )
        if hashlib.sha256(content).hexdigest() != sha256:
            raise NotFound(
                "This picture or file is damaged.", "Attach it again, or restore it from a backup."
            )
        return content


class FolderBlobs(BlobStore):
    """Files in a folder of this computer. In a file system with links, a copy of a database takes no space twice."""

    def __init__(self, folder: Path) -> None:
        """`use` names the database's own folder before anything is stored."""
        self._folder = folder
        self._own = ""

    def use(self, name: str) -> None:
        """Store in and delete from this folder only."""
        self._own = name

    def adopt(self, files: Iterable[str]) -> None:
        """Move files from where they were before each database had a folder. Raises OSError."""
        for sha256 in files:
            earlier, own = self._folder / sha256[:2] / sha256, self.own_path(sha256)
            if earlier.is_file() and not own.exists():
                own.parent.mkdir(parents=True, exist_ok=True)
                earlier.replace(own)
                _sync(own.parent)

    def has_earlier(self) -> bool:
        """Return whether there are files from before each database had a folder."""
        return any(len(path.name) == SHARD_CHARS for path in self._folder.glob("*/"))

    def find(self, sha256: str) -> Path | None:
        """Return where the bytes with this SHA-256 (hex) are, None if there are none."""
        own = self.own_path(sha256)
        if own.is_file():
            return own
        # The last pattern is where the files were before each database had a folder.
        others = (self._folder.glob(f"{each}{sha256[:2]}/{sha256}") for each in ("*/", ""))
        return next((path for paths in others for path in paths), None)

    def store(self, path: Path, sha256: str) -> None:
        """Move a file with this SHA-256 (hex) here, durably. Raises OSError."""
        with path.open("r+b") as file:
            os.fsync(file.fileno())
        place = self.own_path(sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, place)
        _sync(place.parent)

    def sizes(self, files: Iterable[str]) -> Mapping[str, int]:
        """Return the bytes of each of these files that this database has."""
        paths = {sha256: self.own_path(sha256) for sha256 in files}
        return {sha256: path.stat().st_size for sha256, path in paths.items() if path.is_file()}

    def remove(self, sha256: str, since: datetime) -> bool:
        """Delete a file of this database unless it was stored anew since then. Raises OSError."""
        place = self.own_path(sha256)
        if not place.exists() or place.stat().st_mtime > since.timestamp():
            return False
        place.unlink()
        return True

    def waiting(self) -> list[str]:
        """Return nothing: every file is where it belongs."""
        return []

    def settle(self, sha256: str) -> None:
        """Do nothing."""

    def elsewhere(self, name: str) -> Iterator[tuple[str, int]]:  # noqa: ARG002 - none of any folder is
        """Yield nothing."""
        yield from ()

    def copy_folder(self, old: str, new: str) -> int:
        """Link the files of a folder in a new one, or copy them; return how many. Raises OSError."""
        if not (self._folder / old).is_dir():
            return 0
        shutil.copytree(self._folder / old, self._folder / new, copy_function=link_or_copy)
        return sum(1 for path in (self._folder / new).rglob("*") if path.is_file())

    def own_files(self) -> Iterator[Path]:
        """Yield the files of this database's folder, each named by its SHA-256."""
        return (path for path in (self._folder / self._own).glob("??/*") if path.is_file())

    def own_path(self, sha256: str) -> Path:
        """Return where a file of this database is, or would be."""
        return self._folder / self._own / sha256[:2] / sha256


def digest(path: Path) -> str:
    """Return the SHA-256 (hex) of a file. Blocks. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def link_or_copy(source: str, target: str) -> None:
    """Make a second name for a file, or a second file where the disk has no links. Blocks. Raises OSError."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _sync(folder: Path) -> None:
    """Make a folder's entries durable, if the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
