"""The lock of a data folder: one running Parley per folder, which leaves its address there."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parley.kernel.errors import Unavailable

LOCK_FILE = "parley.lock"
ADDRESS_FILE = "parley.address"


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


@contextmanager
def leave_address(folder: Path, url: str) -> Generator[None]:
    """Keep the address of the running server in its folder, readable by its owner only."""
    file = folder / ADDRESS_FILE
    being_written = file.with_suffix(".new")
    being_written.unlink(missing_ok=True)
    being_written.touch(mode=0o600)
    being_written.write_text(url, encoding="utf-8")
    being_written.replace(file)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def read_address(folder: Path) -> str | None:
    """Return the address that a server has left; it may be gone where the server was killed."""
    try:
        return (folder / ADDRESS_FILE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None
