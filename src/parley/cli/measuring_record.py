"""The file of results of a measurement or a judge: one line per reply, appended as soon as it is there."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from parley.kernel.errors import Invalid

FIRST_FIELD = b'{"asked":"'


class MeasuredReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reply of one model.

    `question` is the SHA-256 of the question, or of what a judge compared. `shown` is the order in which it was shown.
    Times are milliseconds. `cost_micros` is null if a model without a price took part, `paid_micros` the sum of all
    others. `calls` are those within an ensemble. A reply with a `problem` only counts as paid, and is asked for again.
    """

    question: str = msgspec.field(name="asked")
    model: str
    shown: tuple[str, ...] = ()
    text: str = ""
    turn_id: str | None = None
    duration_ms: int = 0
    tokens: int = 0
    cost_micros: int | None = None
    paid_micros: int = 0
    calls: int = 1
    cached: bool = False
    problem: str | None = None


def key_of(prompt: str) -> str:
    """Return how a question is named in the file."""
    return sha256(prompt.encode()).hexdigest()


class Record:
    """The results so far. A line that a crash has cut off is dropped."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists. Raises Invalid with the line that is no result."""
        self.path = path
        self._found: dict[tuple[str, str, tuple[str, ...]], MeasuredReply] = {}
        self.spent_micros = 0
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise Invalid("out", f"Can't read {path}: {error.strerror}.", "Nothing was asked.") from None
        for number, line in enumerate(_whole_lines(content, path), 1):
            try:
                self._take(msgspec.json.decode(line, type=MeasuredReply))
            except msgspec.DecodeError:
                raise _no_result(path, number) from None

    def find(self, prompt: str, model: str, shown: tuple[str, ...] = ()) -> MeasuredReply | None:
        """Return what a model said, or None if it has not been asked or has not answered."""
        return self._found.get((key_of(prompt), model, shown))

    def add(self, reply: MeasuredReply) -> None:
        """Append a reply; it is on disk when this returns. Raises Invalid."""
        try:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(reply) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            advice = "The reply is saved in its session."
            raise Invalid("out", f"Can't write {self.path}: {error.strerror}.", advice) from None
        self._take(reply)

    def _take(self, reply: MeasuredReply) -> None:
        self.spent_micros += reply.paid_micros
        if reply.problem is None:
            self._found[(reply.question, reply.model, reply.shown)] = reply


def _whole_lines(content: bytes, path: Path) -> Iterator[bytes]:
    """Yield the lines that are ended; cut off the rest, unless it is not ours."""
    *lines, rest = content.split(b"\n")
    yield from lines
    if rest:
        if not (rest.startswith(FIRST_FIELD) or FIRST_FIELD.startswith(rest)):
            raise _no_result(path, len(lines) + 1)
        os.truncate(path, len(content) - len(rest))


def _no_result(path: Path, number: int) -> Invalid:
    title = f"{path.name}, line {number} is not a result of this command."
    return Invalid("out", title, "Nothing was asked. Choose another file with --out.")
