"""The ZIP file of an export of ChatGPT or Claude: each `conversations.json` in it, unpacked within limits."""

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from parley.kernel.errors import Invalid

UNPACKED_BYTES = 256 << 20
RATIO, FREE_BYTES = 200, 16 << 20
"""The highest compression ratio, beyond an amount that is always allowed; real exports have about 10."""

_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")


def is_archive(path: Path) -> bool:
    """Return whether a file is a ZIP, whatever its name."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def read_archive(path: Path, name: str) -> Iterator[tuple[str, bytes | Invalid]]:
    """Yield the files of conversations in a ZIP with their names, or why one can't be unpacked. Raises Invalid."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [
                entry
                for entry in archive.infolist()
                if _CONVERSATIONS.fullmatch(PurePosixPath(entry.filename).name)
            ]
            if not entries:
                raise Invalid("file", f"{name} has no conversations.json.", "Nothing was imported.")
            left = UNPACKED_BYTES
            for entry in sorted(entries, key=lambda each: each.filename):
                entry_name = f"{name}: {PurePosixPath(entry.filename).name}"
                data = _unpacked(archive, entry, left, entry_name)
                left -= len(data) if isinstance(data, bytes) else 0
                yield entry_name, data
    except _DAMAGED as error:
        raise _not_unpacked(name, error) from None


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int, name: str) -> bytes | Invalid:
    allowed = min(left, FREE_BYTES + RATIO * entry.compress_size)
    try:
        with archive.open(entry) as file:
            # What the entry says of its size may be a lie.
            data = file.read(allowed + 1) if entry.file_size <= allowed else b""
    except _DAMAGED as error:
        return _not_unpacked(name, error)
    if entry.file_size <= allowed and len(data) <= allowed:
        return data
    return Invalid(
        "file",
        f"{name} is too large when unpacked (limit: {UNPACKED_BYTES >> 20} MB, and {RATIO} times its packed size).",
        "Nothing was imported.",
    )


def _not_unpacked(name: str, error: Exception) -> Invalid:
    return Invalid("file", f"{name} can't be unpacked: {error}.", "Nothing was imported. Export it again.")
