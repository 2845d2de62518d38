"""Reading a SQLite database where nothing can be written: SQLite itself needs to write beside it."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from parley.storage.database import Database

WITH = ("", "-wal")
"""The files that hold the data: the database, and the commits that are not in it yet."""


def is_read_only(file: Path) -> bool:
    """Return whether a file is there, but can't be changed, or nothing can be created beside it."""
    effective = os.access in os.supports_effective_ids
    return file.exists() and not all(
        os.access(path, os.W_OK, effective_ids=effective) for path in (file.absolute().parent, file)
    )


@contextmanager
def readable(url: str) -> Generator[str]:
    """Yield the address of a database, or of a copy in a temporary folder if it can only be read there. Blocks.

    Raises OSError if there is no space for the copy.
    """
    file = Database(url).file
    if file is None or not is_read_only(file):
        yield url
        return
    with TemporaryDirectory(prefix="parley-") as folder:
        for path in (file.with_name(file.name + end) for end in WITH):
            if path.exists():
                shutil.copyfile(path, Path(folder, path.name))
        yield f"sqlite:///{Path(folder, file.name).as_posix()}"
