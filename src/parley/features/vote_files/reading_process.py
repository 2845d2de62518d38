"""Reads a large vote file in a process of its own."""

import msgspec

from parley.features.vote_files.pieces import Piece
from parley.features.vote_files.reading_worker import Message, ReadTask, Refused, Unwritable
from parley.features.vote_files.worker_process import WorkerProcess
from parley.kernel.errors import Invalid

WORKER = "parley.features.vote_files.reading_worker"


class ReadingProcess:
    """Receives the pieces of a file from the worker that reads it, as `PieceReader`."""

    def __init__(self, task: ReadTask) -> None:
        self._name = task.name
        self._process = WorkerProcess(WORKER, msgspec.msgpack.encode(task))
        self._frames = self._process.frames()
        self._decode = msgspec.msgpack.Decoder[Message](Message).decode

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    def piece(self, at_most: int) -> Piece:  # noqa: ARG002 - the task has it
        """Return the next piece. Raises Invalid or OSError."""
        try:
            frame = next(self._frames, None)
        except EOFError:
            frame = None
        if frame is None:
            code = self._process.exit_code()
            raise Invalid(
                "file",
                f"{self._name} cannot be read: the process that reads it ended{'' if code is None else f' ({code})'}.",
                "Nothing was imported. Try again; it may have run out of memory.",
            )
        message = self._decode(frame)
        if isinstance(message, Refused):
            raise Invalid(message.field, message.title, message.detail, code=message.code)
        if isinstance(message, Unwritable):
            raise OSError(message.number, message.words, message.filename)
        return message

    def stop(self) -> None:
        """End the worker."""
        self._process.kill()

    def close(self) -> None:
        """Wait until the worker is gone."""
        self._process.close()
