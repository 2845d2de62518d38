"""The worker process that reads a large vote file, so that the process that stores it has a core to itself."""

import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from parley.features.vote_files.columns import NEEDED, READ, needed_columns
from parley.features.vote_files.formats import Format
from parley.features.vote_files.frames import write_frame
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.parsing import RowParser, Voters
from parley.features.vote_files.pieces import Piece
from parley.features.vote_files.reader import VoteFileReader
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid
from parley.text.categories.categorise import Categories
from parley.text.categories.own import OwnCategory

COLLECT_AFTER = 200_000
"""Objects before Python looks for garbage: rows refer to nothing in circles."""


class ReadTask(msgspec.Struct, frozen=True, kw_only=True):
    """What to read, and what its rows are parsed with. `name` stands for the file in errors."""

    path: str
    kind: Format
    name: str
    models: Mapping[str, Sequence[str]]
    salt: bytes
    own_voters: Mapping[str, str]
    categories: tuple[OwnCategory, ...]
    bad_file: str | None
    limits: FileLimits | None
    at_most: int
    """Votes of a piece."""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The file is refused; the words of the error."""

    field: str
    title: str
    detail: str | None
    code: str


class Unwritable(msgspec.Struct, frozen=True, tag="unwritable"):
    """A file, most likely that of the bad rows, cannot be used; what the OSError says."""

    number: int | None
    words: str | None
    filename: str | None


Message: TypeAlias = Piece | Refused | Unwritable


def open_reader(task: ReadTask) -> VoteFileReader:
    """Return the reader of a file, for any process."""
    models = ModelNames(task.models)
    parser = RowParser(
        models=models,
        voters=Voters(task.salt, task.own_voters),
        categorise=Categories(task.categories).categorise,
    )
    check = needed_columns(NEEDED)
    path, limits = Path(task.path), task.limits
    rows = VoteRows(path, task.kind, check, name=task.name, columns=READ, limits=limits, lazy=True)
    return VoteFileReader(rows, parser, models, Path(task.bad_file) if task.bad_file else None)


def main() -> None:
    """Read the task from standard input and write messages to standard output."""
    gc.set_threshold(COLLECT_AFTER, 20, 50)
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=ReadTask)
    encoder = msgspec.msgpack.Encoder()
    try:
        for message in _messages(task):
            write_frame(sys.stdout.buffer, encoder.encode(message))
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(0)  # whoever reads is gone, so nothing is left to flush


def _messages(task: ReadTask) -> Iterator[Message]:
    reader = open_reader(task)
    try:
        while not reader.ended:
            piece = reader.piece(task.at_most)
            if piece.ended:
                # Whoever gets the last piece ends this process: the bad rows are in their file before.
                reader.close()
            yield piece
    except Invalid as error:
        yield Refused(error.field, error.title, error.detail, error.leaf_code)
    except BrokenPipeError:
        raise
    except OSError as error:
        yield Unwritable(error.errno, error.strerror, None if error.filename is None else str(error.filename))


if __name__ == "__main__":
    main()
