"""The lock of a data folder: one running Parley per folder."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parley.kernel.errors import Unavailable

LOCK_FILE = "parley.lock"


@contextmanager
def lock_folder(folder: Path) -> Generator[None]:
    """Hold the folder's lock. Raises Unavailable where another process holds it."""
    lock = FileLock(folder / LOCK_FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise Unavailable(
            f"Another Parley is using the data folder {folder}.",
            "Stop it first, or start this one with another folder: parley serve --data-dir PATH",
            code="folder_locked",
        ) from None
    try:
        yield
    finally:
        lock.release()
