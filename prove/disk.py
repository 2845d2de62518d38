"""A disk with a log: what a process wrote and synced, in order, and what a power cut would leave of it.

The order comes from `disk.c`, a library that is put in front of the system's own. An image holds, of each file, all
that was synced before the cut, and of what was written since any part: whole, torn at sectors, or nothing.
"""

import functools
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from prove.campaign import Skipped

SECTOR = 512
HEAD = struct.Struct("<IIIIQ")
OPENED, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNC_ENDED, REMOVED = range(1, 7)


@functools.cache
def library() -> Path:
    """Return the built library. Raises Skipped if it cannot be built or used."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or compiler is None:
        raise Skipped("it needs Linux and a C compiler")
    built = Path(tempfile.mkdtemp(prefix="parley-disk-")) / "disk.so"
    source = Path(__file__).with_name("disk.c")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(built), str(source), "-ldl"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Skipped(f"the library that watches the disk cannot be built: {made.stderr.strip()[-300:]}")
    return built


class Entry(NamedTuple):
    """One thing that happened to a file. `end` is the length of the trace after it."""

    op: int
    file: int
    offset: int
    data: bytes
    end: int


def read_trace(path: Path) -> list[Entry]:
    """Return the entries of a trace."""
    raw, place, entries = path.read_bytes(), 0, list[Entry]()
    while place + HEAD.size <= len(raw):
        op, file, length, _, offset = HEAD.unpack_from(raw, place)
        place += HEAD.size
        data = raw[place : place + length]
        if len(data) < length:
            break
        place += length
        entries.append(Entry(op, file, offset, data, place))
    return entries


class Medium:
    """What is safe on the disk, and what is being written. Takes entries in order."""

    def __init__(self, base: dict[str, bytes]) -> None:
        self._base = base
        self._names: dict[int, str] = {}
        self._safe: dict[int, bytearray] = {}
        self._underway: dict[int, list[tuple[int, Entry]]] = {}
        self._begun: dict[int, int] = {}
        self._count = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry."""
        self._count += 1
        if entry.op == OPENED:
            name = Path(entry.data.decode()).name
            self._names[entry.file] = name
            self._safe[entry.file] = bytearray(self._base.get(name, b""))
            self._underway[entry.file] = []
        elif entry.op in (WRITTEN, TRUNCATED):
            self._underway[entry.file].append((self._count, entry))
        elif entry.op == SYNC_BEGUN:
            self._begun[entry.offset] = self._count
        elif entry.op == SYNC_ENDED:
            begun = self._begun.pop(entry.offset)
            underway = self._underway[entry.file]
            for number, earlier in underway:
                if number < begun:
                    _apply(self._safe[entry.file], earlier)
            self._underway[entry.file] = [pair for pair in underway if pair[0] > begun]
        elif entry.op == REMOVED:
            self._safe[entry.file], self._underway[entry.file] = bytearray(), []

    def images(self, chance: Random) -> Iterator[tuple[str, bytes]]:
        """Return the files as a power cut might leave them now; unopened files are unchanged."""
        for name in self._base.keys() - self._names.values():
            yield name, self._base[name]
        for file, safe in self._safe.items():
            image = bytearray(safe)
            fate = chance.choice(("lost", "kept", "mixed", "mixed"))
            for _, entry in self._underway[file]:
                if fate == "kept" or (fate == "mixed" and chance.random() < 0.4):
                    _apply(image, entry)
                elif fate == "mixed" and entry.op == WRITTEN:
                    _tear(image, entry, chance)
            yield self._names[file], bytes(image)

    @property
    def underway(self) -> int:
        """The number of writes that are not safe yet."""
        return sum(map(len, self._underway.values()))


def _apply(image: bytearray, entry: Entry) -> None:
    end = entry.offset if entry.op == TRUNCATED else entry.offset + len(entry.data)
    if len(image) < end:
        image.extend(bytes(end - len(image)))
    if entry.op == TRUNCATED:
        del image[end:]
    else:
        image[entry.offset : end] = entry.data


def _tear(image: bytearray, entry: Entry, chance: Random) -> None:
    """Let some sectors of a write arrive; the file may have grown for the others."""
    if chance.random() < 0.3 and len(image) < entry.offset + len(entry.data):
        image.extend(bytes(entry.offset + len(entry.data) - len(image)))
    start = 0
    while start < len(entry.data):
        size = min(SECTOR - (entry.offset + start) % SECTOR, len(entry.data) - start)
        if chance.random() < 0.5:
            part = entry.data[start : start + size]
            _apply(image, Entry(WRITTEN, entry.file, entry.offset + start, part, 0))
        start += size
