"""The lock of a data folder: one running Parley per folder, which leaves its address there."""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parley.kernel.errors import Unavailable

LOCK_FILE = "parley.lock"
ADDRESS_FILE = "parley.address"

log = logging.getLogger(__name__)


@contextmanager
def lock_folder(folder: Path) -> Generator[None]:
    """Create the folder and hold its lock. Raises Unavailable, also if another process holds it.

    The folder itself is locked as well as the file in it, so removing the file does not let a second Parley in.
    """
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            held.enter_context(_locked(folder))
            held.enter_context(FileLock(folder / LOCK_FILE, timeout=0))
        except (Timeout, BlockingIOError):
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
        yield


@contextmanager
def lock_file(path: Path) -> Generator[None]:
    """Hold the lock of a SQLite file, which several data folders may name. Raises Unavailable."""
    with ExitStack() as held:
        try:
            held.enter_context(FileLock(path.with_name(f"{path.name}.lock"), timeout=0))
        except Timeout:
            raise Unavailable(
                f"Another Parley is using the database {path}.",
                "Stop it first, or set database_url to another database.",
                code="database_in_use",
            ) from None
        except OSError:
            pass  # opening the database reports what is wrong with its folder
        yield


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Lock the folder itself, if the system can. Raises BlockingIOError."""
    if sys.platform == "win32":  # on systems where an open lock file can't be removed
        yield
        return
    import fcntl

    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError as error:
            # Some network file systems lock only files open for writing: there the lock file alone must suffice.
            log.debug("the folder %s cannot be locked itself: %s", folder, error)
        yield
    finally:
        os.close(opened)


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
    """Return the address that a server left; a killed server may no longer be there."""
    try:
        return (folder / ADDRESS_FILE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None
