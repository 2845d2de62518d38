"""A process that has imported all of Parley, and forks a `parley serve` for every line it is sent.

A server that starts this way is a real process of its own, ready in a fraction of the time that imports take.
One JSON document per line, in and out; when its input ends, whatever it started is killed.

    {"log": "/tmp/x/serve.log", "variables": {"PARLEY_PORT": "20001"}, "planted": "leave-open"} → {"pid": 7}
    {"pid": 7} → {"status": null}, or its exit code once it has ended, negative for a signal
    {"pid": 7, "kill": true} → {"status": -9}, once it is gone
"""

import contextlib
import functools
import gc
import importlib
import importlib.metadata
import os
import signal
import sys
from pathlib import Path

import msgspec

IMPORTED = (
    "alembic.command",
    "alembic.config",
    "asyncpg",
    "encodings.idna",
    "parley.api.server",
    "parley.cli.app",
    "parley.connectors.demo",
    "parley.connectors.openai",
    "parley.ratings.decision",
    "parley.ratings.integrity",
    "parley.ratings.left_out",
    "parley.features.standings.refit",
    "prove.planted",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "uvicorn.lifespan.off",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.http.httptools_impl",
    "uvloop",
    "webbrowser",
)
"""What a server imports during its start and its first vote, if installed."""


class Order(msgspec.Struct):
    """A line: start a server, or tell how one is (`pid`), or end it at once (`kill`)."""

    pid: int | None = None
    kill: bool = False
    log: str = ""
    variables: dict[str, str] = {}
    path: list[str] = []
    """Folders to import from first: plugins that this process does not know."""
    planted: str | None = None


def main() -> None:
    """Serve orders until the input ends; a forked child becomes `parley serve` here."""
    also = os.environ.get("ALSO_IMPORT", "").split()  # noqa: TID251 - what one campaign wants loaded besides
    for name in (*IMPORTED, *also):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    # What is installed does not change while this runs, and reading it takes longer than the rest of a start.
    importlib.metadata.entry_points = functools.cache(importlib.metadata.entry_points)
    importlib.metadata.entry_points()
    # A child that looked at all these objects would get a copy of its own of the memory they are in.
    gc.collect()
    gc.freeze()
    alive: set[int] = set()
    with os.fdopen(os.dup(1), "wb", buffering=0) as answers:
        while line := sys.stdin.buffer.readline():
            order = msgspec.json.decode(line, type=Order)
            if order.pid is not None:
                answer = {"status": _status(order.pid, alive, kill=order.kill)}
            elif pid := os.fork():
                alive.add(pid)
                answer = {"pid": pid}
            else:
                break
            answers.write(msgspec.json.encode(answer) + b"\n")
        else:
            for pid in alive:
                os.kill(pid, signal.SIGKILL)
            return
    _serve(order)


def _status(pid: int, alive: set[int], *, kill: bool) -> int | None:
    if kill:
        os.kill(pid, signal.SIGKILL)
    ended, status = os.waitpid(pid, 0 if kill else os.WNOHANG)
    if not ended:
        return None
    alive.discard(pid)
    return os.waitstatus_to_exitcode(status)


def _serve(order: Order) -> None:
    from parley.cli import main as parley
    from prove import planted

    log = os.open(order.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(log)
    os.close(nothing)
    os.chdir(Path(order.log).parent)  # where no settings file lies
    os.environ.update(order.variables)  # noqa: TID251 - the environment of the server to be
    if order.planted:
        planted.plant(order.planted)
    if order.path:
        sys.path[:0] = order.path
        importlib.reload(importlib.metadata)  # with entry points that nobody has read yet
    sys.argv = ["parley", "serve"]
    parley()


if __name__ == "__main__":
    main()
