"""The limits of a process that reads a foreign file: whatever the file does to it, Parley keeps running."""

import contextlib
import os
import sys
from importlib import import_module
from typing import TypeVar

import msgspec

T = TypeVar("T")

TOO_LARGE = 75
"""The exit code of a process that needs more memory than allowed."""

NICENESS = 10


class ReaderLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds to run, MB of memory, and MB of a file that it may write."""

    seconds: float
    memory_mb: int
    written_mb: int


class Envelope(msgspec.Struct, frozen=True):
    """The limits of a process, and its task in MessagePack."""

    limits: ReaderLimits
    task: bytes


def confined_task(kind: type[T]) -> T:
    """Limit this process, and return its task, which arrives on standard input."""
    envelope = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Envelope)
    _limit(envelope.limits)
    return msgspec.msgpack.decode(envelope.task, type=kind)


def _limit(limits: ReaderLimits) -> None:
    """Limit what this process may take; Windows has no such limits, so there only the time is bounded."""
    try:
        resource = import_module("resource")
    except ImportError:
        return
    seconds = int(limits.seconds) + 1
    for kind, soft, hard in (
        ("RLIMIT_AS", limits.memory_mb << 20, limits.memory_mb << 20),
        # At the soft limit of processor time the exit code says so; at the hard one it does not.
        ("RLIMIT_CPU", seconds, seconds + 1),
        ("RLIMIT_FSIZE", limits.written_mb << 20, limits.written_mb << 20),
        ("RLIMIT_CORE", 0, 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, kind), (soft, hard))
    # Requests go first where both need the same processor.
    os.nice(NICENESS)
