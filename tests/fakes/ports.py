"""Ports for servers that tests start as processes: each test worker has its own range.

A port that the system hands out may be handed to somebody else before the process listens on it;
these are below the range from which the system hands out.
"""

import itertools
import os
import socket

RANGE = 400
FIRST = 20_000

_worker = int(os.getenv("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))  # noqa: TID251
# Another run on this machine most likely begins elsewhere.
_numbers = itertools.cycle((os.getpid() + number) % RANGE for number in range(RANGE))


def free_port() -> int:
    """Return a free port that no other worker gets."""
    for number in itertools.islice(_numbers, RANGE):
        port = FIRST + _worker * RANGE + number
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")
