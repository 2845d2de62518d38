"""The disk of a folder: checks by writing whether anything more can be stored there."""

import contextlib
import errno
import os
from collections.abc import Iterable
from pathlib import Path

from parley.kernel.errors import Unavailable
from parley.storage.database import Database

PROBE_FILE = "parley.probe"
PROBE_BYTES = 256 << 10
LEAST_FREE_BYTES = 16 << 20
"""Less than this can be used up within one import or one checkpoint of the database."""


def check_disks(folders: Iterable[Path]) -> None:
    """Check the disk of each folder. Raises Unavailable."""
    for folder in sorted(folders):
        check_disk(folder)


def check_disk(folder: Path) -> None:
    """Write a file and remove it. Raises Unavailable if that fails, or little space is left."""
    file = folder / PROBE_FILE
    try:
        _write(file)
        free = free_bytes(folder)
    except OSError as error:
        raise unusable(folder, error) from None
    finally:
        with contextlib.suppress(OSError):
            file.unlink()
    if free is not None and free < LEAST_FREE_BYTES:
        raise _full(folder, f"has only {free / 1e6:.0f} MB left")


def _write(file: Path) -> None:
    # Synced, since some file systems allocate space only then. No O_EXCL: an interrupted probe is overwritten.
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        waiting = memoryview(bytes(PROBE_BYTES))
        while waiting:
            waiting = waiting[os.write(descriptor, waiting) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes on a folder's disk, None where nothing tells them."""
    if not hasattr(os, "statvfs"):
        return None
    stats = os.statvfs(folder)
    # Some network file systems report nothing.
    return stats.f_bavail * stats.f_frsize if stats.f_blocks else None


def unusable(folder: Path, error: OSError) -> Unavailable:
    """Return the error for a folder in which nothing can be stored."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _full(folder, "is full")
    return Unavailable(
        f"The folder {folder} can't be written: {error.strerror}.",
        "Everything stored is safe, but new votes and turns can't be saved. Check the folder's disk and permissions.",
        code="disk_unusable",
        retry_after_s=30,
    )


def _full(folder: Path, how: str) -> Unavailable:
    return Unavailable(
        f"The disk of the folder {folder} {how}.",
        "Everything stored is safe, but new votes and turns can't be saved. Free some space there. Parley "
        "resumes by itself.",
        code="disk_full",
        retry_after_s=30,
    )


def data_folders(data_dir: Path, database: Database) -> set[Path]:
    """Return the folders that are written to: the data folder, and the database's own if it is elsewhere."""
    file = database.url.database if database.is_sqlite else None
    return {data_dir, *([Path(file).absolute().parent] if file else [])}
