"""The process that reads one attachment: whatever a hostile file does to it, Parley keeps running.

The system limits its memory, processor time and the size of its output, if it can.
"""

import contextlib
import os
import sys
from importlib import import_module
from pathlib import Path

import msgspec

from parley.features.attachments.found import Found, Refused, RefusedFile, Task, damaged
from parley.features.attachments.kinds import HEAD_BYTES, kind_of
from parley.features.attachments.limits import WRITTEN_MB

TOO_LARGE = 75
"""The exit code once more memory is needed than allowed."""


def main() -> None:
    """Read the task from standard input, write what was found to standard output."""
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Task)
    _limit(task)
    try:
        found = _read(Path(task.path), Path(task.folder))
    except MemoryError:
        os._exit(TOO_LARGE)
    sys.stdout.buffer.write(msgspec.msgpack.encode(found))


def _read(path: Path, folder: Path) -> Found:
    try:
        with path.open("rb") as file:
            kind = kind_of(file.read(HEAD_BYTES))
        if kind == "PDF":
            from parley.features.attachments.documents import read_pdf

            return read_pdf(path, folder)
        if kind == "text":
            from parley.features.attachments.texts import read_text

            return read_text(path, folder)
        from parley.features.attachments.pictures import read_picture

        return read_picture(path, kind, folder)
    except RefusedFile as error:
        return error.refused
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a hostile file can make a parser raise anything
        return _broken()


def _broken() -> Refused:
    return damaged("a file").refused


def _limit(task: Task) -> None:
    """Limit what this process may take; Windows has no such limits, so there only the time is bounded."""
    try:
        resource = import_module("resource")
    except ImportError:
        return
    memory, seconds, written = task.memory_mb << 20, int(task.seconds) + 1, WRITTEN_MB << 20
    for kind, limit in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_FSIZE", written),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, kind), (limit, limit))


if __name__ == "__main__":
    main()
