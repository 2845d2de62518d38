"""Files for their owner alone: all that Parley creates, and those of earlier versions that others can read."""

import logging
import os
import stat
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

OTHERS = 0o077
"""The permissions of everybody but the owner."""

OWN = ("parley.", "voters.salt", "secret.key.", "attachments", "imports")
"""The beginnings of the names of Parley's files in its data folder. `secret.key` is not repaired: see `Secrets`."""

log = logging.getLogger(__name__)


@contextmanager
def owner_only() -> Generator[None]:
    """Let nobody else read what the process and its children create during the block, whatever the umask."""
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def tighten(folder: Path, database: Path | None) -> None:
    """Take a data folder and Parley's files in it away from everybody but their owner; log what can't be."""
    if os.name == "nt":
        return
    files = [path for path in folder.iterdir() if path.name.startswith(OWN)]
    if database is not None:
        files += (database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal"))
    wide = [path for path in files if _is_wide(path)]
    for path in wide:
        _close(path.rglob("*") if path.is_dir() else ())
    _close(wide)
    if _is_wide(folder):
        if _is_shared(folder):
            log.warning(
                "Others can see the names of the files in the data folder %s. Choose another.", folder
            )
        else:
            _close([folder])


def is_wide(status: os.stat_result) -> bool:
    """Return whether others may use a file."""
    return os.name != "nt" and bool(stat.S_IMODE(status.st_mode) & OTHERS)


def _is_wide(path: Path) -> bool:
    try:
        return is_wide(path.stat())
    except OSError:
        return False


def _is_shared(folder: Path) -> bool:
    """Return whether a folder is obviously not Parley's alone: a home, a root, or one like /tmp."""
    sticky = folder.stat().st_mode & stat.S_ISVTX
    return bool(sticky) or folder.resolve() in (Path(folder.anchor), Path.home())


def _close(paths: Iterable[Path]) -> None:
    number = 0
    for path in paths:
        try:
            if _is_wide(path):
                path.chmod(0o700 if path.is_dir() else 0o600)
                number += 1
        except OSError as error:
            log.warning("Others may be able to read %s: %s. Run: chmod go-rwx %s", path, error.strerror, path)
    if number:
        log.info("%d files of the data folder are now for their owner only.", number)
