"""The process that reads one file of conversations."""

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from parley.engine.confinement import TOO_LARGE, confined_task
from parley.features.session_files.reading import read_file
from parley.kernel.errors import Invalid
from parley.kernel.mode import Mode

NESTING = 8_000
"""The levels of JSON that are read: each answer of a LibreChat export is two levels deeper than the one before."""

LENGTH_BYTES = 8


class Task(msgspec.Struct, frozen=True):
    """The file to read, what errors call it, and the file for its conversations, each after its length."""

    path: str
    name: str
    entries: str


class Ending(msgspec.Struct, frozen=True):
    """Why nothing more of the file can be read, and advice; empty at its end."""

    title: str = ""
    detail: str | None = None


def main() -> None:
    """Read the task from standard input, and write the conversations and how reading ended."""
    task = confined_task(Task)
    sys.setrecursionlimit(NESTING)
    ending = Ending()
    with Path(task.entries).open("wb") as out:
        try:
            for entry in read_file(Path(task.path), task.name, _readable):
                data = msgspec.msgpack.encode(entry)
                out.write(len(data).to_bytes(LENGTH_BYTES) + data)
        except Invalid as error:
            ending = Ending(error.title, error.detail)
        except MemoryError:
            out.flush()
            os._exit(TOO_LARGE)
    sys.stdout.buffer.write(msgspec.msgpack.encode(ending))


def _readable(mode: str, text: str) -> str:
    modes = _modes()
    return modes[mode].readable(text) if mode in modes else text


@cache
def _modes() -> Mapping[str, Mode[Any]]:
    # Slow to load, and only the export of all data needs them.
    from parley import modes
    from parley.plugins.registry import load_registry

    return load_registry([modes]).modes


if __name__ == "__main__":
    main()
