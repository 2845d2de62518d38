"""Runs one of Parley's programs that read foreign files, in a process of its own with limits."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from typing import Literal, NamedTuple

import msgspec

from parley.engine.confinement import TOO_LARGE, Envelope, ReaderLimits

_INHERITED = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
"""The variables that a process needs to start; providers' keys are not passed on."""

_OUT_OF_TIME = -24
"""The exit code of a process that the system stops at its limit of processor time."""


class Finished(NamedTuple):
    """The output of a reader, and the limit that ended it; `crash` if it ended in another way."""

    output: bytes
    failure: Literal["time", "memory", "crash"] | None


async def run_reader(module: str, task: msgspec.Struct, limits: ReaderLimits) -> Finished:
    """Run a module that takes its task by `confined_task`; stop it when cancelled. Raises OSError."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", module, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment()
    )
    envelope = msgspec.msgpack.encode(Envelope(limits, msgspec.msgpack.encode(task)))
    try:
        async with asyncio.timeout(limits.seconds):
            output, _ = await process.communicate(envelope)
    except TimeoutError:
        return Finished(b"", "time")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Finished(output, _failure(process.returncode or 0))


def _failure(code: int) -> Literal["time", "memory", "crash"] | None:
    if code == TOO_LARGE:
        return "memory"
    return "time" if code == _OUT_OF_TIME else "crash" if code else None


def _environment() -> dict[str, str]:
    there = os.environ  # noqa: TID251 - no configuration is read
    inherited = {key: there[key] for key in _INHERITED if key in there}
    return {**inherited, "PYTHONPATH": os.pathsep.join(sys.path)}
