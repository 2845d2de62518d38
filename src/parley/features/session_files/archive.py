"""The ZIP file of a ChatGPT export: its `conversations.json`, unpacked within limits."""

import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from parley.kernel.errors import Invalid

UNPACKED_BYTES = 256 << 20
RATIO, FREE_BYTES = 200, 16 << 20
"""The highest compression ratio, beyond an amount that is always allowed; real exports have about 10."""

_CONVERSATIONS = re.compile(r"conversations(-\d+)?\.json")


def is_archive(path: Path) -> bool:
    """Return whether a file is a ZIP, whatever its name."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def read_archive(path: Path, name: str) -> list[tuple[str, bytes]]:
    """Return the files of conversations in a ZIP, with their names. Raises Invalid."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [
                entry
                for entry in archive.infolist()
                if _CONVERSATIONS.fullmatch(PurePosixPath(entry.filename).name)
            ]
            if not entries:
                raise Invalid("file", f"{name} has no conversations.json.", "Nothing was imported.")
            return _unpack(archive, entries, name)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise Invalid(
            "file", f"{name} can't be unpacked: {error}.", "Nothing was imported. Export it again."
        ) from None


def _unpack(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], name: str) -> list[tuple[str, bytes]]:
    left = UNPACKED_BYTES
    documents: list[tuple[str, bytes]] = []
    for entry in sorted(entries, key=lambda each: each.filename):
        allowed = min(left, FREE_BYTES + RATIO * entry.compress_size)
        with archive.open(entry) as file:
            # What the entry says of its size may be a lie.
            data = file.read(allowed + 1) if entry.file_size <= allowed else b""
        if entry.file_size > allowed or len(data) > allowed:
            raise Invalid(
                "file",
                f"{name}: {PurePosixPath(entry.filename).name} is too large when unpacked (limit: "
                f"{UNPACKED_BYTES >> 20} MB, and {RATIO} times its packed size).",
                "Nothing was imported.",
            )
        left -= len(data)
        documents.append((f"{name}: {PurePosixPath(entry.filename).name}", data))
    return documents
