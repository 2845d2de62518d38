"""The process that reads one attachment."""

import os
import sys
from pathlib import Path

import msgspec

from parley.engine.confinement import TOO_LARGE, confined_task
from parley.features.attachments.file_content import PARQUET, Found, Refused, RefusedFile, Task, damaged
from parley.features.attachments.kinds import HEAD_BYTES, kind_of

_TABLE = "(This Parquet file has a table. Models with tools read it with SQL.)\n"


def main() -> None:
    """Read the task from standard input, write what was found to standard output."""
    task = confined_task(Task)
    try:
        content = _read(task, Path(task.path), Path(task.folder))
    except MemoryError:
        os._exit(TOO_LARGE)
    sys.stdout.buffer.write(msgspec.msgpack.encode(content))


def _read(task: Task, path: Path, folder: Path) -> Found:
    try:
        with path.open("rb") as file:
            kind = kind_of(file.read(HEAD_BYTES))
        if kind == "PDF":
            from parley.features.attachments.documents import read_pdf

            return read_pdf(path, folder)
        if kind == "ZIP":
            from parley.features.attachments.office import read_office

            return read_office(path, folder)
        if kind == "Parquet":
            from parley.features.attachments.texts import write_text

            return write_text(_TABLE, PARQUET, folder)
        if kind == "OLE":
            from parley.features.attachments.office import refuse_old

            raise refuse_old(path)
        if kind == "text":
            from parley.features.attachments.texts import read_text

            return read_text(path, folder, task.encoding)
        from parley.features.attachments.pictures import read_picture

        return read_picture(path, kind, folder, neutral=task.neutral, alike=task.alike)
    except RefusedFile as error:
        return error.refused
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a hostile file can make a parser raise anything
        return _broken()


def _broken() -> Refused:
    return damaged("a file").refused


if __name__ == "__main__":
    main()
