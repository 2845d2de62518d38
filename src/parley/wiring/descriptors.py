"""Descriptors: how many files this process may open, and who gets them."""

import contextlib
import logging
import sys
from typing import NamedTuple

from parley.settings import Settings

log = logging.getLogger(__name__)

RESERVE = 64
"""Descriptors kept for the database, for files, and for what the process opened at its start."""

REFUSED = 32
"""Descriptors for clients that are being told that there is no room."""

ENOUGH = 65_536
"""More files than that are not asked for: some systems make tables as long as the limit."""

FEW = 500
"""Fewer connections than that are worth a word, also where nobody set a limit."""

UNKNOWN = 8192
"""What is assumed where the system has no such limit."""


class Shares(NamedTuple):
    """How many connections there may be to clients, and to models' servers."""

    clients: int
    models: int


def raise_limit() -> int:
    """Raise this process's limit of open files as far as it may go; return what it is then."""
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
    """Divide what may be opened: a third for clients, for each of them may watch two models speak."""
    spare = max(limit() - RESERVE - REFUSED, 48)
    clients = min(settings.max_connections, spare // 3)
    return Shares(clients, spare - clients)


def warn_if_few(settings: Settings) -> None:
    """Log that the system allows fewer connections than somebody asked for, or hardly any."""
    allowed = shares(settings)
    asked = settings.max_connections if "max_connections" in settings.model_fields_set else FEW
    if allowed.clients < asked:
        log.warning(
            "This process may open %d files, so it holds at most %d connections to clients and %d to models' servers. "
            "To allow more, raise the limit of open files (ulimit -n, or LimitNOFILE in systemd).",
            limit(),
            *allowed,
        )
