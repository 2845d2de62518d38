"""Files that people upload, while they are read."""

import secrets
from pathlib import Path

from parley.kernel.errors import Unavailable


class Uploads:
    """A folder for uploads; what a crash left there is removed at the start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "imports"

    def open(self) -> None:
        """Remove what is left of uploads that were cut off."""
        for leftover in self._folder.glob("*.upload"):
            leftover.unlink(missing_ok=True)

    def new(self) -> Path:
        """Return a path for an upload, which the caller removes."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / f"{secrets.token_hex(8)}.upload"


def cannot_write(error: OSError) -> Unavailable:
    """Return the error for a file that cannot be written, as when the disk is full."""
    which = str(error.filename) if error.filename else "A file in the data folder"
    return Unavailable(
        f"{which} cannot be written: {error.strerror or error}.",
        "Nothing was imported. Free some space or choose another folder, then try again.",
        code="import_interrupted",
    )
