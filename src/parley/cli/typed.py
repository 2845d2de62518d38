"""Lines that a person types while the event loop runs, so that Ctrl-C ends the wait."""

import asyncio
import os
import sys
import threading


def can_ask() -> bool:
    """Return whether a person can be asked: both input and messages are a terminal."""
    return bool(sys.stdin) and sys.stdin.isatty() and sys.stderr.isatty()


async def typed_line() -> str:
    """Return a line typed in the terminal, empty at its end. Cancelling does not wait for the line.

    It is read from the file itself: a thread that waits in `sys.stdin` would hold its lock when Python exits.
    """
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[bytes] = loop.create_future()

    def finish(line: bytes) -> None:
        if not typed.done():
            typed.set_result(line)

    def read() -> None:
        loop.call_soon_threadsafe(finish, os.read(sys.stdin.fileno(), 1 << 16))

    threading.Thread(target=read, name="parley-typed-line", daemon=True).start()
    return (await typed).decode("utf-8", "replace")


async def typed_text() -> str:
    """Return what is typed until the end of the terminal's input (Ctrl-D)."""
    lines: list[str] = []
    while line := await typed_line():
        lines.append(line)
    return "".join(lines)
