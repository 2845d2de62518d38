"""A terminal of some width, in which a command of this process runs and a person types."""

import contextlib
import io
import os
import threading
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tests.fakes.commands import Streams, call_main

Typed = Sequence[tuple[str, str]]
"""What a person waits for and types then, in order. A text counts once: it must be shown anew for each."""


class Shown(NamedTuple):
    """What the terminal showed, what went to another stdout, and the exit code."""

    terminal: str
    stdout: str
    status: int


class Size(NamedTuple):
    """The variables of a terminal without colours."""

    columns: int

    def variables(self) -> dict[str, str]:
        """Return what programs read of it."""
        return {"COLUMNS": str(self.columns), "LINES": "24", "TERM": "xterm", "NO_COLOR": "1"}


def in_terminal(*arguments: str, columns: int = 80, typed: Typed = (), pipes: bool = False) -> Shown:
    """Carry out a command; `pipes` sends its stdout elsewhere. Fails if a text that is waited for never comes."""
    pty = pytest.importorskip("pty")
    here, there = pty.openpty()
    person = _Person(here, list(typed))
    reading = threading.Thread(target=person.read, name="person")
    reading.start()
    out = io.BytesIO()
    with pytest.MonkeyPatch.context() as patched, contextlib.ExitStack() as opened:
        for name, value in Size(columns).variables().items():
            patched.setenv(name, value)
        opened.callback(os.close, here)
        opened.callback(reading.join)
        opened.callback(os.close, there)
        streams = [opened.enter_context(open(there, mode, closefd=False)) for mode in "rww"]
        if pipes:
            streams[1] = io.TextIOWrapper(out, "utf-8")
        status = call_main(arguments, Streams(*streams))
    assert not person.typed, f"{person.typed[0][0]!r} never came: {person.seen}"
    return Shown(person.seen, out.getvalue().decode(), status)


class _Person:
    """Reads a terminal until it closes."""

    def __init__(self, terminal: int, typed: list[tuple[str, str]]) -> None:
        self._terminal = terminal
        self._output = b""
        self._read_to = 0
        self.typed = typed

    @property
    def seen(self) -> str:
        return self._output.decode("utf-8", "replace")

    def read(self) -> None:
        with contextlib.suppress(OSError):  # the other end is closed
            while packet := os.read(self._terminal, 65536):
                self._output += packet
                self._type()

    def _type(self) -> None:
        while self.typed:
            after, keys = self.typed[0]
            place = self.seen.find(after, self._read_to)
            if place < 0:
                return
            self._read_to = place + len(after)
            self.typed.pop(0)
            os.write(self._terminal, keys.encode())
