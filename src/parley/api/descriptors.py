"""Divides the open files that the system allows this process between clients and models."""

import contextlib
import logging
import sys
from typing import NamedTuple

from parley.settings import Settings

log = logging.getLogger(__name__)

RESERVE = 64
"""Descriptors for the database, files, and what the process opened at its start."""

REFUSED = 32
"""Descriptors for clients that are being refused."""

ENOUGH = 65_536
"""The highest limit to ask for: some systems allocate tables as long as the limit."""

FEW = 500
"""Warn below this many connections, even if no limit is set."""

UNKNOWN = 8192
"""The limit to assume on systems without one."""


class Shares(NamedTuple):
    """The connections allowed to clients, and to models' servers."""

    clients: int
    models: int


def raise_limit() -> int:
    """Raise this process's limit of open files as far as allowed, and return it."""
    if sys.platform == "win32":
        return UNKNOWN
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return limit()


def limit() -> int:
    """Return how many files this process may open."""
    if sys.platform == "win32":
        return UNKNOWN
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENOUGH if soft == resource.RLIM_INFINITY else soft


def shares(settings: Settings) -> Shares:
    """Divide the descriptors: a third for clients, since each may stream from two models."""
    spare = max(limit() - RESERVE - REFUSED, 48)
    clients = min(settings.max_connections, spare // 3)
    return Shares(clients, spare - clients)


def warn_if_few(settings: Settings) -> None:
    """Log a warning if the system allows fewer connections than the setting, or very few."""
    allowed = shares(settings)
    wanted = settings.max_connections if "max_connections" in settings.model_fields_set else FEW
    if allowed.clients < wanted:
        log.warning(
            "This process may open %d files, enough for %d connections to clients and %d to models' servers. "
            "To allow more, raise the limit of open files (ulimit -n, or LimitNOFILE in systemd).",
            limit(),
            *allowed,
        )
