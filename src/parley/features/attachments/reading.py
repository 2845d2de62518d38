"""Starts the process that reads one attachment, and receives what it found."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from parley.features.attachments.found import Found, Picture, Refused, Task, Text
from parley.features.attachments.limits import AttachmentLimits
from parley.features.attachments.worker import TOO_LARGE
from parley.kernel.errors import Invalid, TooLarge, Unsupported

WORKER = "parley.features.attachments.worker"

_INHERITED = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
"""The variables that a process needs to start; providers' keys are not passed on."""


def read_file(path: Path, name: str, folder: Path, limits: AttachmentLimits) -> Picture | Text:
    """Return what was found in a file; results are in the folder. Blocks.

    Raises Invalid if the file can't be used: unsupported, damaged, or beyond a limit.
    """
    task = Task(path=str(path), folder=str(folder), seconds=limits.seconds, memory_mb=limits.memory_mb)
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", WORKER],
            input=msgspec.msgpack.encode(task),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            timeout=limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _refuse(
            name,
            Refused(
                f"takes more than {limits.seconds:g} seconds to read, which is the limit.",
                "Attach a part of it, or save it as text.",
                code="attachment_too_large",
            ),
        ) from None
    found = _found(done.stdout, done.returncode)
    if isinstance(found, Refused):
        raise _refuse(name, found)
    return found


def _found(output: bytes, code: int) -> Found:
    try:
        return msgspec.msgpack.decode(output, type=Found)
    except msgspec.DecodeError:
        pass
    if code == TOO_LARGE:
        return Refused(
            "needs more memory to read than is allowed.",
            "Attach a part of it, or save it as text.",
            code="attachment_too_large",
        )
    return Refused(
        "can't be read: it is damaged.", "Save it again, or convert it.", code="attachment_damaged"
    )


def _refuse(name: str, refused: Refused) -> Invalid:
    kinds = {"attachment_too_large": TooLarge, "attachment_unsupported": Unsupported}
    kind = kinds.get(refused.code, Invalid)
    return kind("file", f"“{name}” {refused.title}", refused.detail, code=refused.code)


def _environment() -> dict[str, str]:
    there = os.environ  # noqa: TID251 - no configuration is read
    inherited = {key: there[key] for key in _INHERITED if key in there}
    return {**inherited, "PYTHONPATH": os.pathsep.join(sys.path)}
