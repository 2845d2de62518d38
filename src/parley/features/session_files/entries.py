"""Reads a foreign file of conversations in a process of its own, and takes its conversations from there."""

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import msgspec

from parley.engine.confinement import ReaderLimits
from parley.engine.reader_process import Finished, run_reader
from parley.features.session_files.reading import NOTHING, Entry
from parley.features.session_files.worker import LENGTH_BYTES, Ending, Task

WORKER = "parley.features.session_files.worker"
READER = ReaderLimits(seconds=120, memory_mb=1536, written_mb=768)

_DECODER = msgspec.msgpack.Decoder(Entry)


class ReadFile(NamedTuple):
    """The file with what was read, and why nothing more could be read; null at the end of the foreign file."""

    entries: Path
    ending: Ending | None


async def read_entries(path: Path, name: str, entries: Path, limits: ReaderLimits = READER) -> ReadFile:
    """Read a foreign file into the file `entries`; errors call it `name`. Raises OSError."""
    task = Task(path=str(path), name=name, entries=str(entries))
    await asyncio.to_thread(entries.touch)
    return ReadFile(entries, _ending(await run_reader(WORKER, task, limits), name, limits))


def entries_of(file: ReadFile) -> Generator[Entry]:
    """Yield what was read; where the process was stopped, the last may be cut off and is left out. Blocks."""
    with file.entries.open("rb") as source:
        while len(length := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
            size = int.from_bytes(length)
            if len(data := source.read(size)) < size:
                return
            yield _DECODER.decode(data)


def _ending(finished: Finished, name: str, limits: ReaderLimits) -> Ending | None:
    if finished.failure == "time":
        return Ending(
            f"{name} takes more than {limits.seconds:g} seconds to read, which is the limit.", NOTHING
        )
    if finished.failure == "memory":
        return Ending(
            f"{name} needs more than {limits.memory_mb:,} MB of memory to read, which is the limit.", NOTHING
        )
    try:
        ending = msgspec.msgpack.decode(finished.output, type=Ending)
    except msgspec.DecodeError:
        return Ending(f"{name} can’t be read: it is damaged.", f"{NOTHING} Export it again.")
    return ending if ending.title else None
