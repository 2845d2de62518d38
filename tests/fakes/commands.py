"""Commands as a person runs them, in this process: what they read, print and exit with is that of a process.

    run = runner(tmp_path, monkeypatch)
    assert run("ask", "ada", "Hello").stdout == "A scripted answer.\n"

A process of its own costs a second of imports. It is for what only a process has: see `tests/fakes/process.py`.
"""

import io
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from parley.cli import main
from parley.settings import DATABASE_FILE
from tests.fakes.databases import copy_empty, in_own_loop


class Done(NamedTuple):
    """What a command printed, and its exit code."""

    stdout: str
    stderr: str
    status: int = 0


Run = Callable[..., Done]


class Streams(NamedTuple):
    """The standard streams of a command."""

    stdin: IO[str]
    stdout: IO[str]
    stderr: IO[str]


def runner(folder: Path, monkeypatch: pytest.MonkeyPatch, *group: str, blank: bool = False) -> Run:
    """Return what carries out a group's commands, in a folder and with its own data, and checks the exit code.

    The database has its empty tables already, unless the data folder is to be `blank`.
    """
    for name in [name for name in os.environ if name.startswith("PARLEY_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(folder / "data"))
    monkeypatch.setenv("PARLEY_DISCOVER_AT", "none")
    monkeypatch.setenv("LLM_USER_PATH", str(folder / "llm"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "configuration"))
    monkeypatch.chdir(folder)
    if not blank:
        in_own_loop(copy_empty(folder / "data" / DATABASE_FILE))

    def call(
        *arguments: str, status: int | None = 0, given: str | bytes = b"", encoding: str = "utf-8"
    ) -> Done:
        done = carry_out(*group, *arguments, given=given, encoding=encoding)
        assert status in (None, done.status), done
        return done

    return call


def carry_out(
    *arguments: str,
    given: str | bytes = b"",
    encoding: str = "utf-8",
    out: io.BytesIO | None = None,
    error: io.BytesIO | None = None,
) -> Done:
    """Carry out a command with `given` as its input. An error that `parley` does not expect is raised.

    Who wants to see what it prints while it runs gives `out` or `error`.
    """
    out, error = out or io.BytesIO(), error or io.BytesIO()
    raw = given.encode() if isinstance(given, str) else given
    streams = Streams(
        io.TextIOWrapper(io.BytesIO(raw), "utf-8"),
        io.TextIOWrapper(out, encoding),
        io.TextIOWrapper(error, "utf-8", "backslashreplace"),
    )
    status = call_main(arguments, streams)
    return Done(out.getvalue().decode(encoding), error.getvalue().decode(), status)


def call_main(arguments: tuple[str, ...], streams: Streams) -> int:
    """Call what the installed command calls, with these streams for the standard ones; return its exit code."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["parley", *arguments])
        for name, stream in streams._asdict().items():
            patched.setattr(sys, name, stream)
        last = logging.StreamHandler(streams.stderr)
        last.setLevel(logging.WARNING)
        patched.setattr(logging, "lastResort", last)
        patched.setattr(logging.root, "handlers", [])  # those of pytest: a process has none
        try:
            main()
        except SystemExit as end:
            code = end.code
        else:
            code = 0
        streams.stdout.flush()
        streams.stderr.flush()
    assert code is None or isinstance(code, int), code
    return code or 0


@contextmanager
def ctrl_c(when: Callable[[], bool]) -> Generator[None]:
    """Interrupt the command that the block carries out, as Ctrl-C does, once something is so.

    It must be so only while the command cannot end by itself: the interrupt would meet the tests.
    """
    over = threading.Event()
    main_thread = threading.main_thread().ident
    assert main_thread is not None

    def press() -> None:
        while not when():
            if over.wait(0.005):
                return
        signal.pthread_kill(main_thread, signal.SIGINT)

    pressing = threading.Thread(target=press, name="ctrl-c")
    pressing.start()
    try:
        yield
    finally:
        over.set()
        pressing.join()


def hurry_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo's models answer without the pauses of a model that writes."""
    monkeypatch.setattr("parley.connectors.demo.connector._speed_of", lambda _url: 10_000.0)
