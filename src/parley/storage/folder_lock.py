"""The lock of a data folder: one running Parley per folder."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parley.kernel.errors import Unavailable

LOCK_FILE = "parley.lock"


@contextmanager
def lock_folder(folder: Path) -> Generator[None]:
    """Make the folder and hold its lock. Raises Unavailable, also where another process holds it."""
    lock = FileLock(folder / LOCK_FILE)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise Unavailable(
            f"Another Parley is using the data folder {folder}.",
            "Stop it first, or start this one with another folder: parley serve --data-dir PATH",
            code="folder_locked",
        ) from None
    except OSError as error:
        raise Unavailable(
            f"The data folder {folder} cannot be used: {error.strerror}.",
            "Choose another one: parley serve --data-dir PATH",
            code="folder_unusable",
        ) from None
    try:
        yield
    finally:
        lock.release()
